import assert from 'node:assert/strict';
import type { Atom, WorkGraph } from '../../../../../src/kinds/work-graph/graph/graph.ts';
import { alternativesOf } from '../../../../../src/kinds/work-graph/graph/graph.ts';
import { loopOf, stallStep } from '../../../../../src/kinds/work-graph/graph/loop.ts';
import { cyclesIn, dependentsOf, misplacedFallbacks } from '../../../../../src/kinds/work-graph/graph/order.ts';
import { mayBegin, mayJoin, neverReady, readyAtoms } from '../../../../../src/kinds/work-graph/graph/ready.ts';
import { isSatisfied } from '../../../../../src/kinds/work-graph/graph/resolution.ts';
import type { Try } from '../../../../../src/kinds/work-graph/run/own-fields.ts';
import { graphOf } from './play.ts';

const ready = (graph: WorkGraph, running: string[] = []) => readyAtoms(graph, new Set(running)).map(({ name }) => name);
const atomIn = (graph: WorkGraph, name: string) => graph.atoms.get(name) as Atom;

describe('what is ready in a work graph', () => {
  it('is what most others wait for, then in the order of the plan', () => {
    const graph = graphOf([
      { name: 'alone' },
      { name: 'first' },
      { name: 'next', dependsOn: ['first'] },
      { name: 'last', dependsOn: ['next'] },
      { name: 'one' },
      { name: 'after', dependsOn: ['one'] },
    ]);
    assert.deepEqual(ready(graph), ['first', 'one', 'alone']);
  });

  it('counts what waits through parts and groups', () => {
    const graph = graphOf([
      { name: 'x' },
      { name: 'whole' },
      { name: 'part', parent: 'whole' },
      { name: 'after', dependsOn: ['whole'] },
    ]);
    assert.deepEqual(ready(graph), ['part', 'x']);
  });

  it('inherits what the atom it is a part of depends on', () => {
    const graph = graphOf([{ name: 'a' }, { name: 'whole', dependsOn: ['a'] }, { name: 'part', parent: 'whole' }]);
    assert.deepEqual(ready(graph), ['a']);
  });

  it('leaves out proposals, their parts, and what shares a file or a thing with a running atom', () => {
    const graph = graphOf([
      { name: 'runs', touches: ['src/a/**'], uses: ['db'] },
      { name: 'same file', touches: ['src/**'] },
      { name: 'same thing', touches: [], uses: ['db'] },
      { name: 'anything', touches: undefined },
      { name: 'apart', touches: ['src/b/**'] },
      { name: 'proposal', isProposed: true },
      { name: 'below', parent: 'proposal' },
      { name: 'after', dependsOn: ['proposal'], touches: [] },
    ]);
    assert.deepEqual(ready(graph, ['runs']), ['apart', 'after']);
    assert.ok(!mayBegin(graph, atomIn(graph, 'runs'), ['runs']), 'nor what runs itself');
  });

  it('is a fallback once the other failed, whose place it takes', () => {
    const after = { name: 'after', dependsOn: ['a'] };
    const fallback = { name: 'b', ifFailed: 'a' };
    assert.deepEqual(ready(graphOf([{ name: 'a' }, fallback, after])), ['a']);
    assert.deepEqual(ready(graphOf([{ name: 'a', state: 'failed' }, fallback, after])), ['b']);
    const replaced = graphOf([{ name: 'a', state: 'failed' }, { ...fallback, state: 'resolved' }, after]);
    assert.deepEqual(ready(replaced), ['after']);
    const unneeded = graphOf([{ name: 'a', state: 'resolved' }, fallback, { name: 'c', dependsOn: ['b'] }]);
    assert.ok(isSatisfied(unneeded, 'b'));
    assert.deepEqual(ready(unneeded), ['c']);
  });

  it('may be joined only while it is wanted, what it waits for is there, and no person has to look at it', () => {
    const graph = graphOf([
      { name: 'a' },
      { name: 'done', state: 'done' },
      { name: 'early', state: 'done', dependsOn: ['a'] },
      { name: 'asks', state: 'done', needsPerson: true },
      { name: 'chosen', group: 'g' },
      { name: 'left', group: 'g', state: 'done' },
    ]);
    const may = [...graph.atoms.values()].filter((atom) => mayJoin(graph, atom)).map(({ name }) => name);
    assert.deepEqual(may, ['done']);
  });
});

