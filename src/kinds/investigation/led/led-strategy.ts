import type { Move, Strategy } from '../../../core/kind/strategy.ts';
import { expansionsOf, type Size } from '../../../core/search/limits.ts';
import type { Tree, TreeNode } from '../../../core/tree/tree.ts';
import type { NodeId } from '../../../core/tree/tree-node.ts';
import { whyNotEnd } from '../protocol/ending.ts';
import type { Lead } from '../run/read-investigation.ts';
import { checkOf, isCheck, isOpen, type Moment, nodesWithStrays, rootLeadOf } from './led-investigation.ts';

const TAKES_SLOT = { investigate: true, plan: true, settle: false } as const;

/**
 * Leads an investigation round by round. What is left to do can be told from the tree at any time; nothing but the moves
 * under way is kept.
 */
export class LedStrategy implements Strategy {
  readonly #now: () => Moment;
  #size: Size;
  #tree: Tree | undefined;
  #steps: readonly Step[] | undefined;
  /** Oldest first. */
  readonly #wishes = new Set<NodeId>();
  readonly #underWay = new Map<string, Move>();
  #moves = 0;

  /** @param now the investigation as its files say */
  constructor(now: () => Moment, size: Size) {
    this.#now = now;
    this.#size = size;
  }

  open(tree: Tree): void {
    this.#tree = tree;
    this.#steps = undefined;
  }

  ask(room: number): Move[] {
    let free = room;
    return this.#next(this.#remaining()).flatMap((step) => {
      if (TAKES_SLOT[step.kind] && free-- <= 0) return [];
      return [this.#begin(step)];
    });
  }

  tell({ id }: Move): void {
    this.#underWay.delete(id);
    this.#steps = undefined;
  }

  changed(): void {
    this.#steps = undefined;
  }

  wish(node: NodeId): void {
    this.#wishes.delete(node);
    this.#wishes.add(node);
    this.#steps = undefined;
  }

  grow(size: Size): void {
    this.#size = size;
    this.#steps = undefined;
  }

  get end(): 'size' | 'complete' | undefined {
    if (this.#underWay.size > 0 || this.#next(this.#remaining()).length > 0) return undefined;
    return this.#next(Number.POSITIVE_INFINITY).length > 0 ? 'size' : 'complete';
  }

  /** Returns what comes next, for comparison with an index built from scratch. */
  snapshot(): { kind: string; node: NodeId }[] {
    return this.#next(this.#remaining()).map(({ kind, node }) => ({ kind, node: node.id }));
  }

  /** Returns what may be begun now. @param remaining nodes that may still be looked into */
  #next(remaining: number): Step[] {
    this.#steps ??= stepsOf(this.#now());
    const busy = new Set([...this.#underWay.values()].flatMap(({ nodes }) => nodes));
    const free = this.#steps.filter(({ node }) => !busy.has(node.id));
    const wished = [...this.#wishes].flatMap(
      (id) => free.find(({ kind, node }) => kind === 'investigate' && node.id === id) ?? [],
    );
    if (wished.length > 0) return wished;
    if (remaining <= 0) return [];
    const turn = this.#steps[0]?.turn;
    let left = remaining;
    return free.filter(({ kind, turn: its }) => {
      if (its !== turn) return false;
      if (kind === 'plan') return roomForLeads(remaining, this.#now().byRule) > 0;
      return kind !== 'investigate' || left-- > 0;
    });
  }

  #remaining(): number {
    const begun = [...this.#underWay.values()].filter(({ kind }) => kind === 'investigate').length;
    return expansionsOf(this.#size) - (this.#tree?.finished ?? 0) - begun;
  }

  #begin({ kind, node }: Step): Move {
    const move = { id: `${kind}-${++this.#moves}`, kind, nodes: [node.id] };
    this.#underWay.set(move.id, move);
    this.#wishes.delete(node.id);
    return move;
  }
}

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

/** Finds leads whose findings nobody has checked yet: settled ones, dead ends, and open ones with findings. */
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
