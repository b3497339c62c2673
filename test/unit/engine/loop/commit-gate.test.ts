import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { CommitGate } from '../../../../src/engine/nodes.ts';
import { effort } from '../../../support/effort.ts';

/** Work that is under way until it is told to end. */
function held(): { readonly work: () => Promise<void>; readonly end: () => void; readonly begun: () => boolean } {
  let hasBegun = false;
  let end = (): void => undefined;
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  const work = (): Promise<void> => {
    hasBegun = true;
    return over;
  };
  return { work, end, begun: () => hasBegun };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the gate between commits and actions', () => {
  it('lets one action in at a time, and no commit while one of them is under way', async () => {
    const gate = new CommitGate();
    const [first, second, commit] = [held(), held(), held()];
    const all = [gate.alone(first.work), gate.alone(second.work), gate.commit(commit.work)];
    await settle();
    assert.deepEqual([first.begun(), second.begun(), commit.begun()], [true, false, false]);
    first.end();
    await settle();
    assert.deepEqual([second.begun(), commit.begun()], [true, false]);
    second.end();
    commit.end();
    await Promise.all(all);
    assert.ok(commit.begun());
  });

  it('keeps them apart in any order, and everybody gets in', async () => {
    const kind = fc.constantFrom('alone' as const, 'commit' as const);
    const each = fc.record({ kind, after: fc.nat(5), takes: fc.nat(5) });
    await fc.assert(
      fc.asyncProperty(fc.array(each, { maxLength: 12 }), async (all) => {
        const gate = new CommitGate();
        const under = { alone: 0, commit: 0 };
        const work = async (one: 'alone' | 'commit', takes: number): Promise<void> => {
          under[one]++;
          assert.ok(under.alone === 0 || (under.alone === 1 && under.commit === 0), JSON.stringify(under));
          for (let turn = 0; turn < takes; turn++) await settle();
          under[one]--;
        };
        await Promise.all(
          all.map(async (one) => {
            for (let turn = 0; turn < one.after; turn++) await settle();
            await gate[one.kind](() => work(one.kind, one.takes));
          }),
        );
      }),
      { numRuns: effort(200) },
    );
  });
});
