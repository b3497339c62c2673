import assert from 'node:assert/strict';
import type { Tree, TreeNode } from '../../../../../src/core/tree/tree.ts';
import type { NodeId } from '../../../../../src/core/tree/tree-node.ts';
import {
  type Atom,
  type AtomName,
  afterFailure,
  type OrGroup,
  type WorkGraph,
} from '../../../../../src/kinds/work-graph/graph/graph.ts';
import type { LoopLimits } from '../../../../../src/kinds/work-graph/graph/loop.ts';
import { type AtRest, mayBegin } from '../../../../../src/kinds/work-graph/graph/ready.ts';
import type { GraphMove } from '../../../../../src/kinds/work-graph/run/moves-under-way.ts';
import type { AtomFields, Evidence, GoalFields, Try } from '../../../../../src/kinds/work-graph/run/own-fields.ts';
import type { GraphInTree } from '../../../../../src/kinds/work-graph/run/read-graph.ts';
import { WorkGraphStrategy } from '../../../../../src/kinds/work-graph/run/strategy.ts';
import { firstNaively, lineNaively, waitsNaively } from './naive.ts';

/** An atom as tests write it; the rest is as usual. */
export type GivenAtom = Partial<Atom> & { readonly name: AtomName };

function atomWith(given: GivenAtom): Atom {
  return {
    state: 'pending',
    group: undefined,
    parent: undefined,
    dependsOn: [],
    ifFailed: undefined,
    touches: [],
    uses: [],
    needsProbe: false,
    isProposed: false,
    ...given,
  };
}

/** A graph of these atoms; groups that are not given have their members as choices. */
export function graphOf(atoms: readonly GivenAtom[], groups: readonly Partial<OrGroup>[] = []): WorkGraph {
  const names = new Set([...groups.map(({ name }) => name), ...atoms.map(({ group }) => group)]);
  const all = [...names].flatMap((name): OrGroup[] => {
    if (name === undefined) return [];
    const members = atoms.filter(({ group }) => group === name);
    const choices = members.map((each) => each.name);
    const given = groups.find((each) => each.name === name);
    return [{ name, parent: members[0]?.parent, choices, selected: undefined, ...given }];
  });
  return {
    atoms: new Map(atoms.map((each) => [each.name, atomWith(each)])),
    groups: new Map(all.map((each) => [each.name, each])),
  };
}

/** What is decided from outside while a graph is played. */
export interface Choices {
  /** Whether an atom fails, each time it is worked on; asked once. */
  readonly fails: (atom: AtomName) => boolean;
  /** One of so many. */
  readonly pick: (count: number) => number;
  /** Who is done by somebody outside. */
  readonly isOutside?: (atom: AtomName) => boolean;
  /** Whether joining some work fails this time, although the work was right. */
  readonly conflicts?: (atom: AtomName) => boolean;
  readonly canDecompose?: boolean;
  readonly limits?: Partial<LoopLimits>;
}

/** How a play ended. */
export interface Played {
  readonly end: 'solved' | AtRest;
  readonly graph: WorkGraph;
  readonly failing: ReadonlyMap<AtomName, boolean>;
  readonly tries: ReadonlyMap<AtomName, readonly Try[]>;
  /** The names of the moves in the order in which they began. */
  readonly log: readonly string[];
}

const LIMITS: LoopLimits = { iterations: 1000, parallel: 3, stall: 3 };
const GOAL = 0 as NodeId;
const ROOT = { listed: true, id: -1 } as unknown as TreeNode;
/** More moves than any play may have. */
const MOST_MOVES = 3000;

/** Plays a graph with the real strategy; what it does to nodes is simulated. Asserts what must hold at every moment. */
export function play(start: WorkGraph, choices: Choices): Played {
  return new Play(start, choices).run();
}

class Play {
  readonly #choices: Choices;
  readonly #limits: LoopLimits;
  readonly #strategy: WorkGraphStrategy;
  readonly #atoms: Map<AtomName, Atom>;
  readonly #groups: Map<AtomName, OrGroup>;
  readonly #tries = new Map<AtomName, Try[]>();
  readonly #goal: { evidence: Evidence[]; tries: Try[] } = { evidence: [], tries: [] };
  readonly #failing = new Map<AtomName, boolean>();
  readonly #running: GraphMove[] = [];
  readonly #offers: GraphMove[] = [];
  readonly #taken = new Set<AtomName>();
  readonly #ids = new Map<AtomName, TreeNode>();
  readonly #log: string[] = [];