describe('the alternatives of a group', () => {
  it('come in order, each behind the one whose failure it waits for', () => {
    const graph = graphOf([
      { name: 'd', group: 'g', ifFailed: 'b' },
      { name: 'b', group: 'g', ifFailed: 'a' },
      { name: 'c', group: 'g' },
      { name: 'a', group: 'g' },
    ]);
    assert.deepEqual(alternativesOf(graph, 'g'), ['c', 'a', 'b', 'd']);
    const circle = graphOf([
      { name: 'a', group: 'g', ifFailed: 'b' },
      { name: 'b', group: 'g', ifFailed: 'a' },
    ]);
    assert.deepEqual(alternativesOf(circle, 'g'), ['a', 'b']);
  });
});

describe('atoms that can never be ready', () => {
  it('are named with what they wait for', () => {
    const graph = graphOf([
      { name: 'failed', state: 'failed' },
      { name: 'a', dependsOn: ['failed'] },
      { name: 'b', dependsOn: ['a', 'gone'] },
      { name: 'fine' },
    ]);
    assert.deepEqual(neverReady(graph), [
      { atom: 'a', waitsFor: ['failed'] },
      { atom: 'b', waitsFor: ['a', 'gone'] },
    ]);
  });

  it('do not stop a group that has another alternative', () => {
    const graph = graphOf([
      { name: 'failed', state: 'failed', group: 'h' },
      { name: 'a', group: 'g', dependsOn: ['h'] },
      { name: 'b', group: 'g' },
    ]);
    assert.deepEqual(ready(graph), [], 'the switch comes first');
    assert.deepEqual(
      ready({
        ...graph,
        groups: new Map(
          [...graph.groups].map(([name, each]) => [name, name === 'g' ? { ...each, selected: 'b' } : each]),
        ),
      }),
      ['b'],
    );
  });
});

describe('circles in a work graph', () => {
  const circles: [string, Parameters<typeof graphOf>[0], string[]][] = [
    [
      'of two',
      [
        { name: 'a', dependsOn: ['b'] },
        { name: 'b', dependsOn: ['a'] },
      ],
      ['a', 'b'],
    ],
    ['of one', [{ name: 'a', dependsOn: ['a'] }], ['a']],
    [
      'through a group',
      [
        { name: 'a', group: 'g', dependsOn: ['b'] },
        { name: 'b', dependsOn: ['g'] },
      ],
      ['a', 'b', 'g'],
    ],
    [
      'between alternatives',
      [
        { name: 'a', group: 'g' },
        { name: 'b', group: 'g', dependsOn: ['a'] },
      ],
      ['b', 'g'],
    ],
    ['of a part and its parent', [{ name: 'a' }, { name: 'b', parent: 'a', dependsOn: ['a'] }], ['a', 'b']],
    [
      'of a parent and its part',
      [
        { name: 'a', dependsOn: ['b'] },
        { name: 'b', parent: 'a' },
      ],
      ['a', 'b'],
    ],
    [
      'of fallbacks',
      [
        { name: 'a', ifFailed: 'b' },
        { name: 'b', ifFailed: 'a' },
      ],
      ['a', 'b'],
    ],
  ];
  for (const [name, atoms, names] of circles)
    it(`are found: ${name}`, () => assert.deepEqual(cyclesIn(graphOf(atoms))[0]?.toSorted(), names));

  it('are told so that each waits for the next', () => {
    const graph = graphOf([
      { name: 'a', dependsOn: ['c'] },
      { name: 'b', dependsOn: ['a'] },
      { name: 'c', dependsOn: ['b'] },
    ]);
    assert.deepEqual(cyclesIn(graph), [['a', 'c', 'b']]);
  });

  it('are not seen where there are none', () => {
    const graph = graphOf([
      { name: 'a' },
      { name: 'b', dependsOn: ['a'], ifFailed: 'a' },
      { name: 'c', dependsOn: ['b', 'g'] },
      { name: 'd', group: 'g' },
      { name: 'e', group: 'g', ifFailed: 'd' },
      { name: 'f', parent: 'e', dependsOn: ['a'] },
    ]);
    assert.deepEqual(cyclesIn(graph), []);
    assert.deepEqual(misplacedFallbacks(graph), []);
  });
});

