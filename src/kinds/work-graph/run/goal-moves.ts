import type { MoveResult } from '../../../core/kind/strategy.ts';
import { kept, type Message, noted } from '../../../core/messages/message.ts';
import type { CommitId } from '../../../core/ports/workshop.ts';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import { oneLine } from '../../../core/text/text.ts';
import { pathOf, type TreeNode, walk } from '../../../core/tree/tree.ts';
import { bounded, CheckPlace, decidedBy, Findings, isVerified, itemAt, withWord } from '../evidence/check-work.ts';
import { alternativesOf } from '../graph/graph.ts';
import type { AtRest } from '../graph/ready.ts';
import { chosenBefore, switchOf } from '../graph/resolution.ts';
import * as say from '../messages.ts';
import { withEvidence } from './documents.ts';
import { addAtom } from './lay-out.ts';
import { begun, type Evidence, ended, type GoalFields, type GroupFields, type Try, type Word } from './own-fields.ts';
import { graphFrom } from './read-graph.ts';
import {
  atomFieldsOf,
  DONE,
  DROPPED,
  fitting,
  goalFieldsOf,
  groupFieldsOf,
  lookedAt,
  planOf,
  type WorkSearch,
} from './work-search.ts';

const MOST_EVIDENCE = 200;

/** Looks whether the base case holds in the accepted work, by ourselves. What a person said counts as long as the work is the same. */
export async function verifyGoal(
  search: WorkSearch,
  given: TreeNode,
  iteration: number,
  signal: AbortSignal,
): Promise<MoveResult> {
  const node = await lookedAt(search, given, signal);
  const own = node && goalFieldsOf(node);
  // An item that held once is looked at again, too, if more was done since.
  if (!node || !own) return DROPPED;
  const { nodes, history, store } = search;
  history.note({ type: 'progress', ...noted(say.verifying()) });
  const shop = await search.ready(signal);
  const plan = await planOf(store);
  const tip = (await shop.tip()) as CommitId;
  const tries = begun(own, iteration);
  const place = new CheckPlace(shop, tip, signal);
  const asserted = (own.evidence ?? []).filter(({ by, commit }) => by !== undefined && commit === tip);
  const findings = new Findings({ search, plan, commit: tip, place, signal });
  const evidence = bounded(await findings.of(plan.base_case, asserted), MOST_EVIDENCE);
  const done = await nodes.commit(node, signal, () => keepEvidence(search, node, { ...own, tries }, evidence));
  return done === 'gone' ? DROPPED : DONE;
}

async function keepEvidence(
  { nodes, store, show }: WorkSearch,
  node: TreeNode,
  own: GoalFields & { tries: Try[] },
  evidence: Evidence[],
): Promise<void> {
  const holds = isVerified(evidence);
  const tries = ended(own, holds ? 'resolved' : 'contradicted');
  const plan = await planOf(store);
  const before = (await store.readDocument(pathOf(node))) ?? `# ${show(say.baseCase())}\n`;
  const document = withEvidence(before, plan.base_case, evidence);
  const next = fitting({ ...own, tries, evidence });
  const ends = holds ? ({ status: 'leaf', leafReason: 'solved' } as const) : ({ status: 'unexpanded' } as const);
  await nodes.change(node, { ...ends, own: next }, { document });
}

/** Everything is resolved, and the base case does not hold: each item that does not becomes a new atom, checked by that item. */
export async function extendGoal(search: WorkSearch, given: TreeNode, signal: AbortSignal): Promise<MoveResult> {
  const node = await lookedAt(search, given, signal);
  const own = node && goalFieldsOf(node);
  if (!node || !own) return DROPPED;
  const plan = await planOf(search.store);
  const done = await search.nodes.commit(search.tree.root, signal, async () => {
    let added = 0;
    const evidence = own.evidence ?? [];
    for (const each of withWord(evidence, 'contradicted')) {
      const item = itemAt(plan.base_case, each.item);
      if (!item) continue;
      const title = oneLine(search.show(say.reachedIf({ item: item.item })), 200);
      if (isUnderWay(search, title)) continue;
      const { seen = '' } = decidedBy(evidence, each);
      const does = search.show(say.reachedIfSeen({ item: item.item, seen }));
      if (await addAtom(search, { title, does, checks: [item] }, { from: node })) added++;
    }
    // Where nothing new can be done about it, a person has to say what.
    const next: GoalFields = { ...own, tries: ended(own, added > 0 ? 'decomposed' : 'failed') };
    await search.nodes.change(node, { own: next });
    return added;
  });
  return done === 'gone' ? DROPPED : DONE;
}

/** Tells whether an atom for an item is not resolved yet: a second one would do the same. */
function isUnderWay({ tree }: WorkSearch, title: string): boolean {
  return [...walk(tree.root)].some((each) => each.title === title && atomFieldsOf(each) && each.status !== 'leaf');
}

