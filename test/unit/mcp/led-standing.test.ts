import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stateOf } from '../../../src/core/search/messages.ts';
import { following } from '../../../src/extension/library/following.ts';
import { KINDS } from '../../../src/kinds/kinds.ts';
import { type FoundInvestigation, Investigations } from '../../../src/mcp/investigations.ts';
import { TreeProgram } from '../../../src/mcp/tree-program.ts';
import { actOnSearch } from '../../../src/searches/act-on-search.ts';
import { overviewOf } from '../../../src/searches/reader/search-overview.ts';
import { graphSearchOf } from '../../../src/searches/search-graph.ts';

const lead = (id: string, parent: string | null) => ({ id, parent, title: `About ${id}`, plannedAction: 'Look' });
const found = (nodeId: string, state: string) => ({ nodeId, state, findings: '## References\n- src/a.ts - it' });

describe('an investigation that an agent leads', () => {
  let workspace: string;
  let server: Investigations;
  let at: FoundInvestigation;
  beforeEach(async () => {
    workspace = await mkdtemp(join(tmpdir(), 'thought-tree-led-'));
    const folder = join(workspace, 'thought-trees');
    await mkdir(join(workspace, 'src'));
    await writeFile(join(workspace, 'src/a.ts'), '');
    await mkdir(folder);
    server = new Investigations({ workspace, folder, profile: 'strict', minRounds: 2, requireAgents: false });
    at = (await server.find(String((await server.start({ query: 'Why?' }))['sessionId']))) as FoundInvestigation;
  });
  afterEach(() => rm(workspace, { recursive: true, force: true }));

  const call = async (action: string, args: object = {}): Promise<void> => {
    const reply = await server.call(at, { action, ...args });
    assert.equal(reply['status'], 'OK', JSON.stringify(reply));
  };
  /** How it is said to be, by the files and as the sidebar follows it. */
  async function standing(): Promise<{ state: string; said: string }> {
    const overview = await overviewOf(KINDS, at.folder);
    const followed = following.follow(at.folder, workspace, KINDS);
    await followed.refresh();
    assert.equal(stateOf(followed).text, stateOf(overview).text);
    const drawn = graphSearchOf(followed, overview.tree, { kinds: KINDS, show: ({ text }) => text });
    assert.deepEqual([drawn.led ?? drawn.state, drawn.reason, drawn.model], [stateOf(overview).text, '', '']);
    assert.deepEqual([followed.isResumable, followed.model, overview.model], [false, undefined, undefined]);
    return { state: overview.state, said: stateOf(overview).text };
  }

  it('says its round and what it needs next, until its protocol has ended it', async () => {
    const said = async (): Promise<string> => (await standing()).said;
    assert.equal(await said(), 'led by an agent · round 1 of 2 · needs its first lead');
    await call('propose', { nodes: [lead('R1.A', null)] });
    assert.equal(await said(), 'led by an agent · round 1 of 2 · needs the findings of R1.A');
    await call('commit', { results: [found('R1.A', 'EXPLORE')] });
    assert.equal(await said(), 'led by an agent · round 1 of 2 · needs two leads below R1.A');
    await call('propose', { nodes: ['R2.A1', 'R2.A2', 'R2.A3'].map((id) => lead(id, 'R1.A')) });
    assert.equal(await said(), 'led by an agent · round 1 of 2 · needs the findings of 3 leads');
    await call('commit', {
      results: [found('R2.A1', 'EXPLORE'), found('R2.A2', 'DEAD'), found('R2.A3', 'DEAD')],
    });
    assert.equal(await said(), 'led by an agent · round 2 of 2 · needs two leads below R2.A1');
    await call('reclassify', { id: 'R2.A1', state: 'DEAD' });
    const open = await standing();
    assert.equal(open.said, 'led by an agent · round 2 of 2 · may end now');
    assert.notEqual(open.state, 'finished');
    await call('conclude');
    assert.deepEqual(await standing(), { state: 'finished', said: 'finished' });
    await call('reclassify', { id: 'R2.A1', state: 'EXPLORE' });
    assert.equal(await said(), 'led by an agent · round 2 of 2 · needs two leads below R2.A1');
  });

  it('has a report in words: by titles, without ids and states, and with what it needs as long as it is open', async () => {
    const titled = (id: string, parent: string | null, title: string) => ({ id, parent, title, plannedAction: 'Look' });
    const report = async (): Promise<string> => {
      const openModel = () => Promise.reject(new Error('no model is asked'));
      const actor = { kinds: KINDS, by: 'test', openModel };
      await actOnSearch({ folder: at.folder, workspace }, { action: 'interim' }, actor);
      return await readFile(join(at.folder, 'report.md'), 'utf8');
    };
    await call('propose', { nodes: [titled('R1.A', null, 'The cache')] });
    await call('commit', { results: [found('R1.A', 'EXPLORE')] });
    const open = await report();
    assert.match(open, /\nThe investigation is not at its end: it needs two leads below "The cache"\.\n/);
    assert.match(open, /\n- \[The cache\]\(/);
    await call('propose', { nodes: [titled('R2.A1', 'R1.A', 'Its key'), titled('R2.A2', 'R1.A', 'Its size')] });
    await call('commit', { results: [found('R2.A1', 'DEAD'), found('R2.A2', 'DEAD')] });
    await call('conclude');
    const closed = await readFile(join(at.folder, 'report.md'), 'utf8');
    assert.match(closed, /\n- \[Its key\]\(/);
    for (const text of [open, closed])
      assert.doesNotMatch(text.replaceAll(/\]\([^)]*\)/g, ']'), /\bR\d|EXPLORE|DEAD|BLOCKED|REQUIRED/);
  });

  it('has ended in a clone, which has no journal, where its rules allow that', async () => {
    await call('propose', { nodes: [lead('R1.A', null)] });
    await call('commit', { results: [found('R1.A', 'EXPLORE')] });
    const cloned = async () => {
      const folder = await mkdtemp(join(workspace, 'clone-'));
      await cp(at.folder, folder, { recursive: true, filter: (path) => !path.endsWith('.search') });
      return (await overviewOf(KINDS, folder)).state;
    };
    assert.equal(await cloned(), 'interrupted');
    await call('propose', { nodes: [lead('R2.A1', 'R1.A'), lead('R2.A2', 'R1.A')] });
    await call('commit', { results: [found('R2.A1', 'DEAD'), found('R2.A2', 'DEAD')] });
    assert.equal(await cloned(), 'finished');
  });

  it('is told so to other agents, with nothing to resume', async () => {
    await call('propose', { nodes: [lead('R1.A', null)] });
    await call('commit', { results: [found('R1.A', 'EXPLORE')] });
    const parts = {
      kinds: KINDS,
      workspace,
      folder: join(workspace, 'thought-trees'),
      allowUsd: 0,
      allowDelete: false,
    };
    const program = new TreeProgram(parts, () => undefined);
    const ask = async (name: 'tree_status' | 'tree_list', args: object) =>
      await program.call(name, args, { signal: new AbortController().signal }, async () => ({}));
    const words = 'led by an agent · round 1 of 2 · needs two leads below R1.A';
    const { text, data } = await ask('tree_status', { search: 'why' });
    assert.ok(text.includes(`State: ${words}; run by nobody\n`), text);
    assert.doesNotMatch(text, /Model:|resume|finish/);
    assert.deepEqual([data['reason'], data['model'], data['actions']], [words, undefined, ['add', 'note']]);
    assert.match((await ask('tree_list', {})).text, new RegExp(`Why\\? \\(${words}, 1 node\\)`));
    await program.close();
  });
});
