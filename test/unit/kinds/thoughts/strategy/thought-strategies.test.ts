import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Move } from '../../../../../src/core/kind/strategy.ts';
import { isPruned, pathOf, Tree, type TreeNode, walk } from '../../../../../src/core/tree/tree.ts';
import type { NodeFields } from '../../../../../src/core/tree/tree-node.ts';
import { Adaptive } from '../../../../../src/kinds/thoughts/strategy/adaptive.ts';
import { BestFirst } from '../../../../../src/kinds/thoughts/strategy/best-first.ts';
import { BreadthFirst } from '../../../../../src/kinds/thoughts/strategy/breadth-first.ts';
import { DepthFirst } from '../../../../../src/kinds/thoughts/strategy/depth-first.ts';
import { Drafts } from '../../../../../src/kinds/thoughts/strategy/drafts.ts';
import type { ThoughtRules } from '../../../../../src/kinds/thoughts/strategy/thought-rules.ts';
import type { ThoughtStrategy } from '../../../../../src/kinds/thoughts/strategy/thought-strategy.ts';
import { Uct } from '../../../../../src/kinds/thoughts/strategy/uct.ts';
import { comparisonsOf } from '../../../../../src/kinds/thoughts/strategy/whole-solutions.ts';
import { endRound, thoughtId, triesOf } from '../../../../../src/kinds/thoughts/thought-node.ts';
import { BroughtByModels } from '../../../../../src/kinds/thoughts/thought-search.ts';
import { effort } from '../../../../support/effort.ts';

const STRATEGIES = {
  'breadth-first': BreadthFirst,
  'depth-first': DepthFirst,
  'best-first': BestFirst,
  adaptive: Adaptive,
  uct: Uct,
  drafts: Drafts,
} as const;
/** Those that ask one node several times at once. */
const SIDE_BY_SIDE: ReadonlySet<string> = new Set(['adaptive', 'uct']);
type Name = keyof typeof STRATEGIES;
/** Whole numbers from 0 up to, not including, a bound. */
type Chance = (bound: number) => number;

interface World {
  readonly name: Name;
  readonly rules: ThoughtRules;
  readonly maxDepth: number;
  readonly threshold: number;
  readonly candidates: number;
  readonly person: boolean;
  /** Whether whole solutions are compared. */
  readonly graded: boolean;
}

function rulesOf({ name, rules, graded }: World): ThoughtRules {
  return { ...rules, isGraded: () => graded && name !== 'drafts' && !rules.hasGoalTest };
}

/** Those that made its thoughts. */
const MODELS = ['a/cheap', 'a/dear'] as const;
const FREE = new Set(['keep', 'set-aside', 'revive', 'combine-ends']);

/** A search without a model and without a disk: a strategy, a tree, and moves that end in any order. */
class SimulatedThoughts {
  readonly tree = new Tree('Problem');
  readonly strategy: ThoughtStrategy;
  readonly brought = new BroughtByModels(this.tree);
  readonly asked: Move[] = [];
  readonly running: Move[] = [];
  /** How often each node was asked for thoughts. */
  readonly tries = new Map<TreeNode, number>();
  readonly #world: World;
  readonly #chance: Chance;

  constructor(world: World, chance: Chance) {
    this.#world = world;
    this.#chance = chance;
    this.strategy = new STRATEGIES[world.name]({ ...rulesOf(world), beside: this.brought });
    this.strategy.open(this.tree);
  }

  ask(room: number): void {
    const moves = this.strategy.ask(room);
    const slots = moves.filter(({ kind }) => !FREE.has(kind));
    assert.ok(slots.length <= room, 'more moves than slots');
    const isShared = ({ kind }: Move): boolean => kind === 'try-again' && SIDE_BY_SIDE.has(this.#world.name);
    const busy = new Set(this.running.flatMap((move) => (isShared(move) ? [] : move.nodes)));
    for (const move of moves) {
      if (!isShared(move)) for (const id of move.nodes) assert.ok(!busy.has(id), 'a node is worked on twice at once');
      if (!isShared(move)) for (const id of move.nodes) busy.add(id);
      this.#check(move);
      this.asked.push(move);
      this.running.push(move);
    }
  }

  #check({ kind, nodes }: Move): void {
    for (const id of nodes) {
      const node = this.tree.get(id) as TreeNode;
      assert.ok(!isPruned(node), 'a pruned node is worked on');
      if (kind === 'expand') assert.equal(node.status, 'unexpanded', 'a node is continued twice');
      if (kind !== 'try-again') continue;
      assert.ok(triesOf(node) < this.#world.rules.tries, 'more tries than allowed');
      if (node.parent) assert.ok(node.status === 'expanded' || node.leafReason === 'model');
    }
  }

  finish(move: Move): void {
    this.running.splice(this.running.indexOf(move), 1);
    const nodes = move.nodes.flatMap((id) => this.tree.get(id) ?? []);
    if (move.kind === 'compare-ends') this.#compareSolutions(nodes);
    else if (move.kind === 'combine-ends') this.#combine(nodes);
    else for (const node of nodes) if (!(node.parent && node.status === 'pruned')) this.#carryOut(move.kind, node);
    this.strategy.tell(move, { outcome: 'done' });
    this.strategy.tell(move, { outcome: 'done' });
  }

  #carryOut(kind: string, node: TreeNode): void {
    if (kind === 'keep' || kind === 'set-aside') this.tree.update(node, { selected: kind === 'keep' });
    else if (kind === 'revive')
      this.tree.update(node, { status: 'unexpanded', leafReason: undefined, sameAs: undefined });
    else if (kind === 'evaluate') this.#judge(node);
    else if (kind === 'second-verdict') this.#verify(node);
    else if (kind === 'write-combined') this.tree.update(node, { document: 'written' });
    else if (kind === 'complete-way') {
      this.tree.update(node, { own: { completes: true } });
      this.#grow(node);
    } else this.#grow(node);
  }

