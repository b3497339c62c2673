import {
  type Change,
  type ErrorCode,
  type Investigation,
  type Proposal,
  type ProtocolError,
  progressOf,
  roundOf,
  suffixOf,
  type Verdict,
  verdict,
} from './investigation.ts';
import { type Profile, profileOf, ruleOf } from './profiles.ts';

/** The form of every node's id. */
const NODE_ID = /^R\d+\.[A-Za-z0-9]+$/;

/** A node as it is proposed. */
export interface ProposedNode {
  readonly id: string;
  readonly parent: string | null;
  readonly title: string;
  readonly plannedAction: string;
}

type ProposeChange = Extract<Change, { do: 'propose' }>;

/** Decides whether nodes may be proposed, all of them or none. */
export function propose(
  at: Investigation,
  nodes: readonly ProposedNode[],
  now: number,
  { isQuiet = false }: { readonly isQuiet?: boolean } = {},
): Verdict<ProposeChange> {
  const profile = profileOf(at);
  const errors = [
    ...batchErrors(at, profile, nodes),
    ...nodes.flatMap((node, i) => nodeErrors(at, profile, nodes, node, i)),
  ];
  return verdict(errors, () => proposal(at, nodes, now), isQuiet ? [] : breadthWarnings(at, profile, nodes));
}

function proposal(at: Investigation, nodes: readonly ProposedNode[], now: number): ProposeChange {
  const proposals = nodes.map(
    ({ id, parent, title, plannedAction }): Proposal => ({ id, parent, title, plannedAction, proposedAt: now }),
  );
  // A proposal after an end reopens the investigation.
  return { do: 'propose', nodes: proposals, progress: { ...progressOf(at), hasEnded: false } };
}

function batchErrors(
  at: Investigation,
  { batchLimit, minRoots }: Profile,
  nodes: readonly ProposedNode[],
): ProtocolError[] {
  const errors: ProtocolError[] = [];
  const batch = (error: ErrorCode, message: string, suggestion: string): void =>
    void errors.push({ nodeId: 'BATCH', error, message, suggestion });
  if (batchLimit !== undefined && nodes.length > batchLimit)
    batch(
      'BATCH_OVERFLOW',
      `This batch has ${nodes.length} nodes; at most ${batchLimit} are taken at once.`,
      `Propose at most ${batchLimit} nodes, commit them, then propose the others.`,
    );
  if (minRoots === undefined || at.currentRound !== 1 || !nodes.some(({ parent }) => parent === null)) return errors;
  const first = [...at.nodes.values()].filter(({ round }) => round === 1).length;
  const roots = first + nodes.filter(({ parent }) => parent === null).length;
  if (roots < at.minRoots)
    batch(
      'INSUFFICIENT_ROOTS',
      `The first round would have ${roots} of at least ${at.minRoots} roots.`,
      `Propose at least ${at.minRoots - first} roots (parent: null) at once.`,
    );
  return errors;
}

function nodeErrors(
  at: Investigation,
  profile: Profile,
  batch: readonly ProposedNode[],
  node: ProposedNode,
  index: number,
): ProtocolError[] {
  const { id, title } = node;
  const errors: ProtocolError[] = [];
  const wrong = (error: ErrorCode, message: string, suggestion: string): void =>
    void errors.push({ nodeId: id, error, message, suggestion });
  if (!NODE_ID.test(id))
    wrong('INVALID_ID_FORMAT', `"${id}" is no node id.`, 'Use R[round].[letters and digits], such as R2.A1.');
  if (batch.findIndex((each) => each.id === id) < index)
    wrong('DUPLICATE_IN_BATCH', `${id} occurs twice in this batch.`, 'Give every node of a batch an id of its own.');
  if (at.nodes.has(id) || at.cutIds.has(id))
    wrong('DUPLICATE_ID', `${id} exists already.`, 'Choose an id that is free, such as one with another suffix.');
  if (profile.hasStrictIds && at.pending.has(id))
    wrong('DUPLICATE_ID', `${id} is proposed already.`, 'Commit what you found about it, or choose another id.');
  if (profile.checksParents && title.trim() === '')
    wrong('MISSING_TITLE', `${id} has no title.`, 'Say in a few words what the node looks into.');
  const above = node.parent === null ? undefined : at.nodes.get(node.parent);
  if (node.parent !== null && !above)
    wrong(
      'PARENT_NOT_FOUND',
      `The parent "${node.parent}" of ${id} is not committed.`,
      'Commit the parent first, or name a committed node as the parent.',
    );
  if (above && ruleOf(profile, above.state).isTerminal)
    wrong(
      'TERMINAL_PARENT',
      `${above.id} is ${above.state}, which ends its branch.`,
      `Reclassify ${above.id} with tot_reclassify to ${profile.open}, or propose ${id} below another node.`,
    );
  if (profile.hasStrictIds && NODE_ID.test(id)) errors.push(...placeErrors(at, batch, node, index));
  return errors;
}

/** Checks the additional rules of strict ids: one root, and rounds and suffixes that follow the tree. */
function placeErrors(
  at: Investigation,
  batch: readonly ProposedNode[],
  { id, parent }: ProposedNode,
  index: number,
): ProtocolError[] {
  const wrong = (error: ErrorCode, message: string, suggestion: string): ProtocolError[] => [
    { nodeId: id, error, message, suggestion },
  ];
  const round = roundOf(id);
  if (!id.startsWith(`R${round}.`) || round < 1)
    return wrong('INVALID_ID_FORMAT', `"${id}" writes its round in another way than "${round}".`, `Write R${round}.`);
  if (parent === null) {
    const all = [...at.nodes.values(), ...at.pending.values(), ...batch.slice(0, index)];
    const isThere = all.some((each) => each.parent === null && each.id !== id);
    if (id === 'R1.A' && !isThere) return [];
    const suggestion =
      'The only root is R1.A. Propose this node below a committed one, or reclassify a branch to widen it.';
    return wrong('SECOND_ROOT', `${id} would be another root.`, suggestion);
  }
  if (!NODE_ID.test(parent)) return [];
  const next = roundOf(parent) + 1;
  const errors: ProtocolError[] = [];
  if (round !== next)
    errors.push(
      ...wrong(
        'WRONG_ROUND',
        `${id} is a child of ${parent}, so its round is ${next}.`,
        `Use an id such as R${next}.${suffixOf(parent)}1.`,
      ),
    );
  if (!suffixOf(id).startsWith(suffixOf(parent)) || suffixOf(id) === suffixOf(parent))
    errors.push(
      ...wrong(
        'WRONG_SUFFIX',
        `The suffix of ${id} does not extend that of ${parent}.`,
        `Use an id such as R${next}.${suffixOf(parent)}1.`,
      ),
    );
  return errors;
}

function breadthWarnings(at: Investigation, { breadth }: Profile, nodes: readonly ProposedNode[]): string[] {
  if (breadth === undefined || !nodes.some(({ id }) => id.startsWith('R2.'))) return [];
  const committed = [...at.nodes.values()].filter(({ round }) => round === 2).length;
  const all = committed + nodes.filter(({ id }) => roundOf(id) === 2).length;
  if (all >= breadth) return [];
  return [`R2_BREADTH: the second round has ${all} nodes; propose at least ${breadth} for a broad investigation.`];
}
