import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isThoughtTreeError } from '../../../src/core/search/errors.ts';
import { KINDS } from '../../../src/kinds/kinds.ts';
import { workGraph } from '../../../src/kinds/work-graph/work-graph.ts';
import { exportSearch } from '../../../src/searches/export-search.ts';
import { importSnapshot } from '../../../src/searches/import-snapshot.ts';
import { overviewOf } from '../../../src/searches/reader/search-overview.ts';
import { stateFile, stateFiles } from '../../support/work-graph/state-files.ts';

describe('importing a state file into a folder', () => {
  let workspace: string;
  let file: string;
  beforeEach(async () => {
    workspace = await mkdtemp(join(tmpdir(), 'thought-tree-state-'));
    file = join(workspace, 'state.md');
  });
  afterEach(() => rm(workspace, { recursive: true, force: true }));

  const importing = async (bytes: string | Buffer) => {
    await writeFile(file, bytes);
    return await importSnapshot({ kinds: KINDS, file, workspace, dir: join(workspace, 'search') });
  };
  const exported = async (folder: string, format?: string) =>
    await exportSearch(KINDS, await overviewOf(KINDS, folder), workspace, format);

  it('tells by its content what it is, and says what a person has to know', async () => {
    const { place, nodes, notes } = await importing(stateFile('good', 'template.md'));
    assert.equal(nodes, 8);
    assert.match(notes.map(({ text }) => text).join('\n'), /"A4_alt" of "auth_method" has no atom/);
    const overview = await overviewOf(KINDS, place.folder);
    assert.equal(overview.file.kind, 'work-graph');
    assert.deepEqual(overview.problems, []);
    assert.equal(overview.file.prompt, 'Add sign-in to the API');
    const shown = await exported(place.folder, 'mermaid');
    assert.match(shown.text, /^flowchart LR\n/);
  });

  for (const name of stateFiles('good'))
    it(`${name} comes out of the search's folder, also of a clone, as it went in`, async () => {
      const text = stateFile('good', name);
      const { place } = await importing(text);
      const clone = join(workspace, 'clone');
      await cp(place.folder, clone, { recursive: true });
      await rm(join(clone, '.search'), { recursive: true, force: true });
      for (const folder of [place.folder, clone]) {
        const { text: out, fileName } = await exported(folder);
        assert.equal(fileName, 'aot-loop-state.md');
        const lines = out.split('\n');
        for (const [i, line] of text.split('\n').entries())
          if (!/^ *status:|^control: /.test(line)) assert.equal(lines[i], line);
      }
    });

  for (const name of stateFiles('damaged'))
    it(`${name} leaves nothing behind`, async () => {
      const line = Number(/\.(\d+)\.md$/.exec(name)?.[1]);
      await assert.rejects(importing(stateFile('damaged', name)), (error: unknown) => {
        assert.ok(isThoughtTreeError(error, 'damaged'), String(error));
        assert.deepEqual([error.details.file, error.details.line], [file, line]);
        return true;
      });
      assert.deepEqual(await readdir(workspace), ['state.md']);
    });

  it('refuses bytes that are no UTF-8, naming the line', async () => {
    const [before = '', after = ''] = stateFile('good', 'template.md').split('Add sign-in to the API');
    const bytes = Buffer.concat([Buffer.from(before), Buffer.from([0xe9, 0x20]), Buffer.from(after)]);
    await assert.rejects(importing(bytes), /state\.md, line 3: this is not UTF-8/);
    assert.deepEqual(await readdir(workspace), ['state.md']);
  });

  it('says that the hook goes on approving, where it does', async () => {
    const { place } = await importing(stateFile('good', 'template.md').replaceAll('\n', '\r\n'));
    assert.match(
      (await exported(place.folder)).notes[0]?.text ?? '',
      /approves every edit and every command all the same/,
    );
    assert.equal(await readFile(join(place.folder, 'imported.md'), 'utf8'), await readFile(file, 'utf8'));
  });

  it('writes all formats that its descriptor names', () => {
    assert.deepEqual(
      workGraph.formats.map(({ name }) => name),
      workGraph.descriptor.formats,
    );
  });
});
