import assert from 'node:assert/strict';
import type { AtomFields } from '../../../../../src/kinds/work-graph/run/own-fields.ts';
import { fitting } from '../../../../../src/kinds/work-graph/run/work-search.ts';
import { simulateWork, writes } from '../../../../support/work-graph/work-search.ts';

const LONGEST_OWN = 20_000;

describe('what is hostile in a goal', () => {
  it('does not make a node longer than it may be', () => {
    const own: AtomFields = {
      type: 'atom',
      name: 'A1',
      does: 'x'.repeat(8000),
      tries: Array.from({ length: 100 }, (_, i) => ({
        iteration: i + 1,
        ended: 'failed' as const,
        seen: '\u0001'.repeat(600),
      })),
      evidence: Array.from({ length: 100 }, (_, i) => ({
        item: String(i),
        word: 'contradicted' as const,
        seen: 'y'.repeat(600),
      })),
      work: { base: 'abcdef0', by: 'x', summary: 's', artifacts: Array.from({ length: 100 }, () => 'p'.repeat(500)) },
    };
    const kept = fitting(own);
    assert.ok(JSON.stringify(kept).length < LONGEST_OWN, `${JSON.stringify(kept).length}`);
    assert.equal(kept.tries?.length, 100, 'the loop counts them');
    assert.deepEqual(
      kept.evidence?.map(({ word }) => word),
      own.evidence?.map(({ word }) => word),
    );
  });

  it('does not stop the search: endless output, control characters, a long list of checks', async () => {
    const checks = Array.from({ length: 50 }, (_, i) => ({
      item: `item ${i} ${'z'.repeat(150)}`,
      check: { command: 'look' },
    }));
    const work = await simulateWork({
      plan: {
        base_case: [{ item: 'end', check: { file: 'end' } }],
        atoms: [{ id: 'A1', title: 'One\u202e', does: 'd'.repeat(500), run: 'one', checks }],
      },
      commands: {
        one: writes({ end: 'x' }),
        look: () => ({ output: `${'\u0007\u001b[31m|`"\\'.repeat(1000)}\ud800` }),
      },
    });
    const outcome = await work.run();
    assert.equal(outcome.reason, 'solved', JSON.stringify(outcome));
    const own = work.node('A1').file?.own;
    assert.ok(JSON.stringify(own).length < LONGEST_OWN, `${JSON.stringify(own).length}`);
  });

  it('is refused before anything runs: checks that fit into no node', async () => {
    const checks = Array.from({ length: 50 }, (_, i) => ({ item: `${i} ${'z'.repeat(800)}`, check: { file: 'x' } }));
    const work = await simulateWork({
      plan: {
        base_case: [{ item: 'end', check: { file: 'end' } }],
        atoms: [{ id: 'A1', title: 'One', run: 'one', checks }],
      },
      commands: {},
    });
    const outcome = await work.run();
    assert.equal(outcome.state === 'paused' && outcome.say.key, 'work.yaml.wrong-at', JSON.stringify(outcome));
    assert.deepEqual(work.shop.ran, []);
  });

  it('lays out 1,500 atoms', async () => {
    const atoms = Array.from({ length: 1500 }, (_, i) => ({
      id: `A${i}`,
      title: `Atom ${i}`,
      by: 'person',
      ...(i > 0 && { depends_on: [`A${i - 1}`] }),
    }));
    const work = await simulateWork({
      plan: { base_case: [{ item: 'end', check: { file: 'end' } }], atoms },
      commands: {},
    });
    assert.equal((await work.run()).state, 'waiting');
    assert.equal(work.search.tree.size, 1501);
  });
});
