import type { Move, MoveResult, SearchEnd, Strategy } from '../../../core/kind/strategy.ts';
import { takingAt } from '../../../core/offers/offer-book.ts';
import { pathOf, type Tree, type TreeNode } from '../../../core/tree/tree.ts';
import type { NodeId } from '../../../core/tree/tree-node.ts';
import type { SearchContext } from '../../../engine/context.ts';
import type { WorkGraphOptions } from '../descriptor.ts';
import { type Atom, type AtomName, groupOf, lineOf, type WorkGraph } from '../graph/graph.ts';
import {
  type Abilities,
  hasFailedIn,
  type Loop,
  type LoopLimits,
  loopOf,
  type StallStep,
  stallStep,
} from '../graph/loop.ts';
import {
  type AtRest,
  isOutOfTheWay,
  isReady,
  mayJoin,
  readyAtoms,
  whyAtRest,
  whyNothingBegins,
} from '../graph/ready.ts';
import { chosenBefore, isAllResolved, isGroupWanted, switchOf } from '../graph/resolution.ts';
import type { PlanFile } from '../plan/plan.ts';
import type { Roles } from '../roles/roles.ts';
import { type GraphMove, MovesUnderWay, TRIES } from './moves-under-way.ts';
import type { Try } from './own-fields.ts';
import { type AtomNode, type GoalNode, type GraphInTree, graphFrom, triesOf, worstWord } from './read-graph.ts';
import { goalFieldsOf } from './work-search.ts';

/** The facts that the strategy has to know and the tree does not have. */
export interface GraphFacts {
  /** Who does an atom: somebody here (a command, a model, an agent), or somebody outside who takes an offer. */
  readonly hands: (atom: AtomNode) => 'here' | 'outside';
  /** Tells whether somebody outside has taken an atom that was offered. */
  readonly isTaken: (atom: AtomNode) => boolean;
  readonly can: () => Abilities;
  readonly limits: () => LoopLimits;
}

/** Everything that is known at a moment. */
interface Moment extends GraphInTree {
  readonly loop: Loop;
  readonly limits: LoopLimits;
  /** The atoms that are worked on, or whose work is about to be joined: nobody else may touch their files. */
  readonly holding: ReadonlySet<AtomName>;
}

/**
 * Works through a graph: switches groups whose alternative failed, joins work that is done, begins what is ready, and checks
 * the base case at the end. It keeps the moves under way, and which iteration has started; everything else is derived.
 */
export class WorkGraphStrategy implements Strategy {
  readonly #facts: GraphFacts;
  readonly #read: (tree: Tree) => GraphInTree;
  #tree: Tree | undefined;
  #found: GraphInTree | undefined;
  readonly #moves = new MovesUnderWay();
  /** Oldest first. */
  readonly #wishes = new Set<NodeId>();
  /** The newest iteration that atoms were taken at the start of. */
  #started = 0;

  /** @param read by default the graph of the tree's nodes */
  constructor(facts: GraphFacts, read: (tree: Tree) => GraphInTree = graphFrom) {
    this.#facts = facts;
    this.#read = read;
  }

  open(tree: Tree): void {
    this.#tree = tree;
    this.#found = undefined;
  }

