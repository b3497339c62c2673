import assert from 'node:assert/strict';
import type { NodeStatus } from '../../../../../src/core/tree/node-file.ts';
import { Tree, type TreeNode } from '../../../../../src/core/tree/tree.ts';
import type { LoopLimits } from '../../../../../src/kinds/work-graph/graph/loop.ts';
import type { GraphMove } from '../../../../../src/kinds/work-graph/run/moves-under-way.ts';
import type { Try } from '../../../../../src/kinds/work-graph/run/own-fields.ts';
import { type GraphFacts, WorkGraphStrategy } from '../../../../../src/kinds/work-graph/run/strategy.ts';
import { growsLinearly } from '../../../../support/grows-linearly.ts';

const WORK = { base: 'abcdef0', by: 'x', summary: '', artifacts: [] };

/** A search whose moves end as a test says. */
class Search {
  readonly tree = new Tree('A goal');
  readonly strategy: WorkGraphStrategy;
  limits: LoopLimits = { iterations: 20, parallel: 3, stall: 3 };
  readonly outside = new Set<string>();
  readonly taken = new Set<string>();
  can = { probe: false, decompose: false, extend: false };

  constructor() {
    const facts: GraphFacts = {
      hands: ({ own }) => (this.outside.has(own?.name ?? '') ? 'outside' : 'here'),
      isTaken: ({ own }) => this.taken.has(own?.name ?? ''),
      can: () => this.can,
      limits: () => this.limits,
    };
    this.strategy = new WorkGraphStrategy(facts);
    this.strategy.open(this.tree);
  }

  laidOut(): this {
    this.tree.update(this.tree.root, { listed: true });
    return this;
  }

  add(name: string, own: object = {}, parent: TreeNode = this.tree.root, after: readonly string[] = []): TreeNode {
    const status: NodeStatus = 'unexpanded';
    const links = after.map((to) => ({ type: 'depends-on', to }));
    const fields = { type: 'atom', name, touches: [], ...own };
    return this.tree.add(parent, name, { file: { title: name, status, id: name, links, own: fields as never } });
  }

  node(name: string): TreeNode {
    return this.tree.links.byId(name) as TreeNode;
  }

  set(name: string, own: object, status: NodeStatus = 'unexpanded'): void {
    const node = this.node(name);
    this.tree.update(node, { status, own: { ...node.file?.own, ...own } as never });
    this.strategy.changed();
  }

  ask(room = 3): GraphMove[] {
    return this.strategy.ask(room);
  }

  names(room = 3): string[] {
    return this.ask(room).map(({ kind, about = '' }) => `${kind} ${about}`.trim());
  }

  /** Ends the work of an atom, and joins it. */
  resolve(move: GraphMove): void {
    const tries: Try[] = [{ iteration: move.iteration ?? 1, ended: 'resolved' }];
    this.set(move.about as string, { tries, work: WORK }, 'leaf');
    this.strategy.tell(move, { outcome: 'done' });
  }

  fail(move: GraphMove): void {
    const before = (this.node(move.about as string).file?.own?.['tries'] ?? []) as Try[];
    this.set(move.about as string, { tries: [...before, { iteration: move.iteration ?? 1, ended: 'failed' }] });
    this.strategy.tell(move, { outcome: 'done' });
  }
}

