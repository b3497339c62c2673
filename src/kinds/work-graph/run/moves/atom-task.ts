import { digest } from '../../../../core/text/digest.ts';
import { parseDocument } from '../../../../core/text/document.ts';
import { pathOf, type TreeNode } from '../../../../core/tree/tree.ts';
import type { AtomTask, Binding } from '../../roles/roles.ts';
import { planOf } from '../plan-of.ts';
import type { AtomFields } from '../tree/own-fields.ts';
import { DEPENDS_ON } from '../tree/read-graph.ts';
import { seenBefore } from '../tree/tries.ts';
import { atomFieldsOf, groupFieldsOf, type WorkSearch } from '../work-search.ts';

const MOST_BINDINGS = 50;
const MOST_ARTIFACTS = 50;

/** An atom as it is described to its worker. */
export async function taskOf(search: WorkSearch, node: TreeNode, own: AtomFields): Promise<AtomTask> {
  const plan = await planOf(search.store);
  return { node, fields: own, plan, bindings: await bindingsOf(search, node), seen: seenBefore(own) };
}

/** A hash of what work on an atom begins with: what is to be done, what shows that, and what came about before it. */
export async function begunWith(search: WorkSearch, node: TreeNode): Promise<string> {
  const { run, does, checks } = atomFieldsOf(node) ?? {};
  const before: TreeNode[] = [];
  // An atom of which this one is a part waits for others, too.
  for (let at: TreeNode | undefined = node; at; at = at.parent) before.push(...resolvedBefore(search, at));
  const bindings = await Promise.all(before.map((each) => bindingOf(search, each)));
  const joined = before.map((each) => atomFieldsOf(each)?.joined);
  return digest(JSON.stringify([run, does, checks, bindings, joined]));
}

/** Returns what came about in all that an atom depends on directly; of a group, in its resolved alternative. */
async function bindingsOf(search: WorkSearch, node: TreeNode): Promise<Binding[]> {
  return await Promise.all(resolvedBefore(search, node).map((each) => bindingOf(search, each)));
}

function resolvedBefore({ tree }: WorkSearch, node: TreeNode): TreeNode[] {
  const targets = tree.links.from(node).flatMap(({ type, to }) => (type === DEPENDS_ON && to ? to : []));
  return targets.flatMap(resolvedIn).slice(0, MOST_BINDINGS);
}

/** The resolved atoms that a node represents: itself, its parts, or the alternative that was resolved. */
function resolvedIn(node: TreeNode): TreeNode[] {
  const above = node.parent && groupFieldsOf(node.parent) ? node.parent : undefined;
  if (node.status === 'leaf') return [node];
  const below = node.children.flatMap((child) => (child.status === 'leaf' ? [child] : []));
  if (below.length > 0) return below;
  return above?.children.find((child) => child.status === 'leaf') ? resolvedIn(above) : [];
}

async function bindingOf({ store }: WorkSearch, node: TreeNode): Promise<Binding> {
  const name = atomFieldsOf(node)?.name ?? node.slug;
  const { summary, artifacts } = bindingIn((await store.readDocument(pathOf(node))) ?? '');
  return { name, title: node.title, summary: summary || (node.summary ?? ''), artifacts };
}

/** Summary and artifacts in the front matter of a document, whoever wrote it. */
function bindingIn(document: string): { summary: string; artifacts: string[] } {
  try {
    const { summary, artifacts } = parseDocument(document).data;
    const list = Array.isArray(artifacts) ? artifacts.filter((each) => typeof each === 'string') : [];
    return {
      summary: typeof summary === 'string' ? summary.slice(0, 2000) : '',
      artifacts: list.slice(0, MOST_ARTIFACTS).map((each) => each.slice(0, 500)),
    };
  } catch {
    return { summary: '', artifacts: [] }; // a person's front matter need not be valid
  }
}
