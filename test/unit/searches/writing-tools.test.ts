import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import type { Toolbox, ToolUse } from '../../../src/core/ports/tool.ts';
import type { WorkOutcome } from '../../../src/core/ports/workshop.ts';
import { toolsIn } from '../../../src/searches/tools/tools.ts';
import { effort } from '../../support/effort.ts';

const OUTSIDE = 'nobody touched this\n';
const KEY = 'sk-ant-api03-Zq7xT9vLmWc3RkPd8aB2nM5vX1cL6kJ4hG7fD9sA3pO8iU2yT5rE1wQ6zXcVbN';
const OUTCOME: WorkOutcome = { exitCode: 0, output: 'fine\n', outputHash: 'x', ms: 1, strayed: [] };

describe('tools that work in a checkout', () => {
  let root: string;
  let folder: string;
  let toolbox: Toolbox;
  let ran: string[];
  let outcome: WorkOutcome;

  const use = (name: string, input: unknown, box = toolbox): Promise<ToolUse> =>
    box.use({ id: '1', name, input }, new AbortController().signal);
  const textOf = (path: string): Promise<string> => readFile(join(folder, path), 'utf8');
  const boxFor = (rights: 'read' | 'write', parts: object = {}): Toolbox =>
    toolsIn()({
      folder,
      rights,
      commands: ['npm test'],
      run: async (line) => {
        ran.push(line);
        return outcome;
      },
      ...parts,
    });

  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'thought-tree-writing-')));
    folder = join(root, 'checkout');
    const files = {
      '../outside.txt': OUTSIDE,
      '../other/a.txt': OUTSIDE,
      'README.md': 'One.\nTwo.\nTwo.\n',
      'run.sh': '#!/bin/sh\n',
      'windows.txt': 'a\r\nb\r\n',
      'keys.ts': `// the first line\nexport const key = '${KEY}';\n`,
      '.env': OUTSIDE,
      'dir/a.txt': 'a\n',
    };
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), content);
    }
    await writeFile(join(folder, 'data.bin'), new Uint8Array([1, 0, 2]));
    await writeFile(join(folder, 'latin.txt'), new Uint8Array([0x61, 0xe9, 0x62]));
    await writeFile(join(folder, 'huge.txt'), 'x'.repeat(1_100_000));
    await chmod(join(folder, 'run.sh'), 0o755);
    await symlink('../outside.txt', join(folder, 'link.txt'));
    await symlink('../new.txt', join(folder, 'dangling.txt'));
    await symlink('..', join(folder, 'up'));
    await symlink('loop', join(folder, 'loop'));
    await symlink('dir', join(folder, 'within'));
    await symlink('.git', join(folder, 'metadata'));
    execFileSync('git', ['init', '-q'], { cwd: folder });
    ran = [];
    outcome = OUTCOME;
    toolbox = boxFor('write');
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it('read, write, edit, delete and run, by the rights of the place', () => {
    const names = (box: Toolbox): string[] => box.tools.map(({ name }) => name);
    const reading = ['search', 'read', 'list', 'outline', 'find_references'];
    assert.deepEqual(names(toolbox), [...reading, 'write_file', 'edit_file', 'delete_file', 'run_command']);
    assert.deepEqual(names(boxFor('read')), [...reading, 'run_command']);
    assert.deepEqual(names(boxFor('read', { commands: [] })), reading);
    assert.deepEqual(names(boxFor('write', { isForCommandsOnly: true })), ['run_command']);
  });

  it('write new files and whole ones, which are seen at once', async () => {
    assert.match((await use('write_file', { path: 'src/new/a.ts', text: 'export {};\n' })).text, /new file/);
    assert.equal(await textOf('src/new/a.ts'), 'export {};\n');
    assert.match((await use('list', {})).text, /src\/new\/a\.ts/);
    const again = await use('write_file', { path: './run.sh', text: '#!/bin/sh\ntrue\n' });
    assert.deepEqual([again.isRefused, again.what], [false, 'write ./run.sh']);
    assert.equal((await lstat(join(folder, 'run.sh'))).mode & 0o777, 0o755);
    await use('write_file', { path: 'within/b.txt', text: 'b' });
    assert.equal(await textOf('dir/b.txt'), 'b');
  });

  it('put nothing in the place of a notebook that is none', async () => {
    const notebook = JSON.stringify({ cells: [{ cell_type: 'code', source: ['a = 1'] }], nbformat: 4 });
    assert.equal((await use('write_file', { path: 'a.ipynb', text: notebook })).isRefused, false);
    const { text } = await use('write_file', { path: 'a.ipynb', text: '```\na = 2\n```\n' });
    assert.match(text, /no notebook/);
    assert.equal(await textOf('a.ipynb'), notebook);
  });

  it('edit a passage that occurs once, and keep every other byte', async () => {
    const done = await use('edit_file', { path: 'windows.txt', old: 'b', new: '$&$1' });
    assert.deepEqual([done.isRefused, done.text], [false, 'It is changed, at line 2.']);
    assert.equal(await textOf('windows.txt'), 'a\r\n$&$1\r\n');
    for (const [path, old, why] of [
      ['README.md', 'Two.', /more than once/],
      ['README.md', 'Three.', /does not hold/],
      ['missing.md', 'a', /no such file/],
      ['dir', 'a', /a folder/],
    ] as const) {
      const refused = await use('edit_file', { path, old, new: 'x' });
      assert.equal(refused.isRefused, true);
      assert.match(refused.text, why);
    }
    assert.equal(await textOf('README.md'), 'One.\nTwo.\nTwo.\n');
  });

  it('change nothing outside, however it is written, and nothing of git', async () => {
    for (const path of [
      '../outside.txt',
      join(root, 'outside.txt'),
      'link.txt',
      'dangling.txt',
      'up/outside.txt',
      'up/new/deep.txt',
      'dir/../../outside.txt',
      'within/../../outside.txt',
      'loop',
      'loop/a.txt',
      '~/a.txt',
      '.git/hooks/pre-commit',
      '.GIT/hooks/pre-commit',
      'metadata/hooks/pre-commit',
      '.git',
      'sub/.git',
      '',
      '.',
      'a\0b',
      'a\\..\\b',
    ])
      for (const [name, input] of [
        ['write_file', { path, text: 'mine' }],
        ['edit_file', { path, old: 'nobody', new: 'I' }],
      ] as const)
        assert.equal((await use(name, input)).isRefused, true, `${name} ${path}`);
    for (const path of ['../outside.txt', 'up/outside.txt', '.git/config', '.git', 'metadata/config', 'dir', '.env'])
      assert.equal((await use('delete_file', { path })).isRefused, true, path);
    assert.equal(await readFile(join(root, 'outside.txt'), 'utf8'), OUTSIDE);
    assert.deepEqual((await readdir(root)).sort(), ['checkout', 'other', 'outside.txt']);
    assert.ok(!(await readdir(join(folder, '.git', 'hooks'))).includes('pre-commit'));
  });

  it('delete a link rather than what it leads to', async () => {
    assert.equal(await readlink(join(folder, 'link.txt')), '../outside.txt');
    assert.equal((await use('delete_file', { path: 'link.txt' })).isRefused, false);
    assert.equal(await readFile(join(root, 'outside.txt'), 'utf8'), OUTSIDE);
    assert.equal((await use('delete_file', { path: 'dir/a.txt' })).isRefused, false);
    assert.deepEqual(await readdir(join(folder, 'dir')), []);
  });

  it('lose no secret that the model does not see', async () => {
    assert.doesNotMatch((await use('read', { path: 'keys.ts' })).text, /sk-ant/);
    for (const [name, input, why] of [
      ['write_file', { path: 'keys.ts', text: 'export const key = 1;' }, /do not see all/],
      ['edit_file', { path: 'keys.ts', old: 'first', new: '[secret left out]' }, /do not see/],
      ['write_file', { path: 'b.ts', text: 'a [secret left out]' }, /do not see/],
      ['write_file', { path: '.env', text: 'A=1' }, /secret/],
      ['write_file', { path: '.vscode/tasks.json', text: '{}' }, /dot folder/],
    ] as const) {
      const refused = await use(name, input);
      assert.equal(refused.isRefused, true);
      assert.match(refused.text, why);
    }
    assert.equal((await use('edit_file', { path: 'keys.ts', old: 'first', new: 'only' })).isRefused, false);
    assert.equal(await textOf('keys.ts'), `// the only line\nexport const key = '${KEY}';\n`);
  });

  it('take nothing too large, and change no file that is no text', async () => {
    for (const [name, input] of [
      ['write_file', { path: 'a.txt', text: 'x'.repeat(1_048_577) }],
      ['write_file', { path: 'a.txt', text: 'é'.repeat(600_000) }],
      ['write_file', { path: 'data.bin', text: 'a' }],
      ['write_file', { path: 'huge.txt', text: 'a' }],
      ['edit_file', { path: 'data.bin', old: 'a', new: 'b' }],
      ['edit_file', { path: 'latin.txt', old: 'a', new: 'b' }],
      ['edit_file', { path: 'huge.txt', old: 'x', new: 'b' }],
      ['edit_file', { path: 'README.md', old: 'One.', new: 'y'.repeat(1_048_570) }],
      ['edit_file', { path: 'README.md', old: '', new: 'a' }],
      ['delete_file', { path: 'a'.repeat(2000) }],
      ['read', { path: 'x'.repeat(20_000) }],
    ] as const)
      assert.equal((await use(name, input)).isRefused, true, `${name} ${JSON.stringify(input).slice(0, 80)}`);
    assert.deepEqual(await readFile(join(folder, 'latin.txt')), Buffer.from([0x61, 0xe9, 0x62]));
  });

  it('run the lines that a person consented to, and no others', async () => {
    const done = await use('run_command', { command: ' npm test\n' });
    assert.deepEqual([done.text, done.what], ['Exit code 0.\nfine\n', 'run npm test']);
    for (const command of ['npm test; rm -r .', 'npm  test', 'npm', ''])
      assert.equal((await use('run_command', { command })).isRefused, true);
    assert.deepEqual(ran, ['npm test']);
    outcome = { ...OUTCOME, exitCode: undefined, stopped: 'time', strayed: ['a'], output: `token ${KEY}\n` };
    const { text } = await use('run_command', { command: 'npm test' });
    assert.match(text, /not end in time.*outside of the folder/s);
    assert.doesNotMatch(text, /sk-ant/);
    outcome = { ...OUTCOME, output: 'x'.repeat(50_000) };
    assert.ok((await use('run_command', { command: 'npm test' })).text.length <= 16_000);
  });

  it('are harmless whatever a model writes', async () => {
    const anything = fc.anything({ maxDepth: 2 });
    const step = fc.constantFrom(
      '..',
      '.',
      'up',
      'link.txt',
      'within',
      'loop',
      '.git',
      'hooks',
      'dir',
      'a.txt',
      '~',
      '',
    );
    const path = fc.oneof(
      fc.array(step, { maxLength: 5 }).map((steps) => steps.join('/')),
      fc.string(),
    );
    const input = fc.oneof(anything, fc.record({ path, text: fc.string(), old: fc.string(), new: fc.string() }));
    const name = fc.constantFrom('write_file', 'edit_file', 'delete_file', 'run_command', 'nothing');
    await fc.assert(
      fc.asyncProperty(name, input, async (tool, given) => {
        const { text, what } = await use(tool, given);
        assert.ok(text.length <= 16_000 && what.length <= 300);
        assert.equal(await readFile(join(root, 'outside.txt'), 'utf8'), OUTSIDE);
        assert.deepEqual((await readdir(root)).sort(), ['checkout', 'other', 'outside.txt']);
      }),
      { numRuns: effort(300) },
    );
    assert.deepEqual(ran, []);
    assert.ok(!(await readdir(join(folder, '.git', 'hooks'))).some((file) => !file.endsWith('.sample')));
  });
});
