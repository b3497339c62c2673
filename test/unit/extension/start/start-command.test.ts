import { foreign } from '../../../../src/core/messages/message.ts';
import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Memento } from 'vscode';
import { ThoughtTreeError } from '../../../../src/core/search/errors.ts';
import type { FollowedSearch } from '../../../../src/extension/library/followed-search.ts';
import type { RunRequest } from '../../../../src/extension/library/run-request.ts';
import type { SearchRunner } from '../../../../src/extension/library/search-runner.ts';
import type { ApiKeys } from '../../../../src/extension/models/api-keys.ts';
import { WITH_SUMS } from '../../../support/sums-kind.ts';
import { fake, Uri, workspace } from '../fake-vscode.ts';
import { sampleLibrary, sampleSearch } from '../sidebar/sample.ts';

const { ModelOpener } = await import('../../../../src/extension/models/model-opener.ts');
const { StartCommand } = await import('../../../../src/extension/start/start-command.ts');

const QUESTION = 'What makes it slow?';
const at = (slug: string): string => join('/w', 'thought-trees', slug);

/** *Start Tree Search* with existing searches in some folders; `runs` are those that were begun. */
function startBeside(standing: readonly string[], ...known: FollowedSearch[]) {
  return startOn('workspace/quotes', standing, ...known);
}

/** The same where a model is chosen when that is asked for. */
function startOn(chosen: string, standing: readonly string[], ...known: FollowedSearch[]) {
  const runs: RunRequest[] = [];
  const run = async (request: RunRequest): Promise<void> => {
    if (standing.includes(request.place.folder))
      throw new ThoughtTreeError('exists', foreign({ text: 'It is there already.' }));
    runs.push(request);
  };
  const memory = new Map<string, unknown>();
  const memento = {
    get: (key: string) => memory.get(key),
    update: async (key: string, value: unknown) => void memory.set(key, value),
  };
  const asked: boolean[] = [];
  const shown: string[] = [];
  const chooser = {
    chooseAt: async (_place: unknown, _scope: unknown, needsProse = false): Promise<string> => {
      asked.push(needsProse);
      return chosen;
    },
    chooseJudgeAt: async () => '',
    test: async () => 'It answers',
    atHand: async () => ['a/one', 'a/two'],
  };
  const views = {
    reveal: async (folder: string) => void shown.push(`row of ${folder}`),
    draw: async (folder: string) => void shown.push(`drawing of ${folder}`),
  };
  const opener = new ModelOpener({ keyAt: async () => undefined } as unknown as ApiKeys);
  const { library } = sampleLibrary(...known);
  const runner = { run } as unknown as SearchRunner;
  const memory_ = memento as unknown as Memento;
  const command = new StartCommand({
    kinds: WITH_SUMS,
    library,
    runner,
    chooser,
    opener,
    memory: memory_,
    views,
    subscriptions: [],
  });
  return { command, runs, memory, asked, shown };
}

/** Picks the first size or option, types the question, and answers what is asked about an existing search. */
const answerWith =
  (button: string | undefined) =>
  (question: unknown): unknown => {
    if (typeof question === 'string') return button;
    return Array.isArray(question) ? (question.find(({ size }) => size) ?? question[0]) : QUESTION;
  };

/** Picks by labels, and types a text. */
const picking =
  (text: string, ...labels: RegExp[]) =>
  (question: unknown): unknown =>
    Array.isArray(question)
      ? (question as { label: string }[]).findLast(({ label }) => labels.some((each) => each.test(label)))
      : text;

describe('Start Tree Search in a folder that names a model itself', () => {
  beforeEach(() => {
    fake.reset();
    workspace.workspaceFolders = [{ uri: Uri.file('/w'), name: 'w', index: 0 }];
    fake.settings = { 'thoughtTree.model': 'a/mine' };
    fake.workspaceSettings = { 'thoughtTree.model': 'a/brought', 'thoughtTree.judgeModel': 'a/judging' };
  });

  it('asks about it once, and begins nothing if the answer is no', async () => {
    const { command, runs } = startOn('a/chosen', []);
    await assert.rejects(command.begin({ prompt: 'Why?' }), { reason: 'declined' });
    assert.match(fake.messages.join(), /names the model a\/brought, a\/judging, which you have not used here/);
    assert.equal(runs.length, 0);
    fake.answer = (question) => (typeof question === 'string' ? 'Use It' : undefined);
    await command.begin({ prompt: 'Why?' });
    assert.deepEqual([runs[0]?.model, runs[0]?.judge], ['a/brought', 'a/judging']);
    fake.messages.length = 0;
    await command.begin({ prompt: 'Why so?' });
    assert.deepEqual(fake.messages, []);
    assert.equal(runs.length, 2);
  });

  it('asks about one of several that share the work, too', async () => {
    const { command, runs } = startOn('a/chosen', []);
    const options = { models: 'a/named,a/judging' };
    const asked = command.begin({ prompt: 'Plan it', kind: 'thoughts', model: 'a/named', judge: 'a/too', options });
    await assert.rejects(asked, { reason: 'declined' });
    assert.match(fake.messages.join(), /names the model a\/judging, which you have not used here/);
    assert.equal(runs.length, 0);
  });

  it('asks nothing about what the person names or has in their own settings', async () => {
    const { command, runs } = startOn('a/chosen', []);
    await command.begin({ prompt: 'Why?', model: 'a/named', judge: 'a/too' });
    fake.workspaceSettings = {};
    await command.begin({ prompt: 'Why?' });
    fake.workspaceSettings = { 'thoughtTree.model': 'workspace/quotes' };
    await command.begin({ prompt: 'Why?' });
    assert.deepEqual(
      runs.map(({ model }) => model),
      ['a/named', 'a/mine', 'workspace/quotes'],
    );
    assert.deepEqual(fake.messages, []);
  });
});

