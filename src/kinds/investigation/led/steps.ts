import type { TreeNode } from '../../../core/tree/tree.ts';
import { whyNotEnd } from '../protocol/ending.ts';
import type { Lead } from '../run/read-investigation.ts';
import { checkOf, isCheck, isOpen, type Moment, nodesWithStrays, rootLeadOf } from './led-investigation.ts';

/** The kinds of move of an investigation that the engine leads: by rule, or with a model. */
type LedMove = 'settle' | 'plan' | 'investigate';

/** Something to do at a node. */
export interface Step {
  readonly kind: LedMove;
  readonly node: TreeNode;
  /** Its turn: first a whole round is looked into, then checks of it are added, then it is planned what comes next. */
  readonly turn: number;
}

/** The most leads that one plan may have. */
const MOST_LEADS = 5;

const TURN = { investigate: 0, settle: 1, plan: 2 } as const;

/**
 * Everything that is left to do, in the order in which it is begun. Only steps of the first turn may be begun together:
 * what is asked then depends on no step of the same turn, so it is the same whatever the timing.
 */
export function stepsOf(moment: Moment): Step[] {
  const { tree, leads } = moment;
  if (!tree.root.listed || leads.length === 0) return [{ kind: 'settle', node: tree.root, turn: 0 }];
  const root = planIsDue(moment) ? rootLeadOf(moment) : undefined;
  // Folders without more are of leads whose plan is not wholly there yet.
  if (root?.own.isPlacing) return [{ kind: 'plan', node: root.node, turn: 0 }];
  const settling = new Set([...unchecked(moment).map(({ node }) => node), ...withStrays(moment)]);
  return [
    ...openLeads(moment),
    ...[...settling].map((node): Step => ({ kind: 'settle', node, turn: TURN.settle })),
    ...(root ? [{ kind: 'plan', node: root.node, turn: TURN.plan } as const] : []),
  ];
}

/** Returns the most leads that can be looked into and checked. @param remaining nodes that may still be worked on */
export function roomForLeads(remaining: number, byRule: boolean): number {
  return Math.max(0, Math.min(MOST_LEADS, Math.floor(byRule ? remaining : remaining / 2)));
}

/** Leads and checks that nobody looked into yet, or that a person wants looked into again; checks first. */
function openLeads({ at, leads }: Moment): Step[] {
  const byNode = new Map(leads.map((lead) => [lead.node, lead]));
  const open = leads.filter(({ node }) => {
    const above = node.parent && byNode.get(node.parent);
    return isOpen(node) && (!above || at.nodes.has(above.own.nodeId));
  });
  const inTurn = open.toSorted((a, b) => Number(isCheck(b)) - Number(isCheck(a)) || a.own.round - b.own.round);
  return inTurn.map(({ node }) => ({ kind: 'investigate', node, turn: TURN.investigate }));
}

/** Leads whose findings nobody checks: what is settled, what is said to lead nowhere, and what is known of what is open. */
export function unchecked(moment: Moment): Lead[] {
  if (moment.byRule || hasEndedBefore(moment)) return [];
  return [...moment.byId.values()].filter(
    (lead) =>
      (lead.own.state === 'FOUND' || lead.own.state === 'DEAD' || (lead.own.findings ?? 0) > 0) &&
      !isOpen(lead.node) &&
      lead.node.status !== 'failed' &&
      !isCheck(lead) &&
      !checkOf(moment, lead),
  );
}

/** Nodes at which a person added something. What cannot become a lead fails, and is not tried again. */
function withStrays({ tree, at, leads }: Moment): TreeNode[] {
  const known = new Set(leads.filter(({ own }) => at.nodes.has(own.nodeId)).map(({ node }) => node));
  return nodesWithStrays(tree).filter((node) => node.status !== 'failed' && (!node.parent || known.has(node)));
}

/**
 * Tells whether a plan is due: after every round of leads, and wherever a check changed something. What is answered at
 * once, and what was confirmed since the last plan, needs none.
 */
function planIsDue(moment: Moment): boolean {
  const { nextRound, leadRound, minRounds, lastRound, byRule } = moment;
  const root = rootLeadOf(moment);
  if (!root || root.node.status === 'failed' || isOpen(root.node)) return false;
  if (root.own.isPlacing) return true;
  if (nextRound > lastRound || hasEndedBefore(moment)) return false;
  if (leadRound < minRounds) return true;
  if (byRule) return (root.own.lists ?? 0) === 0;
  const planned = root.own.standing ? (root.own.lists ?? 0) : 0;
  const fresh = [...moment.byId.values()].filter(({ own }) => own.state !== undefined && (own.plans ?? 0) >= planned);
  return fresh.some((lead) => (lead !== root && !isCheck(lead)) || !isDone(lead));
}

/** Tells whether nothing follows from a node. */
function isDone({ own: { state, outcome, isIncomplete } }: Lead): boolean {
  if (outcome === undefined) return state === 'VERIFY';
  return (outcome === 'settled' && !isIncomplete) || outcome === 'confirmed';
}

/** Tells whether it was led to its end by earlier rules: those of the protocol, by which nothing is left to do. */
function hasEndedBefore(moment: Moment): boolean {
  const { own } = rootLeadOf(moment) ?? {};
  const isFromBefore = own !== undefined && own.standing === undefined && (own.lists ?? 0) > 0 && !moment.byRule;
  return isFromBefore && own.role === undefined && whyNotEnd(moment.at) === undefined;
}
