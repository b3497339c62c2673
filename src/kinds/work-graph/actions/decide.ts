import * as z from 'zod';
import type { Message } from '../../../core/messages/message.ts';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import type { TreeNode } from '../../../core/tree/tree.ts';
import type { Acting, Action } from '../../../engine/context.ts';
import { retry as retryAny } from '../../../engine-parts/actions/node-actions.ts';
import { allOf, anyOf, isVerified, itemAt, topLevel } from '../evidence/check-work.ts';
import * as say from '../messages.ts';
import { CheckItem, FileGlob } from '../plan/plan.ts';
import { failAtom, removeCheckout } from '../run/atom-changes.ts';
import { addAtom } from '../run/lay-out.ts';
import type { Evidence, GoalFields, Word } from '../run/own-fields.ts';
import { ended } from '../run/own-fields.ts';
import { graphFrom } from '../run/read-graph.ts';
import { lastIteration } from '../run/strategy.ts';
import {
  atomFieldsOf,
  fitting,
  goalFieldsOf,
  groupFieldsOf,
  planOf,
  shopOf,
  type WorkSearch,
} from '../run/work-search.ts';

const Nothing = z.object({});

function atomOf(node: TreeNode): NonNullable<ReturnType<typeof atomFieldsOf>> {
  const own = atomFieldsOf(node);
  if (!own) throw new ThoughtTreeError('bad-input', say.notAnAtom({ title: node.title }));
  return own;
}

/** Counts iterations and stalls from here, since a person had a look. */
export async function letGoOn(search: WorkSearch): Promise<void> {
  const { goal } = graphFrom(search.tree);
  if (!goal) return;
  const own: GoalFields = { ...goal.own, since: lastIteration(search) };
  await search.nodes.change(goal.node, { own });
}

/** Returns an action without arguments after which the loop may go on. */
function decision(
  search: WorkSearch,
  run: (at: Acting) => Promise<void>,
  told: (node: TreeNode) => Message,
): Action<object, object> {
  return {
    args: Nothing,
    result: Nothing,
    async run(at) {
      await run(at);
      await letGoOn(search);
      return {};
    },
    say: (_result, node) => told(node),
  };
}

export function goOnWith(search: WorkSearch): Action<object, object> {
  return decision(search, async () => undefined, say.goesOn);
}

/** Opens again what failed; the loop may go as far as before. */
export function retryWith(search: WorkSearch): typeof retryAny {
  return {
    ...retryAny,
    async run(at, args) {
      const result = await retryAny.run(at, args);
      await letGoOn(search);
      return result;
    },
  };
}

/** Forgets what we found out ourselves, so that it is looked at again. */
export function checkAgainWith(search: WorkSearch): Action<object, object> {
  const run = async ({ node, by }: Acting): Promise<void> => {
    const own = goalFieldsOf(node) ?? atomOf(node);
    const { evidence = [], ...rest } = own;
    const said = own.type === 'goal' ? [] : evidence.filter((each) => each.by !== undefined);
    const next = { ...rest, ...(said.length > 0 && { evidence: said }) };
    await search.nodes.change(node, { own: next }, { by });
  };
  return decision(search, run, ({ title }) => say.checkedAgain({ title }));
}

/** Makes an atom one that a person does: it becomes an offer, in a new checkout, and whoever worked on it stops. */
export function doMyselfWith(search: WorkSearch): Action<object, object> {
  const run = async ({ node, by, loop }: Acting): Promise<void> => {
    const { work: _work, evidence: _evidence, ...own } = atomOf(node);
    await loop.release(new Set([node.id]));
    await removeCheckout(search, node);
    const next = fitting({ ...own, by: 'person' });
    const open = { status: 'unexpanded', failure: null } as const;
    await search.nodes.change(node, { ...open, own: next }, { by });
  };
  return decision(search, run, ({ title }) => say.forYou({ title }));
}

export function acceptProposalWith(search: WorkSearch): Action<object, object> {
  const run = async ({ node, by }: Acting): Promise<void> => {
    const { isProposed, ...own } = atomOf(node);
    if (!isProposed) throw new ThoughtTreeError('bad-input', say.notProposed({ title: node.title }));
    await search.nodes.change(node, { own }, { by });
  };
  return decision(search, run, ({ title }) => say.proposalAccepted({ title }));
}

const Alternative = z.object({
  title: z.string().trim().min(1).max(1000),
  does: z.string().max(8000).optional(),
  run: z.string().trim().min(1).max(4000).optional(),
  checks: z.array(CheckItem).max(50).optional(),
  touches: z.array(FileGlob).max(100).optional(),
});
const Added = z.object({ title: z.string() });

/** Adds another way to a group, which then goes on. */
export function addAlternativeWith(search: WorkSearch): Action<z.infer<typeof Alternative>, z.infer<typeof Added>> {
  return {
    args: Alternative,
    result: Added,
    async run({ node }, { title, does, run, checks, touches }) {
      const group = groupFieldsOf(node) ? node : node.parent && groupFieldsOf(node.parent) ? node.parent : undefined;
      if (!group) throw new ThoughtTreeError('bad-input', say.notAGroup({ title: node.title }));
      const atom = {
        title,
        ...(does && { does }),
        ...(run && { run }),
        ...(checks && { checks }),
        ...(touches && { touches }),
      };
      const added = await addAtom(search, atom, {}, group);
      if (!added) throw new ThoughtTreeError('bad-input', say.tooManyAtoms());
      await letGoOn(search);
      return { title };
    },
    say: ({ title }) => say.alternativeAdded({ title }),
  };
}

