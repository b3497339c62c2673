import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { MAX_TOOL_RESULT, type Toolbox, type ToolUse } from '../../../src/core/ports/tool.ts';
import { openToolbox } from '../../../src/searches/tools/tools.ts';
import { effort } from '../../support/effort.ts';

const SECRET = 'oleander';
const PASSWORD = 'xT7!mQ2#vLp9';

describe('tools of a workspace', () => {
  let folder: string;
  let workspace: string;
  let toolbox: Toolbox;

  const use = (name: string, input: unknown): Promise<ToolUse> =>
    toolbox.use({ id: '1', name, input }, new AbortController().signal);

  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'thought-tree-tools-')));
    workspace = join(folder, 'workspace');
    const files: Record<string, string | Uint8Array> = {
      '../outside.txt': SECRET,
      '../workspace-of-another/notes.txt': SECRET,
      'README.md': '# Sample\n\nThe nectarine is here.\n',
      'src/main.ts': Array.from({ length: 1000 }, (_, i) => `line ${i + 1}`).join('\r\n'),
      'src/deep/er/a.ts': 'export const nectarine = 1;\n',
      'src/long.ts': `${'x'.repeat(5000)}nectarine${'y'.repeat(5000)}\n`,
      'src/wide.ts': Array.from({ length: 400 }, () => 'z'.repeat(900)).join('\n'),
      'other/faces.ts': `${'x'.repeat(999)}😉 wink ${'y'.repeat(114)}😉${'z'.repeat(900)}\n`,
      'big.txt': 'x'.repeat(2_200_000),
      'data.txt': new Uint8Array([1, 0, 2, 0]),
      '.gitignore': 'ignored/\n',
      'ignored/a.txt': SECRET,
      '.env': SECRET,
      'deploy.py': `user = "shop"\npassword = "${PASSWORD}"  # damson\n`,
      '.config/workflows/ci.yml': 'on: push # damson\n',
      'thought-trees/why/search.json': JSON.stringify({ version: 1, kind: 'research', title: 'a', prompt: SECRET }),
      'thought-trees/why/children.json': '[]',
      'thought-trees/why/a/document.md': SECRET,
      'mine/search.json': JSON.stringify({ version: 1, kind: 'research', title: 'a', prompt: SECRET }),
      'mine/children.json': '[]',
      'mine/b/document.md': SECRET,
    };
    for (let i = 0; i < 300; i++) files[`many/part-${i % 3}/file-${i}.txt`] = `many ${i}\n`;
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(workspace, name)), { recursive: true });
      await writeFile(join(workspace, name), content);
    }
    await symlink('../outside.txt', join(workspace, 'link.txt'));
    await symlink('..', join(workspace, 'up'));
    await symlink('loop', join(workspace, 'loop'));
    execFileSync('git', ['init', '-q'], { cwd: workspace });
    await writeFile(join(workspace, '.git', 'secret'), SECRET);
    toolbox = openToolbox(workspace);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('lists files with their sizes, and a large folder as its folders', async () => {
    assert.deepEqual((await use('list', { folder: './src/' })).text.split('\n'), [
      'src/deep/er/a.ts (1 line, 28 bytes)',
      'src/long.ts (1 line, 10.0 KB, built or generated)',
      'src/main.ts (1000 lines, 9.9 KB)',
      'src/wide.ts (400 lines, 360 KB, built or generated)',
    ]);
    const all = (await use('list', {})).text;
    assert.match(all, /^many\/part-1\/ \(100 files, 864 bytes\)$/m);
    assert.match(all, /^README\.md \(3 lines, 33 bytes\)$/m);
    assert.match(all, /Not listed: .*\.env \(may hold secrets\).*what git ignores\.$/);
    const listed = all.slice(0, all.indexOf('Not listed'));
    assert.doesNotMatch(listed, /ignored|\.env|thought-trees|mine|\.git\/|up\//);
    const flat = (await use('list', { depth: 1 })).text;
    assert.match(flat, /^many\/ \(300 files, 2.6 KB\)$/m);
    const some = (await use('list', { glob: '{main,a}.ts' })).text.split('\n').map((row) => row.split(' ')[0]);
    assert.deepEqual(some, ['src/deep/er/a.ts', 'src/main.ts']);
    assert.match((await use('list', { folder: 'README.md' })).text, /^README\.md \(3 lines/);
  });

  it('leaves secrets out of what it reads and finds, says how many, and keeps the lines', async () => {
    const read = await use('read', { path: 'deploy.py' });
    assert.match(read.text, /^deploy\.py, lines 1 to 2 of 2 \(1 secret left out of deploy\.py\):/);
    assert.match(read.text, /^2\tpassword = "\[secret left out\]" {2}# damson$/m);
    const found = await use('search', { pattern: 'damson' });
    assert.equal(found.text, 'deploy.py\n2\tpassword = "[secret left out]"  # damson');
    for (const pattern of [PASSWORD.replace(/[!#]/g, '.'), 'xT7.{9}'])
      assert.match((await use('search', { pattern })).text, /^No line matches\./);
    assert.ok(!(await use('outline', { path: 'deploy.py' })).text.includes(PASSWORD));
    assert.ok(!(await use('find_references', { symbol: 'password' })).text.includes(PASSWORD));
  });

  it('shows what this person allows as it is, and nothing more', async () => {
    const allowing = openToolbox(workspace, ['deploy.py', '.config']);
    const allowed = (name: string, input: unknown): Promise<ToolUse> =>
      allowing.use({ id: '1', name, input }, new AbortController().signal);
    assert.ok((await allowed('read', { path: 'deploy.py' })).text.includes(PASSWORD));
    assert.match((await allowed('search', { pattern: 'damson' })).text, /^\.config\/workflows\/ci\.yml\n1\ton: push/m);
    assert.equal((await allowed('read', { path: '.env' })).isRefused, true);
  });

  it('finds lines as they are, with their places', async () => {
    const { text, what } = await use('search', { pattern: 'nectarine' });
    assert.match(text, /^README\.md\n3\tThe nectarine is here\.$/m);
    assert.match(text, /^src\/deep\/er\/a\.ts\n1\texport const nectarine = 1;$/m);
    assert.match(text, /Left out: src\/long\.ts \(built or generated; 1 lines\)\.$/);
    assert.equal(what, '"nectarine"');
    const long = (await use('search', { pattern: 'nectarine', path: 'src/long.ts' })).text;
    assert.ok(/^1\t…x+nectarine/m.test(long) && long.length < 500, 'long lines are cut around it');
    assert.equal((await use('search', { pattern: 'nectarine', path: 'src/deep' })).text.split('\n').length, 2);
    assert.match((await use('search', { pattern: 'many ' })).text, /^Lines 1 to 30 of 300 lines in 300 files\./m);
    assert.match((await use('search', { pattern: SECRET })).text, /^No line matches\. Not searched: /);
  });

  it('reads lines with their numbers, and never too many', async () => {
    const two = await use('read', { path: 'src/main.ts', from: 2, to: 3 });
    assert.equal(two.text, 'src/main.ts, lines 2 to 3 of 1000:\n2\tline 2\n3\tline 3');
    assert.equal(two.what, 'src/main.ts:2-3');
    assert.equal((await use('read', { path: 'src/main.ts' })).what, 'src/main.ts:1-1000');
    assert.equal((await use('read', { path: 'src/main.ts', from: '990' })).what, 'src/main.ts:990-1000');
    assert.match((await use('read', { path: 'README.md' })).text, /^README\.md, lines 1 to 3 of 3:/);
    const wide = await use('read', { path: 'src/wide.ts' });
    assert.ok(wide.text.length <= MAX_TOOL_RESULT);
    assert.match(wide.text, /^src\/wide\.ts, lines 1 to 16 of 400:/);
    assert.match(wide.text, /\nThere is no room for more\. Go on with "from": 17\.$/);
    assert.match((await use('read', { path: 'src/long.ts' })).text, /\(cut; 10009 characters\)/);
    for (const input of [
      { path: 'src/main.ts', from: 2000 },
      { path: 'src/main.ts', from: 5, to: 4 },
    ])
      assert.equal((await use('read', input)).isRefused, true);
  });

  it('refuses what is outside, ignored, secret, huge, binary, or a search', async () => {
    const refused = {
      '../outside.txt': /leads out of the workspace/,
      'src/../../outside.txt': /leads out of the workspace/,
      [join(folder, 'outside.txt')]: /leads out of the workspace/,
      'C:\\Windows\\win.ini': /leads out of the workspace/,
      '..\\outside.txt': /leads out of the workspace/,
      '~/.ssh/id_rsa': /leads out of the workspace/,
      'file:///etc/passwd': /leads out of the workspace/,
      'a\u0000b': /leads out of the workspace/,
      'link.txt': /leads out of the workspace/,
      'up/outside.txt': /leads out of the workspace/,
      'up/workspace-of-another/notes.txt': /leads out of the workspace/,
      loop: /no such file/,
      'nothing.txt': /no such file/,
      'ignored/a.txt': /not for reading/,
      '.env': /not for reading/,
      '.git/secret': /not for reading/,
      'thought-trees/why/a/document.md': /not for reading/,
      'mine/b/document.md': /not for reading/,
      'big.txt': /larger than 2 MB/,
      'data.txt': /not a text file/,
    };
    for (const [path, why] of Object.entries(refused)) {
      const { text, isRefused } = await use('read', { path });
      assert.deepEqual([path, isRefused], [path, true]);
      assert.match(text, why, path);
      assert.ok(!text.includes(folder) && !text.includes(SECRET), path);
    }
    for (const path of ['..', '../workspace-of-another', '/', '/etc', 'up', '.git', 'ignored', 'thought-trees'])
      for (const [name, input] of [
        ['list', { folder: path }],
        ['search', { pattern: SECRET, path }],
        ['find_references', { symbol: SECRET, path }],
        ['outline', { path }],
      ] as const)
        assert.equal((await use(name, input)).isRefused, true, `${name} ${path}`);
  });

  it('finds the same lines, in order, however many more there are', async () => {
    const { text } = await use('search', { pattern: 'line ', path: 'src', limit: 20 });
    const lines = Array.from({ length: 20 }, (_, i) => `${i + 1}\tline ${i + 1}`);
    const notes = 'Lines 1 to 20 of 1000 lines in 1 file. Go on with "offset": 20.';
    assert.equal(text, ['src/main.ts (20 of 1000 lines)', ...lines, notes].join('\n'));
    const many = (await use('search', { pattern: 'many ' })).text.split('\n').filter((row) => row.startsWith('many/'));
    assert.equal(many.length, 30);
    assert.deepEqual(many, [...many].sort());
    assert.equal(many[0], 'many/part-0/file-0.txt');
    const whole = (await use('search', { pattern: 'line ', path: 'src/main.ts', offset: 40 })).text.split('\n');
    assert.deepEqual(
      [whole[0], whole[1], whole[30], whole[31]],
      [
        'src/main.ts (30 of 1000 lines)',
        '41\tline 41',
        '70\tline 70',
        'Lines 41 to 70 of 1000 lines in 1 file. Go on with "offset": 70.',
      ],
    );
  });

  it('finds code before what tests and tells of it, and definitions before uses', async () => {
    const ordered = join(folder, 'ordered');
    await mkdir(join(ordered, 'test'), { recursive: true });
    await writeFile(join(ordered, 'README.md'), 'quince\n');
    await writeFile(join(ordered, 'test', 'a.ts'), 'quince();\n');
    await writeFile(join(ordered, 'z.ts'), `${'  quince();\n'.repeat(9)}function quince() {}\n`);
    const call = { id: '1', name: 'search', input: { pattern: 'quince', limit: 9 } };
    const { text } = await openToolbox(ordered).use(call, new AbortController().signal);
    assert.deepEqual(text.split('\n').slice(0, -1), [
      'z.ts (7 of 10 lines)',
      ...[1, 2, 3, 4, 5, 6].map((line) => `${line}\t  quince();`),
      '10\tfunction quince() {}',
      'README.md',
      '1\tquince',
      'test/a.ts',
      '1\tquince();',
    ]);
  });

  it('needs little memory, however many lines hold the text', async () => {
    const full = join(folder, 'full');
    await mkdir(full);
    for (let i = 0; i < 12; i++) await writeFile(join(full, `${i}.txt`), 'ab\n'.repeat(340_000));
    const module = join(import.meta.dirname, '../../../src/searches/tools/tools.ts');
    const program = `import { openToolbox } from ${JSON.stringify(module)};
      const call = { id: '1', name: 'search', input: { pattern: 'ab' } };
      console.log((await openToolbox(${JSON.stringify(full)}).use(call, new AbortController().signal)).text);`;
    const words = ['--max-old-space-size=120', '--input-type=module', '-e', program];
    const { stdout } = await promisify(execFile)(process.execPath, words);
    assert.match(stdout, /^Lines 1 to 30 of 4080000 lines in 12 files\./m);
  });

  it('returns no partial result when it is stopped', async () => {
    for (const [name, input] of [
      ['search', { pattern: 'nectarine' }],
      ['search', { pattern: 'found nowhere' }],
      ['find_references', { symbol: 'nectarine' }],
    ] as const) {
      const stop = new AbortController();
      const used = toolbox.use({ id: '1', name, input }, stop.signal);
      stop.abort();
      await assert.rejects(used, { reason: 'aborted' });
    }
  });

  it('cuts no character in two', async () => {
    const cut = [await use('read', { path: 'other/faces.ts' }), await use('search', { pattern: 'wink' })];
    for (const { text } of cut) assert.ok(text.includes('…') && text.isWellFormed());
  });

  it('refuses an input that is nested too deeply or too long', async () => {
    let deep: unknown = 'a';
    for (let i = 0; i < 20_000; i++) deep = [deep];
    for (const name of ['list', 'search', 'read', 'outline', 'find_references'])
      for (const value of [deep, 'a'.repeat(20_000)])
        for (const input of [value, { path: 'README.md', text: 'nectarine', other: value }]) {
          const { text, isRefused, what } = await use(name, input);
          assert.deepEqual([isRefused, text.startsWith('That input is too large.')], [true, true]);
          assert.ok(what.length <= 300);
        }
  });

  it('returns nothing from outside for any path, and always a text of limited length', async () => {
    const step = fc.oneof(
      fc.constantFrom(
        '..',
        '.',
        '',
        'src',
        'up',
        'link.txt',
        '.git',
        'ignored',
        'loop',
        'outside.txt',
        '~',
        'C:',
        'mine',
      ),
      fc.constantFrom('%2e%2e', '..\u0000', '．．', '‥', '...', ' ..', '.. ', 'workspace', 'workspace-of-another'),
      fc.string({ maxLength: 8 }),
    );
    const path = fc
      .tuple(
        fc.constantFrom('', '/', '\\', './', '//', `${folder}/`),
        fc.array(step, { maxLength: 6 }),
        fc.constantFrom('/', '\\'),
      )
      .map(([start, steps, separator]) => start + steps.join(separator));
    const input = fc.oneof(
      fc.oneof(fc.record({ path }), fc.record({ folder: path }), fc.record({ path, pattern: fc.constant(SECRET) })),
      fc.jsonValue(),
    );
    const name = fc.constantFrom('list', 'search', 'read', 'outline', 'find_references', 'x');
    await fc.assert(
      fc.asyncProperty(name, input, async (tool, value) => {
        const { text } = await use(tool, value);
        assert.ok(!text.includes(SECRET) && !text.includes(folder));
        assert.ok(text.length > 0 && text.length <= MAX_TOOL_RESULT);
      }),
      { numRuns: effort(300) },
    );
  });
});
