import * as z from 'zod';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import type { TreeNode } from '../../../core/tree/tree.ts';
import type { Action } from '../../../engine/actions/action.ts';
import { allOf, anyOf, isVerified, topLevel } from '../evidence/combine.ts';
import { itemAt } from '../evidence/item-at.ts';
import type { CheckItem } from '../plan/plan.ts';
import { failAtom } from '../run/moves/atom-changes.ts';
import { planOf } from '../run/plan-of.ts';
import type { Evidence, Word } from '../run/tree/own-fields.ts';
import { ended } from '../run/tree/tries.ts';
import { atomFieldsOf, fitting, goalFieldsOf, shopOf, type WorkSearch } from '../run/work-search.ts';
import { letGoOn } from './decide.ts';
import * as say from './messages.ts';

const Args = z.object({
  says: z.enum(['yes', 'no']),
  item: z.string().max(1000).optional(),
  why: z.string().max(1000).optional(),
});
type Args = z.infer<typeof Args>;
const Result = z.object({ says: z.enum(['yes', 'no']), by: z.string(), items: z.array(z.string()) });

/** Records a person's word, which counts as much as a check of ours, for the very work that they looked at. */
export function assertWith(search: WorkSearch): Action<Args, z.infer<typeof Result>> {
  return {
    args: Args,
    result: Result,
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

async function assertOfAtom(search: WorkSearch, node: TreeNode, args: Args, by: string): Promise<string[]> {
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
  } else await search.nodes.change(node, { own: fitting({ ...own, evidence: next }) as never }, { by });
  return places;
}

async function assertOfGoal(search: WorkSearch, node: TreeNode, args: Args, by: string): Promise<string[]> {
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
  await search.nodes.change(node, { ...ends, own: fields as never }, { by });
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
  { says, why, by, commit }: Args & { readonly by: string; readonly commit: string },
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
