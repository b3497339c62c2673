import { effort } from '../../../../support/effort.ts';
import '../../../../support/property-seed.ts';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ActionCall } from '../../../../../src/core/actions/action-call.ts';
import type { IncomingWishes } from '../../../../../src/core/kind/kind-format.ts';
import { SearchRecord } from '../../../../../src/core/search/record/search-record.ts';
import { investigationFormats } from '../../../../../src/kinds/investigation/exchange/formats.ts';
import type { Investigation } from '../../../../../src/kinds/investigation/protocol/investigation.ts';
import { ProtocolFault } from '../../../../../src/kinds/investigation/protocol/investigation.ts';
import { PROFILES, type ProfileName } from '../../../../../src/kinds/investigation/protocol/profiles.ts';
import { KeptCalls, LastCall } from '../../../../../src/kinds/investigation/run/kept-data.ts';
import { investigationIn } from '../../../../../src/kinds/investigation/run/read-investigation.ts';
import { Played, SOURCES } from '../../../../support/investigation/played.ts';
import { Dice, drawCall } from '../../../../support/investigation/random-calls.ts';
import { investigationFile, simulateInvestigation } from '../../../../support/investigation/simulated-investigation.ts';
import { createMemoryStore, MemoryFiles } from '../../../../support/memory-store.ts';

const [format] = investigationFormats;
assert.ok(format?.reader);
const { write, reader } = format;

const ID = '8f14e45f-ceea-467f-a0e6-3d1d2b9c5a10';
let ids = 0;
const WISHES: IncomingWishes = { title: undefined, titleFrom: (text) => text, now: 5000, newId: () => `n${++ids}` };

type Json = Record<string, unknown>;

/** The file that the older server would have for an investigation, field by field as the reference has them. */
function fileOf(at: Investigation, findings: ReadonlyMap<string, string>): Json {
  const nodes = [...at.nodes.values()].map(({ id, parent, state, title, children, round }) => [
    id,
    { id, parent, state, title, findings: findings.get(id) ?? null, children, round },
  ]);
  const agents = [...at.nodes.values()].flatMap(({ id, agentId }) => (agentId ? [[agentId, id]] : []));
  return {
    sessionId: ID,
    query: at.query,
    projectDir: at.projectDir,
    minRoots: at.minRoots,
    currentRound: at.currentRound,
    currentBatch: at.currentBatch,
    nodes: Object.fromEntries(nodes),
    pendingProposals: Object.fromEntries(at.pending),
    usedAgentIds: Object.fromEntries(agents),
    createdAt: 1_700_000_000_000,
    updatedAt: 1_700_000_360_000,
    ...(at.profile === 'g3' && { mode: at.mode, minRounds: at.minRounds, allowEarlyTerminal: at.allowEarlyTerminal }),
  };
}

/** Imports a file; gives back what an export of it writes, and how the protocol sees it. */
async function through(value: unknown): Promise<{ written: Json; at: Investigation; files: MemoryFiles }> {
  const plain = JSON.parse(JSON.stringify(value)) as unknown;
  assert.ok(reader.is(plain));
  const incoming = reader.read(plain, WISHES, 'it.json');
  const files = new MemoryFiles();
  const store = createMemoryStore(incoming.file, files);
  await incoming.writeTo(store);
  const { search } = await simulateInvestigation(createMemoryStore(undefined as never, files));
  const { file, tree } = search;
  const record = SearchRecord.of(await store.readJournal(), new KeptCalls(), new LastCall());
  const written = (await write({ file, tree, record, limits: undefined as never, store })) as Json;
  const at = investigationIn(file, tree, record);
  await search.close();
  return { written, at, files };
}

function playRandomly(profile: ProfileName, rolls: readonly number[]): Played {
  const played = new Played(profile, { minRoots: 1, projectDir: '/home/me/project' }, { sessionId: ID });
  const dice = new Dice(rolls);
  while (!dice.isEmpty)
    try {
      played.play(drawCall(dice, played.at));
    } catch (error) {
      if (!(error instanceof ProtocolFault)) throw error;
    }
  return played;
}

const ROLLS = fc.array(fc.nat(0xffff), { minLength: 60, maxLength: 200, size: 'max' });
/** What people and agents write, and what breaks formats. */
const FINDINGS = fc.oneof(
  fc.constant(SOURCES),
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    '\n\n\n',
    ' x\n',
    '---\ntitle: no\n---\nx',
    'a\r\nb\r\n',
    '\ud800 alone',
    '<script>alert(1)</script>\n![i](http://h.x/p)',
    '\ufeffbegins with a mark',
  ),
);

