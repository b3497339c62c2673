import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { readTool } from '../../../../src/searches/tools/file-tools.ts';
import { WorkspaceFiles } from '../../../../src/searches/tools/workspace-files.ts';
import { CitedFiles } from '../../../../src/text/files/cited-files.ts';
import { inOtherEncoding, readText } from '../../../../src/text/files/read-text.ts';
import { WorkspaceIndexes } from '../../../../src/text/index/workspace-indexes.ts';
import { makeWorkspace, removeWorkspaces } from '../../../support/quotes/quotes-workspace.ts';

const TEXT = '// Größer als „fünf“ – noch einmal.\nreturn status >= 500;\n';
const little = Buffer.from(TEXT, 'utf16le');
const western = [...TEXT].map((sign) => ({ '„': 0x84, '“': 0x93, '–': 0x96 })[sign] ?? sign.charCodeAt(0));
const FORMS: Readonly<Record<string, Uint8Array>> = {
  'UTF-8': Buffer.from(TEXT),
  'UTF-8 with a mark': Buffer.from(`\uFEFF${TEXT}`),
  'UTF-16 with its mark': Buffer.concat([Buffer.from([0xff, 0xfe]), little]),
  'UTF-16 the other way round': Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(little).swap16()]),
  'UTF-16 without a mark': little,
  'UTF-16 the other way round, without a mark': Buffer.from(little).swap16(),
  'the old encoding of Western Europe': Buffer.from(western),
};
const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${'4d7a'.repeat(16)}\nsize 12345\n`;
const PICTURE = 'iVBORw0KGgo'.repeat(300_000);

/** A notebook as Jupyter writes it, with pictures of three megabytes and text among the outputs. */
function notebook(...cells: readonly (readonly [type: string, ...source: string[]])[]): string {
  const all = cells.map(([cell_type, ...source]) => ({
    cell_type,
    metadata: {},
    ...(cell_type === 'code'
      ? { outputs: [{ data: { 'image/png': PICTURE, 'text/plain': ['an output', 'of it'] } }] }
      : {}),
    source: source.map((line, at) => (at < source.length - 1 ? `${line}\n` : line)),
  }));
  return `${JSON.stringify({ cells: all, metadata: { source: 'a setting' }, nbformat: 4 }, null, 1)}\n`;
}

describe('the text of a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'texts-'));
  after(() => {
    rmSync(folder, { recursive: true });
    removeWorkspaces();
  });
  const read = (bytes: Uint8Array | string, name = 'file'): unknown => {
    writeFileSync(join(folder, name), bytes);
    const found = readText(join(folder, name));
    return 'text' in found ? found.text : found.unreadable;
  };

  for (const [encoding, bytes] of Object.entries(FORMS))
    it(`is read in ${encoding}`, () => assert.equal(read(bytes), TEXT));

  it('of a notebook is not looked for where it is made to take for ever', () => {
    const deep = `${'['.repeat(400_000)}${']'.repeat(400_000)}`;
    assert.equal(read(`{"cells": [], "metadata": ${deep}}`, 'deep.ipynb'), '');
    const wrong = `{"cells": [${'{},'.repeat(500_000)}{}]}`;
    assert.equal(read(wrong, 'wrong.ipynb'), wrong);
  });

  it('is none where bytes are none', () => {
    const picture = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0xff, 0x01, 0x02]);
    const numbers = Buffer.from([0, 1, 0, 2, 0, 0, 3, 4, 5, 6]);
    for (const bytes of [picture, numbers, Buffer.alloc(64), Buffer.from([0xc3, 0x28, 0x01])])
      assert.equal(inOtherEncoding(bytes), undefined);
    for (const bytes of [numbers, Buffer.alloc(64)]) assert.equal(read(bytes), 'not-text');
  });

  it('is none where Git LFS left a pointer in its place', () => {
    assert.equal(read(POINTER, 'model.txt'), 'not-text');
    assert.equal(read(`# Pointers\n\n${POINTER}`, 'about.md'), `# Pointers\n\n${POINTER}`);
  });

  it('stays UTF-8 where only one byte is broken', () => {
    const broken = Buffer.concat([Buffer.from(TEXT), Buffer.from([0xe4])]);
    assert.equal(read(broken), `${TEXT}\uFFFD`);
  });

  it('in UTF-8 is never taken for another encoding', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((each) => !each.includes('\0'));
    fc.assert(fc.property(text, (each) => assert.equal(inOtherEncoding(Buffer.from(each)), undefined)));
  });

  it('is the same for index, tools and citations, on the same lines', async () => {
    const cells = notebook(['markdown', '# Retries', '', 'Größer als „fünf“ – noch einmal.']);
    const files: Record<string, Uint8Array | string> = { 'retry.ipynb': cells, 'pointer.js': POINTER };
    for (const [at, bytes] of Object.values(FORMS).entries()) files[`retry-${at}.js`] = bytes;
    const workspace = makeWorkspace(files);
    const indexes = new WorkspaceIndexes(workspace, { cache: null });
    await indexes.of({ question: 'Wann noch einmal?' });
    const cited = new CitedFiles(workspace);
    const tool = readTool(new WorkspaceFiles(workspace), async () => undefined);
    for (const path of Object.keys(files)) {
      const own = await cited.read(path);
      const text = 'text' in own ? own.text : undefined;
      assert.equal(await indexes.textOf(path), text, path);
      const said = await tool
        .use({ path }, new AbortController().signal, 'read')
        .catch((error: Error) => error.message);
      const line = (text ?? '').split('\n').findIndex((each) => each.includes('„fünf“')) + 1;
      if (text === undefined) assert.match(JSON.stringify(said), /That is not a text file/);
      else assert.match(JSON.stringify(said), new RegExp(`${line}\\\\t[^\\n]*„fünf“ – noch einmal`));
    }
  });
});

