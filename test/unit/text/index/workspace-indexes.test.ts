import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { CacheFolder } from '../../../../src/text/index/cache-folder.ts';
import { FolderIndex } from '../../../../src/text/index/folder-index.ts';
import { chooseFiles, WorkspaceIndexes } from '../../../../src/text/index/workspace-indexes.ts';
import { conceptsOf } from '../../../../src/text/words/concept.ts';
import { makeWorkspace, removeWorkspaces } from '../../../support/quotes/quotes-workspace.ts';

const FILLER = 'export const filler = "nothing of interest here, only words that fill the file";\n';
const QUESTION = 'How long does the pelican wait before it dives?';

/** More text than is cut for one question. */
function largeWorkspace(): string {
  const files = Array.from({ length: 130 }, (_, i) => [`src/part${i}/module${i}.ts`, FILLER.repeat(450)] as const);
  return makeWorkspace({
    ...Object.fromEntries(files),
    'README.md': '# Birds\n',
    'src/part7/pelican.ts': 'export function dive() {\n  // A pelican waits a moment.\n  return wait(300);\n}\n',
    'src/part9/heron.ts': 'export function stand() {\n  return still;\n}\n',
    'test/pelican.test.ts': 'it("dives", () => pelican.dive());\n',
  });
}

describe('choosing the files of a question', () => {
  const caches: string[] = [];
  after(() => {
    removeWorkspaces();
    for (const folder of caches) rmSync(folder, { recursive: true, force: true });
  });

  function newCache(): CacheFolder {
    const folder = mkdtempSync(join(tmpdir(), 'kept-'));
    caches.push(folder);
    return CacheFolder.open(folder) as CacheFolder;
  }

  it('takes a small folder whole, whatever the question', async () => {
    const indexes = new WorkspaceIndexes(makeWorkspace({ 'a.ts': 'a\n', 'b.md': '# B\n', 'empty.ts': '' }), {
      cache: null,
    });
    const one = await indexes.of({ question: QUESTION });
    assert.deepEqual(
      one.files.map(({ path }) => path),
      ['a.ts', 'b.md'],
    );
    assert.equal(await indexes.of({ question: 'What else?', closer: ['a'], naming: ['b.md'] }), one);
  });

  it('takes of a large one what has the words, and what says what the folder is', async () => {
    const index = await new WorkspaceIndexes(largeWorkspace(), { cache: null }).of({ question: QUESTION });
    const paths = index.files.map(({ path }) => path);
    for (const path of ['README.md', 'src/part7/pelican.ts', 'test/pelican.test.ts'])
      assert.ok(paths.includes(path), path);
    assert.ok(paths.length < 60, `${paths.length} files`);
    assert.equal(index.fileCount, 134);
    assert.deepEqual(paths, paths.toSorted());
  });

  it('knows of all files whether a word is in any', async () => {
    const index = await new WorkspaceIndexes(largeWorkspace(), { cache: null }).of({ question: QUESTION });
    const found = index.search.search(conceptsOf('pelican heron filler giraffe'));
    assert.ok(!index.files.some(({ path }) => path === 'src/part9/heron.ts'));
    assert.deepEqual(found.present, [true, true, true, false]);
    assert.equal(index.frequency(conceptsOf('filler')[0]?.term ?? ''), 130);
  });

  it('takes the files that are named, and has the text of every other', async () => {
    const indexes = new WorkspaceIndexes(largeWorkspace(), { cache: null });
    const paths = async (naming: string[]): Promise<string[]> =>
      (await indexes.of({ question: QUESTION, naming })).files.map(({ path }) => path);
    assert.ok(!(await paths([])).includes('src/part9/heron.ts'));
    assert.ok((await paths(['`stand`: it is still (src/part9/heron.ts)'])).includes('src/part9/heron.ts'));
    assert.ok((await paths(['see heron.ts.'])).includes('src/part9/heron.ts'));
    await indexes.of({ question: QUESTION });
    assert.match((await indexes.textOf('src/part9/heron.ts')) ?? '', /stand/);
    assert.equal(await indexes.textOf('../outside.ts'), undefined);
    assert.equal(await indexes.textOf('src/part9/gone.ts'), undefined);
  });

  it('prefers code to tests and documents, unless they are asked for', async () => {
    const text = 'The pelican dives.\n';
    const filler = Array.from({ length: 60 }, (_, i) => [`src/m${i}.ts`, `${text}${FILLER.repeat(20)}`] as const);
    const workspace = makeWorkspace({
      ...Object.fromEntries(filler),
      'src/bird.ts': text,
      'test/bird.test.ts': text,
      'doc/bird.md': text,
    });
    const words = await new FolderIndex(workspace, { cache: null }).read();
    const first = (question: string, room: number): string[] =>
      chooseFiles(words, conceptsOf(question), { whole: 0, files: 0, chosen: room }).map(
        (row) => words.paths[row] as string,
      );
    assert.deepEqual(first('pelican dives', 30), ['src/bird.ts']);
    assert.deepEqual(first('the test of the pelican that dives', 30), ['test/bird.test.ts']);
  });

  it('takes a small folder whole, unless it has too many files to read at each question', async () => {
    const workspace = makeWorkspace(
      Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`m${i}.ts`, `let a${i};\n`])),
    );
    const words = await new FolderIndex(workspace, { cache: null }).read();
    const chosen = (files: number): number =>
      chooseFiles(words, conceptsOf('What is a3?'), { whole: 1000, files, chosen: 20 }).length;
    assert.equal(chosen(12), 12);
    assert.ok(chosen(11) <= 2);
  });

  it('is the same with a kept index and without, and whatever was asked before', async () => {
    const workspace = largeWorkspace();
    const cache = newCache();
    const paths = async (indexes: WorkspaceIndexes): Promise<string[]> =>
      (await indexes.of({ question: QUESTION })).passages.map(
        ({ file, name, start }) => `${file.path} ${name} ${start}`,
      );
    const without = await paths(new WorkspaceIndexes(workspace, { cache: null }));
    const first = new WorkspaceIndexes(workspace, { cache, finders: 'today' });
    await first.of({ question: 'Where does the heron stand?' });
    assert.deepEqual(await paths(first), without);
    await first.saved();
    assert.deepEqual(await paths(new WorkspaceIndexes(workspace, { cache, finders: 'today' })), without);
    const kept = readdirSync(join(caches.at(-1) ?? '', 'indexes'));
    for (const ending of ['.findings', '.index'])
      assert.ok(
        kept.some((name) => extname(name) === ending),
        ending,
      );
  });

  it('answers from what changed since it was kept, whatever was cut ahead', async () => {
    const old = new Date('2020-01-01');
    const files = Object.fromEntries(Array.from({ length: 800 }, (_, i) => [`src/part${i}.txt`, FILLER.repeat(75)]));
    const workspace = makeWorkspace({ ...files, 'src/heron.ts': 'export function stand() {\n  return pelican;\n}\n' });
    for (const path of [...Object.keys(files), 'src/heron.ts']) utimesSync(join(workspace, path), old, old);
    const cache = newCache();
    const asked = { question: 'What does the pelican filler file say?' };
    const first = new WorkspaceIndexes(workspace, { cache, finders: 'today' });
    assert.ok((await first.of(asked)).files.length > 40, 'enough for a thread');
    await first.saved();
    writeFileSync(join(workspace, 'src/heron.ts'), 'export function soar() {\n  return pelican;\n}\n');
    writeFileSync(join(workspace, 'src/pelican.ts'), 'export function dive() {\n  return pelican;\n}\n');
    rmSync(join(workspace, 'src/part1.txt'));
    const shown = async (kept: CacheFolder | null): Promise<unknown> => {
      const again = new WorkspaceIndexes(workspace, { cache: kept, finders: 'today' });
      const { files: chosen, passages } = await again.of(asked);
      return [chosen, passages.map(({ file, name, start }) => `${file.path} ${name} ${start}`)];
    };
    const again = await shown(cache);
    assert.deepEqual(again, await shown(null));
    assert.match(JSON.stringify(again), /soar/);
    assert.match(JSON.stringify(again), /dive/);
    assert.doesNotMatch(JSON.stringify(again), /stand|part1\.txt/);
  });

  it('keeps to the files as they were for a question, and sees what changed with the next', async () => {
    const workspace = largeWorkspace();
    const old = new Date('2020-01-01');
    utimesSync(join(workspace, 'src/part7/pelican.ts'), old, old);
    const indexes = new WorkspaceIndexes(workspace, { cache: newCache() });
    const before = await indexes.of({ question: QUESTION });
    writeFileSync(join(workspace, 'src/part7/pelican.ts'), 'export function soar() {\n  return pelican;\n}\n');
    assert.equal(await indexes.of({ question: QUESTION }), before);
    const after = await indexes.of({ question: 'Does the pelican soar?' });
    assert.ok(after.passages.some(({ name }) => name === 'soar'));
    await indexes.saved();
  });

  it('is the same whether a thread cut beside or not, and keeps what is secret from both', async () => {
    const secret = 'xT7!mQ2#vLp9';
    const files = Object.fromEntries(
      Array.from({ length: 80 }, (_, i) => [
        `src/m${i}.py`,
        `# About ${i}\nclass Part${i}:\n    """A part."""\n    def open(self):\n        password = "${secret}"\n        return "text"\n`,
      ]),
    );
    const workspace = makeWorkspace(files);
    const all = await new WorkspaceIndexes(workspace, { cache: null }).of({ question: QUESTION });
    assert.equal(all.files.length, 80);
    assert.ok(all.files.every(({ lines, secrets }) => secrets === 1 && !lines.join().includes(secret)));
    for (const [path, text] of Object.entries(files)) {
      const alone = await new WorkspaceIndexes(makeWorkspace({ [path]: text }), { cache: null }).of({
        question: QUESTION,
      });
      const [one, other] = [alone.passages, all.passages.filter(({ file }) => file.path === path)];
      assert.deepEqual(
        one.map(({ name, kind, start, end }) => [name, kind, start, end]),
        other.map(({ name, kind, start, end }) => [name, kind, start, end]),
      );
      const [file, same] = [alone.files[0], all.fileNamed(path)];
      assert.ok(file && same);
      assert.deepEqual(same, file);
      assert.equal(all.isComment(same, 0), alone.isComment(file, 0));
    }
    const allowed = await new WorkspaceIndexes(workspace, { cache: null, allowedFiles: Object.keys(files) }).of({
      question: QUESTION,
    });
    assert.ok(allowed.files.every(({ lines }) => lines.join().includes(secret)));
  });

  it('begins again after it was stopped', async () => {
    const indexes = new WorkspaceIndexes(largeWorkspace(), { cache: null });
    const stop = AbortSignal.abort();
    await assert.rejects(indexes.of({ question: QUESTION }, { signal: stop }), { name: 'AbortError' });
    assert.ok((await indexes.of({ question: QUESTION })).files.length > 2);
  });
});
