import assert from 'node:assert/strict';
import type { ActionCall } from '../../../../src/core/actions/action-call.ts';
import type { Reply } from '../../../../src/kinds/investigation/protocol/replies.ts';
import { SearchStore } from '../../../../src/store/search-store.ts';
import { CrashingFiles, killsIn } from '../../../support/crashing-files.ts';
import { SOURCES } from '../../../support/investigation/played.ts';
import { investigationFile, simulateInvestigation } from '../../../support/investigation/simulated-investigation.ts';
import { createMemoryStore, MemoryFiles } from '../../../support/memory-store.ts';
import { snapshotOf } from '../../../support/searches/search-snapshot.ts';

const right = { check: () => undefined, release: async () => undefined };
let runs = 0; // no two runs of a process draw the same ids

const node = (id: string, parent: string | null): object => ({
  id,
  parent,
  title: `About ${id}`,
  plannedAction: 'Look',
});
const found = (nodeId: string, state: string): object => ({ nodeId, state, findings: `${nodeId}. ${SOURCES}` });

/** Calls that come before the one that is killed, and that one. */
const BEFORE: readonly ActionCall[] = [
  { action: 'propose', nodes: [node('R1.A', null)] },
  { action: 'commit', results: [found('R1.A', 'EXPLORE')] },
  { action: 'propose', nodes: [node('R2.A1', 'R1.A'), node('R2.A2', 'R1.A')] },
  { action: 'commit', results: [found('R2.A1', 'EXPLORE'), found('R2.A2', 'DEAD')] },
];
const CALLS: Readonly<Record<string, readonly ActionCall[]>> = {
  'a proposal of several nodes': [
    ...BEFORE,
    { action: 'propose', nodes: [node('R3.A1a', 'R2.A1'), node('R2.A3', 'R1.A'), node('R3.A1b', 'R2.A1')] },
  ],
  'a commit of several results': [
    ...BEFORE,
    { action: 'propose', nodes: [node('R3.A1a', 'R2.A1'), node('R2.A3', 'R1.A'), node('R3.A1b', 'R2.A1')] },
    { action: 'commit', results: [found('R3.A1a', 'EXPLORE'), found('R2.A3', 'DEAD'), found('R3.A1b', 'DEAD')] },
  ],
  'a change of state': [...BEFORE, { action: 'reclassify', id: 'R2.A2', state: 'EXPLORE' }],
};

/** An investigation right before the last of some calls. */
async function begun(calls: readonly ActionCall[]): Promise<MemoryFiles> {
  const files = new MemoryFiles();
  const { search } = await simulateInvestigation(createMemoryStore(investigationFile(), files), ++runs);
  for (const call of calls.slice(0, -1))
    assert.equal(((await search.act(call, 'client')).value as Reply)['status'], 'OK');
  await search.close();
  return files;
}

/** Opens the investigation and makes a call; says how it was answered, if the process lived that long. */
async function callOnce(files: MemoryFiles, call: ActionCall, crashAt?: number, made?: boolean) {
  const crashing = new CrashingFiles(files, crashAt, made);
  let reply: Reply | undefined;
  const work = (async () => {
    const { search } = await simulateInvestigation(new SearchStore(crashing, right), ++runs);
    reply = (await search.act(call, 'client')).value as Reply;
    await search.close();
  })();
  await crashing.ended(work);
  return { changes: crashing.changes, reply };
}

/** Content without times, which differ from run to run. */
async function contentOf(files: MemoryFiles): Promise<Record<string, string>> {
  const all = await snapshotOf(files);
  return Object.fromEntries(
    Object.entries(all).map(([path, text]) => [path, text.replace(/"proposedAt": \d+/, '"proposedAt": 0')]),
  );
}

/** How many calls the journal keeps. */
async function keptCalls(files: MemoryFiles): Promise<number> {
  return ((await files.read('.search/journal.jsonl')) ?? '').split('"type":"offers-answered"').length - 1;
}

describe('a call of an investigation, killed at any of its writes', () => {
  for (const [name, calls] of Object.entries(CALLS))
    it(`counts as a whole or not at all: ${name}`, async () => {
      const call = calls.at(-1) as ActionCall;
      const whole = await begun(calls);
      const { changes } = await callOnce(whole, call);
      const expected = await contentOf(whole);
      let isKeptOnce = false;
      for (const { crashAt, made, where } of killsIn(changes)) {
        const files = await begun(calls);
        const before = await contentOf(files);
        await callOnce(files, call, crashAt, made);
        const isKept = (await keptCalls(files)) === calls.length;
        isKeptOnce ||= isKept && crashAt < changes;
        if (!isKept) assert.deepEqual(await contentOf(files), before, `${where}: files before the call is kept`);
        // The one that takes it up is killed as well, somewhere else.
        await callOnce(files, call, ((crashAt * 5) % changes) + 1, !made);
        const again = await callOnce(files, call);
        assert.deepEqual(await contentOf(files), expected, where);
        assert.ok(again.reply, where);
      }
      assert.ok(isKeptOnce);
    });
});
