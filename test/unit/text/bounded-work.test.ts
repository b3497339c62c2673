import assert from 'node:assert/strict';
import { parseBounded } from '../../../src/text/cut/bounded-work.ts';
import { cutFile, findMarks } from '../../../src/text/cut/cut-file.ts';
import { languageOf } from '../../../src/text/files/languages.ts';
import { makeWorkspace, removeWorkspaces, sourceOf } from '../../support/quotes/quotes-workspace.ts';

type Parser = Parameters<typeof parseBounded>[0];
type Input = (index: number) => string;

/** Behind each of these, a parser looks for the end of a comment up to the end of the text. */
const HOSTILE = Array<string>(240).fill('/* widget limit /* '.repeat(10)).join('\n');
const HONEST: Record<string, string> = {
  'a.c': 'int one() {\n  return 1;\n}\n',
  'a.cpp': 'class One {\n  int two() {\n    return 2;\n  }\n};\n',
  'a.cs': 'class One {\n  int Two() {\n    return 2;\n  }\n}\n',
  'a.go': 'package a\n\nfunc one() int {\n  return 1;\n}\n',
  'a.ts': 'export function one(): number {\n  return 1;\n}\n',
};

describe('the work that a text takes', () => {
  after(removeWorkspaces);

  it('is bounded where a parser would read to the end again and again; it is cut as what has no grammar', async () => {
    for (const [path, honest] of Object.entries(HONEST)) {
      const before = await findMarks(honest, languageOf(path));
      assert.ok(before.length > 0, path);
      const file = await sourceOf(makeWorkspace({ [path]: HOSTILE }), path);
      assert.ok(file);
      const begun = process.cpuUsage();
      const { pieces } = await cutFile(file);
      const { user, system } = process.cpuUsage(begun);
      assert.ok(user + system < 2_000_000, `${path}: ${(user + system) / 1000} ms`);
      assert.deepEqual(new Set(pieces.map(({ kind }) => kind)), new Set(['rest']), path);
      assert.equal(pieces.at(-1)?.end, 239);
      // The next file is not taken for the rest of this one.
      assert.deepEqual(await findMarks(honest, languageOf(path)), before, path);
    }
  }).timeout(60_000);

  it('is bounded where a query would look through all of an error again and again', async () => {
    await findMarks('', languageOf('a.js'));
    const begun = process.cpuUsage();
    assert.deepEqual(await findMarks('('.repeat(60_000), languageOf('a.js')), []);
    const { user, system } = process.cpuUsage(begun);
    assert.ok(user + system < 2_000_000, `${(user + system) / 1000} ms`);
  }).timeout(60_000);

  it('is enough for a long text, however many symbols it has', async () => {
    for (const [path, honest] of Object.entries(HONEST)) {
      const [one, many] = [
        await findMarks(honest, languageOf(path)),
        await findMarks(honest.repeat(2000), languageOf(path)),
      ];
      assert.equal(many.length, 2000 * one.length, path);
    }
  }).timeout(60_000);

  it('is counted in what is read and in steps, by the length of the text', () => {
    const text = 'a'.repeat(10_000);
    for (const at of ['reads', 'steps'] as const) {
      const done = { reads: 0, steps: 0, resets: 0 };
      const parser = {
        parse(read: Input, _: null, { progressCallback }: { progressCallback(): boolean }): null {
          for (let isStopped = false; !isStopped; ) {
            if (at === 'reads') done.reads += read(0).length;
            else done.steps++;
            isStopped = progressCallback();
          }
          return null;
        },
        reset: () => done.resets++,
      };
      assert.throws(() => parseBounded(parser as unknown as Parser, text), /too much work/);
      assert.equal(done.resets, 1);
      assert.ok(done[at] > text.length / 10 && done[at] < 100 * text.length, `${at}: ${done[at]}`);
    }
  });
});
