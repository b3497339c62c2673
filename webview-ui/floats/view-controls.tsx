import type { VNode } from 'preact';
import { pictureOf } from '../../src/drawing/tree-svg.ts';
import { IconButton } from '../bars/icon-button.tsx';
import type { Drawing } from '../canvas/tree-canvas.tsx';
import { figures } from '../state/figures.ts';
import { l10n, said } from '../state/l10n.ts';
import type { PanelStore } from '../state/panel-store.ts';
import { titled } from '../state/texts.ts';

interface Props {
  readonly store: PanelStore;
  readonly drawing: { readonly current: Drawing | null };
}

/** Draws what moves the drawing, at its corner. */
export function ViewControls({ store, drawing }: Props): VNode {
  const { isFollowing } = store.view.value;
  const save = (): void => {
    const scene = drawing.current?.scene();
    if (scene) store.savePicture(pictureOf(scene, { say: said, count: figures.count }));
  };
  return (
    <div class="float controls" role="toolbar" aria-label={l10n.t('View')}>
      <IconButton name="minus" label={l10n.t('Zoom out')} onClick={() => drawing.current?.zoom(1 / 1.3)} />
      <IconButton name="plus" label={l10n.t('Zoom in')} onClick={() => drawing.current?.zoom(1.3)} />
      <IconButton name="fit" label={l10n.t('Show everything')} onClick={() => drawing.current?.fit()} />
      <IconButton
        name="follow"
        label={l10n.t('Follow current work')}
        onClick={() => store.set({ isFollowing: !isFollowing })}
        aria-pressed={isFollowing}
      />
      {store.past.isOffered && (
        <IconButton
          name="history"
          label={l10n.t('Timeline (comma)')}
          onClick={() => (store.past.isOpen.value ? store.past.close() : store.past.open())}
          aria-pressed={store.past.isOpen.value}
        />
      )}
      <IconButton name="save" label={l10n.t('Save as SVG')} onClick={save} />
    </div>
  );
}

/** Says that only one branch is drawn, and leads back to the whole tree. */
export function BranchLine({ store }: { readonly store: PanelStore }): VNode | null {
  const node = store.focused.value;
  if (!node) return null;
  return (
    <div class="float branch-line">
      <span dir="auto">{l10n.t('Only the branch "{0}"', titled(node.data.title, 80))}</span>
      <button type="button" class="button" onClick={() => store.focusOn('')}>
        {l10n.t('Show the whole tree')}
      </button>
    </div>
  );
}
