import type { Message } from '../../../core/messages/message.ts';
import { oneLine } from '../../../core/text/text.ts';
import type { Tree, TreeNode } from '../../../core/tree/tree.ts';
import type { KindStatus } from '../../../engine/kind.ts';
import { listed } from '../evidence/check-work.ts';
import { type AtomName, lineOf, waitsOf } from '../graph/graph.ts';
import { isReady, neverReady } from '../graph/ready.ts';
import { choiceOf, isResolved, isSatisfied, isWanted } from '../graph/resolution.ts';
import * as say from '../messages.ts';
import { type AtomNode, type GraphInTree, graphFrom, worstWord } from '../run/read-graph.ts';

/** Atoms that are named in a row, at most. */
const MOST_NAMED = 40;

/** Describes a work graph: of each atom its name, state and evidence; of the whole, what can be done next. */
export function workStatus(tree: Tree): KindStatus {
  const read = graphFrom(tree);
  const named = [...read.atoms].map(([name, each]) => ({ name, ...each, at: stateOf(read, name, each) }));
  const listed = named.filter(({ at }) => at.isWanted);
  const rows = (
    [
      [say.ready(), listed.filter(({ at }) => at.isReady && !at.isForPerson)],
      [say.running(), listed.filter(({ at }) => at.state === 'in_progress' && !at.isForPerson)],
      [say.forPerson(), listed.filter(({ at }) => at.isForPerson && at.state !== 'resolved')],
    ] as const
  ).flatMap(([label, atoms]) => rowOf(label, atoms.map(atomSaid)));
  const never = new Map(neverReady(read.graph).map(({ atom, waitsFor }) => [atom, waitsFor]));
  const waiting = listed.filter(({ at }) => at.state === 'pending' && !at.isReady && !at.isForPerson && at.isWorked);
  return {
    rows: [
      ...rows,
      ...rowOf(
        say.waiting(),
        waiting.map(({ name, node }) => {
          const names = never.get(name) ?? waitedFor(read, name);
          const told = { name, title: titleOf(node), names: names.join(', ') };
          return never.has(name) ? say.waitsForEver(told) : names.length > 0 ? say.waitsFor(told) : say.atom(told);
        }),
      ),
      ...rowOf(say.rowOutside(), named.flatMap(outsideSaid)),
      ...goalRows(read),
    ],
    ofNode: (node) => objectOf(read, node),
  };
}

interface State {
  readonly state: 'pending' | 'in_progress' | 'resolved';
  readonly isReady: boolean;
  readonly isForPerson: boolean;
  /** True if it is in the chosen branch. */
  readonly isWanted: boolean;
  /** True if it has no parts, so that somebody works on it itself. */
  readonly isWorked: boolean;
}

function stateOf({ graph }: GraphInTree, name: AtomName, { node, own }: AtomNode): State {
  const atom = graph.atoms.get(name);
  if (!atom) return { state: 'pending', isReady: false, isForPerson: false, isWanted: false, isWorked: false };
  const isUnderWay = node.status === 'in-progress' || atom.state === 'done';
  const isForPerson = own?.by === 'person' || atom.isProposed || atom.needsPerson === true;
  return {
    state: isResolved(graph, name) ? 'resolved' : isUnderWay ? 'in_progress' : 'pending',
    isReady: isReady(graph, atom) && !isUnderWay,
    isForPerson: isForPerson && (atom.isProposed || atom.needsPerson === true || isReady(graph, atom)),
    isWanted: atom.isProposed || isWanted(graph, atom),
    isWorked: node.children.length === 0,
  };
}

/** Returns what an atom, or one that it is a part of, still waits for. */
function waitedFor({ graph }: GraphInTree, name: AtomName): AtomName[] {
  const atom = graph.atoms.get(name);
  const all = atom ? lineOf(graph, atom).flatMap((each) => waitsOf(graph, each.name)) : [];
  return [...new Set(all.flatMap((each) => (each !== undefined && !isSatisfied(graph, each) ? each : [])))];
}

function rowOf(label: Message, lines: readonly Message[]): KindStatus['rows'] {
  const more = lines.length - MOST_NAMED;
  if (lines.length === 0) return [];
  return [{ label, lines: more > 0 ? [...lines.slice(0, MOST_NAMED), say.more({ count: more })] : lines }];
}

/** Returns an atom, with why its last try came to nothing: so that nobody has to look at each that is open again. */
function atomSaid({ name, node, own }: AtomNode & { readonly name: AtomName }): Message {
  const { ended, seen = '' } = own?.tries?.findLast((each) => each.ended !== undefined) ?? {};
  const told = { name, title: titleOf(node) };
  return seen === '' || ended === 'dropped' ? say.atom(told) : say.atomTried({ ...told, why: oneLine(seen, 300) });
}

function outsideSaid({ name, node, own }: AtomNode & { readonly name: AtomName }): Message[] {
  const { outside = [] } = own?.work ?? {};
  return outside.length === 0 ? [] : [say.rowChangedOutside({ name, title: titleOf(node), paths: listed(outside) })];
}

function titleOf({ title }: TreeNode): string {
  return oneLine(title, 200);
}

/** Counts the items of the base case by how well they are known. */
function goalRows({ goal }: GraphInTree): KindStatus['rows'] {
  const words = (goal?.own.evidence ?? []).flatMap(({ item, word }) => (item.includes('.') ? [] : word));
  const counts = [...Map.groupBy(words, (word) => word)];
  return rowOf(
    say.goal(),
    counts.map(([word, all]) => say.items[word]({ count: all.length })),
  );
}

function objectOf(read: GraphInTree, node: TreeNode): object | undefined {
  const { graph, atoms, groups, names, goal } = read;
  if (goal?.node === node) return { goal: true, evidence: goal.own.evidence ?? [] };
  const name = names.get(node.id);
  const atom = name === undefined ? undefined : atoms.get(name);
  if (name !== undefined && atom) {
    const { state, isReady: ready, isForPerson } = stateOf(read, name, atom);
    const { dependsOn, group, ifFailed, parent } = graph.atoms.get(name) ?? {};
    const word = worstWord(atom.own?.evidence);
    return {
      atom: name,
      state,
      ready,
      ...(graph.atoms.get(name)?.state === 'failed' && { failed: true }),
      depends_on: dependsOn ?? [],
      ...(ifFailed !== undefined && { if_failed: ifFailed }),
      ...(group !== undefined && { or_group: group }),
      ...(group === undefined && parent !== undefined && { part_of: parent }),
      ...(isForPerson && { waits_for_person: true }),
      ...(word && { word }),
      ...(atom.own?.work?.outside && { outside: atom.own.work.outside }),
      evidence: atom.own?.evidence ?? [],
    };
  }
  const group = name === undefined ? undefined : graph.groups.get(name);
  if (name === undefined || !group) return undefined;
  const failed = group.choices.filter((choice) => graph.atoms.get(choice)?.state === 'failed');
  const selected = choiceOf(graph, group);
  const { trail = [] } = groups.get(name)?.own ?? {};
  return { group: name, choices: group.choices, ...(selected !== undefined && { selected }), failed, trail };
}