  constructor({ atoms, groups }: WorkGraph, choices: Choices) {
    this.#choices = choices;
    this.#limits = { ...LIMITS, ...choices.limits };
    this.#atoms = new Map(atoms);
    this.#groups = new Map(groups);
    const can = { probe: true, decompose: choices.canDecompose === true, extend: false };
    this.#strategy = new WorkGraphStrategy(
      {
        hands: ({ node }) => (choices.isOutside?.(node.slug) ? 'outside' : 'here'),
        isTaken: ({ node }) => this.#taken.has(node.slug),
        can: () => can,
        limits: () => this.#limits,
      },
      () => this.#read(),
    );
    this.#strategy.open({ root: ROOT } as Tree);
  }

  run(): Played {
    for (let moves = 0; moves < MOST_MOVES; moves++) {
      const working = this.#running.filter(({ kind }) => kind !== 'join' && kind !== 'switch').length;
      const asked = this.#strategy.ask(this.#limits.parallel - working);
      for (const move of asked) this.#beginMove(move);
      const rest = asked.find(({ kind }) => kind === 'rest');
      if (rest?.why) return this.#played(rest.why);
      if (this.#strategy.end === 'solved') return this.#played('solved');
      this.#endOne();
    }
    assert.fail(`no end: ${this.#log.slice(-40).join(' ')}`);
  }

  #played(end: Played['end']): Played {
    return { end, graph: this.#graph(), failing: this.#failing, tries: this.#tries, log: this.#log };
  }

  #graph(): WorkGraph {
    return { atoms: new Map(this.#atoms), groups: new Map(this.#groups) };
  }

  #read(): GraphInTree {
    const atoms = [...this.#atoms.keys()].map((name) => {
      const own = { type: 'atom', name, tries: this.#tries.get(name) ?? [] } as AtomFields;
      return [name, { node: this.#nodeOf(name), own }] as const;
    });
    const groups = [...this.#groups.keys()].map((name) => {
      return [name, { node: this.#nodeOf(name), own: { type: 'group' as const, name } }] as const;
    });
    const own = { type: 'goal', ...this.#goal } as unknown as GoalFields;
    const goal = { node: { id: GOAL, status: 'unexpanded' } as TreeNode, own };
    return { graph: this.#graph(), atoms: new Map(atoms), groups: new Map(groups), names: new Map(), goal };
  }

  #nodeOf(name: AtomName): TreeNode {
    const node = this.#ids.get(name) ?? ({ id: this.#ids.size + 1, slug: name } as unknown as TreeNode);
    this.#ids.set(name, node);
    return node;
  }

  #beginMove(move: GraphMove): void {
    this.#log.push(`${move.isStall ? 'give-up' : move.kind}:${move.about ?? ''}`);
    if (move.kind === 'offer-work') {
      this.#offers.push(move);
      return;
    }
    if (move.kind === 'work') this.#checkBeginning(move.about as AtomName);
    if (move.kind === 'join') assert.ok(!this.#running.some(({ kind }) => kind === 'join'), 'two joins at once');
    if (move.about !== undefined && move.iteration !== undefined) this.#openTry(move.about, move.iteration);
    this.#running.push(move);
  }

  #openTry(name: AtomName, iteration: number): void {
    const tries = this.#tries.get(name) ?? [];
    if (tries.at(-1) && tries.at(-1)?.ended === undefined) return;
    this.#tries.set(name, [...tries, { iteration }]);
  }

  /** What must hold whenever an atom begins. */
  #checkBeginning(name: AtomName): void {
    const atom = this.#atoms.get(name) as Atom;
    assert.equal(atom.state, 'pending', `${name} begins although it is ${atom.state}`);
    assert.deepEqual(waitsNaively(this.#graph(), atom), [], `${name} begins too early: ${this.#log.join(' ')}`);
    for (const { name: inner, group } of lineNaively(this.#graph(), atom)) {
      const around = this.#groups.get(group ?? '');
      if (around)
        assert.equal(
          around.selected ?? firstNaively(this.#graph(), around),
          inner,
          `${name} is not in the chosen branch`,
        );
    }
    const working = this.#running.flatMap(({ kind, about }) =>
      kind === 'work' || kind === 'join' ? (about ?? []) : [],
    );
    for (const other of [...working, ...this.#taken]) {
      const { touches, uses } = this.#atoms.get(other) as Atom;
      assert.notEqual(other, name, `${name} is worked on twice`);
      const isShared = !touches?.length
        ? touches === undefined && atom.touches?.length !== 0
        : !atom.touches || touches.some((each) => atom.touches?.includes(each));
      assert.ok(!isShared, `${name} and ${other} on one file`);
      assert.ok(!uses.some((each) => atom.uses.includes(each)), `${name} and ${other} on one resource`);
    }
  }

  /** Something that is under way ends, or somebody takes an offer. */
  #endOne(): void {
    const busy = [
      ...this.#taken,
      ...this.#running.flatMap(({ about, kind }) => (kind === 'work' ? (about ?? []) : [])),
    ];
    const graph = this.#offers.length > 0 ? this.#graph() : undefined;
    const held = [...this.#atoms.values()].flatMap(({ name, state }) => (state === 'done' ? name : []));
    const free = this.#offers.filter(({ about = '' }) => {
      const atom = this.#atoms.get(about);
      return this.#taken.has(about) || (graph && atom && mayBegin(graph, atom, [...busy, ...held]));
    });
    const count = this.#running.length + free.length;
    assert.ok(count > 0, `nothing goes on: ${this.#log.join(' ')}`);
    const at = this.#choices.pick(count);
    const offer = free[at - this.#running.length];
    if (offer) this.#takeOrAnswer(offer);
    else this.#end(this.#running.splice(at, 1)[0] as GraphMove);
  }

  #takeOrAnswer(offer: GraphMove): void {
    const name = offer.about as AtomName;
    if (!this.#taken.has(name)) {
      this.#checkBeginning(name);
      this.#taken.add(name);
      this.#log.push(`take:${name}`);
      return;
    }
    this.#taken.delete(name);
    this.#offers.splice(this.#offers.indexOf(offer), 1);
    this.#openTry(name, Math.max(0, ...[...this.#tries.values()].flat().map(({ iteration }) => iteration)) + 1);
    this.#work(name);
    this.#tell(offer);
  }

  #tell(move: GraphMove): void {
    this.#strategy.tell(move, { outcome: 'done' });
  }

  #end(move: GraphMove): void {
    const name = move.about ?? '';
    if (move.kind === 'work') this.#work(name);
    else if (move.kind === 'join') this.#join(name);
    else if (move.kind === 'probe') this.#probe(name);
    else if (move.kind === 'decompose') this.#decompose(name);
    else if (move.kind === 'switch') this.#switch(move);
    else if (move.kind === 'verify') {
      this.#goal.evidence = [{ item: '0', word: 'verified' }];
      this.#goal.tries.push({ iteration: move.iteration ?? 1, ended: 'resolved' });
    }
    this.#tell(move);
  }

  #fails(name: AtomName): boolean {
    const before = this.#failing.get(name);
    if (before !== undefined) return before;
    const fails = this.#choices.fails(name);
    this.#failing.set(name, fails);
    return fails;
  }

  #set(name: AtomName, change: Partial<Atom>): void {
    this.#atoms.set(name, { ...(this.#atoms.get(name) as Atom), ...change });
  }

  #endTry(name: AtomName, ended: Try['ended']): void {
    const tries = this.#tries.get(name) ?? [];
    this.#tries.set(name, [...tries.slice(0, -1), { iteration: tries.at(-1)?.iteration ?? 1, ended }]);
  }

  #work(name: AtomName): void {
    if (!this.#fails(name)) {
      this.#set(name, { state: 'done' });
      return;
    }
    this.#set(name, { state: afterFailure(this.#graph(), name) });
    this.#endTry(name, 'failed');
  }

  #join(name: AtomName): void {
    const hadConflict = this.#tries.get(name)?.some(({ ended }) => ended === 'conflict');
    const isConflict = !hadConflict && this.#choices.conflicts?.(name) === true;
    this.#set(name, { state: isConflict ? 'pending' : 'resolved' });
    this.#endTry(name, isConflict ? 'conflict' : 'resolved');
    if (isConflict) this.#log.push(`conflict:${name}`);
  }

  #probe(name: AtomName): void {
    const isFeasible = !this.#fails(name);
    this.#set(name, { needsProbe: false, ...(!isFeasible && { state: afterFailure(this.#graph(), name) }) });
    this.#endTry(name, isFeasible ? 'probed' : 'infeasible');
  }

  /** Two parts, of which one fails if the whole does. */
  #decompose(name: AtomName): void {
    const { touches, uses } = this.#atoms.get(name) as Atom;
    for (const part of [`${name}.1`, `${name}.2`])
      this.#atoms.set(part, atomWith({ name: part, parent: name, touches, uses }));
    this.#failing.set(`${name}.1`, false);
    this.#failing.set(`${name}.2`, this.#fails(name));
    this.#endTry(name, 'decomposed');
  }

  #switch({ about = '', to, isStall }: GraphMove): void {
    const group = this.#groups.get(about) as OrGroup;
    const before = group.selected ?? firstNaively(this.#graph(), group);
    if (isStall && before !== undefined) this.#set(before, { state: 'failed' });
    this.#groups.set(about, { ...group, selected: to as AtomName });
  }
}
