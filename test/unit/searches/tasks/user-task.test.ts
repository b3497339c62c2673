import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isThoughtTreeError } from '../../../../src/core/search/errors.ts';
import { findTask, findTaskWith, readUserTask } from '../../../../src/kinds/thoughts/tasks/find-task.ts';
import type { Task } from '../../../../src/kinds/thoughts/tasks/task.ts';
import { loadUserTask } from '../../../../src/searches/own-tasks.ts';

describe("a person's own hooks", () => {
  let folder: string;
  let workspace: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'thought-tree-task-'));
    workspace = join(folder, 'workspace');
    await mkdir(workspace);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const written = async (name: string, text: string): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, text);
    return path;
  };
  const refused = (why: RegExp) => (error: unknown) =>
    isThoughtTreeError(error, 'bad-input') && why.test(error.message);

  it('are those that their file exports', async () => {
    const file = await written(
      'words.mjs',
      `export const task = { name: 'words', defaults: { strategy: 'best-first', beam: 2 },
        solved: ({ thoughts }) => thoughts.length > 1 };`,
    );
    const task = await loadUserTask(file, workspace, readUserTask);
    assert.equal(task.name, 'words');
    const path = { problem: '', thoughts: [{ content: 'a' }] };
    assert.equal(await task.solved?.(path, new AbortController().signal), false);
    assert.equal(findTaskWith({ tasks: [task] })('words'), task);
  });

  it('throw if their results are unusable', async () => {
    const odd = `{ name: 'odd', start: () => 7, verify: () => ({ ok: false }), state: () => 7, solved: () => 'yes',
      compose: () => ({}), decomposition: () => 7 }`;
    const task = await loadUserTask(await written('odd.mjs', `export const task = ${odd};`), workspace, readUserTask);
    const path = { problem: '', thoughts: [{ content: 'a' }] };
    const { signal } = new AbortController();
    await assert.rejects(async () => task.verify?.(path, signal));
    await assert.rejects(async () => task.solved?.(path, signal));
    assert.throws(() => task.state?.(path));
    assert.throws(() => task.compose?.(path));
    assert.throws(() => task.decomposition?.(''));
    assert.throws(() => task.start?.(''), refused(/does not accept this problem/));
  });

  it('never come from the workspace', async () => {
    const inside = join(workspace, 'task.mjs');
    await writeFile(inside, `export const task = { name: 'inside' };`);
    await assert.rejects(loadUserTask(inside, workspace, readUserTask), refused(/clone/));
    const link = join(folder, 'link.mjs');
    await symlink(inside, link);
    await assert.rejects(loadUserTask(link, workspace, readUserTask), refused(/clone/));
    await assert.rejects(loadUserTask('task.mjs', workspace, readUserTask), refused(/absolute/));
  });

  for (const [what, text, why] of [
    ['has no task', 'export const other = 1;', /expected object/],
    ['names itself badly', `export const task = { name: '../x' };`, /name/],
    ['has a hook that is no function', `export const task = { name: 'x', verify: 'yes' };`, /function/],
    ['has a hook that we do not know', `export const task = { name: 'x', solve() {} };`, /solve/],
    ['asks for what cannot be', `export const task = { name: 'x', defaults: { beam: 1e9 } };`, /beam/],
    ['breaks', `throw new Error('no luck');`, /no luck/],
    ['is no module', 'this is not code', /not used/],
  ] as const)
    it(`are not used if the file ${what}`, async () => {
      await assert.rejects(loadUserTask(await written('bad.mjs', text), workspace, readUserTask), refused(why));
    });

  it('are not used if there is no file', async () => {
    await assert.rejects(loadUserTask(join(folder, 'nothing.mjs'), workspace, readUserTask), refused(/nothing\.mjs/));
  });
});

describe('the tasks', () => {
  it('are found by name', () => {
    assert.equal(findTask('game24')?.name, 'game24');
    assert.equal(findTask('none')?.solved, undefined);
    assert.equal(findTask('no-such'), undefined);
    assert.equal(findTask('constructor'), undefined);
  });

  it('have a command only if a person gave one, and nobody can take the name of a built-in one', () => {
    assert.equal(findTask('command'), undefined);
    assert.equal(findTaskWith({ runCheck: async () => ({ exitCode: 0, output: '' }) })('command')?.name, 'command');
    const other: Task = { name: 'game24', defaults: {} };
    assert.notEqual(findTaskWith({ tasks: [other] })('game24'), other);
  });
});
