import { foreign, kept } from '../../../core/messages/message.ts';
import type { Reason } from '../../../core/search/errors.ts';
import { parseDocument } from '../../../core/text/document.ts';
import { digest } from '../../../core/text/text.ts';
import { isPruned, pathOf, type TreeNode } from '../../../core/tree/tree.ts';
import type { NodePatch } from '../../../core/tree/tree-node.ts';
import { matcherOf } from '../evidence/path-globs.ts';
import { afterFailure } from '../graph/graph.ts';
import { sentBack } from '../graph/loop.ts';
import type { AtomTask, Binding } from '../roles/roles.ts';
import { documentOf, type Told } from './documents.ts';
import { type AtomFields, type Evidence, ended, seenBefore, type Try, type Work } from './own-fields.ts';
import { DEPENDS_ON, graphFrom } from './read-graph.ts';
import { atomFieldsOf, checkoutName, fitting, groupFieldsOf, planOf, type WorkSearch } from './work-search.ts';

// Changes nodes of atoms, each time by one write of node.json: a kill leaves the atom as it was before, or after.

/** Sets what we keep of an atom, with other fields of its node. */
export async function changeAtom(
  { nodes }: WorkSearch,
  node: TreeNode,
  own: AtomFields,
  patch: NodePatch = {},
  document?: string,
): Promise<void> {
  await nodes.change(node, { ...patch, own: fitting(own) }, { document });
}

/** The result that somebody left when the work was done. */
export interface Left {
  readonly work: Work;
  /** The worker's word on the checks. */
  readonly evidence: readonly Evidence[];
  readonly details?: string | undefined;
  readonly log?: string | undefined;
}

/** Keeps work, which is to be joined: the document first, then node.json, which is its commit. */
export async function keepWork(search: WorkSearch, node: TreeNode, own: AtomFields, left: Left): Promise<void> {
  const { details, log } = left;
  const work = { ...left.work, ...(await outsideOf(search, own, left.work)) };
  const evidence = left.evidence.filter(({ word }) => word === 'reported' || word === 'checked').slice(0, 50);
  const { evidence: _, ...rest } = own;
  const next: AtomFields = { ...rest, work, ...(evidence.length > 0 && { evidence }) };
  const told: Told = { node, own: next, work, details, log };
  await changeAtom(search, node, next, { status: 'unexpanded', failure: null }, documentOf(told));
}

/** Files that work changed although its atom does not name them: whoever accepts it should know. */
async function outsideOf(
  { workshop }: WorkSearch,
  { touches }: AtomFields,
  { base, commit }: Work,
): Promise<Pick<Work, 'outside'>> {
  if (!workshop || !touches || commit === undefined) return {};
  const isNamed = matcherOf(touches);
  const { files } = await workshop.diff(base, commit);
  const outside = files.flatMap(({ path }) => (isNamed(path) ? [] : path.slice(0, 300).toWellFormed()));
  return outside.length > 0 ? { outside: outside.slice(0, 20) } : {};
}

/** Why a try failed. */
export interface Failed {
  readonly as: Exclude<NonNullable<Try['ended']>, 'resolved' | 'decomposed' | 'probed' | 'dropped'>;
  readonly seen: string;
  readonly evidence?: readonly Evidence[];
  /** True if it is not to be tried again by itself, whatever else could be done. */
  readonly isFinal?: boolean;
  readonly reason?: Reason;
  /** Its document, with what was found out. */
  readonly document?: string;
}

/** The number of times that an atom is tried by itself, if nothing else can take its place. */
const MOST_TRIES = 4;

/**
 * An atom whose work failed: it goes back to its worker; after that, where something else can take its place it has failed;
 * else it is open again, with what was seen. After several times it has failed all the same, so that a person looks at it.
 */
export async function failAtom(search: WorkSearch, node: TreeNode, own: AtomFields, failed: Failed): Promise<void> {
  const { work: _work, evidence: _evidence, ...rest } = own;
  const tries = ended(own, failed.as, failed.seen);
  const next: AtomFields = { ...rest, tries, ...(failed.evidence?.length && { evidence: [...failed.evidence] }) };
  const isAgain = !failed.isFinal && isTriedAgain(search, node, tries);
  const why = kept(foreign({ text: failed.seen.slice(0, 1000).toWellFormed() }));
  const patch: NodePatch = isAgain
    ? { status: 'unexpanded', failure: null }
    : { status: 'failed', failure: { reason: failed.reason ?? 'refused', ...why } };
  await changeAtom(search, node, next, patch, failed.document);
}

function isTriedAgain({ tree }: WorkSearch, node: TreeNode, tries: readonly Try[]): boolean {
  if (sentBack(tries).at(-1) === tries.at(-1)) return true;
  const { graph, names } = graphFrom(tree);
  const name = names.get(node.id);
  if (name === undefined || afterFailure(graph, name) === 'failed') return false;
  // What it was before a redirection says nothing of what it is now.
  const asked = tries.at(-1)?.begunWith;
  const failures = tries.filter(
    ({ ended: as, begunWith }) =>
      begunWith === asked && (as === 'failed' || as === 'contradicted' || as === 'conflict'),
  );
  return failures.length < MOST_TRIES;
}

/**
 * Makes an atom open again as if nobody had worked on it. What is a part of the accepted work stays there: it is done once more
 * on it.
 */
export async function startOver(search: WorkSearch, node: TreeNode): Promise<void> {
  const fields = atomFieldsOf(node);
  if (!fields || isPruned(node)) return;
  const { work: _work, evidence: _evidence, joined: _joined, ...own } = fields;
  const last = own.tries?.at(-1);
  const tries = last && last.ended === undefined ? { tries: ended(own, 'dropped') } : {};
  const isOpen = node.children.length > 0 ? {} : ({ status: 'unexpanded', leafReason: null, failure: null } as const);
  await changeAtom(search, node, { ...own, ...tries }, isOpen);
  await removeCheckout(search, node);
}

/** Removes what tries left of an atom's checkout: the next one begins at the tip. */
export async function removeCheckout({ workshop }: WorkSearch, node: TreeNode): Promise<void> {
  const name = checkoutName(node);
  if (workshop && (await workshop.hasCheckout(name)))
    await (await workshop.checkout(name, new AbortController().signal)).remove();
}

/** Returns the text of an atom's document; empty if it has none. */
export async function documentIn({ store }: WorkSearch, node: TreeNode): Promise<string> {
  return (await store.readDocument(pathOf(node))) ?? '';
}

const MOST_BINDINGS = 50;
const MOST_ARTIFACTS = 50;

/** Returns an atom as it is described to its worker. */
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

/** Returns the resolved atoms that a node represents: itself, its parts, or the alternative that was resolved. */
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
