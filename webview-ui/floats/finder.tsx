import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { IconButton } from '../bars/icon-button.tsx';
import { Icon } from '../bars/icons.tsx';
import type { Drawing } from '../canvas/tree-canvas.tsx';
import { l10n, said } from '../state/l10n.ts';
import type { PanelStore } from '../state/panel-store.ts';
import { foundText } from '../state/texts.ts';

interface Props {
  readonly store: PanelStore;
  readonly drawing: { readonly current: Drawing | null };
}

/** Opens the field in which something to find is typed. */
export function FinderButton({ store }: Pick<Props, 'store'>): VNode {
  const isOpen = store.finding.isOpen.value;
  return (
    <IconButton
      name="search"
      label={said(store.search.value?.words.findNodes ?? '')}
      aria-expanded={isOpen}
      onClick={() => (isOpen ? store.finding.close() : store.finding.open())}
    />
  );
}

/** Finds nodes by what they say, one after the other, like the editor's own field. */
export function Finder({ store, drawing }: Props): VNode | null {
  const field = useRef<HTMLInputElement>(null);
  const { finding, matches } = store;
  const times = finding.times.value;
  useLayoutEffect(() => {
    if (times > 0) field.current?.select();
  }, [times]);
  if (!finding.isOpen.value) return null;
  const found = matches.value ?? [];
  const at = found.findIndex(({ path }) => path === store.selectedPath.value);
  const label = said(store.search.value?.words.findNodes ?? '');
  const step = (by: 1 | -1): void => {
    const next = found[at < 0 ? (by > 0 ? 0 : found.length - 1) : (at + by + found.length) % found.length];
    if (next) store.reveal(next.path);
  };
  const close = (): void => {
    store.finding.close();
    drawing.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && event.target === field.current) step(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
  };
  return (
    <search class="float finder" aria-label={label} onKeyDown={onKeyDown}>
      <span class="field">
        <Icon name="search" />
        <input
          ref={field}
          type="search"
          id="find"
          placeholder={label}
          aria-label={label}
          value={store.view.value.filter.text}
          onInput={(event) => store.filter({ text: event.currentTarget.value })}
        />
      </span>
      <span class="found" role="status">
        {matches.value && (at < 0 ? foundText(found.length) : l10n.t('{0} of {1}', at + 1, found.length))}
      </span>
      <IconButton name="up" label={l10n.t('Previous')} disabled={found.length === 0} onClick={() => step(-1)} />
      <IconButton name="down" label={l10n.t('Next')} disabled={found.length === 0} onClick={() => step(1)} />
      <IconButton name="close" label={l10n.t('Close find')} onClick={close} />
    </search>
  );
}
