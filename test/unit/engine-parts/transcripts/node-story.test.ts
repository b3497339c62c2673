import assert from 'node:assert/strict';
import type { JournalEvent, SearchEvent } from '../../../../src/core/search/events.ts';
import { nodeStory } from '../../../../src/engine-parts/transcripts/transcript.ts';

const limits = { size: 'small' as const, maxDepth: 4, guards: {} };
const started = (
  call: string,
  node = 'a/b',
  attempt = 1,
  purpose = 'document',
  question = `q${call}`,
): SearchEvent => ({
  type: 'call-started',
  call,
  question,
  purpose,
  node,
  model: 'm/m',
  attempt,
  worst: { tokens: 100 },
});
const ended = (call: string, outcome = 'ok', node = 'a/b'): SearchEvent => ({
  type: 'call-ended',
  call,
  node,
  purpose: 'document',
  outcome,
  ms: 5,
  charged: true,
  ...(outcome === 'ok' ? { usage: { prompt: 10, cached: 4, completion: 2 } } : { message: 'It broke.' }),
});
const journalOf = (...events: SearchEvent[]): JournalEvent[] =>
  events.map(
    (event, index) => ({ seq: index + 1, time: new Date(index * 1000).toISOString(), ...event }) as JournalEvent,
  );

describe('the story of a node', () => {
  it('is empty where nothing happened', () => {
    const { calls, spend, steered } = nodeStory([], 'a', false);
    assert.deepEqual([calls, spend.calls, steered], [[], 0, []]);
  });

  it('follows a node to its new address, with the calls that were about it', () => {
    const judged: SearchEvent = { ...started('1', 'a', 1, 'evaluate'), about: ['a/b', 'a/c'] } as SearchEvent;
    const moved: SearchEvent = { type: 'node-moved', node: 'z/b', from: 'a/b', at: 0 };
    const journal = journalOf({ type: 'search-started', model: 'm/m', limits }, judged, ended('1', 'ok', 'a'), moved);
    const callsOf = (path: string) => nodeStory(journal, path, false).calls.map(({ call }) => call);
    assert.deepEqual([callsOf('z/b'), callsOf('a/b'), callsOf('a/c'), callsOf('a')], [['1'], [], ['1'], ['1']]);
  });

  it('numbers its calls, tells retries from new questions, and adds them up', () => {
    const journal = journalOf(
      { type: 'search-started', model: 'm/m', limits },
      started('1'),
      started('other', 'a'),
      ended('1', 'cut-off'),
      started('2', 'a/b', 2, 'document', 'q1'),
      ended('2'),
      ended('other', 'ok', 'a'),
      started('3'),
      ended('3'),
    );
    const { calls, spend } = nodeStory(journal, 'a/b', true);
    assert.deepEqual(
      calls.map(({ number, call, attempt, outcome, question }) => [number, call, attempt, outcome, question]),
      [
        [1, '1', 1, 'cut-off', 1],
        [2, '2', 2, 'ok', 1],
        [3, '3', 1, 'ok', 2],
      ],
    );
    assert.deepEqual([spend.calls, spend.prompt, spend.completion, spend.worstCase], [3, 20, 4, 100]);
  });

  it('tells what is under way from what a kill cut off', () => {
    const first = journalOf({ type: 'search-started', model: 'm/m', limits }, started('1'));
    assert.equal(nodeStory(first, 'a/b', true).calls[0]?.outcome, 'under-way');
    const dead = nodeStory(first, 'a/b', false);
    assert.deepEqual([dead.calls[0]?.outcome, dead.spend.worstCase], ['killed', 100]);
    const second = journalOf(
      { type: 'search-started', model: 'm/m', limits },
      started('1'),
      { type: 'search-resumed', model: 'm/m', limits },
      started('2'),
    );
    const outcomes = nodeStory(second, 'a/b', true).calls.map(({ outcome }) => outcome);
    assert.deepEqual(outcomes, ['killed', 'under-way']);
  });

  it('tells what a person did to it', () => {
    const redo: SearchEvent = { type: 'steered', by: 'me', action: 'redo', node: 'a', message: 'Done.' };
    const journal = journalOf(started('1'), redo, started('2'));
    const actionsOf = (path: string) => nodeStory(journal, path, true).steered.map(({ action }) => action);
    assert.deepEqual([actionsOf('a'), actionsOf('a/b'), actionsOf('')], [['redo'], [], []]);
  });
});
