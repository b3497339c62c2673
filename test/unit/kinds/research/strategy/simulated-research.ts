import assert from 'node:assert/strict';
import type { Move, MoveResult } from '../../../../../src/core/kind/strategy.ts';
import { expansionsOf } from '../../../../../src/core/search/limits.ts';
import { isPruned, Tree, type TreeNode, walk } from '../../../../../src/core/tree/tree.ts';
import type { NodeId } from '../../../../../src/core/tree/tree-node.ts';
import { Research, type ResearchOptions } from '../../../../../src/kinds/research/strategy.ts';

/** Whole numbers from 0 up to, not including, a bound. */
export type Chance = (bound: number) => number;

/** What may happen in a simulated search in addition to plain work. */
export interface Weather {
  /** Whether expansions may fail or be dropped. */
  readonly failures: boolean;
  /** Whether a person prunes, restores, removes, adds, sorts and scores meanwhile. */
  readonly person: boolean;
  /** What picks answer; `never` leaves them under way. */
  readonly picks: 'good' | 'any' | 'failed' | 'nonsense' | 'never';
  /** How many children an expansion gives at most, and how deep it goes. */
  readonly children: number;
  readonly depth: number;
}

/** A search without a model and without a disk: a strategy, a tree, and moves that end in any order. */
export class SimulatedResearch {
  readonly tree = new Tree('Question');
  readonly strategy: Research;
  readonly options: ResearchOptions;
  readonly running: Move[] = [];
  /** Every move that was asked for, in order. */
  readonly asked: Move[] = [];
  readonly #chance: Chance;
  readonly #weather: Weather;
  #names = 0;

  constructor(options: ResearchOptions, weather: Weather, chance: Chance) {
    this.options = options;
    this.strategy = new Research(options);
    this.#weather = weather;
    this.#chance = chance;
    this.strategy.open(this.tree);
  }

  /** Nodes that could be worked on, by the plainest rule. */
  open(): TreeNode[] {
    const busy = new Set(this.expansions().flatMap(({ nodes }) => nodes));
    return [...walk(this.tree.root)].filter(
      (node) =>
        node.parent &&
        node.status === 'unexpanded' &&
        !busy.has(node.id) &&
        !isPruned(node) &&
        (node.parent.parent ? node.parent.status === 'expanded' : this.tree.root.listed),
    );
  }

  expansions(): Move[] {
    return this.running.filter(({ kind }) => kind === 'expand');
  }

  remaining(): number {
    return expansionsOf(this.options.size) - this.tree.finished - this.expansions().length;
  }

  /** Asks for what the free slots can take, and checks all that has to hold of the answer. */
  ask(): Move[] {
    const room = this.options.concurrency - this.running.filter(({ kind }) => kind !== 'pick').length;
    const before = { open: this.open(), remaining: this.remaining() };
    const moves = this.strategy.ask(room);
    const work = moves.filter(({ kind }) => kind !== 'pick');
    assert.ok(work.length <= room, 'more than the room');
    this.running.push(...moves);
    this.asked.push(...moves);
    assert.equal(new Set(this.running.map(({ id }) => id)).size, this.running.length, 'an id twice');
    this.#checkPicks();
    const worked = this.expansions().flatMap(({ nodes }) => nodes);
    assert.equal(new Set(worked).size, worked.length, 'a node twice');
    this.#checkWork(work, before, room);
    for (const pick of moves.filter(({ kind }) => kind === 'pick')) this.#checkCandidates(pick);
    return moves;
  }

