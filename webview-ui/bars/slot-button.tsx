import type { VNode } from 'preact';
import type { GraphSlot } from '../../src/protocol/graph-node.ts';
import { l10n } from '../state/l10n.ts';
import type { PanelStore } from '../state/panel-store.ts';
import { purposeText, titled } from '../state/texts.ts';

interface Props {
  readonly store: PanelStore;
  readonly slot: GraphSlot;
  /** How long it has taken, where that is shown. */
  readonly time?: string;
}

/** Draws a call of this search that is under way, which leads to its node. */
export function SlotButton({ store, slot, time }: Props): VNode {
  return (
    <button type="button" class="slot" onClick={() => store.reveal(slot.node)} title={slotText(store, slot)}>
      <span dir="auto">{titled(titleOf(store, slot), 100)}</span>
      <span class="dim">
        {' '}
        {purposeText(store.search.value?.words, slot.purpose)}
        {time !== undefined && ` · ${time}`}
      </span>
    </button>
  );
}

export function slotKey({ node, purpose, since }: GraphSlot): string {
  return `${node} ${purpose} ${since}`;
}

function titleOf(store: PanelStore, { node }: GraphSlot): string {
  return node === '' ? l10n.t('The search') : (store.tree.get(node)?.data.title ?? node);
}

function slotText(store: PanelStore, slot: GraphSlot): string {
  return `${titled(titleOf(store, slot))}: ${purposeText(store.search.value?.words, slot.purpose)}`;
}