const Assertion = z.object({
  says: z.enum(['yes', 'no']),
  item: z.string().max(1000).optional(),
  why: z.string().max(1000).optional(),
});
type Assertion = z.infer<typeof Assertion>;
const Asserted = z.object({ says: z.enum(['yes', 'no']), by: z.string(), items: z.array(z.string()) });

/** Records a person's word, which counts as much as a check of ours, for the very work that they looked at. */
export function assertWith(search: WorkSearch): Action<Assertion, z.infer<typeof Asserted>> {
  return {
    args: Assertion,
    result: Asserted,
    async run({ node, by }, args) {
      const items = goalFieldsOf(node)
        ? await assertOfGoal(search, node, args, by)
        : await assertOfAtom(search, node, args, by);
      await letGoOn(search);
      return { says: args.says, by, items };
    },
    say: ({ says, by }, { title }) => say.asserted({ by, title, says: says === 'yes' ? say.yes() : say.no() }),
  };
}

async function assertOfAtom(search: WorkSearch, node: TreeNode, args: Assertion, by: string): Promise<string[]> {
  const own = atomFieldsOf(node);
  if (!own) throw new ThoughtTreeError('bad-input', say.notAnAtom({ title: node.title }));
  const { work, checks = [], evidence = [] } = own;
  const places = work ? placesMeant(node, checks, evidence, args.item) : [];
  if (!work || places.length === 0) throw new ThoughtTreeError('bad-input', say.nothingToSay({ title: node.title }));
  const commit = work.commit ?? work.base;
  const next = withAnswers(search, checks, evidence, places, { ...args, by, commit });
  if (args.says === 'no') {
    const title = itemAt(checks, places[0] as string)?.item ?? '';
    const seen = `${by}: ${title}. ${args.why ?? ''}`.trim();
    await failAtom(search, node, own, { as: 'contradicted', seen, evidence: next });
  } else await search.nodes.change(node, { own: fitting({ ...own, evidence: next }) }, { by });
  return places;
}

async function assertOfGoal(search: WorkSearch, node: TreeNode, args: Assertion, by: string): Promise<string[]> {
  const own = goalFieldsOf(node);
  const { base_case: items } = await planOf(search.store);
  const { evidence = [] } = own ?? {};
  const places = placesMeant(node, items, evidence, args.item);
  const commit = await shopOf(search).tip();
  if (!own || places.length === 0 || commit === undefined)
    throw new ThoughtTreeError('bad-input', say.nothingToSay({ title: node.title }));
  const next = withAnswers(search, items, evidence, places, { ...args, by, commit });
  const holds = next.length > 0 && isVerified(next);
  const tries = holds ? ended(own, 'resolved') : own.tries;
  const ends = holds ? ({ status: 'leaf', leafReason: 'solved' } as const) : {};
  const fields = fitting({ ...own, evidence: next, ...(tries && { tries }) });
  await search.nodes.change(node, { ...ends, own: fields }, { by });
  return places;
}

/** The places of the items meant: the one that is named, or all that cannot be checked, without those that have parts. */
function placesMeant(
  node: TreeNode,
  items: readonly CheckItem[],
  evidence: readonly Evidence[],
  named: string | undefined,
): string[] {
  const waiting = evidence.flatMap(({ item, word }) =>
    word === 'uncheckable' && itemAt(items, item)?.check ? item : [],
  );
  if (named === undefined) return waiting;
  if (itemAt(items, named)) return [named];
  const known = [...evidence.map(({ item }) => item), ...items.map((_, i) => String(i))];
  const found = known.find((place) => itemAt(items, place)?.item === named);
  if (found === undefined)
    throw new ThoughtTreeError('bad-input', say.noSuchItem({ title: node.title, item: named.slice(0, 200) }));
  return [found];
}

function withAnswers(
  { clock }: WorkSearch,
  items: readonly CheckItem[],
  evidence: readonly Evidence[],
  places: readonly string[],
  { says, why, by, commit }: Assertion & { readonly by: string; readonly commit: string },
): Evidence[] {
  const time = new Date(clock.now()).toISOString();
  const word: Word = says === 'yes' ? 'verified' : 'contradicted';
  const answers = places.map((item): Evidence => {
    const seen = why?.trim() ? { seen: why.trim().slice(0, 600) } : {};
    return { item, word, commit, by: by.slice(0, 100), time, ...seen };
  });
  const answered = new Set(places);
  const others = evidence.filter(({ item }) => !answered.has(item));
  return recombined(items, [...others, ...answers]);
}

/** The entries of items with parts follow from those of their parts. */
function recombined(items: readonly CheckItem[], evidence: readonly Evidence[]): Evidence[] {
  const byPlace = new Map(evidence.map((each) => [each.item, each]));
  const settle = (item: CheckItem, place: string): void => {
    const parts = item.all_of ?? item.any_of;
    const before = byPlace.get(place);
    if (!parts || !before || before.by !== undefined) return;
    for (const [i, part] of parts.entries()) settle(part, `${place}.${i}`);
    const words = parts.flatMap((_, i) => byPlace.get(`${place}.${i}`)?.word ?? []);
    if (words.length > 0) byPlace.set(place, { ...before, word: (item.any_of ? anyOf : allOf)(words) });
  };
  for (const { item: place } of topLevel(evidence)) {
    const item = itemAt(items, place);
    if (item) settle(item, place);
  }
  return [...byPlace.values()].sort((a, b) => a.item.localeCompare(b.item, 'en', { numeric: true }));
}