describe('what a change reopens', () => {
  it('is an atom and all that comes after it, through groups, parts and parents', () => {
    const graph = graphOf([
      { name: 'a' },
      { name: 'b', group: 'g', dependsOn: ['a'] },
      { name: 'c', dependsOn: ['g'] },
      { name: 'd', parent: 'c' },
      { name: 'e' },
      { name: 'f', dependsOn: ['d'] },
    ]);
    assert.deepEqual(dependentsOf(graph, ['a']), ['a', 'b', 'c', 'd', 'f', 'g']);
    assert.deepEqual(dependentsOf(graph, ['d']), ['c', 'd', 'f']);
    assert.deepEqual(dependentsOf(graph, ['e', 'gone']), ['e']);
  });
});

describe('the loop of a work graph', () => {
  const atom = (name: string, ...tries: Try[]) => ({ atom: name, tries, underWay: undefined, isSwitched: false });

  it('has the iteration of the oldest atom that is under way', () => {
    const loop = loopOf([
      { ...atom('a', { iteration: 1 }), underWay: 1 },
      { ...atom('b', { iteration: 1, ended: 'failed' }), underWay: 2 },
    ]);
    assert.deepEqual(loop, { running: 1, last: 2, stalls: 0, stuck: [] });
  });

  it('counts iterations without progress in a row', () => {
    const tries: Try[] = [1, 2, 3].map((iteration) => ({ iteration, ended: iteration === 1 ? 'probed' : 'failed' }));
    assert.deepEqual(loopOf([atom('a', ...tries)]), { running: undefined, last: 3, stalls: 2, stuck: ['a'] });
    const other = atom('b', { iteration: 3, ended: 'resolved' });
    assert.equal(loopOf([atom('a', ...tries), other]).stalls, 0);
  });

  it('counts each kind of progress once for an atom', () => {
    const again: Try[] = [
      { iteration: 1, ended: 'resolved' },
      { iteration: 2, ended: 'resolved' },
    ];
    assert.equal(loopOf([atom('a', ...again)]).stalls, 1);
    const probes: Try[] = [
      { iteration: 1, ended: 'probed' },
      { iteration: 2, ended: 'infeasible' },
    ];
    assert.equal(loopOf([atom('a', ...probes)]).stalls, 1);
  });

  it('says nothing of what was dropped, and forgets what was before a person let it go on', () => {
    assert.deepEqual(loopOf([atom('a', { iteration: 1, ended: 'dropped' })]), {
      running: undefined,
      last: 0,
      stalls: 0,
      stuck: [],
    });
    const tries: Try[] = [1, 2, 3].map((iteration) => ({ iteration, ended: 'failed' }));
    assert.equal(loopOf([atom('a', ...tries)], 2).stalls, 1);
  });

  it('says nothing of work that went back to its worker, twice, unless that is a command', () => {
    const red = (iteration: number, by?: string): Try => ({ iteration, ended: 'contradicted', ...(by && { by }) });
    const none = { running: undefined, stalls: 0, stuck: [] };
    assert.deepEqual(loopOf([atom('a', red(1), { iteration: 2, ended: 'conflict' })]), { ...none, last: 2 });
    assert.deepEqual(loopOf([atom('a', red(1), red(2), red(3))]), { ...none, last: 3, stalls: 1, stuck: ['a'] });
    assert.deepEqual(loopOf([atom('a', red(1, 'command'))]), { ...none, last: 1, stalls: 1, stuck: ['a'] });
    assert.deepEqual(loopOf([atom('a', red(1)), atom('b', { iteration: 1, ended: 'failed' })]), {
      ...none,
      last: 1,
      stalls: 1,
      stuck: ['b'],
    });
  });

  it('tries another alternative at a stall, then splits, then probes', () => {
    const can = { probe: true, decompose: true, extend: true };
    const graph = graphOf([
      { name: 'a', group: 'g' },
      { name: 'part', parent: 'a' },
      { name: 'b', group: 'g' },
      { name: 'alone' },
    ]);
    const step = (name: string, stalls: number, more = can, wasProbed = false) =>
      stallStep(graph, atomIn(graph, name), { stalls, wasProbed }, more)?.kind;
    assert.deepEqual(stallStep(graph, atomIn(graph, 'part'), { stalls: 1, wasProbed: false }, can), {
      kind: 'switch',
      group: 'g',
      to: 'b',
    });
    assert.deepEqual([step('part', 2), step('part', 3)], ['decompose', 'probe']);
    assert.deepEqual(
      [step('alone', 1), step('alone', 2), step('alone', 2, can, true)],
      ['decompose', 'probe', 'decompose'],
    );
    assert.equal(step('alone', 1, { ...can, probe: false, decompose: false }), undefined);
  });
});