  #grow(node: TreeNode): void {
    const tries = triesOf(node) + 1;
    this.tries.set(node, (this.tries.get(node) ?? 0) + 1);
    for (let n = this.#chance(this.#world.candidates + 1); n > 0; n--) this.#add(node);
    const status = node.children.length > 0 ? ({ status: 'expanded' } as const) : END;
    this.tree.update(node, { ...(node.parent ? status : {}), listed: true });
    endRound(this.tree, node, tries);
  }

  #judge(node: TreeNode): void {
    const score = this.#chance(101) / 10;
    const { evaluation } = node;
    const votes = [...(evaluation?.votes ?? (evaluation ? [evaluation.score] : [])), score];
    const isLast = node.depth >= this.#world.maxDepth;
    const isClaim = !this.#world.rules.hasGoalTest && score >= 3 && this.#chance(isLast ? 2 : 8) === 0;
    const claim = isClaim ? { solution: true } : {};
    this.tree.update(node, { evaluation: { score, ...(votes.length > 1 && { votes }), ...claim } });
    if (isClaim) return;
    if (isLast && score >= 9.5) this.tree.update(node, { status: 'leaf', leafReason: 'solved', listed: true });
    else if (score < this.#world.threshold) this.tree.update(node, { status: 'pruned', prunedBy: 'threshold' });
    else if (isLast) this.tree.update(node, { status: 'leaf', leafReason: 'depth-limit', listed: true });
  }

