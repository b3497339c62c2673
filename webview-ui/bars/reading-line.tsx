import type { VNode } from 'preact';
import { l10n } from '../state/l10n.ts';
import type { PanelStore } from '../state/panel-store.ts';
import { nodesText } from '../state/texts.ts';

/** Draws how much of the tree is there, while the rest is read. */
export function ReadingLine({ store }: { readonly store: PanelStore }): VNode | null {
  const { reading, words } = store.search.value ?? {};
  if (!reading) return null;
  const { done, all } = reading;
  return <p class="reading">{l10n.t('{0} of {1} read…', done, nodesText(all, words))}</p>;
}
