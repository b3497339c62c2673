import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../host/until.ts';
import { type ScriptedServer, startScriptedServer } from '../../support/servers/scripted-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { savePicture } from './support/save-picture.ts';
import { useWindow } from './support/use-window.ts';

const GOAL = 'A greeting in two languages';
const workspace = temporaryFolder('goal');
const state = temporaryFolder('goal-state');

function git(...args: string[]): string {
  const identity = ['-c', 'user.name=me', '-c', 'user.email=me@example.org', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', [...identity, ...args], { cwd: workspace, encoding: 'utf8' });
}

writeFileSync(join(workspace, 'README.md'), '# Greetings\n');
writeFileSync(join(workspace, '.gitignore'), 'thought-trees/\n');
git('init', '-q', '-b', 'main');
git('add', '.');
git('commit', '-q', '-m', 'First');
const BEFORE = git('rev-parse', 'HEAD');

const holds = (item: string, command: string) => ({ item, check: { command } });
const ALIGNED = {
  goal: GOAL,
  background: 'For people who come from abroad.',
  deliverables: ['greeting.txt'],
  done: ['Both greetings are in one file.'],
  constraints: [],
  in_scope: [],
  out_of_scope: [],
  clarifications: [{ question: 'Which languages?', answer: 'English and German', from: 'README.md' }],
};
const PLANNED = {
  base_case: [holds('Both greetings are in one file', 'grep -q hello greeting.txt && grep -q hallo greeting.txt')],
  atoms: [
    {
      id: 'A1',
      title: 'Say it in English',
      run: 'echo hello > english.txt',
      touches: ['english.txt'],
      checks: [holds('It says so', 'grep -q hello english.txt')],
    },
    {
      id: 'A2',
      title: 'Say it in German',
      by: 'person',
      touches: ['german.txt'],
      checks: [holds('It says so, too', 'grep -q hallo german.txt')],
    },
    { id: 'A3', title: 'With a program that is not there', group: 'join', run: 'exit 3', depends_on: ['A1'] },
    { id: 'A4', title: 'With a plain note', group: 'join', run: 'echo joined > note.txt', touches: ['note.txt'] },
    {
      id: 'A5',
      title: 'Put both into one file',
      depends_on: ['A1', 'A2', 'join'],
      run: 'cat english.txt german.txt > greeting.txt',
      touches: ['greeting.txt'],
      checks: [holds('There are two lines', 'test $(wc -l < greeting.txt) -eq 2')],
    },
  ],
  groups: [{ name: 'join', title: 'How they are joined' }],
};

describe('a goal in the editor', () => {
  let server: ScriptedServer;
  before(async () => {
    server = await startScriptedServer({
      answer: ({ purpose }) => `<output>${JSON.stringify(purpose === 'plan' ? PLANNED : ALIGNED)}</output>`,
      port: 41_733,
    });
  });
  after(() => server?.close());

  const opened = useWindow({
    folder: workspace,
    env: { XDG_STATE_HOME: state },
    settings: { 'thoughtTree.model': 'openai-compatible/m', 'thoughtTree.baseUrl': 'http://127.0.0.1:41733/v1' },
  });
  const folder = (): string => opened.host.folder ?? workspace;

  it('is made clear and planned, and begins only with a yes to exactly its commands', async () => {
    const { window } = opened;
    await window.openContainer('Thought Tree');
    await window.command('Thought Tree: Reach a Goal');
    await window.answer('What is to be reached', GOAL);
    await window.pick('Medium: 60 tasks');
    await window.notification('You can edit plan.yaml').waitFor();
    await window.tab('plan.yaml').waitFor();
    await window.editorShows(/goal: A greeting in two languages/);
    await savePicture(window, 'goal-plan');
    await window.answerNotification('You can edit plan.yaml', 'Start from This Plan');
    const dialog = window.dialog(/to run \d+ commands/);
    await dialog.waitFor();
    assert.match((await dialog.textContent()) ?? '', /cat english\.txt german\.txt > greeting\.txt/);
    await savePicture(window, 'goal-consent');
    await dialog.getByRole('button', { name: 'Run Them' }).click();
  });

  it('is watched in the sidebar and in the drawing, switched to another way where one failed', async () => {
    const { window } = opened;
    await window.treeItem(/^Say it in English, A1, verified/).waitFor();
    await window.treeItem(/^With a plain note, A4/).waitFor();
    await window.treeItem(/^Say it in German, A2, for a person/).waitFor();
    // While something is worked on, rows are drawn anew, and a click may find the one before.
    await window.treeItem(/^Running/).waitFor({ state: 'detached' });
    await window.rowAction(window.treeItem(new RegExp(`^${GOAL}`)), 'Open Thought Tree');
    const frame = await window.webview('canvas');
    await frame.locator('h1', { hasText: GOAL }).waitFor();
    await frame.locator('canvas').focus();
    for (const key of ['Home', 'ArrowDown']) await window.page.keyboard.press(key);
    await frame.getByRole('region', { name: 'Evidence' }).filter({ hasText: 'verified' }).waitFor();
    await savePicture(window, 'goal-graph');
  });

  it('is redirected after a look at what that reopens', async () => {
    const { window } = opened;
    await window.contextMenu(window.treeItem(new RegExp(`^${GOAL}`)), 'More…');
    await window.pick('Redirect…');
    await window.pick('objective');
    await window.answer('the change', '{"background": "For whoever says hello."}');
    const preview = window.dialog('checked again');
    await preview.waitFor();
    await savePicture(window, 'goal-redirect');
    await preview.getByRole('button', { name: 'Redirect' }).click();
    await preview.waitFor({ state: 'hidden' });
    const plan = join(folder(), 'thought-trees/a-greeting-in-two-languages/plan.yaml');
    await until(async () => assert.match(readFileSync(plan, 'utf8'), /For whoever says hello/), 60_000);
    assert.match(readFileSync(plan, 'utf8'), /corrections:[\s\S]*type: objective/);
  });

  it('lets a person do an atom by hand, in a checkout of its own', async () => {
    const { window } = opened;
    const frame = await window.webview('canvas');
    await frame.locator('canvas').focus();
    // Letters that come slowly are words of their own: then all of them are typed again.
    await until(async (patience) => {
      await window.page.keyboard.type('say it in g');
      await frame.locator('h2', { hasText: 'Say it in German' }).waitFor({ timeout: patience });
    }, 60_000);
    await frame.getByRole('button', { name: 'Do it myself' }).click();
    const yours = window.notification('is yours');
    await yours.waitFor();
    const checkout = /files: (\S+)/.exec((await yours.textContent()) ?? '')?.[1] ?? '';
    assert.ok(checkout.startsWith(state), checkout);
    await savePicture(window, 'goal-by-hand');
    writeFileSync(join(checkout, 'german.txt'), 'hallo\n');
    await frame.getByRole('button', { name: 'Done…' }).click();
    await window.answer('What did you do', 'Wrote it by hand.');
    await window.treeItem(/^Say it in German, A2, .*verified/).waitFor();
    assert.ok(!existsSync(join(folder(), 'german.txt')), 'nothing comes into the workspace unasked');
  });

  it('reaches the goal, and is accepted after a look at every file, without touching index or branch', async () => {
    const { window } = opened;
    await window.treeItem(/^Put both into one file, A5, verified/).waitFor();
    await window.treeItem(new RegExp(`^${GOAL}, reached`)).waitFor();
    await window.contextMenu(window.treeItem(new RegExp(`^${GOAL}`)), 'Accept Changes…');
    await window.tab(/^Changes: A greeting/).waitFor();
    const question = window.dialog('Accepting brings that into your files');
    await question.waitFor();
    for (const name of ['english.txt', 'german.txt', 'greeting.txt', 'note.txt'])
      await window.page.locator('.multiDiffEntry, .multi-diff-editor, .part.editor').getByText(name).first().waitFor();
    await savePicture(window, 'goal-accept');
    // Once the question is closed, the differences have a button of their own.
    await question.getByRole('button', { name: 'Cancel' }).click();
    await window.page.locator('.part.editor').getByRole('button', { name: 'Accept Changes' }).click();
    await window.notification('Accepted').waitFor();
    assert.equal(readFileSync(join(folder(), 'greeting.txt'), 'utf8'), 'hello\nhallo\n');
    assert.equal(git('rev-parse', 'HEAD'), BEFORE);
    assert.equal(git('diff', '--cached', '--name-only'), '');
  });

  it('begins by a plan in the Explorer, with the question about its commands and no size', async () => {
    const { window } = opened;
    const plan = [
      'goal: A farewell in English',
      'base_case: [{ item: It is said, check: { command: grep -q bye farewell.txt } }]',
      'atoms: [{ id: A1, title: Say it, run: echo bye > farewell.txt, touches: [farewell.txt] }]',
    ];
    writeFileSync(join(folder(), 'farewell.plan.yaml'), `${plan.join('\n')}\n`);
    await window.openContainer('Explorer');
    await window.contextMenu(window.treeItem(/farewell\.plan\.yaml/), 'Start from This Plan…');
    const consent = window.dialog(/to run 2 commands/).filter({ hasText: 'openai-compatible/m: about' });
    await consent.getByRole('button', { name: 'Run Them' }).click();
    await window.openContainer('Thought Tree');
    await window.treeItem(/^A farewell in English/).waitFor();
    const kept = join(folder(), 'thought-trees/a-farewell-in-english/plan.yaml');
    await until(async () => assert.equal(readFileSync(kept, 'utf8'), `${plan.join('\n')}\n`), 60_000);
  });
});
