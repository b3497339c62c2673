import type { VNode } from 'preact';
import type { GraphSearch, GraphSlot } from '../../src/protocol/graph-node.ts';
import { Popover } from '../parts/popover.tsx';
import { l10n } from '../state/l10n.ts';
import type { PanelStore } from '../state/panel-store.ts';
import { purposeText, titled } from '../state/texts.ts';

interface Props {
  readonly store: PanelStore;
  readonly search: GraphSearch;
}

/** How much is being done at this moment, and what. */
export function Slots({ store, search }: Props): VNode | null {
  const { slots } = search;
  if (slots.length === 0) return null;
  const label = l10n.t('Current work: {0}', slots.length);
  const face = (
    <>
      <span class="pulse" aria-hidden="true" />
      <span aria-hidden="true">{slots.length}</span>
    </>
  );
  return (
    <Popover label={label} tooltip={label} class="button icon-only working" face={face}>
      {() => (
        <ul class="slots" aria-label={l10n.t('Current work')}>
          {slots.map((slot) => (
            <li key={`${slot.node} ${slot.purpose} ${slot.since}`}>
              <button type="button" class="slot" onClick={() => store.reveal(slot.node)} title={slotText(store, slot)}>
                <span dir="auto">{titled(titleOf(store, slot), 100)}</span>
                <span class="dim"> {purposeText(search.words, slot.purpose)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Popover>
  );
}

function titleOf(store: PanelStore, { node }: GraphSlot): string {
  return node === '' ? l10n.t('The search') : (store.tree.get(node)?.data.title ?? node);
}

function slotText(store: PanelStore, slot: GraphSlot): string {
  return `${titled(titleOf(store, slot))}: ${purposeText(store.search.value?.words, slot.purpose)}`;
}
