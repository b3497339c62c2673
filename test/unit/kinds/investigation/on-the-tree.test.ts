import assert from 'node:assert/strict';
import type { ActionCall } from '../../../../src/core/actions/action-call.ts';
import type { Search } from '../../../../src/engine/search.ts';
import type { Investigation } from '../../../../src/kinds/investigation/protocol/investigation.ts';
import { PROFILES, type ProfileName } from '../../../../src/kinds/investigation/protocol/profiles.ts';
import type { Reply } from '../../../../src/kinds/investigation/protocol/replies.ts';
import { setupFor } from '../../../../src/kinds/investigation/protocol/start.ts';
import { investigationIn } from '../../../../src/kinds/investigation/run/read-investigation.ts';
import { Played, type PlayedCall, SOURCES, withAgents } from '../../../support/investigation/played.ts';
import { investigationFile, simulateInvestigation } from '../../../support/investigation/simulated-investigation.ts';
import { type VerdictCase, verdictCases } from '../../../support/investigation/verdict-table.ts';
import { createMemoryStore, MemoryFiles } from '../../../support/memory-store.ts';

/** The call of a table as an action; without the status, which is read from the files. */
function actionOf(call: PlayedCall): ActionCall | undefined {
  if ('propose' in call) {
    const nodes = call.propose.map(([id, parent, title = 'Title']) => ({ id, parent, title, plannedAction: 'Look' }));
    return { action: 'propose', nodes, ...(call.quiet && { quiet: true }) };
  }
  if ('commit' in call) {
    const { commit, agents = {}, minRounds, allowEarlyTerminal } = call;
    const results = commit.map(([nodeId, state, more = {}]) => ({ nodeId, state, findings: SOURCES, ...more }));
    const settings = { ...(minRounds && { minRounds }), ...(allowEarlyTerminal && { allowEarlyTerminal }) };
    return { action: 'commit', results, agents, ...settings };
  }
  if ('reclassify' in call) return { action: 'reclassify', id: call.reclassify[0], state: call.reclassify[1] };
  return 'end' in call ? { action: 'conclude', ...call.end } : undefined;
}

function stateOf({ file, tree, record }: Search): Investigation {
  return investigationIn(file, tree, record);
}

/** An investigation, as far as it has to be the same however it is known. */
function comparable(at: Investigation): object {
  const pending = [...at.pending.values()].map(({ proposedAt: _, ...proposal }) => proposal);
  pending.sort((a, b) => (a.id < b.id ? -1 : 1));
  const sets = { usedAgents: [...at.usedAgents].sort(), cutIds: [...at.cutIds] };
  return JSON.parse(JSON.stringify({ ...at, nodes: [...at.nodes], pending, ...sets }));
}

async function playOnTree(profile: ProfileName, { start = {}, person = {}, calls, fault }: VerdictCase): Promise<void> {
  const setup = setupFor(profile, { query: 'Why?', ...start }, { sessionId: 'played', ...person });
  const { query: _, projectDir, ...options } = setup;
  const files = new MemoryFiles();
  const store = await createMemoryStore(investigationFile({ ...options, ...(projectDir && { projectDir }) }), files);
  const { search, clock } = await simulateInvestigation(store);
  const played = new Played(profile, start, person);
  for (const call of fault ? calls.slice(0, -1) : calls) {
    const asked = withAgents(call, profile);
    const expected: Reply = played.play(asked);
    await clock.run(clock.sleep(asked.after ?? 60_000));
    const action = actionOf(asked);
    const { value } = action ? await search.act(action, 'client') : { value: undefined };
    const told = value as Reply | undefined;
    if (told)
      for (const field of ['status', 'errors', 'currentRound', 'canEnd', 'reason', 'dot', 'finalDot'])
        assert.deepEqual(told[field], expected[field], `${field} of ${JSON.stringify(asked)}`);
    assert.deepEqual(comparable(stateOf(search)), comparable(played.at));
  }
  await search.close();
  const again = await simulateInvestigation(await createMemoryStore(undefined as never, files));
  assert.deepEqual(comparable(stateOf(again.search)), comparable(played.at), 'opened again, it is the same');
}

describe('an investigation on the tree', () => {
  for (const profile of PROFILES)
    it(`says and keeps what the rules of ${profile} say, call by call`, async () => {
      for (const each of verdictCases(profile))
        await playOnTree(profile, each).catch((error: unknown) => {
          throw new Error(`${each.name}: ${error instanceof Error ? error.message : error}`, { cause: error });
        });
    });
});