describe('the text of a notebook', () => {
  const folder = mkdtempSync(join(tmpdir(), 'notebooks-'));
  after(() => rmSync(folder, { recursive: true }));
  const linesOf = (json: string): string[] => {
    writeFileSync(join(folder, 'a.ipynb'), json);
    const found = readText(join(folder, 'a.ipynb'));
    assert.ok('text' in found);
    return found.text.split('\n');
  };

  it('is what its cells say, on the lines of the file, code in fences and without what was put out', () => {
    const json = notebook(['markdown', '# "Größe"', '\\alpha'], ['code', 'import os', '', 'a = "\\n"'], ['code']);
    const lines = linesOf(json);
    const raw = json.split('\n');
    assert.equal(lines.length, raw.length);
    assert.deepEqual(
      lines.filter((line) => line !== ''),
      ['# "Größe"', '\\alpha', '```', 'import os', 'a = "\\n"', '```'],
    );
    for (const [at, line] of lines.entries())
      if (line !== '' && line !== '```') assert.ok(raw[at]?.includes(JSON.stringify(line).slice(1, -1)), line);
    assert.deepEqual(linesOf(json.replaceAll('\n', '\r\n')), lines);
  });

  it('has on one line what the file has there', () => {
    const cells = [
      { cell_type: 'code', source: 'import os\nos.abort()\n' },
      { cell_type: 'markdown', source: ['# Two\n', 'lines'] },
    ];
    assert.deepEqual(linesOf(JSON.stringify({ cells, nbformat: 4 })), ['import os ⏎ os.abort() ⏎ # Two ⏎ lines']);
  });

  it('is the file’s own where it is none of today', () => {
    for (const json of ['{"cells": [', '{"worksheets": []}', '{"cells": [{"source": 1}]}', '[]', 'null'])
      assert.deepEqual(linesOf(json), [json]);
  });

  it('has every line of every cell in order, whatever they hold', () => {
    const word = fc.string({ unit: fc.constantFrom('a', '"', '\\', ',', '{', '[', ']', '}', ':', 'ü', ' ') });
    const cell = fc.tuple(fc.constantFrom('code', 'markdown'), fc.array(word.filter((each) => each !== '```')));
    fc.assert(
      fc.property(fc.array(cell), fc.constantFrom(1, 2), (cells, indent) => {
        const all = cells.map(([cell_type, source]) => ({ cell_type, source: source.map((line) => `${line}\n`) }));
        const lines = linesOf(JSON.stringify({ nbformat: 4, cells: all }, null, indent));
        const expected = cells.flatMap(([, source]) => source).filter((line) => line !== '');
        assert.deepEqual(
          lines.filter((line) => line !== '' && line !== '```'),
          expected,
        );
      }),
    );
  });
});
