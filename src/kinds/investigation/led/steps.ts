import { isPruned, type TreeNode } from '../../../core/tree/tree.ts';
import { whyNotEnd } from '../protocol/ending.ts';
import type { CommittedNode } from '../protocol/investigation.ts';
import { type Lacking, lacking } from '../protocol/missing-children.ts';
import { profileOf, ruleOf } from '../protocol/profiles.ts';
import { committedOf, isOpen, type Moment, nodesWithStrays } from './led-investigation.ts';

/** The kinds of move of an investigation that the engine leads: by rule, or with a model. */
type LedMove = 'settle' | 'branch' | 'investigate';

/** Something to do at a node. */
export interface Step {
  readonly kind: LedMove;
  readonly node: TreeNode;
  /** Its turn: first a whole round is looked into, then leads are proposed below it, then comes the next round. */
  readonly turn: number;
}

/**
 * Everything that is left to do, in the order in which it is begun. Only steps of the first turn may be begun together:
 * what is asked then depends on no step of the same turn, so it is the same whatever the timing.
 */
export function stepsOf(moment: Moment): Step[] {
  const { tree, leads } = moment;
  if (!tree.root.listed || leads.length === 0) return [{ kind: 'settle', node: tree.root, turn: 0 }];
  const growing = lacksOf(moment).flatMap((lack) => growth(moment, lack) ?? []);
  const all = [...openLeads(moment), ...growing, ...begun(moment, growing), ...strays(moment, growing)];
  const found = all.length > 0 ? all : recovery(moment);
  return found.sort((a, b) => a.turn - b.turn || Number(isCheck(moment, b)) - Number(isCheck(moment, a)));
}

/** Leads that nobody looked into yet, or that a person wants looked into again. */
function openLeads({ at, leads }: Moment): Step[] {
  const byNode = new Map(leads.map((lead) => [lead.node, lead]));
  return leads.flatMap(({ node, own }) => {
    const above = node.parent && byNode.get(node.parent);
    if (!isOpen(node) || (above && !at.nodes.has(above.own.nodeId))) return [];
    return [{ kind: 'investigate', node, turn: 2 * own.round }];
  });
}

/** What lacks children, apart from those that are proposed already. */
export function lacksOf({ at }: Pick<Moment, 'at'>): Lacking[] {
  const waiting = Map.groupBy(at.pending.values(), ({ parent }) => parent);
  return lacking(at, profileOf(at).endNeeds).flatMap((lack) => {
    const has = lack.has + (waiting.get(lack.node.id)?.length ?? 0);
    return has < lack.needs ? { ...lack, has } : [];
  });
}

function growth({ at, byId, lastRound }: Moment, { node: { id, state, round } }: Lacking): Step | undefined {
  const node = byId.get(id)?.node;
  if (!node || node.status === 'failed') return undefined;
  const isLead = state === profileOf(at).open;
  if (isLead && round >= lastRound) return undefined;
  return { kind: isLead ? 'branch' : 'settle', node, turn: 2 * round + 1 };
}

/** Nodes at which a process died that was adding leads. */
function begun({ leads }: Moment, growing: readonly Step[]): Step[] {
  return leads.flatMap(({ node, own: { isPlacing, round } }) => {
    const isLeft = isPlacing && !isPruned(node) && node.status !== 'failed';
    return isLeft && !growing.some((step) => step.node === node) ? [{ kind: 'branch', node, turn: 2 * round + 1 }] : [];
  });
}

function strays(moment: Moment, growing: readonly Step[]): Step[] {
  return nodesWithStrays(moment.tree).flatMap((node) => {
    if (node.status === 'failed' || growing.some((step) => step.node === node)) return [];
    const round = committedOf(moment, node)?.round ?? (node.parent ? undefined : 0);
    return round === undefined ? [] : [{ kind: 'settle', node, turn: 2 * round + 1 }];
  });
}

/** Whether a step checks what was found: where not everything can be done, that comes first. */
function isCheck(moment: Moment, { kind, node }: Step): boolean {
  return kind === 'investigate' && checkedBy(moment, node) !== undefined;
}

/** What a node checks: the solution above it. Undefined if it is a lead of its own. */
export function checkedBy(moment: Moment, { parent }: TreeNode): CommittedNode | undefined {
  const above = parent && committedOf(moment, parent);
  return above?.state === profileOf(moment.at).solution ? above : undefined;
}

/** If nothing is left to do before the investigation may end, one branch is opened again. */
function recovery(moment: Moment): Step[] {
  const { at, byId } = moment;
  if (at.pending.size > 0 || !whyNotEnd(at)?.startsWith('RECOVERY_REQUIRED')) return [];
  const node = byId.get(branchToReopen(moment)?.id ?? '')?.node;
  return node && node.status !== 'failed' ? [{ kind: 'settle', node, turn: 0 }] : [];
}

/** The branch that is opened again: the deepest dead end of a lead, else whatever else is deepest. */
export function branchToReopen({ at }: Moment): CommittedNode | undefined {
  const profile = profileOf(at);
  const all = [...at.nodes.values()].toSorted((a, b) => b.round - a.round);
  const above = ({ parent }: CommittedNode): CommittedNode | undefined =>
    parent === null ? undefined : at.nodes.get(parent);
  const deadEnds = all.filter((node) => node.state === 'DEAD' && above(node)?.state === profile.open);
  const others = all.filter(({ state }) => state !== profile.open && !ruleOf(profile, state).isTerminal);
  return deadEnds[0] ?? others[0];
}