  ask(room: number): GraphMove[] {
    if (!this.#tree) return [];
    if (!this.#tree.root.listed) return this.#once({ kind: 'lay-out', nodes: [this.#tree.root.id] });
    const now = this.#now();
    const switches = this.#switches(now);
    const moves = switches.length > 0 || this.#moves.has('switch') ? switches : this.#next(now, room);
    const begun = now.loop.running ?? Math.max(0, ...moves.map(({ iteration = 0 }) => iteration));
    if (room > 0) this.#started = Math.max(this.#started, begun);
    return moves;
  }

  tell(move: Move, result: MoveResult): void {
    this.#moves.end(move, result);
    this.#found = undefined;
  }

  changed(): void {
    this.#found = undefined;
  }

  wish(node: NodeId): void {
    this.#wishes.delete(node);
    this.#wishes.add(node);
  }

  /** The limits of a work graph are those of its plan. */
  grow(): void {}

  get end(): SearchEnd | undefined {
    if (!this.#tree?.root.listed || this.#moves.areHere) return undefined;
    this.#found ??= this.#read(this.#tree);
    if (!isAllResolved(this.#found.graph)) return undefined;
    const { goal, loop } = this.#now();
    if (!goal) return 'complete';
    return goalStep(goal, loop.last) === 'solved' ? 'solved' : undefined;
  }

  #now(): Moment {
    this.#found ??= this.#read(this.#tree as Tree);
    const found = this.#found;
    const tried = new Map<AtomName, number>();
    const holding = new Set<AtomName>();
    for (const { kind, about, iteration } of this.#moves) {
      if (about === undefined) continue;
      if (iteration !== undefined && TRIES.has(kind)) tried.set(about, iteration);
      const atom = found.atoms.get(about);
      if (kind === 'work' || kind === 'join' || (kind === 'offer-work' && atom && this.#facts.isTaken(atom)))
        holding.add(about);
    }
    for (const atom of found.graph.atoms.values()) if (mayJoin(found.graph, atom)) holding.add(atom.name);
    const limits = this.#facts.limits();
    return { ...found, holding, limits, loop: loopIn(found, tried, holding, limits.since) };
  }

  #next(now: Moment, room: number): GraphMove[] {
    const joins = this.#joins(now);
    if (isAllResolved(now.graph)) return [...joins, ...this.#forGoal(now, room)];
    const iteration = this.#iteration(now);
    const stopped = whyNothingBegins(now.graph, now.loop, now.limits, iteration);
    const begun = stopped ? [] : this.#begin(now, room, iteration);
    const moves = [...joins, ...begun];
    return moves.length > 0 || room <= 0 ? moves : this.#rest(now, stopped);
  }

  #switches({ graph, groups }: Moment): GraphMove[] {
    return [...graph.groups.values()].flatMap((group) => {
      const node = groups.get(group.name)?.node;
      const to = isGroupWanted(graph, group) ? switchOf(graph, group) : undefined;
      if (!node || to === undefined || !this.#moves.mayAsk('switch', group.name)) return [];
      return [this.#make({ kind: 'switch', nodes: [node.id], about: group.name, to, isStall: false })];
    });
  }

  /** One at a time, and none while the goal is looked at: their checks share a checkout. */
  #joins({ graph, atoms }: Moment): GraphMove[] {
    if (this.#moves.has('join') || this.#moves.has('verify')) return [];
    for (const atom of graph.atoms.values()) {
      const node = atoms.get(atom.name)?.node;
      if (node && mayJoin(graph, atom) && this.#moves.mayAsk('join', atom.name))
        return [this.#make({ kind: 'join', nodes: [node.id], about: atom.name })];
    }
    return [];
  }

  #forGoal({ graph, goal, loop, limits }: Moment, room: number): GraphMove[] {
    if (!goal || this.#moves.areHere) return [];
    const step = goalStep(goal, loop.last);
    if (step === 'solved') return [];
    const iteration = Math.max(1, loop.last, ...(goal.own.tries ?? []).map((each) => each.iteration));
    const move = { nodes: [goal.node.id], iteration };
    const stopped = step === 'extend' ? whyNothingBegins(graph, loop, limits, iteration + 1) : undefined;
    const isPossible = step === 'verify' || (step === 'extend' && this.#facts.can().extend && !stopped);
    if (isPossible && this.#moves.mayAsk(step)) return room > 0 ? [this.#make({ kind: step, ...move })] : [];
    return this.#once({
      kind: 'rest',
      nodes: [],
      why: stopped ?? whyAtRest(graph, step === 'uncheckable' ? step : 'other'),
    });
  }

  #begin(now: Moment, room: number, iteration: number): GraphMove[] {
    const switches = this.#givenUp(now);
    if (switches.length > 0) return switches;
    const holding = new Set(now.holding);
    let free = Math.min(room, now.limits.parallel - this.#moves.count((kind) => TRIES.has(kind)));
    const moves: GraphMove[] = [];
    for (const atom of this.#wishedFirst(now, readyAtoms(now.graph))) {
      const found = now.atoms.get(atom.name);
      if (!found) continue;
      const about = { nodes: [found.node.id], about: atom.name };
      if (this.#facts.hands(found) === 'outside') {
        if (this.#moves.mayAsk('offer-work', atom.name)) moves.push(this.#make({ kind: 'offer-work', ...about }));
        continue;
      }
      const tries = triesOf(found);
      const kind = this.#kindFor(now, atom);
      // A failed atom is not tried again before its iteration has ended: then it is clear whether anything moves.
      if (free <= 0 || hasFailedIn({ tries }, now.loop.running) || !this.#moves.mayAsk(kind, atom.name)) continue;
      if (kind === 'work' && !isOutOfTheWay(now.graph, atom, holding)) continue;
      if (kind === 'work') holding.add(atom.name);
      free--;
      const left = tries.findLast(({ ended }) => ended === undefined)?.iteration;
      moves.push(this.#make({ kind, ...about, iteration: left ?? iteration }));
    }
    return moves;
  }

  /** Returns the groups that go on to another alternative since nothing moved in the chosen one. */
  #givenUp(now: Moment): GraphMove[] {
    const { graph, groups, loop } = now;
    return loop.stuck.flatMap((name) => {
      const atom = graph.atoms.get(name);
      const step = atom && isReady(graph, atom) ? this.#stallStep(now, atom) : undefined;
      const node = step?.kind === 'switch' ? groups.get(step.group)?.node : undefined;
      if (step?.kind !== 'switch' || !node || !this.#moves.mayAsk('switch', step.group)) return [];
      return [this.#make({ kind: 'switch', nodes: [node.id], about: step.group, to: step.to, isStall: true })];
    });
  }

  #kindFor(now: Moment, atom: Atom): 'work' | 'probe' | 'decompose' {
    const step = this.#stallStep(now, atom);
    if (step && step.kind !== 'switch') return step.kind;
    return atom.needsProbe && this.#facts.can().probe ? 'probe' : 'work';
  }

  /** Returns what is done instead of trying an atom once more, if it failed and nothing else moved. */
  #stallStep({ graph, atoms, loop: { stuck, stalls } }: Moment, atom: Atom): StallStep | undefined {
    const found = atoms.get(atom.name);
    if (!found || !stuck.includes(atom.name)) return undefined;
    const wasProbed = triesOf(found).some(({ ended }) => ended === 'probed' || ended === 'infeasible');
    return stallStep(graph, atom, { stalls, wasProbed }, this.#facts.can());
  }

  /** Asks for a person if nothing is left to do here. What somebody outside works on is waited for, unless a limit is reached. */
  #rest(now: Moment, stopped: AtRest | undefined): GraphMove[] {
    if (this.#moves.areHere) return [];
    const isLimit = stopped?.kind === 'iterations' && readyAtoms(now.graph).length === 0 ? undefined : stopped;
    if (!isLimit && this.#moves.has('offer-work')) return [];
    return this.#once({ kind: 'rest', nodes: [], why: isLimit ?? whyAtRest(now.graph, 'other', this.#moves.refused) });
  }

  /** Returns the iteration of an atom that is taken now: at the start of one, or before the next one. */
  #iteration({ loop, goal }: Moment): number {
    if (loop.running !== undefined) return loop.running > this.#started ? loop.running : loop.running + 1;
    return Math.max(loop.last, ...(goal?.own.tries ?? []).map(({ iteration }) => iteration)) + 1;
  }

  #wishedFirst({ names }: Moment, atoms: readonly Atom[]): Atom[] {
    const wished = [...this.#wishes].flatMap((id) => names.get(id) ?? []);
    const placeOf = ({ name }: Atom) => (wished.includes(name) ? wished.indexOf(name) : wished.length);
    return wished.length === 0 ? [...atoms] : atoms.toSorted((a, b) => placeOf(a) - placeOf(b));
  }

  #make(move: Omit<GraphMove, 'id'>): GraphMove {
    for (const id of move.nodes) this.#wishes.delete(id);
    return this.#moves.begin(move);
  }

  #once(move: Omit<GraphMove, 'id'>): GraphMove[] {
    return this.#moves.has(move.kind) ? [] : [this.#make(move)];
  }
}

/** The next step for the goal once everything is resolved; `uncheckable` and `other` wait for a person. */
type GoalStep = 'solved' | 'verify' | 'extend' | 'uncheckable' | 'other';

/**
 * Tells what comes next for the goal. Its evidence counts as long as no atom was taken in a later iteration than the
 * last look at the base case; a look that was followed by new atoms ends as `decomposed`.
 * @param last the newest iteration that any atom was taken in
 */
function goalStep({ node, own: { evidence, tries = [] } }: GoalNode, last: number): GoalStep {
  const look = tries.findLast(({ ended }) => ended !== undefined && ended !== 'dropped');
  const word = worstWord(evidence);
  if (node.status === 'failed') return 'other';
  if (look && look.iteration < last) return 'verify';
  if (word === undefined) return node.status === 'leaf' && !look ? 'solved' : 'verify';
  if (node.status === 'leaf' || word === 'verified') return 'solved';
  if (word === 'uncheckable') return 'uncheckable';
  return word === 'contradicted' && look?.ended !== 'decomposed' && look?.ended !== 'failed' ? 'extend' : 'other';
}

/**
 * Where the loop is, according to the tries in the nodes.
 * @param tried the atoms that are worked on here, with the iteration
 * @param holding these, those that somebody outside has taken, and those whose work is about to be joined
 * @param since the last iteration that counts for no limit
 */
function loopIn(
  { graph, atoms }: GraphInTree,
  tried: ReadonlyMap<AtomName, number>,
  holding: ReadonlySet<AtomName>,
  since?: number,
): Loop {
  const all = [...atoms].map(([atom, each]) => {
    const tries = triesOf(each);
    const open = holding.has(atom) ? tries.findLast(({ ended }) => ended === undefined)?.iteration : undefined;
    const found = graph.atoms.get(atom);
    const isSwitched = tries.length > 0 && found !== undefined && isGivenUp(graph, found);
    return { atom, tries, underWay: tried.get(atom) ?? open, isSwitched };
  });
  return loopOf(all, since);
}

/** Tells whether an atom is, or is a part of, an alternative that failed and that its group went on from. */
function isGivenUp(graph: WorkGraph, atom: Atom): boolean {
  return lineOf(graph, atom).some((each) => {
    const group = each.state === 'failed' ? groupOf(graph, each) : undefined;
    return group !== undefined && chosenBefore(graph, group) !== each.name;
  });
}

/** Returns what the strategy has to know that is not in the tree. @param limits those of the plan, as last read */
export function graphFacts(ctx: SearchContext, roles: Roles, limits: () => PlanFile['limits'] | undefined): GraphFacts {
  const { options } = ctx;
  return {
    hands: ({ own }) => (own?.by !== 'person' && (own?.run !== undefined || roles.work) ? 'here' : 'outside'),
    isTaken: ({ node }) => isTaken(ctx, node),
    can: () => ({ probe: roles.probe !== undefined, decompose: roles.decompose !== undefined, extend: true }),
    limits: (): LoopLimits => {
      const { iterations = 20, parallel = 3, stall = 3 } = limits() ?? {};
      return { iterations, parallel: (options as WorkGraphOptions).parallel ?? parallel, stall, since: sinceIn(ctx) };
    },
  };
}

/** Tells whether somebody outside has taken an atom that was offered. */
export function isTaken({ history, clock }: Pick<SearchContext, 'history' | 'clock'>, node: TreeNode): boolean {
  const path = pathOf(node);
  const now = clock.now();
  return history.past.offers.open.some((open) => open.offer.nodes.includes(path) && takingAt(open, now) !== undefined);
}

/** The last iteration before a person let the loop go on. */
function sinceIn({ tree }: Pick<SearchContext, 'tree'>): number | undefined {
  const { goal } = graphFrom(tree);
  const since = goal && (goalFieldsOf(goal.node) as { since?: unknown } | undefined)?.since;
  return typeof since === 'number' && Number.isSafeInteger(since) && since >= 0 ? since : undefined;
}

/** Returns the newest iteration that any atom was taken in, or the base case looked at; 0 before the first. */
export function lastIteration({ tree }: Pick<SearchContext, 'tree'>): number {
  const { atoms, goal } = graphFrom(tree);
  return Math.max(newestOf(goal?.own.tries), ...[...atoms.values()].map(({ own }) => newestOf(own?.tries)));
}

/**
 * The iteration that an answer from outside belongs to: the newest one, as nobody knows when that work began; a new one once
 * the base case has been looked at, so that it is looked at again.
 */
export function iterationOfAnswer(search: Pick<SearchContext, 'tree'>): number {
  return Math.max(lastIteration(search), newestOf(graphFrom(search.tree).goal?.own.tries) + 1);
}

function newestOf(tries: readonly Try[] = []): number {
  return tries.reduce((last, { iteration }) => Math.max(last, iteration), 0);
}