describe('the strategy of a work graph', () => {
  let search: Search;

  beforeEach(() => {
    search = new Search().laidOut();
  });

  it('lays the plan out first, once', () => {
    const empty = new Search();
    assert.deepEqual(empty.names(), ['lay-out']);
    assert.deepEqual(empty.names(), []);
    assert.equal(empty.strategy.end, undefined);
  });

  it('begins what is ready, up to the room and to the plan’s limit', () => {
    for (const name of ['a', 'b', 'c', 'd']) search.add(name);
    assert.deepEqual(search.names(1), ['work a']);
    search.limits = { ...search.limits, parallel: 2 };
    assert.deepEqual(search.names(3), ['work b']);
    assert.deepEqual(search.names(3), []);
  });

  it('begins what a person wished before all others', () => {
    for (const name of ['a', 'b', 'c']) search.add(name);
    search.strategy.wish(search.node('c').id);
    assert.deepEqual(search.names(2), ['work c', 'work a']);
  });

  it('joins one at a time, and keeps the files of work that is not joined', () => {
    for (const name of ['a', 'b']) search.add(name, { work: WORK, touches: [name] });
    search.add('c', { touches: ['a'] });
    search.add('d', { touches: ['d'] });
    const moves = search.ask();
    assert.deepEqual(
      moves.map(({ kind, about }) => `${kind} ${about}`),
      ['join a', 'work d'],
    );
    assert.deepEqual(search.names(), []);
    search.set('a', {}, 'leaf');
    search.strategy.tell(moves[0] as GraphMove, { outcome: 'done' });
    assert.deepEqual(search.names(), ['join b', 'work c']);
  });

  it('probes first where the plan says so and somebody can', () => {
    search.add('a', { probe: 'first' });
    search.can = { ...search.can, probe: true };
    assert.deepEqual(search.names(), ['probe a']);
  });

  it('offers what is done outside, whatever the room, and works on nothing in its way once it is taken', () => {
    search.outside.add('a').add('b');
    for (const name of ['a', 'b', 'c']) search.add(name, { touches: ['x'] });
    search.taken.add('a');
    assert.deepEqual(search.names(0), ['offer-work a', 'offer-work b']);
    assert.deepEqual(search.names(), [], 'c waits for the one that is taken');
    search.taken.delete('a');
    assert.deepEqual(search.names(), ['work c']);
  });

  it('says how an atom that failed is tried again only once its iteration has ended', () => {
    for (const name of ['a', 'b']) search.add(name);
    const [a, b] = search.ask() as [GraphMove, GraphMove];
    search.fail(a);
    assert.deepEqual(search.names(), []);
    search.resolve(b);
    const [again] = search.ask();
    assert.deepEqual([again?.about, again?.iteration], ['a', 2]);
  });

  it('counts what is taken at the start of an iteration to it, and what is taken meanwhile to the next one', () => {
    search.limits = { ...search.limits, parallel: 2 };
    for (const name of ['a', 'b', 'c', 'd', 'e']) search.add(name);
    const [a, b] = search.ask() as [GraphMove, GraphMove];
    search.resolve(b);
    const [c] = search.ask() as [GraphMove];
    search.resolve(a);
    const [d] = search.ask() as [GraphMove];
    search.resolve(c);
    const [e] = search.ask() as [GraphMove];
    assert.deepEqual(
      [a, b, c, d, e].map(({ iteration }) => iteration),
      [1, 1, 2, 2, 3],
    );
  });

  it('goes on with a try that a kill left under way', () => {
    search.add('a', { tries: [{ iteration: 4 }] });
    search.add('b', { tries: [{ iteration: 3, ended: 'failed' }] });
    assert.deepEqual(
      search.ask().map(({ about, iteration }) => [about, iteration]),
      [
        ['a', 4],
        ['b', 4],
      ],
    );
  });

  it('gives an alternative up at a stall, and splits what has none', () => {
    search.can = { ...search.can, decompose: true };
    const group = search.add('g', { type: 'group' });
    const whole = search.add('a', {}, group);
    search.add('b', {}, group);
    search.add('part', {}, whole);
    for (const name of ['a', 'g']) search.set(name, {}, 'expanded');
    const [work] = search.ask() as [GraphMove];
    search.fail(work);
    const [given] = search.ask();
    assert.deepEqual([given?.kind, given?.about, given?.to, given?.isStall], ['switch', 'g', 'b', true]);
    const alone = new Search().laidOut();
    alone.can = search.can;
    alone.add('x');
    alone.fail(alone.ask()[0] as GraphMove);
    assert.deepEqual(alone.names(), ['decompose x']);
  });

  describe('when a limit is reached', () => {
    it('asks for a person, with the reason, and goes on from there once they agree', () => {
      search.limits = { ...search.limits, stall: 2 };
      search.add('a');
      search.fail(search.ask()[0] as GraphMove);
      search.fail(search.ask()[0] as GraphMove);
      const [rest] = search.ask();
      assert.deepEqual(rest?.why, { kind: 'stall', limit: 2, atoms: ['a'] });
      search.strategy.tell(rest as GraphMove, { outcome: 'done' });
      search.limits = { ...search.limits, since: 2 };
      assert.deepEqual(search.names(), ['work a']);
    });

    it('begins no more iterations than the plan allows', () => {
      search.limits = { ...search.limits, iterations: 1, parallel: 1 };
      for (const name of ['a', 'b']) search.add(name);
      search.resolve(search.ask()[0] as GraphMove);
      assert.deepEqual(search.ask()[0]?.why, { kind: 'iterations', limit: 1 });
    });
  });

  it('names what can never be ready, and work that only a person can check', () => {
    search.add('a', {}, search.tree.root, ['gone']);
    assert.deepEqual(search.ask()[0]?.why, { kind: 'stuck', failed: [], never: [{ atom: 'a', waitsFor: ['gone'] }] });
    const other = new Search().laidOut();
    other.add('b', { work: WORK, evidence: [{ item: '0', word: 'uncheckable' }] });
    assert.deepEqual(other.ask()[0]?.why, { kind: 'person', atoms: ['b'], isGoal: false });
  });

  describe('once everything is resolved', () => {
    let work: GraphMove;

    beforeEach(() => {
      search.add('a');
      search.add('goal', { type: 'goal' });
      [work] = search.ask() as [GraphMove];
      search.resolve(work);
    });

    const look = (word: string, ended: Try['ended'] = 'resolved') => {
      const [verify] = search.ask() as [GraphMove];
      assert.equal(verify.kind, 'verify');
      search.set('goal', { evidence: [{ item: '0', word }], tries: [{ iteration: verify.iteration, ended }] });
      search.strategy.tell(verify, { outcome: 'done' });
    };

    it('looks at the base case, and is solved when it holds', () => {
      assert.equal(search.strategy.end, undefined);
      look('verified');
      assert.equal(search.strategy.end, 'solved');
      assert.deepEqual(search.ask(), []);
    });

    it('makes new atoms of what does not hold, and looks again once they are resolved', () => {
      search.can = { ...search.can, extend: true };
      look('contradicted', 'contradicted');
      const [extend] = search.ask() as [GraphMove];
      assert.equal(extend.kind, 'extend');
      search.add('new');
      search.set('goal', { tries: [{ iteration: extend.iteration, ended: 'decomposed' }] });
      search.strategy.tell(extend, { outcome: 'done' });
      const [again] = search.ask() as [GraphMove];
      assert.deepEqual([again.about, again.iteration], ['new', 2]);
      search.resolve(again);
      look('verified');
      assert.equal(search.strategy.end, 'solved');
    });

    it('asks for a person where the base case cannot be checked, or nothing can be added', () => {
      look('uncheckable');
      const [rest] = search.ask() as [GraphMove];
      assert.deepEqual(rest.why, { kind: 'person', atoms: [], isGoal: true });
      search.strategy.tell(rest, { outcome: 'done' });
      search.set('goal', { evidence: [{ item: '0', word: 'contradicted' }] });
      assert.deepEqual(search.ask()[0]?.why, { kind: 'base-case' });
    });

    it('looks again when more was done after it', () => {
      look('verified');
      search.set('a', { tries: [{ iteration: 2, ended: 'resolved' }] }, 'leaf');
      assert.equal(search.strategy.end, undefined);
      assert.deepEqual(search.names(), ['verify']);
    });
  });

  it('does not ask for ever for what is always dropped, but says which atom it is', () => {
    search.add('a');
    for (let i = 0; i < 3; i++) search.strategy.tell(search.ask()[0] as GraphMove, { outcome: 'dropped' });
    const [rest] = search.ask() as [GraphMove];
    assert.deepEqual(rest.why, { kind: 'stuck', failed: ['a'], never: [] });
    search.strategy.tell(rest, { outcome: 'dropped' });
    assert.deepEqual(search.names(), ['work a'], 'the next time it is tried again');
  });

  it('asks the same after it was opened again, as far as nothing is under way', () => {
    for (const name of ['a', 'b', 'c']) search.add(name, {}, search.tree.root, name === 'c' ? ['a'] : []);
    const moves = search.ask();
    for (const move of moves) search.strategy.tell(move, { outcome: 'done' });
    const told = (each: readonly GraphMove[]) => each.map(({ kind, about, iteration }) => ({ kind, about, iteration }));
    const again = search.ask();
    search.strategy.open(search.tree);
    for (const move of again) search.strategy.tell(move, { outcome: 'done' });
    assert.deepEqual(told(search.ask()), told(moves));
  });
});

describe('the strategy of a large work graph', () => {
  it('asks in a time in proportion to its atoms, also where much waits for much', async () => {
    const made = (size: number) => {
      const search = new Search().laidOut();
      for (let i = 0; i < size; i++) {
        const after = i < 100 ? [] : [1, 7, 31, 90].map((by) => `n${i - by}`);
        search.add(`n${i}`, { touches: [`src/${i % 50}/**`, `test/${i}/*.ts`] }, search.tree.root, after);
      }
      search.ask(1);
      return search;
    };
    await growsLinearly('a graph', 2000, made, (search) => {
      for (let times = 0; times < 5; times++) {
        search.strategy.changed();
        search.ask(1);
      }
    });
  });
});
