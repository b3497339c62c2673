import { kept } from '../../../../core/messages/kept.ts';
import { foreign } from '../../../../core/messages/message.ts';
import type { Reason } from '../../../../core/search/errors.ts';
import type { NodePatch } from '../../../../core/tree/node-patch.ts';
import { isPruned, pathOf, type TreeNode } from '../../../../core/tree/tree.ts';
import { matcherOf } from '../../evidence/path-globs.ts';
import { afterFailure } from '../../graph/after-failure.ts';
import { sentBack } from '../../graph/loop.ts';
import { documentOf, type Told } from '../tree/node-document.ts';
import type { AtomFields, Evidence, Try, Work } from '../tree/own-fields.ts';
import { graphFrom } from '../tree/read-graph.ts';
import { ended } from '../tree/tries.ts';
import { atomFieldsOf, checkoutName, fitting, type WorkSearch } from '../work-search.ts';

// Changes nodes of atoms, each time by one write of node.json: a kill leaves the atom as it was before, or after.

/** Sets what we keep of an atom, with other fields of its node. */
export async function changeAtom(
  { nodes }: WorkSearch,
  node: TreeNode,
  own: AtomFields,
  patch: NodePatch = {},
  document?: string,
): Promise<void> {
  await nodes.change(node, { ...patch, own: fitting(own) as never }, { document });
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

/** The text of an atom's document; empty if it has none. */
export async function documentIn({ store }: WorkSearch, node: TreeNode): Promise<string> {
  return (await store.readDocument(pathOf(node))) ?? '';
}