describe("an investigation in the older servers' file", () => {
  for (const profile of PROFILES.filter((name) => name !== 'strict'))
    it(`is imported, understood as it was, and exported unchanged: ${profile}`, async () => {
      await fc.assert(
        fc.asyncProperty(ROLLS, fc.array(FINDINGS, { minLength: 3, maxLength: 12 }), async (rolls, texts) => {
          const played = playRandomly(profile, rolls);
          const findings = new Map([...played.at.nodes.keys()].map((id, i) => [id, texts[i % texts.length] as string]));
          const file = fileOf(played.at, findings);
          const { written, at } = await through(file);
          assert.deepEqual(written, JSON.parse(JSON.stringify(file)));
          assert.equal(
            JSON.stringify(Object.keys(written['nodes'] as Json)),
            JSON.stringify([...played.at.nodes.keys()]),
          );
          // What a file does not say of the past is not known: the profile is told by states and settings.
          if (at.profile !== profile) return;
          for (const field of ['currentRound', 'currentBatch', 'minRounds', 'projectDir', 'minRoots'] as const)
            assert.equal(at[field], played.at[field], field);
          assert.deepEqual([...at.usedAgents].sort(), [...played.at.usedAgents].sort());
          assert.deepEqual(new Map(at.pending), played.at.pending);
          const states = (all: Investigation) =>
            [...all.nodes.values()].map(({ id, state, parent }) => [id, state, parent]);
          assert.deepEqual(states(at), states(played.at));
        }),
        { numRuns: effort(40) },
      );
    });

  it('exports what was led here, and an exported file comes back unchanged, also of ours', async () => {
    for (const profile of PROFILES)
      await fc.assert(
        fc.asyncProperty(ROLLS, async (rolls) => {
          const first = await exportOfRun(profile, rolls);
          checkShape(first);
          const { written, at } = await through(first);
          assert.deepEqual(written, first);
          assert.equal(JSON.stringify(written), JSON.stringify(first));
          if (profile === 'strict') assert.equal(at.profile, 'strict');
        }),
        { numRuns: effort(15) },
      );
  });

  it('goes on after an import, and what others wrote stays', async () => {
    const file = { ...fileOf(new Played('g2').at, new Map()), labels: ['kept'], updatedAt: '2026-01-02T03:04:05Z' };
    const { files } = await through(file);
    const { search, clock } = await simulateInvestigation(createMemoryStore(undefined as never, files));
    const nodes = [{ id: 'R1.A', parent: null, title: 'Begin', plannedAction: 'Look' }];
    const { value } = await search.act({ action: 'propose', nodes }, 'client');
    assert.equal((value as Json)['status'], 'OK');
    await clock.run(clock.sleep(60_000));
    const { tree, record } = search;
    const store = createMemoryStore(undefined as never, files);
    const known = SearchRecord.of(await store.readJournal(), new KeptCalls(), new LastCall());
    const written = (await write({
      file: search.file,
      tree,
      record: known,
      limits: undefined as never,
      store,
    })) as Json;
    assert.deepEqual(Object.keys(written['pendingProposals'] as Json), ['R1.A']);
    assert.deepEqual(written['labels'], ['kept']);
    assert.equal(typeof written['updatedAt'], 'number', 'the time of the call, and no longer that of the file');
    assert.ok(record);
    await search.close();
  });

  it('keeps what it does not know: fields of nodes, agents of unknown nodes, an own order of children', async () => {
    const node = { parent: 'R1.A', state: 'DEAD', findings: 'x', children: [] as string[], round: 2 };
    const file = {
      ...fileOf(new Played('g2').at, new Map()),
      nodes: {
        'R1.A': { id: 'R1.A', parent: null, state: 'EXPLORE', title: '', children: ['R2.A2', 'R2.A1'], round: 7 },
        'R2.A1': { ...node, id: 'R2.A1', title: `a\n"${'t'.repeat(3000)}`, score: { mine: 1 } },
        'R2.A2': { ...node, id: 'R2.A2', title: ' padded ' },
      },
      usedAgentIds: { abcdef0: 'R9.Z', abcdef1: 'R2.A1', abcdef2: 'R2.A1' },
      pendingProposals: { 'R2.A3': { id: 'R2.A3', parent: 'R1.A', title: 'P', plannedAction: 'x'.repeat(20_000) } },
    };
    const { written, at } = await through(file);
    assert.deepEqual(written, JSON.parse(JSON.stringify(file)));
    assert.ok(at.usedAgents.has('abcdef0'), 'an agent of a node that is gone is not taken again');
  });

  it('refuses what cannot be a tree, and says where', () => {
    const base = { sessionId: ID, query: 'Why?' };
    const node = { parent: null, state: 'EXPLORE', title: 't', findings: null, children: [] };
    const cases: [object, RegExp][] = [
      [{ nodes: { 'R1-A': { ...node, id: 'R1-A' } } }, /R1-A/],
      [{ nodes: { 'R1.A': { ...node, id: 'R1.B' } } }, /R1\.A/],
      [{ nodes: { 'R1.A': { ...node, id: 'R1.A', parent: 'R0.X' } } }, /R0\.X/],
      [{ nodes: { 'R1.A': { ...node, id: 'R1.A', parent: 'R1.A' } } }, /below themselves/],
      [{ nodes: { 'R1.A': { ...node, id: 'R1.A', state: 'VALID_PENDING' } } }, /state/],
      [{ nodes: [] }, /nodes/],
    ];
    for (const [more, says] of cases)
      assert.throws(
        () => reader.read({ ...base, ...more }, WISHES, 'it.json'),
        (error: Error) => says.test(error.message),
      );
  });
});

