import type { Message } from '../../../core/messages/message.ts';
import { oneLine } from '../../../core/text/text.ts';
import { topLevel, withWord } from '../evidence/combine.ts';
import { itemAt } from '../evidence/item-at.ts';
import { isResolved } from '../graph/resolved.ts';
import { isWanted } from '../graph/selection.ts';
import type { AtomName } from '../graph/work-graph.ts';
import type { AtomNode, GraphInTree } from '../run/tree/read-graph.ts';
import { howKnown } from './how-known.ts';
import * as say from './messages.ts';

const LONGEST_WHY = 300;

/** Why an atom is not resolved; undefined if it is. */
export function whyNot({ graph }: GraphInTree, name: AtomName, { node, own }: AtomNode): Message | undefined {
  const atom = graph.atoms.get(name);
  if (!atom || isResolved(graph, name)) return undefined;
  if (atom.isProposed) return say.proposed();
  const last = own?.tries?.findLast(({ seen }) => seen !== undefined)?.seen;
  const why = oneLine(node.failure?.message ?? last ?? '', LONGEST_WHY);
  if (atom.state === 'failed') return say.failed({ why });
  if (!isWanted(graph, atom)) return say.notChosen();
  if (atom.needsPerson) {
    const items = withWord(own?.evidence ?? [], 'uncheckable').map(({ item, seen }) =>
      oneLine(`${itemAt(own?.checks ?? [], item)?.item ?? item}${seen ? ` (${seen})` : ''}`, LONGEST_WHY),
    );
    return say.waitsForPerson({ items: items.join('; ') });
  }
  return why === '' ? say.notDone() : say.lastSeen({ why });
}

/** Lists what shows that an atom is resolved: each item with how it is known. */
export function shownBy({ own }: AtomNode): readonly (readonly [item: string, how: Message])[] {
  return topLevel(own?.evidence ?? []).map((each) => {
    const item = itemAt(own?.checks ?? [], each.item);
    return [item?.item ?? each.item, howKnown(each, item)];
  });
}
