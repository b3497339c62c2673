import assert from 'node:assert/strict';
import type { Usage } from '../../../../src/core/ports/model.ts';
import type { JournalEvent, Results } from '../../../../src/core/search/events.ts';
import type { LoggedRequest } from '../../../support/servers/scripted-server.ts';
import { DIR, FIRST, HOUR, SteeredSearch } from '../steering/steered-search.ts';

const [A = '', B = '', C = ''] = FIRST;

const nameOf = ({ purpose, node }: { purpose: string; node: string }): string => `${purpose} ${node}`;

function isSame(request: LoggedRequest, event: { purpose: string; node: string }, usage: Usage): boolean {
  const { promptTokens, cachedTokens, completionTokens } = request;
  const counts = [usage.prompt, usage.cached, usage.completion];
  return nameOf(request) === nameOf(event) && `${counts}` === `${[promptTokens, cachedTokens, completionTokens]}`;
}

describe('the spend', () => {
  let search: SteeredSearch;
  afterEach(() => search.remove());

  /**
   * What `status` says against what the server counted, the calls without a usage at their worst: those include answers
   * that were sent, and of which a kill or an abort let nobody know.
   */
  async function assertSpend(): Promise<{ worst: number; results: Results }> {
    const { results } = await search.json<{ results: Results }>('status', DIR);
    const journal = await search.journal();
    const { billed, log } = search.server;
    const unpaid = unpaidCalls(journal);
    const unread = log.filter(({ outcome }) => outcome === 'answered');
    const known = journal.flatMap((event) => {
      if (event.type !== 'call-ended' || !event.usage) return [];
      const at = unread.findIndex((request) => isSame(request, event, event.usage as Usage));
      assert.ok(at >= 0, `the server knows nothing of ${JSON.stringify(event)}`);
      return unread.splice(at, 1);
    });
    for (const request of unread) {
      const at = unpaid.findIndex((call) => nameOf(call) === nameOf(request));
      assert.ok(at >= 0, `nobody was told of ${nameOf(request)}`);
    }
    const sum = (count: (request: (typeof log)[number]) => number): number =>
      known.reduce((total, request) => total + count(request), 0);
    const worst = unpaid.reduce((total, call) => total + call.worst.tokens, 0);
    assert.deepEqual(results.tokens, {
      prompt: sum(({ promptTokens }) => promptTokens),
      cached: sum(({ cachedTokens }) => cachedTokens),
      completion: sum(({ completionTokens }) => completionTokens),
      worstCase: worst,
    });
    const told = results.tokens.prompt + results.tokens.completion + results.tokens.worstCase;
    assert.ok(told >= billed.prompt + billed.completion, 'never less than the server counts');
    return { worst, results };
  }

  /** The calls that no usage was told of, and that may have cost something. */
  function unpaidCalls(journal: readonly JournalEvent[]): Extract<JournalEvent, { type: 'call-started' }>[] {
    const open = new Map<string, Extract<JournalEvent, { type: 'call-started' }>>();
    for (const event of journal) {
      if (event.type === 'call-started') open.set(event.call, event);
      else if (event.type === 'call-ended' && (event.usage || !event.charged)) open.delete(event.call);
    }
    return [...open.values()];
  }

  it('of a search without faults equals the server’s own count, to the token', async () => {
    search = await SteeredSearch.make();
    assert.equal((await search.start('--size', 'small').end).code, 0);
    const { worst, results } = await assertSpend();
    assert.equal(worst, 0);
    assert.equal(results.tokens.prompt, search.server.billed.prompt);
    assert.equal(results.tokens.completion, search.server.billed.completion);
    assert.equal(results.calls, search.server.log.length);
  });

  it('counts calls cut off by a fault, an abort, a pruned branch or a kill at their worst case', async () => {
    let stuck = true;
    search = await SteeredSearch.make({
      latencyMs: ({ node, purpose }) => (stuck && purpose === 'document' && [A, B].includes(node) ? HOUR : 30),
      fault: ({ node, purpose, attempt }) => {
        if (node === C && purpose === 'document' && attempt <= 2) return attempt === 1 ? 'cut' : '500';
        return undefined;
      },
    });
    const first = search.start('--size', 'medium', '--least-score', '0');
    await search.untilDocuments(2);
    assert.equal((await search.run('prune', DIR, A)).code, 0);
    assert.equal((await search.run('pause', DIR, '--now')).code, 0);
    assert.equal((await first.end).code, 130);
    await assertSpend();
    const second = search.begin('resume', DIR, '--json');
    await search.server.until(
      (log) => log.filter(({ node, purpose }) => node === B && purpose === 'document').length === 2,
    );
    second.child.kill('SIGKILL');
    await second.end;
    await search.server.until((log) => log.every(({ outcome }) => outcome !== 'open'));
    const { worst } = await assertSpend();
    assert.ok(worst > 0);
    stuck = false;
    assert.equal((await search.run('resume', DIR)).code, 0);
    const end = await assertSpend();
    assert.equal(end.worst, worst);
    assert.equal(end.results.open, 0);
  });

  it('can be followed while it runs', async () => {
    search = await SteeredSearch.make({ latencyMs: 100 });
    const holder = search.start('--size', 'small');
    let before = 0;
    for (let looks = 0; looks < 3; looks++) {
      // On a busy machine it may be over before anybody has looked three times.
      await Promise.race([search.server.until((log) => log.length > before + 2), holder.end]);
      const { state, results } = await search.json<{ state: string; results: Results }>('status', DIR);
      assert.ok(state === 'running' || state === 'finished', state);
      assert.ok(results.calls >= before && results.calls <= search.server.log.length);
      before = results.calls;
    }
    assert.equal((await holder.end).code, 0);
    await assertSpend();
  });
});
