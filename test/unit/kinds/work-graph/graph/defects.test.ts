import assert from 'node:assert/strict';
import type { OrGroup, WorkGraph } from '../../../../../src/kinds/work-graph/graph/graph.ts';
import { loopOf } from '../../../../../src/kinds/work-graph/graph/loop.ts';
import { readyAtoms } from '../../../../../src/kinds/work-graph/graph/ready.ts';
import { choiceOf, isExhausted, isResolved, switchOf } from '../../../../../src/kinds/work-graph/graph/resolution.ts';
import { type GivenAtom, graphOf, play } from './play.ts';

// What went wrong in the system that work graphs come from, as far as it is a matter of the graph and the loop.

const ready = (graph: WorkGraph) => readyAtoms(graph).map(({ name }) => name);
const first = { pick: () => 0 };
const JWT: GivenAtom = { name: 'A4_jwt', group: 'auth' };
const SESSION: GivenAtom = { name: 'A4_session', group: 'auth' };
const groupIn = (graph: WorkGraph) => graph.groups.get('auth') as OrGroup;

describe('defects of the original that are absent', () => {
  it('1: alternatives that are not chosen cannot be executed', () => {
    const graph = graphOf([JWT, SESSION, { name: 'A6' }], [{ name: 'auth', selected: 'A4_jwt' }]);
    assert.deepEqual(ready(graph).sort(), ['A4_jwt', 'A6']);
    const parts = graphOf([JWT, SESSION, { name: 'part', parent: 'A4_session' }], [{ name: 'auth' }]);
    assert.deepEqual(ready(parts), ['A4_jwt'], 'nor can their parts');
  });

  it('2: nothing begins before all that it depends on, whichever way it is named', () => {
    const before = { name: 'A1', state: 'resolved' as const };
    const graph = graphOf([before, { name: 'A2' }, JWT, { name: 'A6', dependsOn: ['A1', 'A2', 'auth'] }]);
    assert.ok(!ready(graph).includes('A6'));
  });

  for (const name of ['A4_jwt', 'auth'])
    it(`3: what depends on ${name} can be executed after its group has switched`, () => {
      const graph = graphOf([JWT, SESSION, { name: 'A5', dependsOn: [name] }]);
      const { end, log } = play(graph, { ...first, fails: (atom) => atom === 'A4_jwt' });
      assert.equal(end, 'solved');
      assert.deepEqual(
        log.filter((each) => /^work|^switch/.test(each)),
        ['work:A4_jwt', 'switch:auth', 'work:A4_session', 'work:A5'],
      );
    });

  it('4: an alternative that failed is never chosen again, nor one that does not exist', () => {
    const failed = { ...JWT, state: 'failed' as const };
    const graph = graphOf(
      [failed, SESSION],
      [{ name: 'auth', choices: ['A4_alt', 'A4_jwt', 'A4_session'], selected: 'A4_jwt' }],
    );
    assert.equal(switchOf(graph, groupIn(graph)), 'A4_session');
    assert.deepEqual(ready(graph), [], 'nothing of it begins before the switch is recorded');
    const unknown = graphOf(
      [JWT, SESSION],
      [{ name: 'auth', choices: ['A4_alt', 'A4_jwt', 'A4_session'], selected: 'A4_alt' }],
    );
    assert.equal(choiceOf(unknown, groupIn(unknown)), 'A4_jwt');
    const none = graphOf([failed, { ...SESSION, state: 'failed' }]);
    assert.ok(isExhausted(none, groupIn(none)));
    assert.deepEqual(play(none, { ...first, fails: () => false }).end, { kind: 'exhausted', groups: ['auth'] });
  });

  it('7: three workers that end within one iteration are one iteration, and no stall', () => {
    const graph = graphOf(['A1', 'A2', 'A3'].map((name) => ({ name })));
    const { tries } = play(graph, { ...first, fails: () => false });
    assert.deepEqual(
      [...tries.values()].flat().map(({ iteration }) => iteration),
      [1, 1, 1],
    );
  });

  it('7: an iteration ends with the atoms taken at its start; those taken meanwhile belong to the next', () => {
    const graph = graphOf(['A1', 'A2', 'A3', 'A4', 'A5'].map((name) => ({ name })));
    const { tries } = play(graph, { pick: (count) => count - 1, fails: () => false, limits: { parallel: 2 } });
    const iterations = Object.fromEntries([...tries].map(([name, [one]]) => [name, one?.iteration]));
    assert.deepEqual(iterations, { A1: 1, A2: 1, A3: 2, A4: 2, A5: 2 });
  });

  it('8: neither alternatives that are not chosen nor a decomposed atom make a stall', () => {
    const tries = (iteration: number, ended: 'decomposed' | 'failed' | 'resolved') => [{ iteration, ended }];
    const atom = { underWay: undefined, isSwitched: false };
    const split = loopOf([
      { ...atom, atom: 'A1', tries: tries(1, 'decomposed') },
      { ...atom, atom: 'A1.1', tries: [] },
    ]);
    assert.equal(split.stalls, 0);
    const switched = loopOf([
      { ...atom, atom: 'A4_jwt', tries: tries(1, 'failed'), isSwitched: true },
      { ...atom, atom: 'A4_session', tries: [] },
    ]);
    assert.equal(switched.stalls, 0);
    const failed = loopOf([{ ...atom, atom: 'A1', tries: tries(1, 'failed') }]);
    assert.deepEqual([failed.stalls, failed.stuck], [1, ['A1']]);
  });

  it('11: a decomposed parent resolves itself', () => {
    const part = (name: string, state: 'resolved' | 'pending'): GivenAtom => ({ name, parent: 'A1', state });
    assert.ok(isResolved(graphOf([{ name: 'A1' }, part('A3', 'resolved'), part('A4', 'resolved')]), 'A1'));
    const open = graphOf([
      { name: 'A1' },
      part('A3', 'resolved'),
      part('A4', 'pending'),
      { name: 'A2', dependsOn: ['A1'] },
    ]);
    assert.ok(!isResolved(open, 'A1'));
    assert.deepEqual(ready(open), ['A4'], 'nobody works on it itself');
    assert.equal(play(open, { ...first, fails: () => false }).end, 'solved');
  });

  it('12: a loop in which nothing changes stops, and says which atoms did not move', () => {
    const { end, tries } = play(graphOf([{ name: 'A1' }]), { ...first, fails: () => true });
    assert.deepEqual(end, { kind: 'stall', limit: 3, atoms: ['A1'] });
    assert.deepEqual(
      tries.get('A1')?.map(({ ended }) => ended),
      ['failed', 'infeasible', 'failed', 'failed', 'failed'],
    );
  });
});
