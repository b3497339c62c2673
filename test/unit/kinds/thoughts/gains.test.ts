import assert from 'node:assert/strict';
import { textOf } from '../../../../src/core/messages/message.ts';
import type { JournalEvent } from '../../../../src/core/search/events.ts';
import { SearchRecord } from '../../../../src/core/search/record/search-record.ts';
import { Gains, stallOf } from '../../../../src/kinds/thoughts/gains.ts';
import type { ThoughtSearch } from '../../../../src/kinds/thoughts/thought-search.ts';
import { simulateThoughts, type ThoughtSimulation } from '../../../support/searches/simulated-thoughts.ts';

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