const MOST_TRAIL = 50;

/** The way in which a group is switched: with `isStall`, although its choice has not failed, since nothing moved. */
export interface Switch {
  readonly to?: string | undefined;
  readonly isStall?: boolean | undefined;
}

/**
 * Switches a group to its next alternative. Reason and time are in its trail with the choice itself, in one write: nothing of
 * the next alternative begins before.
 */
export async function switchGroup(
  search: WorkSearch,
  given: TreeNode,
  { to: wanted, isStall = false }: Switch,
  signal: AbortSignal,
): Promise<MoveResult> {
  const node = await lookedAt(search, given, signal);
  const own = node && groupFieldsOf(node);
  if (!node || !own) return DROPPED;
  const done = await search.nodes.commit(node, signal, async () => {
    const { graph, atoms, names } = graphFrom(search.tree);
    const name = names.get(node.id);
    const group = name === undefined ? undefined : graph.groups.get(name);
    const to = group && (isStall ? wanted : switchOf(graph, group));
    if (name === undefined || !group || to === undefined || !alternativesOf(graph, name).includes(to)) return false;
    const from = chosenBefore(graph, group) ?? '';
    const left = atoms.get(from)?.node;
    const gaveUp = say.gaveUp({ from });
    const reason = oneLine(left?.failure?.message ?? '', 800) || search.show(gaveUp);
    // An alternative that was given up counts as failed: otherwise the next stall would lead back to it.
    if (left && isStall && left.status !== 'failed')
      await search.nodes.change(left, { status: 'failed', failure: { reason: 'refused', ...kept(gaveUp) } });
    const time = new Date(search.clock.now()).toISOString();
    const trail = [...(own.trail ?? []).slice(-MOST_TRAIL), { selected: to, reason: reason.slice(0, 1000), time }];
    const next: GroupFields = { ...own, selected: to, trail };
    await search.nodes.change(node, { own: next });
    search.history.note({ type: 'progress', ...noted(say.switched({ group: name, from, to })) });
    return true;
  });
  return done === true ? DONE : DROPPED;
}

const MOST_NAMES = 10;

/** Pauses the search where only a person can go on. @throws ThoughtTreeError `at-rest`, saying why and what to do */
export async function rest(search: WorkSearch, why: AtRest): Promise<never> {
  throw new ThoughtTreeError('at-rest', await restOf(search, why));
}

async function restOf(search: WorkSearch, why: AtRest): Promise<Message> {
  switch (why.kind) {
    case 'exhausted':
      return say.noAlternative({ groups: listed(why.groups) });
    case 'iterations':
      return say.noIterations({ limit: why.limit });
    case 'stall':
      return say.stalled({ limit: why.limit, atoms: called(search, why.atoms) });
    case 'person':
      return why.isGoal
        ? say.goalForPerson({ items: await itemsOfGoal(search, 'uncheckable') })
        : say.atomsForPerson({ atoms: called(search, why.atoms, false) });
    case 'base-case':
      return say.baseCaseFails({ items: await itemsOfGoal(search, 'contradicted') });
    case 'stuck': {
      const failed = called(search, why.failed);
      const waiting = why.never.map(({ atom, waitsFor }) => `${called(search, [atom], false)} (${listed(waitsFor)})`);
      const never = listed(waiting);
      if (waiting.length === 0) return say.stuckFailed({ failed });
      return why.failed.length === 0 ? say.stuckWaiting({ never }) : say.stuck({ failed, never });
    }
  }
}

async function itemsOfGoal({ tree, store }: WorkSearch, word: Word): Promise<string> {
  const { base_case: items } = await planOf(store);
  const evidence = graphFrom(tree).goal?.own.evidence ?? [];
  return listed(withWord(evidence, word).map(({ item }) => itemAt(items, item)?.item ?? item));
}

/** Lists atoms by their names and titles, and what was seen last where they failed. */
function called({ tree }: WorkSearch, names: readonly string[], withCause = true): string {
  const nodes = new Map([...walk(tree.root)].map((node) => [atomFieldsOf(node)?.name, node]));
  return listed(
    names.map((name) => {
      const node = nodes.get(name);
      if (!node) return name;
      const seen = withCause ? (atomFieldsOf(node)?.tries?.at(-1)?.seen ?? node.file?.failure?.message) : undefined;
      return `${name} "${oneLine(node.title, 80)}"${seen ? `: ${oneLine(seen, 100)}` : ''}`;
    }),
  );
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).map((name) => name.slice(0, 200));
  return shown.length === 0 ? '–' : shown.join(', ') + (names.length > shown.length ? ', …' : '');
}