  #add(parent: TreeNode, more: NodeFields = {}): void {
    const name = `node_${parent.children.length + 1}`;
    const { size } = this.tree;
    const model = MODELS[size % MODELS.length];
    this.tree.add(parent, name, { file: { title: name, status: 'unexpanded', id: `id-${size}`, model }, ...more });
  }

  #verify(node: TreeNode): void {
    const isHeld = this.#chance(2) === 0;
    const evaluation = { ...node.evaluation, score: node.evaluation?.score ?? 5, confirmed: isHeld };
    const end = { status: 'leaf', leafReason: isHeld ? 'solved' : 'depth-limit', listed: true } as const;
    if (!isHeld && evaluation.score < this.#world.threshold)
      this.tree.update(node, { evaluation, status: 'pruned', prunedBy: 'threshold' });
    else this.tree.update(node, { evaluation, ...(isHeld || node.depth >= this.#world.maxDepth ? end : {}) });
  }

  #compareSolutions([first, second]: TreeNode[]): void {
    if (!first || !second?.evaluation) return;
    const result = ['better', 'worse', 'even'][this.#chance(3)];
    const compared = [
      ...comparisonsOf(second),
      { with: thoughtId(first), result, why: [], take_over: this.#chance(2) === 0 ? ['its end'] : [] },
    ];
    this.tree.update(second, { evaluation: { ...second.evaluation, compared } });
  }

  #combine(nodes: TreeNode[]): void {
    const links = nodes.flatMap(({ fileId }) => (fileId === undefined ? [] : [{ type: 'made-from', to: fileId }]));
    this.#add(this.tree.root, { links });
    this.strategy.changed([this.tree.root.id]);
  }

  /** A person prunes, restores, removes, adds, and wishes. */
  meddle(): void {
    const nodes = [...walk(this.tree.root)].filter((node) => node.parent);
    const node = nodes[this.#chance(Math.max(1, nodes.length))];
    if (!node || this.running.some((move) => move.nodes.some((id) => isBelow(this.tree.get(id), node)))) return;
    const what = this.#chance(5);
    if (what === 0) this.tree.update(node, { status: 'pruned', prunedBy: 'user', leafReason: undefined });
    else if (what === 1 && node.status === 'pruned')
      this.tree.update(node, { status: node.children.length > 0 ? 'expanded' : 'unexpanded', prunedBy: undefined });
    else if (what === 2) {
      this.strategy.changed(this.tree.remove(node).map(({ id }) => id));
      return;
    } else if (what === 3 && node.status === 'expanded') {
      const added = this.tree.add(node, `added_${this.tree.size}_${this.#chance(1000)}`, { title: 'added' });
      this.strategy.changed([added.id]);
      return;
    } else this.strategy.wish(node.id);
    this.strategy.changed([node.id]);
  }

  run(steps: number): void {
    for (let step = 0; step < steps; step++) {
      this.ask(1 + this.#chance(4));
      if (this.#world.person && this.#chance(4) === 0) this.meddle();
      const move = this.running[this.#chance(Math.max(1, this.running.length))];
      if (move) this.finish(move);
      else if (this.strategy.end) return;
      this.#compare();
    }
  }

  /** The index equals a rebuilt one, once nothing is under way that only the old one knows. */
  #compare(): void {
    if (this.running.length > 0) return;
    const brought = new BroughtByModels(this.tree);
    const rebuilt = new STRATEGIES[this.#world.name]({ ...rulesOf(this.#world), beside: brought });
    rebuilt.open(this.tree);
    for (const model of MODELS) assert.deepEqual(this.brought.of(model), brought.of(model));
    assert.deepEqual(this.strategy.snapshot().counts, rebuilt.snapshot().counts);
    if (!this.#world.person) assert.deepEqual(this.strategy.snapshot(), rebuilt.snapshot());
  }
}

const END = { status: 'leaf', leafReason: 'model' } as const;

function isBelow(node: TreeNode | undefined, top: TreeNode): boolean {
  for (let at = node; at; at = at.parent) if (at === top) return true;
  return node?.children.some((child) => child === top) ?? false;
}

const worlds = fc.record({
  name: fc.constantFrom<Name>('breadth-first', 'depth-first', 'best-first', 'adaptive', 'uct', 'drafts'),
  rules: fc.record({
    size: fc.constantFrom('small' as const, 'all' as const),
    beam: fc.integer({ min: 1, max: 4 }),
    judge: fc.constantFrom('layer' as const, 'parent' as const),
    beamFollowsScores: fc.boolean(),
    tries: fc.integer({ min: 1, max: 3 }),
    samples: fc.integer({ min: 1, max: 3 }),
    seed: fc.nat(),
    hasGoalTest: fc.boolean(),
  }),
  maxDepth: fc.integer({ min: 1, max: 4 }),
  threshold: fc.constantFrom(0, 3, 5),
  candidates: fc.integer({ min: 1, max: 4 }),
  person: fc.boolean(),
  graded: fc.boolean(),
});

function chanceFrom(seed: number): Chance {
  let state = seed >>> 0;
  return (bound) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 4294967296) * bound);
  };
}

const shapeOf = ({ tree }: SimulatedThoughts): string[] =>
  [...walk(tree.root)].map((node) => `${pathOf(node)} ${node.status} ${node.evaluation?.score} ${node.selected}`);

describe('the strategies of a search for a solution', () => {
  it('keep to their bounds, and equal a rebuilt index', () => {
    fc.assert(
      fc.property(worlds, fc.integer(), (world, seed) => {
        new SimulatedThoughts(world, chanceFrom(seed)).run(150);
      }),
      { numRuns: effort(300) },
    );
  });

  it('come to an end of themselves, and leave nothing open that they would work on', () => {
    fc.assert(
      fc.property(worlds, fc.integer(), (world, seed) => {
        const simulated = new SimulatedThoughts({ ...world, person: false }, chanceFrom(seed));
        simulated.run(20_000);
        assert.ok(simulated.strategy.end, 'it never ended');
        assert.deepEqual(simulated.strategy.ask(4), []);
        for (const [node, tries] of simulated.tries) assert.ok(tries <= world.rules.tries, pathOf(node));
      }),
      { numRuns: effort(100) },
    );
  });

  it('make the same tree of the same seed and the same sequence of results', () => {
    fc.assert(
      fc.property(worlds, fc.integer(), (world, seed) => {
        const [first, second] = [0, 1].map(() => {
          const simulated = new SimulatedThoughts({ ...world, person: false }, chanceFrom(seed));
          simulated.run(300);
          return simulated;
        });
        assert.deepEqual(shapeOf(first as SimulatedThoughts), shapeOf(second as SimulatedThoughts));
        assert.deepEqual(first?.asked, second?.asked);
      }),
      { numRuns: effort(60) },
    );
  });

  it('breadth-first keeps no more of a layer than its beam, and nothing below the threshold', () => {
    fc.assert(
      fc.property(worlds, fc.integer(), (world, seed) => {
        const rules = { ...world.rules, tries: 1, hasGoalTest: false };
        const simulated = new SimulatedThoughts(
          { ...world, name: 'breadth-first', rules, person: false },
          chanceFrom(seed),
        );
        const strategy = simulated.strategy as BreadthFirst;
        simulated.run(20_000);
        const most = rules.beamFollowsScores ? 2 * rules.beam : rules.beam;
        for (let depth = 1; depth <= world.maxDepth; depth++)
          assert.ok(strategy.beamAt(depth) >= 1 && strategy.beamAt(depth) <= most);
        const kept = simulated.asked.filter(({ kind }) => kind === 'keep');
        for (const { nodes } of kept) assert.ok(nodes.length <= most);
        for (const node of walk(simulated.tree.root))
          if (node.selected) assert.ok((node.evaluation?.score ?? 0) >= world.threshold);
      }),
      { numRuns: effort(100) },
    );
  });
});
