import assert from 'node:assert/strict';
import { cutFile, findMarks } from '../../../src/text/cut/cut-file.ts';
import { mostWork } from '../../../src/text/cut/parse/bounded-work.ts';
import { parse } from '../../../src/text/cut/parse/parser.ts';
import { TreeSitter } from '../../../src/text/cut/parse/tree-sitter.ts';
import { hasGrammar, languageOf } from '../../../src/text/files/languages.ts';
import { makeWorkspace, removeWorkspaces, sourceOf } from '../../support/quotes/quotes-workspace.ts';

/** Behind each of these, a parser looks for the end of a comment up to the end of the text. */
const HOSTILE = Array<string>(240).fill('/* widget limit /* '.repeat(10)).join('\n');
const HONEST: Record<string, string> = {
  'a.c': 'int one() {\n  return 1;\n}\n',
  'a.cpp': 'class One {\n  int two() {\n    return 2;\n  }\n};\n',
  'a.cs': 'class One {\n  int Two() {\n    return 2;\n  }\n}\n',
  'a.go': 'package a\n\nfunc one() int {\n  return 1;\n}\n',
  'a.ts': 'export function one(): number {\n  return 1;\n}\n',
};

/** Texts with which tree-sitter used up its stack, which is not guarded, and damaged what it works with. */
const DEEP: readonly (readonly [path: string, part: string, length: number])[] = [['a.cpp', '%w(', 45_000]];
/** Texts for which it took many seconds, without being at a step where it could be stopped. */
const SLOW: readonly (readonly [path: string, part: string])[] = [
  ['a.js', '"'],
  ['a.js', '`'],
  ['a.cs', '#'],
  ['a.py', '('],
];

function made([path, part, length]: readonly [path: string, part: string, length: number]): Promise<unknown> {
  const language = languageOf(path);
  assert.ok(language);
  return parse(part.repeat(length / part.length), language);
}

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

  it('costs a text its grammar if it uses up the stack, and no other text', async () => {
    for (const deep of DEEP) {
      await assert.rejects(made(deep), /too much work/, deep[1]);
      for (const [path, honest] of Object.entries(HONEST))
        assert.ok((await findMarks(honest, languageOf(path))).length > 0, `${path} after ${deep[1]}`);
    }
  }).timeout(60_000);

  it('is bounded whatever tree-sitter does with it', async () => {
    for (const [path, part] of SLOW) {
      await findMarks('', languageOf(path));
      const begun = process.cpuUsage();
      await made([path, part, 256_000]).catch(() => undefined);
      const { user, system } = process.cpuUsage(begun);
      assert.ok(user + system < 3_000_000, `${path} ${part}: ${(user + system) / 1000} ms`);
    }
  }).timeout(60_000);

  it('is the same for all that wait when another text spends what they share', async () => {
    const honest = languageOf('a.ts');
    const texts = Array.from({ length: 8 }, (_, at) => (at % 3 === 1 ? undefined : (HONEST['a.ts'] ?? '')));
    const found = await Promise.all(
      texts.map((text) =>
        text === undefined ? made(['a.cpp', '%w(', 45_000]).catch(() => []) : findMarks(text, honest),
      ),
    );
    const expected = await findMarks(HONEST['a.ts'] ?? '', honest);
    assert.deepEqual(
      found,
      texts.map((text) => (text === undefined ? [] : expected)),
    );
  }).timeout(60_000);

  it('is decided by a module that parsed nothing before, if it comes near the bound', async () => {
    const language = languageOf('a.js');
    assert.ok(language && hasGrammar(language));
    const text = 'a(`'.repeat(4000);
    const work = async (before: readonly string[]): Promise<number> => {
      const find = await new TreeSitter().load(language);
      for (const one of before) find(one, 2 ** 31);
      return find(text, 2 ** 31).work;
    };
    const [alone, after] = [await work([]), await work(['a(`'.repeat(1000), 'a(b);\n'.repeat(5000)])];
    // How much less or more it may be, without a difference to what is found.
    assert.ok(after > 0.9 * alone && after < 1.1 * alone, `${after} rather than ${alone}`);
    assert.equal(await work([]), alone);
  }).timeout(60_000);

  it('is stopped where the bound is, and is of no more use then', async () => {
    const language = languageOf('a.js');
    assert.ok(language && hasGrammar(language));
    const text = 'a(b);\n'.repeat(10_000);
    const one = new TreeSitter();
    const find = await one.load(language);
    const { marks, work } = find(text, mostWork(text.length));
    assert.ok(marks && work > 10 * text.length && work < mostWork(text.length), `${work}`);
    assert.deepEqual(find(text, work / 2), { marks: undefined, work: work / 2 });
    assert.ok(one.isSpent);
  });
});
