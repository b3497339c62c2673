import assert from 'node:assert/strict';
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isThoughtTreeError } from '../../../../src/core/search/errors.ts';
import { agentTools } from '../../../../src/searches/agent-tools/agent-tools.ts';
import { TREE_TOOLS } from '../../../../src/searches/agent-tools/tool-descriptors.ts';
import { openWithEnvironment, readEnvironment } from '../../../../src/searches/models/environment.ts';
import { ToolHost } from '../../../support/agent-tools/tool-host.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

describe('the tools over searches for agents', () => {
  let folder: string;
  let tools: ToolHost;
  beforeEach(async () => {
    folder = temporaryFolder('agent-tools');
    await writeFile(
      join(folder, 'queue.md'),
      '# Queue\n\nA request waits in the queue.\n\n## Timeouts\n\nIt times out.\n',
    );
    await writeFile(join(folder, 'lease.md'), '# Lease\n\nA lease is taken over when its holder is silent.\n');
    tools = new ToolHost({ workspace: folder });
  });
  afterEach(() => tools.close());

  const begin = async (more: object = {}): Promise<string> => {
    const { data } = await tools.call('tree_start', {
      question: 'Why do requests time out?',
      wait_seconds: 50,
      ...more,
    });
    assert.equal(data['state'], 'finished');
    return data['search'] as string;
  };

  it('start, wait for, read, steer and list a search that only quotes, without asking anybody', async () => {
    const progress: string[] = [];
    const { data, text } = await tools.call(
      'tree_start',
      { question: 'Why do requests time out?', size: 'small', wait_seconds: 50 },
      { progress: (said) => void progress.push(said) },
    );
    assert.equal(data['search'], 'why-do-requests-time-out');
    assert.match(text, /^Why do requests time out\? \(why-do-requests-time-out, research\)\nState: finished/);
    assert.ok(progress.length > 0);
    const search = data['search'];
    const outline = await tools.call('tree_read', { search, what: 'outline' });
    const [first] = outline.data['nodes'] as unknown as { node: string; title: string }[];
    assert.ok(first && outline.text.includes(first.node));
    const node = await tools.call('tree_read', { search, what: 'node', node: first.node });
    assert.match(node.text, /^# .*\nStatus: /);
    assert.deepEqual(node.files, [{ search, path: `${first.node}/document.md`, title: first.title }]);
    assert.match((await tools.call('tree_read', { search, what: 'report' })).text, /Why do requests time out/);
    const words = await tools.call('tree_read', { search, what: 'words', node: first.node, call: 1 });
    assert.match(words.text, /── prompt/);
    const note = { search, node: first.node, action: 'note', arguments: { text: 'Look at the lease.' } };
    assert.deepEqual((await tools.call('tree_act', note)).data['done'], {
      action: 'note',
      ok: true,
      message: (await tools.call('tree_act', note)).text.split('\n')[0],
    });
    const listed = (await tools.call('tree_list')).data['searches'] as unknown as { search: string; state: string }[];
    assert.deepEqual(
      listed.map((each) => [each.search, each.state]),
      [[search, 'finished']],
    );
    assert.equal((await tools.call('tree_wait', { search })).data['state'], 'finished');
    assert.equal((await tools.call('tree_status', { search })).data['run_by'], 'nobody');
    assert.deepEqual(tools.asked, []);
    assert.deepEqual(tools.told, []);
  });

  it('give each search a folder of its own', async () => {
    const names = [await begin({ size: 'small' }), await begin({ size: 'small' })];
    assert.deepEqual(names, ['why-do-requests-time-out', 'why-do-requests-time-out-2']);
  });

  it('give searches that begin at once folders of their own, in several programs too', async () => {
    const other = new ToolHost({ workspace: folder });
    const start = { question: 'Why do requests time out?', size: 'small', wait_seconds: 50 };
    const begun = await Promise.all(
      [tools, other, tools, other].map(async (each) => (await each.call('tree_start', start)).data['search']),
    );
    assert.equal(new Set(begun).size, 4);
    await other.close();
  });

  it('offer exactly what the table of actions does, and do nothing else', async () => {
    const search = await begin({ size: 'small' });
    const offers = await tools.call('tree_act', { search });
    const names = (offers.data['actions'] as unknown as { action: string }[]).map(({ action }) => action);
    assert.ok(names.includes('grow') && names.includes('report') && !names.includes('pause'));
    await assert.rejects(tools.call('tree_act', { search, action: 'pause' }), /"pause" cannot be done now/);
    await assert.rejects(tools.call('tree_act', { search, action: '__proto__' }), /cannot be done now/);
    await assert.rejects(tools.call('tree_act', { search, node: 'nowhere', action: 'prune' }), /There is no node/);
  });

  it('say why an action cannot be done, in the words of the table of actions', async () => {
    const search = await begin({ size: 'small' });
    const { data } = await tools.call('tree_read', { search, what: 'outline' });
    const [{ node, title }] = data['nodes'] as unknown as [{ node: string; title: string }];
    await assert.rejects(tools.call('tree_act', { search, node, action: 'restore' }), {
      message: `"${title}" is not pruned.`,
    });
    await assert.rejects(tools.call('tree_act', { search, action: 'restore' }), /"restore" cannot be done now/);
  });

  it('show a person what is asked, whatever a caller calls it, and nothing that looks like another line', async () => {
    const title = 'Harmless? It costs nothing.\nModel: workspace/quotes';
    const start = { question: 'Read everything\nand tell', title, model: 'openai/gpt-6-sol' };
    await assert.rejects(tools.call('tree_start', start), (error) => isThoughtTreeError(error, 'declined'));
    const [{ question, details }] = tools.asked as [(typeof tools.asked)[0]];
    assert.equal(question, 'Start the search "Harmless? It costs nothing. Model: workspace/quotes"?');
    assert.deepEqual(details.slice(0, 2), [
      'Question: Read everything and tell',
      'Model: openai/gpt-6-sol (not one that you chose)',
    ]);
    for (const line of [question, ...details]) assert.ok(!line.includes('\n'));
  });

  it('ask before something is removed, also where it costs nothing', async () => {
    const search = await begin({ size: 'small' });
    const { data } = await tools.call('tree_read', { search, what: 'outline' });
    const [{ node }] = data['nodes'] as unknown as [{ node: string }];
    const prune = { search, node, action: 'prune' };
    await assert.rejects(tools.call('tree_act', prune), (error) => isThoughtTreeError(error, 'declined'));
    assert.deepEqual(
      tools.asked.map(({ spends, removes }) => [spends, removes]),
      [[false, true]],
    );
    const allowing = new ToolHost({ workspace: folder, permit: () => ({}) });
    const done = await allowing.call('tree_act', prune);
    assert.match(done.text, /is pruned, with everything below it/);
    const status = await allowing.call('tree_read', { search, what: 'node', node });
    assert.equal(status.data['status'], 'pruned');
  });

  it('give back what was set aside for a call that was cancelled, or failed', async () => {
    const search = await begin({ size: 'small' });
    const settled: number[] = [];
    const cancel = new AbortController();
    const paying = (permit: () => void) =>
      new ToolHost({
        workspace: folder,
        models: { usual: () => ({ model: 'openai/gpt-5-mini' }) },
        permit: () => {
          permit();
          return { mostUsd: 1, settle: (usd) => void settled.push(usd) };
        },
      });
    const grow = { search, action: 'grow', arguments: { guards: { usd: 9 } } };
    const cancelled = paying(() => cancel.abort());
    await assert.rejects(cancelled.call('tree_start', { question: 'Why?' }, { signal: cancel.signal }), /abort/i);
    const failing = paying(() => undefined);
    failing.host.runs.act = async () => {
      throw new Error('It was taken over.');
    };
    const came = join(folder, 'thought-trees', 'came');
    await cp(join(folder, 'thought-trees', search), came, { recursive: true });
    for (const name of ['search.json', '.search/journal.jsonl']) {
      const text = await readFile(join(came, name), 'utf8');
      await writeFile(join(came, name), text.replaceAll('workspace/quotes', 'openai-compatible/theirs'));
    }
    await assert.rejects(failing.call('tree_act', { ...grow, search: 'came' }), /taken over/);
    assert.deepEqual(settled, [0, 0]);
    await Promise.all([cancelled.close(), failing.close()]);
  });

  it('leave it to the person how many rounds an investigation needs at least', async () => {
    const start = { question: 'Why do requests time out?', kind: 'investigation', wait_seconds: 50 };
    await assert.rejects(tools.call('tree_start', { ...start, options: { minRounds: 1 } }), /no option "minRounds"/);
    Object.assign(tools.host, { newSearches: (kind: string) => (kind === 'investigation' ? { minRounds: 4 } : {}) });
    const { data } = await tools.call('tree_start', start);
    const file = await readFile(join(folder, 'thought-trees', data['search'] as string, 'search.json'), 'utf8');
    assert.equal((JSON.parse(file) as { options: Record<string, unknown> }).options['minRounds'], 4);
  });

  it('use the model that was permitted for a report too, never one that came with the folder', async () => {
    const search = await begin({ size: 'small' });
    const came = join(folder, 'thought-trees', 'came');
    await cp(join(folder, 'thought-trees', search), came, { recursive: true });
    for (const name of ['search.json', '.search/journal.jsonl']) {
      const text = await readFile(join(came, name), 'utf8');
      await writeFile(join(came, name), text.replaceAll('workspace/quotes', 'openai-compatible/theirs'));
    }
    const opened: string[] = [];
    const own = new ToolHost({
      workspace: folder,
      models: { usual: () => ({ model: 'workspace/quotes' }) },
      openModel: async (name) => {
        opened.push(name);
        return await openWithEnvironment(name, { workspace: folder, env: readEnvironment({}) });
      },
    });
    await own.call('tree_act', { search: 'came', action: 'report' });
    assert.deepEqual(opened, ['workspace/quotes']);
    await own.close();
  });

  it('pause what they run where a call is cancelled, and continue it later', async () => {
    const cancel = new AbortController();
    const start = { question: 'Why do requests time out?', size: 'all', max_depth: 12, wait_seconds: 50 };
    const begun = tools.call('tree_start', start, { signal: cancel.signal, progress: () => cancel.abort() });
    await assert.rejects(begun, /cancelled/);
    const [search] = (await tools.call('tree_list')).data['searches'] as unknown as [{ search: string; state: string }];
    assert.equal(tools.host.runs.isHere(join(folder, 'thought-trees', search.search)), false);
    if (search.state === 'finished') return; // it was faster
    assert.equal(search.state, 'paused');
    const resumed = await tools.call('tree_act', { search: search.search, action: 'resume' });
    assert.equal(resumed.text.split('\n')[0], 'The search runs.');
    const { data } = await tools.call('tree_wait', { search: search.search, seconds: 50 });
    assert.equal(data['state'], 'finished');
  });

  it('say of a finished search what a resume would do and cost, and do nothing', async () => {
    const search = await begin({ size: 'small' });
    assert.equal((await tools.call('tree_wait', { search, seconds: 50 })).data['state'], 'finished');
    await tools.call('tree_act', { search, action: 'note', arguments: { text: 'Mind the gap.' } });
    const resumed = tools.call('tree_act', { search, action: 'resume' });
    await assert.rejects(resumed, /Nothing is left to work on in .* only rewrite its report, with at most one call/);
  });

  it('leave nothing running where a call is cancelled while the search is opened', async () => {
    const cancel = new AbortController();
    const { host } = tools;
    const start = host.runs.start.bind(host.runs);
    host.runs.start = async (run) => {
      cancel.abort();
      await start(run);
    };
    const made: string[] = [];
    const call = { signal: cancel.signal, made: (name: string) => void made.push(name) };
    const begun = tools.call('tree_start', { question: 'Why?', size: 'all' }, call);
    await assert.rejects(begun, /cancelled/);
    const [{ search }] = (await tools.call('tree_list')).data['searches'] as [{ search: string }];
    assert.deepEqual(made, [search]);
    const { run_by, state } = (await tools.call('tree_status', { search })).data;
    const journal = await readFile(join(folder, 'thought-trees', search, '.search', 'journal.jsonl'), 'utf8');
    // Nothing of it was run: the state of what nobody ran.
    assert.deepEqual([run_by, state, journal.includes('call-started')], ['nobody', 'interrupted', false]);
  });

  it('find searches by their names alone: nothing outside of the folder, and no link', async () => {
    const search = await begin({ size: 'small' });
    const other = join(folder, 'elsewhere');
    await mkdir(other);
    await symlink(join(folder, 'thought-trees', search), join(folder, 'thought-trees', 'link'));
    for (const name of [
      '..',
      '.',
      `../thought-trees/${search}`,
      'link',
      'elsewhere',
      `${search}/`,
      `${search}\0`,
      '',
      'a\\b',
    ])
      for (const tool of ['tree_status', 'tree_wait'] as const)
        await assert.rejects(tools.call(tool, { search: name }), (error) =>
          isThoughtTreeError(error, 'not-found', 'bad-input'),
        );
    for (const node of ['../..', '/etc/passwd', '\0', '../../queue.md'])
      await assert.rejects(tools.call('tree_read', { search, what: 'node', node }), /There is no node/);
    assert.deepEqual((await readdir(join(folder, 'thought-trees'))).sort(), ['link', search]);
  });

  it('name searches by their workspaces where there are several, and begin none where there is no folder', async () => {
    const search = await begin({ size: 'small' });
    const here = { workspace: folder, searches: join(folder, 'thought-trees') };
    const other = { workspace: temporaryFolder('other'), searches: join(temporaryFolder('other'), 'none') };
    const both = { ...tools.host, folders: [other, here] };
    const call = { signal: new AbortController().signal };
    const { data } = await agentTools.run(both, 'tree_list', {}, call);
    const [{ search: name }] = data['searches'] as [{ search: string }];
    assert.equal(name, `${basename(folder)}~${search}`);
    assert.equal((await agentTools.run(both, 'tree_status', { search: name }, call)).data['state'], 'finished');
    await assert.rejects(agentTools.run(both, 'tree_status', { search }, call), /There is no search/);
    const none = agentTools.run({ ...tools.host, folders: [] }, 'tree_start', { question: 'Why?' }, call);
    await assert.rejects(none, /No folder is open/);
  });

  it('compare a search with what it was, and a branch of it with that of a copy', async () => {
    const search = await begin({ size: 'small' });
    const [{ node }] = (await tools.call('tree_read', { search, what: 'outline' })).data['nodes'] as unknown as [
      { node: string },
    ];
    const then = await tools.call('tree_compare', { search: `${search}@1`, with: search });
    assert.deepEqual([then.data['same_until'], then.data['only_a'], then.data['changed_nodes']], [1, 0, 0]);
    assert.ok((then.data['only_b'] as unknown as number) > 0);
    const searches = join(folder, 'thought-trees');
    await cp(join(searches, search), join(searches, 'copy'), { recursive: true });
    await writeFile(join(searches, 'copy', node, 'document.md'), '# Otherwise\n\nIt never waits.\n');
    const { data, text } = await tools.call('tree_compare', { search, with: 'copy', node });
    assert.deepEqual([data['changed_nodes'], data['only_a'], data['only_b']], [1, 0, 0]);
    assert.match(text, /^A .*\nB copy /);
    assert.match(text, /\n {4}\+ It never waits\.\n/);
    await assert.rejects(tools.call('tree_compare', { search, with: '../copy' }), /There is no search/);
  });

  it('have schemas and annotations that say the worst of what they can do', () => {
    const worst = TREE_TOOLS.map(({ name, annotations: a }) => [
      name,
      a.readOnlyHint,
      a.destructiveHint,
      a.openWorldHint,
    ]);
    assert.deepEqual(worst, [
      ['tree_start', false, false, true],
      ['tree_wait', true, false, false],
      ['tree_status', true, false, false],
      ['tree_read', true, false, false],
      ['tree_act', false, true, true],
      ['tree_list', true, false, false],
      ['tree_compare', true, false, false],
    ]);
  });
});
