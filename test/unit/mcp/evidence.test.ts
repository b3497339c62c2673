import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { evidenceOf, type FoundInvestigation, Investigations } from '../../../src/mcp/investigations.ts';
import { writeAgentSession } from '../../support/investigation/agent-session.ts';

type Result = readonly [nodeId: string, state: string, findings: string, agentId?: string];
type Codes = readonly (readonly [string, string])[];

const agent = (n: number): string => `a${n.toString(16).padStart(16, '0')}`;
const CITING = 'It waits.\n\n## References\n- `src/queue.ts:3` - the queue';

describe('the evidence of a commit', () => {
  let workspace: string;
  let sessions: string;
  beforeEach(async () => {
    workspace = await realpath(await mkdtemp(join(tmpdir(), 'thought-tree-evidence-')));
    sessions = join(workspace, '.claude', 'projects', workspace.replace(/[^a-zA-Z0-9]/g, '-'));
    await mkdir(join(workspace, 'src'));
    await writeFile(join(workspace, 'src/queue.ts'), '');
    await mkdir(sessions, { recursive: true });
    await writeFile(join(sessions, 's1.jsonl'), '{}\n');
  });
  afterEach(() => rm(workspace, { recursive: true, force: true }));

  async function begin(requireAgents: boolean) {
    const folder = join(workspace, 'thought-trees');
    const server = new Investigations({ workspace, folder, profile: 'strict', requireAgents });
    const { sessionId } = await server.start({ query: 'Why?' });
    const found = (await server.find(String(sessionId))) as FoundInvestigation;
    const propose = async (...ids: readonly (readonly [string, string | null])[]): Promise<void> => {
      const nodes = ids.map(([id, parent]) => ({ id, parent, title: `About ${id}`, plannedAction: 'Look' }));
      const { status, errors } = await server.call(found, { action: 'propose', nodes });
      assert.equal(status, 'OK', JSON.stringify(errors));
    };
    /** Commits; the codes of what is wrong with it. */
    const commit = async (...rows: readonly Result[]): Promise<{ errors: Codes; warnings: string }> => {
      const results = rows.map(([nodeId, state, findings, agentId]) => ({ nodeId, state, findings, agentId }));
      const seen = await evidenceOf(server, found, results, { CLAUDE_CONFIG_DIR: join(workspace, '.claude') });
      const reply = await server.call(found, { action: 'commit', results, ...seen });
      const errors = reply['errors'] as { nodeId: string; error: string }[];
      return { errors: errors.map(({ nodeId, error }) => [nodeId, error]), warnings: String(reply['warnings']) };
    };
    return { propose, commit, server, found };
  }
  const spawned = async (id: string, asked: string, begunAt = Date.now()): Promise<void> =>
    await writeAgentSession(join(sessions, 's1', 'subagents', `agent-${id}.jsonl`), { asked, begunAt });

  it('shows that nobody looked at anything: the files that are cited are not there', async () => {
    const { propose, commit } = await begin(false);
    const cheat = '- nothing.md\n';
    await propose(['R1.A', null]);
    assert.deepEqual((await commit(['R1.A', 'EXPLORE', 'x'])).errors, []);
    await propose(['R2.A1', 'R1.A'], ['R2.A2', 'R1.A']);
    const dead = async (findings: string): Promise<Codes> =>
      (await commit(['R2.A1', 'EXPLORE', 'x'], ['R2.A2', 'DEAD', findings])).errors;
    for (const findings of [cheat, `## References\n${cheat}`, 'I read src/nothing.ts.', '## References\n- /etc/passwd'])
      assert.deepEqual(await dead(findings), [['R2.A2', 'MISSING_SOURCES']], findings);
    assert.deepEqual(await dead(CITING), []);
  });

  it('is not asked of what honest agents cite in their own ways', async () => {
    const { propose, commit } = await begin(false);
    await mkdir(join(workspace, 'packages/app/lib'), { recursive: true });
    await writeFile(join(workspace, 'packages/app/lib/wait.ts'), '');
    await mkdir(join(workspace, 'docs'));
    await writeFile(join(workspace, 'docs/my notes.md'), '');
    const ways = [
      ...['**`src/queue.ts`** - it', '`src/queue.ts:L10-L20`', 'src/queue.ts:10–20', 'src/queue.ts:1,5,9,20,33'],
      ...[
        'src/queue.ts::Queue.take',
        'src/queue.ts(12)',
        '[src/queue.ts:3] - it',
        '<src/queue.ts>',
        'src/queue.ts, all',
      ],
      ...['src/queue.ts lines 3 to 9', 'src/**/*.ts - nothing', 'src/{queue,other}.ts', './src/queue.ts', 'src/'],
      ...['docs/my notes.md - what', 'docs/my notes.md', '"docs/my notes.md"', '[notes](docs/my%20notes.md)'],
      ...[
        '[notes](<docs/my notes.md>)',
        '`docs/my notes.md`',
        '`grep -rn wait src/none.ts` - nothing',
        '`git log a/b.ts`',
      ],
      ...['lib/wait.ts:4 - it', 'wait.ts', 'app/lib/wait.ts', `${basename(workspace)}/src/queue.ts`],
      ...[`${workspace}/src/queue.ts`, 'docs.python.org/3/library/asyncio.html', 'Node.js documentation, TCP/IP'],
    ];
    await propose(['R1.A', null]);
    await commit(['R1.A', 'EXPLORE', 'x']);
    const absent = ['src/no.ts:3', 'none/*.ts', 'lib/no.ts', '../../etc/passwd', 'no/wait.ts', 'docs/my other.md'];
    const rows = [...ways, ...absent].map(
      (way, i): Result => [`R2.A${i}`, 'EXPLORE', `x\n\n## References\n- ${way}\n`],
    );
    await propose(...rows.map(([id]) => [id, 'R1.A'] as const));
    const { errors, warnings } = await commit(...rows);
    const refused = errors.map(([id, code]) => [
      rows
        .find((row) => row[0] === id)?.[2]
        .split('- ')[1]
        ?.trim(),
      code,
    ]);
    assert.deepEqual(
      refused,
      absent.map((way) => [way, 'MISSING_SOURCES']),
    );
    assert.doesNotMatch(warnings, /MISSING_SOURCE:/);
  });

  it('is needed for what was found, and for its check', async () => {
    const { propose, commit } = await begin(false);
    const path = ['R1.A', 'R2.A1', 'R3.A1a'];
    for (const [i, id] of path.entries()) {
      await propose([id, path[i - 1] ?? null]);
      await commit([id, 'EXPLORE', 'x']);
    }
    await propose(['R4.A1a1', 'R3.A1a']);
    assert.deepEqual((await commit(['R4.A1a1', 'FOUND', 'x'])).errors, [['R4.A1a1', 'MISSING_SOURCES']]);
    assert.deepEqual((await commit(['R4.A1a1', 'FOUND', CITING])).errors, []);
    await propose(['R5.A1a1v', 'R4.A1a1']);
    assert.deepEqual((await commit(['R5.A1a1v', 'VERIFY', 'x'])).errors, [['R5.A1a1v', 'MISSING_SOURCES']]);
  });

  it('is needed for what becomes a dead end later, too', async () => {
    const { propose, commit, server, found } = await begin(false);
    await propose(['R1.A', null]);
    await commit(['R1.A', 'EXPLORE', 'x']);
    await propose(['R2.A1', 'R1.A'], ['R2.A2', 'R1.A']);
    await commit(['R2.A1', 'EXPLORE', 'I read some/thing.'], ['R2.A2', 'EXPLORE', CITING]);
    const bury = async (id: string) =>
      (await server.call(found, { action: 'reclassify', id, state: 'DEAD' }))['status'];
    assert.deepEqual([await bury('R2.A1'), await bury('R2.A2')], ['REJECTED', 'OK']);
  });

  it('names the cited files that are not there beside one that is', async () => {
    const { propose, commit } = await begin(false);
    await propose(['R1.A', null]);
    const { errors, warnings } = await commit(['R1.A', 'EXPLORE', `${CITING}\n- [it](docs/no.md#x)\n- RFC 9110`]);
    assert.deepEqual(errors, []);
    assert.match(warnings, /MISSING_SOURCE: R1\.A cites what is not in the folder: docs\/no\.md/);
  });

  it('shows that an agent is of an earlier conversation, or was asked something else', async () => {
    const { propose, commit } = await begin(true);
    await spawned(agent(1), 'Tidy up the repository, R1.A.', Date.now() - 60_000);
    await propose(['R1.A', null]);
    await spawned(agent(2), 'Tidy up the repository.');
    const root = async (id: string): Promise<Codes> => (await commit(['R1.A', 'EXPLORE', CITING, id])).errors;
    assert.deepEqual(await root(agent(1)), [['R1.A', 'FAKE_AGENT']]);
    assert.deepEqual(await root(agent(2)), [['R1.A', 'FAKE_AGENT']]);
    await spawned(agent(3), 'Research R1.A: where do requests wait?');
    assert.deepEqual(await root(agent(3)), []);
  });

  it('shows that an agent did the work of another investigation in the folder', async () => {
    const [one, other] = [await begin(true), await begin(true)];
    await one.propose(['R1.A', null]);
    await other.propose(['R1.A', null]);
    await spawned(agent(1), 'Research R1.A.');
    assert.deepEqual((await one.commit(['R1.A', 'EXPLORE', CITING, agent(1)])).errors, []);
    assert.deepEqual((await other.commit(['R1.A', 'EXPLORE', CITING, agent(1)])).errors, [['R1.A', 'REUSED_AGENT']]);
  });
});
