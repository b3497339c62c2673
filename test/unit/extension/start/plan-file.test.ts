import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMMANDS } from '../../../../src/extension/commands/command-table.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { fake, Uri, window, workspace } from '../fake-vscode.ts';
import { answering, type Input, type Item, list, openStart } from './open-start.ts';

const places = (id: string) => COMMANDS[id]?.menus ?? [];
const { pickPlan } = await import('../../../../src/extension/start/plan-in-file.ts');

/** Two atoms, the second after the first. */
const PLAN = `goal: All green
base_case:
  - item: Tests pass
    check: { command: npm test }
atoms:
  - id: A1
    title: Repair them
  - id: A2
    title: Say what was wrong
    depends_on: [A1]
`;

describe('a plan in a file', () => {
  let folder: string;
  beforeEach(async () => {
    fake.reset();
    folder = await mkdtemp(join(tmpdir(), 'thought-tree-goal-'));
  });
  afterEach(async () => {
    workspace.workspaceFolders = [];
    workspace.textDocuments = [];
    await rm(folder, { recursive: true, force: true });
  });

  it('has a goal, which is the question, and it is said where it is wrong', async () => {
    const file = join(folder, 'plan.yaml');
    Object.assign(window, { showOpenDialog: async () => [Uri.file(file)] });
    await writeFile(file, PLAN);
    const goal = await pickPlan('work-graph', KINDS);
    assert.equal(goal?.question, 'All green');
    assert.match(goal?.plan.text ?? '', /A1/);
    await writeFile(file, 'goal: All green\nbase_case: []\natoms: []\n');
    await assert.rejects(pickPlan('work-graph', KINDS), { reason: 'damaged' });
    await writeFile(file, new Uint8Array([0xff, 0xfe, 0]));
    await assert.rejects(pickPlan('work-graph', KINDS), /plan\.yaml is no plan/);
  });

  it('is looked for in any file of its format, which is told apart from a plan with a mistake', async () => {
    const file = join(folder, 'compose.yaml');
    Object.assign(window, { showOpenDialog: async () => [Uri.file(file)] });
    await writeFile(file, 'services:\n  web: { image: x }\n');
    await assert.rejects(pickPlan('work-graph', KINDS), /compose\.yaml is no plan: .* `goal:`/);
    await writeFile(file, 'goal: All green\nbase_case: []\n');
    await assert.rejects(pickPlan('work-graph', KINDS), /compose\.yaml, line 2: the field "base_case" is wrong/);
    const { when = '' } = places('thoughtTree.startPlanned').find(({ menu }) => menu === 'explorer/context') ?? {};
    assert.match(when, /resourceExtname =~ \/\^\\\.ya\?ml\$\/i/);
  });

  it('is offered as what it is: its atoms instead of a size, and a forecast of them alone', async () => {
    const file = join(folder, 'plan.yaml');
    await writeFile(file, PLAN);
    fake.settings = { 'thoughtTree.model': 'openai/gpt-5-mini' };
    workspace.workspaceFolders = [{ uri: Uri.file(folder), name: 'w', index: 0 }];
    const { command, runs } = openStart();
    Object.assign(window, { showOpenDialog: async () => [Uri.file(file)] });
    const isPlan = (each: { tooltip?: string }): boolean => /Plan/.test(each.tooltip ?? '');
    fake.answer = (question) =>
      Array.isArray(question)
        ? (question as Item[]).find(({ label }) => /As planned/.test(label))
        : (question as Input).buttons.find(isPlan);
    await command.run('work-graph');
    const sizes = list().filter((item) => 'size' in item);
    assert.deepEqual(
      sizes.map(({ label }) => label),
      ['As planned: 2 tasks'],
    );
    const most = Number(/(\d+) calls/.exec(sizes[0]?.detail ?? '')?.[1]);
    assert.ok(most > 0 && most < 20, sizes[0]?.detail);
    assert.equal(runs[0]?.create?.prompt, 'All green');
    assert.equal(runs[0]?.plan, PLAN);
  });

  it('begins from its file without a list of one size, with the forecast for the question about its commands', async () => {
    const file = join(folder, 'plan.yaml');
    workspace.workspaceFolders = [{ uri: Uri.file(folder), name: 'w', index: 0 }];
    fake.settings = { 'thoughtTree.model': 'openai/gpt-5-mini' };
    const { command, runs } = openStart();
    await writeFile(file, PLAN);
    answering();
    await command.runPlan(Uri.file(file));
    assert.match(runs[0]?.expected ?? '', /^openai\/gpt-5-mini: about \d+ calls · .* · may pause at 2 million tokens$/);
    await writeFile(file, PLAN.replace('check: { command: npm test }', 'check: { assertion: Look at it }'));
    answering(/As planned/);
    await command.runPlan(Uri.file(file));
    assert.deepEqual([runs.length, runs[1]?.expected], [2, undefined], 'nothing else asks before it begins');
  });

  it('is read as it stands in its editor', async () => {
    const file = join(folder, 'plan.yaml');
    await writeFile(file, 'goal: [');
    const uri = Uri.file(file);
    workspace.textDocuments = [{ uri, getText: () => PLAN }];
    workspace.workspaceFolders = [{ uri: Uri.file(folder), name: 'w', index: 0 }];
    fake.settings = { 'thoughtTree.model': 'openai/gpt-5-mini' };
    const { command, runs } = openStart();
    answering(/As planned/);
    await command.runPlan(uri);
    assert.equal(runs.length, 1);
    workspace.textDocuments = [];
    await assert.rejects(command.runPlan(uri), { reason: 'damaged' });
  });

  it('is asked for by a dialog that says what it wants, and begins in the workspace', async () => {
    workspace.workspaceFolders = [{ uri: Uri.file(folder), name: 'w', index: 0 }];
    const asked: { title: string; defaultUri: { fsPath: string } }[] = [];
    Object.assign(window, { showOpenDialog: async (options: (typeof asked)[0]) => void asked.push(options) });
    assert.equal(await pickPlan('work-graph', KINDS), undefined);
    const [{ title, defaultUri } = assert.fail()] = asked;
    assert.match(title, /plan/);
    assert.equal(defaultUri.fsPath, folder);
  });
});