/** A random investigation on the tree, exported. */
async function exportOfRun(profile: ProfileName, rolls: readonly number[]): Promise<Json> {
  const files = new MemoryFiles();
  const file = { ...investigationFile({ profile, sessionId: ID, minRoots: 1 }), createdAt: '2026-01-01T00:00:00.000Z' };
  const store = createMemoryStore(file, files);
  const { search, clock } = await simulateInvestigation(store);
  const dice = new Dice(rolls);
  while (!dice.isEmpty) {
    const at = investigationIn(search.file, search.tree, search.record);
    const call = drawCall(dice, at);
    await clock.run(clock.sleep(call.after ?? 60_000));
    if ('propose' in call) {
      const nodes = call.propose.map(([id, parent, title = 'Title']) => ({ id, parent, title, plannedAction: 'Look' }));
      await search.act({ action: 'propose', nodes } as ActionCall, 'client');
    }
    if (!('commit' in call)) continue;
    const { commit, agents = {} } = call;
    const results = commit.map(([nodeId, state, more = {}]) => ({ nodeId, state, findings: SOURCES, ...more }));
    await search.act({ action: 'commit', results, agents }, 'client').catch((error: unknown) => {
      assert.ok(/twice|fault/i.test(String(error)) || profile !== 'strict', String(error));
    });
  }
  const record = SearchRecord.of(await store.readJournal(), new KeptCalls(), new LastCall());
  const { tree } = search;
  const written = (await write({ file: search.file, tree, record, limits: undefined as never, store })) as Json;
  await search.close();
  return JSON.parse(JSON.stringify(written)) as Json;
}

const TYPES = {
  sessionId: 'string',
  query: 'string',
  projectDir: 'string',
  minRoots: 'number',
  currentRound: 'number',
  currentBatch: 'number',
  nodes: 'object',
  pendingProposals: 'object',
  usedAgentIds: 'object',
  createdAt: 'number',
  updatedAt: 'number',
};

/** Every field and type that the older servers read. */
function checkShape(file: Json): void {
  for (const [name, type] of Object.entries(TYPES)) assert.equal(typeof file[name], type, name);
  for (const [id, node] of Object.entries(file['nodes'] as Record<string, Json>)) {
    assert.deepEqual(Object.keys(node), ['id', 'parent', 'state', 'title', 'findings', 'children', 'round']);
    assert.equal(node['id'], id);
    assert.ok(node['findings'] === null || typeof node['findings'] === 'string');
    assert.ok(Array.isArray(node['children']) && typeof node['round'] === 'number');
  }
  for (const proposal of Object.values(file['pendingProposals'] as Record<string, Json>))
    assert.deepEqual(Object.keys(proposal), ['id', 'parent', 'title', 'plannedAction', 'proposedAt']);
}
