import assert from 'node:assert/strict';
import { textOf } from '../../../../src/core/messages/message.ts';
import type { JournalEvent } from '../../../../src/core/search/events.ts';
import { SearchRecord } from '../../../../src/core/search/record/search-record.ts';
import { Gains, stallOf } from '../../../../src/kinds/thoughts/gains.ts';
import type { ThoughtSearch } from '../../../../src/kinds/thoughts/thought-search.ts';
import { SearchStore } from '../../../../src/store/search-store.ts';
import { createMemoryStore, MemoryFiles } from '../../../support/memory-store.ts';
import { simulateThoughts, type ThoughtSimulation, thoughtFile } from '../../../support/searches/simulated-thoughts.ts';

const right = { check: () => undefined, release: async () => undefined };
/** What several slots have begun is finished first. */
const ONE = { concurrency: 1 } as const;
/** Everything below the first level is worse than what is there. */
const model = { score: (content: string) => (content.split('.').length === 2 ? 6 : 5.5) };

async function run(
  stopAfter?: number,
): Promise<{ calls: number; said: string[]; ended: unknown; it: ThoughtSimulation }> {
  const options = { candidates: 2, threshold: 1, maxDepth: 6, ...(stopAfter === undefined ? {} : { stopAfter }) };
  const it = await simulateThoughts({
    strategy: 'adaptive',
    options: { ...options, size: 'small' },
    model,
    search: ONE,
  });
  const outcome = await it.run();
  const said = it.events.flatMap((event) => (event.type === 'progress' ? [event.text] : []));
  return { calls: it.model.log.length, said, ended: outcome.state === 'finished' && outcome.reason, it };
}

function gainsAfter(scores: readonly number[], callsSince: number): Gains {
  const gains = new Gains();
  const told = (event: object): void => gains.apply(event as JournalEvent);
  for (const score of scores) told({ type: 'node-status', node: 'a', evaluation: { score } });
  for (let i = 0; i < callsSince; i++) told({ type: 'call-ended', purpose: 'generate', outcome: 'ok' });
  return gains;
}

describe('when a search stops for want of gain', () => {
  it('ends once so many calls brought nothing better, and says so', async () => {
    const [usual, stopped] = [await run(), await run(4)];
    assert.ok(stopped.calls < usual.calls, `${stopped.calls} and ${usual.calls} calls`);
    assert.equal(stopped.ended, 'complete');
    assert.ok(
      stopped.said.includes('Nothing got better for 4 calls, so the search ends here.'),
      stopped.said.join('\n'),
    );
    assert.ok(!usual.said.some((text) => text.includes('Nothing got better')));
  });

  it('asks instead where it should, saying what going on costs, and goes on for as many calls where a person resumes', async () => {
    const files = new MemoryFiles();
    const options = { candidates: 2, threshold: 1, maxDepth: 6, size: 'small', stopAfter: 4, onStall: 'ask' } as const;
    const given = { strategy: 'adaptive', options, model, search: ONE, store: new SearchStore(files, right) } as const;
    createMemoryStore(thoughtFile(given), files);
    const asked: number[] = [];
    for (let run = 0; run < 3; run++) {
      const it = await simulateThoughts({ ...given, seed: run });
      const outcome = await it.run();
      assert.equal(outcome.state === 'paused' && outcome.cause, 'at-rest');
      assert.match(
        outcome.state === 'paused' ? outcome.message : '',
        /^Nothing got better for \d calls\. Going on costs about .+ a call, .+ for as many again; resume to go on\.$/,
      );
      asked.push(it.model.log.length);
    }
    assert.ok(
      asked.every((calls) => calls >= 4 && calls < 12),
      `${asked}`,
    );
  });

  it('asks about the price of a gain once, until the best score has risen again', () => {
    const gains = gainsAfter([4, 6], 50);
    const stall = (): string | undefined => {
      const past = { part: () => gains, spend: { calls: 10, usd: 1 } };
      const settings = { pointWorth: 0.3, onStall: 'ask' };
      const found = stallOf({ settings, history: { past } } as unknown as ThoughtSearch);
      return found && textOf(found);
    };
    assert.match(stall() ?? '', /worth \$0\.0176,.*costs \$0\.10; resume to go on/);
    gains.apply({ type: 'search-paused', reason: 'person', cause: 'at-rest' } as unknown as JournalEvent);
    assert.equal(stall(), undefined);
    gains.apply({ type: 'node-status', node: 'a', evaluation: { score: 6.1 } } as unknown as JournalEvent);
    for (let i = 0; i < 50; i++)
      gains.apply({ type: 'call-ended', purpose: 'generate', outcome: 'ok' } as unknown as JournalEvent);
    assert.match(stall() ?? '', /resume to go on/);
  });

  it('counts from the journal alone, so that a search that was opened again knows as much', async () => {
    const { it } = await run(4);
    const past = SearchRecord.of(it.events, new Gains());
    assert.equal(past.part(Gains)?.callsSince, 4);
    const kept = new Gains();
    kept.restore(JSON.parse(JSON.stringify(past.part(Gains)?.state)));
    assert.deepEqual(kept.state, past.part(Gains)?.state);
  });

  it('weighs the gain that is to be expected against the price of a call', () => {
    const stall = (gains: Gains, pointWorth: number): string | undefined => {
      const past = { part: () => gains, spend: { calls: 10, usd: 1 } };
      const found = stallOf({ settings: { pointWorth }, history: { past } } as unknown as ThoughtSearch);
      return found && textOf(found);
    };
    // From 0 to 4 and from 4 to 6: 3 points a rise. After 5 calls in vain, half a point is expected, at ten cents a call.
    assert.equal(stall(gainsAfter([4, 6], 5), 0.3), undefined);
    assert.match(stall(gainsAfter([4, 6], 5), 0.1) ?? '', /gain worth \$0\.05.*costs \$0\.10/);
    assert.match(stall(gainsAfter([4, 6], 50), 0.3) ?? '', /ends here/);
    // No more than what is missing.
    assert.equal(gainsAfter([9.5], 0).expected, 0.5);
    assert.equal(stall(gainsAfter([], 100), 0.1), undefined);
  });
});
