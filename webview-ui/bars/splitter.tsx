import type { VNode } from 'preact';
import { clamp } from '../../src/drawing/geometry.ts';
import { l10n } from '../state/l10n.ts';
import type { PanelStore } from '../state/panel-store.ts';

const LEAST = 240;
const MOST = 900;
const STEP = 24;

/** Draws the border between drawing and inspector, moved with the pointer or the arrow keys. */
export function Splitter({ store }: { readonly store: PanelStore }): VNode {
  const width = store.view.value.inspectorWidth;
  const set = (to: number): void => store.set({ inspectorWidth: clamp(Math.round(to), LEAST, MOST) });
  const drag = (event: PointerEvent & { readonly currentTarget: HTMLElement }): void => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) set(document.body.clientWidth - event.clientX);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowLeft') set(width + STEP);
    else if (event.key === 'ArrowRight') set(width - STEP);
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: <hr> takes no keys
    <div
      class="splitter"
      role="separator"
      tabIndex={0}
      aria-label={l10n.t('Width of the details')}
      aria-orientation="vertical"
      aria-valuenow={width}
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={onKeyDown}
    />
  );
}