describe('Start Tree Search', () => {
  beforeEach(() => {
    fake.reset();
    workspace.workspaceFolders = [{ uri: Uri.file('/w'), name: 'w', index: 0 }];
  });
  afterEach(() => {
    workspace.workspaceFolders = [];
  });

  it('begins a search, shows it, and remembers its kind', async () => {
    const { command, runs, memory, shown } = startBeside([]);
    fake.answer = answerWith(undefined);
    await command.run();
    const [{ create, place, model } = {}] = runs;
    assert.deepEqual([create?.title, place?.folder, model], [QUESTION, at('what-makes-it-slow'), 'workspace/quotes']);
    assert.deepEqual(fake.executed, [['thoughtTree.searches.focus']]);
    assert.deepEqual(shown, [`drawing of ${at('what-makes-it-slow')}`, `row of ${at('what-makes-it-slow')}`]);
    assert.deepEqual([memory.get('draft'), memory.get('lastKind')], [undefined, 'research']);
    assert.deepEqual(fake.messages, []);
  });

  it('asks nothing more if no question is given', async () => {
    const { command, runs } = startBeside([]);
    await command.run();
    assert.deepEqual([runs, fake.executed], [[], []]);
  });

  it('asks what to do if the question was asked before, and resumes that search', async () => {
    const folder = at('what-makes-it-slow');
    const { command, runs } = startBeside([folder], sampleSearch({ folder, state: 'paused', isResumable: true }));
    fake.answer = answerWith('Resume It');
    await command.run();
    assert.deepEqual(fake.messages, ['There is already a search for this question: "what-makes-it-slow".']);
    assert.deepEqual(runs, []);
    assert.deepEqual(fake.executed[0], ['thoughtTree.resume', { folder, path: '' }]);
  });

  it('shows that search if there is nothing to resume', async () => {
    const folder = at('what-makes-it-slow');
    const { command } = startBeside([folder], sampleSearch({ folder, state: 'finished', isResumable: false }));
    fake.answer = answerWith('Show It');
    await command.run();
    assert.deepEqual(fake.executed[0], ['thoughtTree.reveal', { folder, path: '' }]);
  });

  it('starts another under the next name that is free', async () => {
    const { command, runs } = startBeside([at('what-makes-it-slow'), at('what-makes-it-slow-2')]);
    fake.answer = answerWith('Start Another');
    await command.run();
    assert.equal(runs.length, 1);
    const [{ create, place } = {}] = runs;
    assert.deepEqual([create?.title, create?.prompt], ['What makes it slow? (3)', QUESTION]);
    assert.equal(place?.folder, at('what-makes-it-slow-3'));
  });

  it('changes nothing if the person chooses neither', async () => {
    const { command, runs } = startBeside([at('what-makes-it-slow')]);
    fake.answer = answerWith(undefined);
    await command.run();
    assert.deepEqual(runs, []);
    assert.deepEqual(fake.executed, []);
  });

  it('throws `exists` if another extension asks the same again', async () => {
    const { command } = startBeside([at('what-makes-it-slow')]);
    await assert.rejects(command.begin({ prompt: QUESTION, model: 'workspace/quotes' }), { reason: 'exists' });
    assert.deepEqual(fake.messages, []);
  });

  it('accepts one of several folders in the editor’s notation', async () => {
    workspace.workspaceFolders = ['/w', '/other'].map((path, index) => ({ uri: Uri.file(path), name: path, index }));
    const { command, runs } = startBeside([]);
    await command.begin({ prompt: QUESTION, model: 'workspace/quotes', folder: '/other' });
    assert.equal(runs[0]?.place.workspace, '/other');
    await assert.rejects(command.begin({ prompt: QUESTION, model: 'workspace/quotes', folder: '/elsewhere' }), {
      reason: 'bad-input',
    });
  });

  it('asks for the sort of problem, a model that writes, and how far, and offers what each size may cost', async () => {
    fake.settings = { 'thoughtTree.model': 'workspace/quotes', 'thoughtTree.size': 'small' };
    const { command, runs, asked, memory } = startOn('openai/gpt-5-mini', []);
    fake.answer = picking('4 9 10 13', /Solve a problem/, /Game of 24/, /Small/);
    await command.run();
    assert.deepEqual(asked, [true], 'a model that only quotes cannot solve');
    const [{ create, model, limits } = {}] = runs;
    assert.deepEqual([create?.kind, create?.strategy, model], ['thoughts', 'best-first', 'openai/gpt-5-mini']);
    const { task, size, maxDepth } = create?.options ?? {};
    assert.deepEqual([task, size, maxDepth], ['game24', 'small', 3]);
    assert.equal(limits?.guards?.usd, 5);
    assert.equal(memory.get('lastKind'), 'thoughts');
    const sizes = (fake.picks.at(-1) as { label: string; detail: string; size?: string }[]).filter(({ size }) => size);
    assert.deepEqual(
      sizes.map(({ label }) => label.split(':')[0]),
      ['Small', 'Medium', 'Large', 'Everything'],
    );
    assert.match(sizes[0]?.detail ?? '', /about \d+ calls · .* tokens · \$[\d.]+ \(\$[\d.]+ to \$[\d.]+\)/);
    assert.equal(sizes[3]?.detail, 'until its budget is used up');
  });

  it('says what a problem of a task looks like before anything is begun', async () => {
    fake.settings = { 'thoughtTree.model': 'openai/gpt-5-mini' };
    const { command, runs } = startBeside([]);
    fake.answer = picking('four and nine', /Solve a problem/, /Game of 24/, /Medium/);
    await assert.rejects(command.run('thoughts'), { reason: 'bad-input' });
    assert.deepEqual(runs, []);
  });

  it('offers the command that decides only if the user’s settings name one', async () => {
    for (const [checkCommand, count] of [
      [[], 7],
      [['npm', 'test'], 8],
    ] as const) {
      fake.reset();
      fake.settings = { 'thoughtTree.checkCommand': checkCommand };
      fake.answer = picking('Make it pass', /Solve a problem/);
      await startBeside([]).command.run('thoughts');
      assert.equal(fake.picks.at(-1)?.length, count);
    }
  });

  it('lets another model pick and score, and bounds the search by what both cost', async () => {
    fake.settings = { 'thoughtTree.judgeModel': 'vscode/small' };
    const { command, runs } = startBeside([]);
    await command.begin({ prompt: QUESTION, model: 'openai/gpt-5-mini' });
    assert.deepEqual([runs[0]?.judge, runs[0]?.limits?.guards?.calls], ['vscode/small', 50]);
    await command.begin({ prompt: QUESTION, model: 'workspace/quotes' });
    assert.deepEqual([runs[1]?.judge, runs[1]?.limits?.guards], [undefined, {}], 'nothing stays nothing');
  });

  it('bounds the search by what each of several models costs that share its work', async () => {
    const { command, runs } = startBeside([]);
    const of = (models: string, kind = 'thoughts') =>
      command.begin({ prompt: 'Plan it', model: 'openai/gpt-5-mini', kind, options: { models } });
    await of('openai/gpt-5-mini,vscode/small=0.50');
    assert.equal(runs[0]?.limits?.guards?.calls, 50);
    await of('openai/gpt-5-mini,openai/other');
    assert.equal(runs[1]?.limits?.guards?.calls, 1000);
  });

  it('is begun by other extensions with a kind, a preset or a task', async () => {
    const { command, runs } = startBeside([]);
    await command.begin({ prompt: 'Plan it', model: 'vscode/any', kind: 'thoughts', options: { preset: 'planning' } });
    assert.deepEqual([runs[0]?.create?.options['preset'], runs[0]?.create?.strategy], ['planning', 'drafts']);
    assert.equal(runs[0]?.showsPlan, false, 'nobody may be there to look at it');
  });
});

describe('a kind that does not ship', () => {
  beforeEach(() => {
    fake.reset();
    workspace.workspaceFolders = [{ uri: Uri.file('/w'), name: 'w', index: 0 }];
  });
  afterEach(() => {
    workspace.workspaceFolders = [];
  });

  it('is asked about in its own words, with the options that its descriptor names', async () => {
    const { command, runs } = startOn('workspace/quotes', []);
    const asked: unknown[] = [];
    fake.answer = (question: unknown) => {
      asked.push(question);
      if (!Array.isArray(question)) return '7';
      return (question as { label: string }[]).find(({ label }) => /^two$|^Medium/.test(label));
    };
    await command.run('sums');
    assert.deepEqual(runs[0]?.create?.options, {
      read: 'tools',
      size: 'medium',
      concurrency: 4,
      maxDepth: 4,
      carryOver: 7,
      base: 'two',
    });
    assert.equal(runs[0]?.create?.kind, 'sums');
    assert.ok(JSON.stringify(asked).includes('By default'));
  });
});
