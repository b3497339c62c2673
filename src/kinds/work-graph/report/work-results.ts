import { topLevel } from '../evidence/combine.ts';
import { itemAt } from '../evidence/item-at.ts';
import { isReady } from '../graph/ready.ts';
import { isResolved } from '../graph/resolved.ts';
import { lastIteration } from '../run/graph-facts.ts';
import { planIn } from '../run/plan-of.ts';
import type { Evidence } from '../run/tree/own-fields.ts';
import { graphFrom } from '../run/tree/read-graph.ts';
import type { WorkSearch } from '../run/work-search.ts';

/** Counts atoms by how far they are, and tells whether the goal is reached. */
export function workResults(search: Pick<WorkSearch, 'tree'>): object {
  const { graph, goal } = graphFrom(search.tree);
  const all = [...graph.atoms.values()];
  const count = (isMeant: (atom: (typeof all)[number]) => boolean): number => all.filter(isMeant).length;
  return {
    atoms: all.length,
    resolved: count(({ name }) => isResolved(graph, name)),
    failed: count(({ state }) => state === 'failed'),
    ready: count((atom) => isReady(graph, atom)),
    waitsForPerson: count(({ needsPerson }) => needsPerson === true),
    proposed: count(({ isProposed }) => isProposed),
    iterations: lastIteration(search),
    isReached: goal?.node.status === 'leaf',
  };
}

/** The result of a search for programs: the base case item by item, the atoms, and what was changed. */
export async function workMessage(search: WorkSearch): Promise<object> {
  const { tree, store, workshop } = search;
  const { atoms, graph, goal } = graphFrom(tree);
  const plan = await planIn(store).catch(() => undefined);
  const [start, tip] = [await workshop?.start(), await workshop?.tip()];
  const diff = workshop && start !== undefined && tip !== undefined ? await workshop.diff(start, tip) : undefined;
  return {
    goal: plan?.goal ?? search.file.prompt,
    ...workResults(search),
    base_case: (plan?.base_case ?? []).map(({ item }, i) => {
      const known = goal?.own.evidence?.find((each) => each.item === String(i));
      return { item, word: known?.word ?? null, ...shown(known) };
    }),
    graph: [...atoms].map(([name, { node, own }]) => ({
      atom: name,
      title: node.title,
      state: graph.atoms.get(name)?.state,
      summary: own?.work?.summary ?? null,
      artifacts: own?.work?.artifacts ?? [],
      ...(own?.work?.outside && { outside: own.work.outside }),
      evidence: topLevel(own?.evidence ?? []).map((each) => ({
        item: itemAt(own?.checks ?? [], each.item)?.item ?? each.item,
        word: each.word,
        ...shown(each),
      })),
    })),
    ...(start !== undefined && { start }),
    ...(tip !== undefined && { tip }),
    ...(diff && { files: diff.files.slice(0, 1000) }),
  };
}

function shown(evidence: Evidence | undefined): object {
  if (!evidence) return {};
  const { item: _item, word: _word, ...rest } = evidence;
  return rest;
}
