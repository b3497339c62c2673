import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { unpackMarks } from '../../../src/text/chunk/marks.ts';
import { Parser, parser } from '../../../src/text/chunk/parser.ts';
import { CacheFolder } from '../../../src/text/index/cache-folder.ts';
import { chunkSource, KeptFindings } from '../../../src/text/index/findings.ts';
import { SecretFilter } from '../../../src/text/secrets/secret-filter.ts';
import { someOf } from '../../support/effort.ts';
import { makeWorkspace, removeWorkspaces } from '../../support/quotes/quotes-workspace.ts';

const HONEST: Record<string, string> = {
  'a.c': 'int one() {\n  return 1;\n}\n',
  'a.cpp': 'class One {\n  int two() {\n    return 2;\n  }\n};\n',
  'a.cs': 'class One {\n  int Two() {\n    return 2;\n  }\n}\n',
  'a.go': 'package a\n\nfunc one() int {\n  return 1;\n}\n',
  'a.ts': 'export function one(): number {\n  return 1;\n}\n',
  'a.kt': 'fun one(): Int {\n  return 1\n}\n',
};

/** Behind each of these, a parser looks for the end of a comment up to the end of the text. */
const COMMENTS = Array<string>(960).fill('/* widget limit /* '.repeat(10)).join('\n');
/** With so much of these, tree-sitter would take from minutes to days, without being at a step where it could be stopped. */
const SLOW: readonly (readonly [path: string, text: string])[] = [
  ...['a.c', 'a.cpp', 'a.cs', 'a.go', 'a.ts'].map((path) => [path, COMMENTS] as const),
  ['a.js', '"'.repeat(1_000_000)],
  ['a.js', '`'.repeat(1_000_000)],
  ['a.js', '('.repeat(1_000_000)],
  ['a.py', '('.repeat(1_000_000)],
];
/** With these it used up its stack, which is not guarded, and damaged what it works with; or all memory that it may have. */
const DEEP: readonly (readonly [path: string, text: string])[] = [
  ['a.cpp', '%w('.repeat(3500)],
  ['a.cpp', '%w('.repeat(15_000)],
];
/** What is repeated to see what a parser makes of it. */
const PARTS = [
  '(',
  '[',
  '{',
  '<',
  '"',
  "'",
  '`',
  '#',
  '/*',
  '%w(',
  '${',
  '<<A\n',
  '=> ',
  ': ',
  'a.',
  'if ',
  '\\',
  '\n\t',
];
const PATHS = [
  'c',
  'cpp',
  'cs',
  'css',
  'go',
  'java',
  'js',
  'php',
  'ps1',
  'py',
  'rb',
  'rs',
  'sh',
  'ts',
  'tsx',
  'kt',
  'pm',
];

async function countIn(own: Parser, path: string, text: string): Promise<number> {
  return unpackMarks(await own.findMarks(path, text), text.length).length;
}

describe('parsing in a process of its own', () => {
  // Far more than what is honest here takes on a machine that is a hundred times slower, and far less than what is not takes.
  const hasty = new Parser(() => 300);
  after(async () => {
    await hasty.close();
    removeWorkspaces();
  });

  async function countsOfHonest(own: Parser, paths = Object.keys(HONEST)): Promise<number[]> {
    return Promise.all(paths.map((path) => countIn(own, path, HONEST[path] ?? '')));
  }

  it('ends a text that takes too long, which has no marks then, and no other', async () => {
    const expected = await countsOfHonest(parser);
    assert.ok(expected.every((count) => count > 0));
    for (const [path, text] of someOf(SLOW)) {
      assert.equal(await countIn(hasty, path, text), 0, `${path} ${text.slice(0, 20)}`);
      assert.deepEqual(await countsOfHonest(hasty, ['a.kt', 'a.ts']), [1, 1], `after ${path} ${text.slice(0, 20)}`);
    }
    assert.deepEqual(await countsOfHonest(hasty), expected);
  });

  it('costs a text its grammar if it uses up stack or memory, and no other text', async () => {
    const expected = await countsOfHonest(parser);
    const patient = new Parser(() => 1_000_000);
    for (const [path, text] of DEEP) {
      assert.equal(await countIn(patient, path, text), 0);
      assert.deepEqual(await countsOfHonest(patient), expected, `after ${text.length} of ${path}`);
    }
    await patient.close();
  });

  it('answers whatever is repeated in whatever language, and is as it was afterwards', async () => {
    const shapes = PATHS.flatMap((end) => PARTS.map((part) => [`a.${end}`, part] as const));
    for (const [path, part] of someOf(someOf(shapes, 100), 8)) {
      await hasty.findMarks(path, part.repeat(100_000));
      assert.deepEqual(await countsOfHonest(hasty, ['a.ts']), [1], `after ${JSON.stringify(part)} in ${path}`);
    }
  });

  it('gives the same to all that wait when another text ends the process they share', async () => {
    const one = HONEST['a.ts'] ?? '';
    const texts = Array.from({ length: 8 }, (_, at) => (at % 3 === 1 ? '"'.repeat(1_000_000) : one));
    const found = await Promise.all(texts.map((text) => countIn(hasty, 'a.ts', text)));
    assert.deepEqual(
      found,
      texts.map((text) => (text === one ? 1 : 0)),
    );
  });

  it('has time enough for a long text, however many symbols it has', async () => {
    for (const [path, text] of Object.entries(HONEST))
      assert.equal(await countIn(parser, path, text.repeat(2000)), 2000 * (await countIn(parser, path, text)), path);
  });

  it('has nothing to do, and starts nothing, for a text without a language', async () => {
    const own = new Parser();
    await withProgram('/nowhere', async () => assert.equal((await own.findMarks('a.txt', 'Text')).length, 0));
  });

  it('leaves a file to its lines where no process can be started, and keeps nothing of that', async () => {
    const folder = realpathSync(makeWorkspace({ 'a.ts': HONEST['a.ts'] ?? '' }));
    const filter = new SecretFilter(folder);
    for (const program of ['/nowhere', '/bin/false']) {
      const own = new Parser();
      const source = await withProgram(program, () =>
        chunkSource(folder, 'a.ts', filter, (...file) => own.findMarks(...file)),
      );
      assert.ok(source);
      assert.deepEqual(
        source.cut.pieces.map(({ kind }) => kind),
        ['rest'],
      );
      const cache = CacheFolder.open(makeWorkspace({}));
      const kept = new KeptFindings(cache, folder, [], 'today');
      kept.save([source]);
      await kept.saved();
      assert.ok(new KeptFindings(cache, folder, [], 'today').isEmpty);
    }
  });

  it('does not outlive the program that asked, and does not keep it', async () => {
    for (const end of ['by itself', 'killed']) {
      const child = spawn(
        process.execPath,
        [fileURLToPath(new URL('../../support/quotes/parse-and-stay.ts', import.meta.url)), end],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      const [said] = (await once(child.stdout, 'data')) as [Buffer];
      const pid = Number(said);
      assert.ok(pid > 0 && isThere(pid));
      if (end === 'killed') child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      while (isThere(pid)) await new Promise((resolve) => setTimeout(resolve, 10));
    }
  });
});

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Does something in a process whose own program is another one. */
async function withProgram<Result>(program: string, act: () => Promise<Result>): Promise<Result> {
  const own = process.execPath;
  process.execPath = program;
  try {
    return await act();
  } finally {
    process.execPath = own;
  }
}