  /** Ends one of the moves under way; false where nothing can end any more. */
  settle(): boolean {
    const able = this.running.filter(({ kind }) => kind !== 'pick' || this.#weather.picks !== 'never');
    const move = able[this.#chance(Math.max(1, able.length))];
    if (!move) return false;
    this.tell(move, this.#carryOut(move));
    return true;
  }

  tell(move: Move, result: MoveResult): void {
    const at = this.running.indexOf(move);
    if (at >= 0) this.running.splice(at, 1);
    this.strategy.tell(move, result);
    if (this.#chance(3) === 0) this.strategy.tell(move, { outcome: 'failed' }); // twice is harmless
  }

  /** A person does something, perhaps. */
  meddle(): void {
    const nodes = [...walk(this.tree.root)].slice(1);
    const node = nodes[this.#chance(Math.max(1, nodes.length))];
    if (!this.#weather.person || !node || this.#chance(3) > 0) return;
    const action = this.#chance(6);
    if (action === 0 && node.status !== 'in-progress') this.#set(node, { status: 'pruned' });
    else if (action === 1 && node.status === 'pruned')
      this.#set(node, { status: node.children.length > 0 ? 'expanded' : node.listed ? 'leaf' : 'unexpanded' });
    else if (action === 2) this.#set(node, { evaluation: { score: this.#chance(11) } });
    else if (action === 3) this.strategy.changed(this.tree.remove(node).map(({ id }) => id));
    else if (action === 4 && node.status === 'expanded') this.strategy.changed([this.#add(node).id]);
    else if (action === 5 && node.parent)
      this.tree.reorder(
        node.parent,
        [...node.parent.children].reverse().map(({ slug }) => slug),
      ); // told to nobody
  }

  /** Compares what the strategy says with one that was opened just now; only where nothing is under way. */
  compareWithAnew(): void {
    const rebuilt = new Research(this.options);
    rebuilt.open(this.tree);
    assert.deepEqual(this.strategy.snapshot(), rebuilt.snapshot());
    assert.equal(this.strategy.end, rebuilt.end);
    assert.deepEqual(
      this.strategy.snapshot().open,
      this.open()
        .map(({ id }) => id)
        .sort((a, b) => a - b),
    );
  }

  #checkWork(work: Move[], before: { open: TreeNode[]; remaining: number }, room: number): void {
    if (!this.tree.root.listed) return;
    const ids = work.flatMap(({ nodes }) => nodes);
    const open = new Set(before.open.map(({ id }) => id));
    assert.ok(
      ids.every((id) => open.has(id)),
      'work on what is not open',
    );
    assert.ok(ids.length <= Math.max(0, before.remaining), 'more than the size');
    const first = before.open.filter(({ depth }) => depth === 1).map(({ id }) => id);
    assert.deepEqual(ids.slice(0, first.length), first.slice(0, ids.length), 'the first level first, in order');
    const full = Math.min(room, Math.max(0, before.remaining), before.open.length);
    const neverWaits = this.options.picker === 'ranked' && !this.options.inRounds;
    const ahead = neverWaits ? full : Math.min(full, first.length);
    assert.ok(ids.length >= ahead, 'a slot left empty');
  }

  #checkPicks(): void {
    const picks = this.running.filter(({ kind }) => kind === 'pick');
    const isAlone = this.options.concurrency <= 128 || this.options.inRounds || this.options.picker !== 'ranked';
    assert.ok(!isAlone || picks.length <= 1, 'two picks at a time');
    const candidates = picks.flatMap(({ nodes }) => nodes);
    assert.equal(new Set(candidates).size, candidates.length, 'a leaf in two picks');
    assert.ok(isAlone || picks.every(({ nodes }) => nodes.length <= 1024), 'a pick of too many');
  }

  #checkCandidates(pick: Move): void {
    assert.equal(new Set(pick.nodes).size, pick.nodes.length, 'a candidate twice');
    const open = new Set(this.open().map(({ id }) => id));
    assert.ok(pick.nodes.length > 0, 'a pick of nothing');
    assert.ok(
      pick.nodes.every((id) => open.has(id) && (this.tree.get(id)?.depth ?? 0) > 1),
      'a candidate not open',
    );
  }

  #set(node: TreeNode, fields: Parameters<Tree['update']>[1]): void {
    this.tree.update(node, fields);
    this.strategy.changed([node.id]);
  }

  #add(parent: TreeNode): TreeNode {
    const slug = `n${++this.#names}`;
    const scored = this.#chance(2) === 0 ? { evaluation: { score: this.#chance(11) } } : {};
    return this.tree.add(parent, slug, { title: slug, ...scored });
  }

  #carryOut(move: Move): MoveResult {
    if (move.kind === 'pick') return this.#answerPick(move);
    const node = this.tree.get(move.nodes[0] as NodeId);
    if (!node || node.status === 'pruned') return { outcome: 'dropped' };
    if (this.#weather.failures && move.kind === 'expand' && this.#chance(4) === 0) {
      const failed = this.#chance(2) === 0;
      if (failed) this.tree.update(node, { status: 'failed' });
      return { outcome: failed ? 'failed' : 'dropped' };
    }
    const count = node.depth >= this.#weather.depth ? 0 : this.#chance(this.#weather.children + 1);
    for (let i = 0; i < count; i++) this.#add(node);
    this.tree.update(node, { status: count > 0 || !node.parent ? 'expanded' : 'leaf', listed: true });
    return { outcome: 'done' };
  }

  #answerPick({ nodes }: Move): MoveResult {
    const { picks } = this.#weather;
    const how = picks === 'any' ? this.#chance(4) : picks === 'good' ? 0 : picks === 'nonsense' ? 1 : 2;
    if (how === 2) return { outcome: 'failed' };
    if (how === 3) return { outcome: 'dropped' };
    if (how === 0) return { outcome: 'ranked', ranking: [...nodes].reverse() };
    const any = [...walk(this.tree.root)].map(({ id }) => id).filter(() => this.#chance(5) === 0);
    return { outcome: 'ranked', ranking: [...any, ...any, 999_999 as NodeId] };
  }
}
