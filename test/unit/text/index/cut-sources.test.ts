import assert from 'node:assert/strict';
import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CutList, SourcePlace } from '../../../../src/text/index/cut-list.ts';
import { type CutSource, cutOne } from '../../../../src/text/index/cut-one.ts';
import { CutSources } from '../../../../src/text/index/cut-sources.ts';
import { SecretFilter } from '../../../../src/text/secrets/secret-filter.ts';
import { makeWorkspace, removeWorkspaces } from '../../../support/quotes/quotes-workspace.ts';

const PATHS = Array.from({ length: 40 }, (_, i) => `m${i}.txt`);

describe('cutting files with a thread beside', () => {
  after(removeWorkspaces);

  /** A folder, and what cuts it; its thread takes as many files of each list as it is told, and has them at once. */
  function cutter(most: number): { folder: string; sources: CutSources; beside: CutSource[]; lists: CutList[] } {
    const folder = realpathSync(makeWorkspace(Object.fromEntries(PATHS.map((path) => [path, `About ${path}\n`]))));
    const filter = new SecretFilter(folder);
    const beside: CutSource[] = [];
    const lists: CutList[] = [];
    const cut = async (list: CutList): Promise<void> => {
      lists.push(list);
      for (let at = list.places.length - 1, left = most; at >= 0 && left > 0; at--) {
        if (!list.take(at)) continue;
        left--;
        const source = await cutOne(folder, list.places[at]?.path ?? '', filter);
        if (source) beside.push(source);
        list.add(at, source);
      }
    };
    const thread = { cut, close: async () => undefined };
    const sources = new CutSources({ folder, workspace: folder, allowedFiles: [] }, filter, {
      startThread: () => thread,
    });
    return { folder, sources, beside, lists };
  }

  function places(content: (path: string) => string = () => 'as it is'): SourcePlace[] {
    return PATHS.map((path) => ({ path, content: content(path), size: 10 }));
  }

  it('cuts no file again that was begun, and has all in order', async () => {
    const { sources, beside } = cutter(15);
    sources.begin(places());
    const cut = await sources.cut(places());
    assert.deepEqual(
      cut.map(({ file }) => file.path),
      PATHS,
    );
    assert.equal(beside.length, 15);
    for (const source of beside) assert.ok(cut.includes(source), source.file.path);
  });

  it('cuts again what changed since, and leaves what is not wanted any more', async () => {
    const { folder, sources, lists } = cutter(5);
    sources.begin(places());
    writeFileSync(join(folder, 'm39.txt'), 'Changed\n');
    const wanted = places((path) => (path === 'm39.txt' ? 'changed' : 'as it is')).slice(20);
    const cut = await sources.cut(wanted);
    assert.deepEqual(
      cut.map(({ file }) => file.path),
      PATHS.slice(20),
    );
    assert.match(cut.at(-1)?.file.lines.join() ?? '', /Changed/);
    assert.ok(lists[0]?.taken.every((one) => one === 1));
    // And what was begun stays with nobody: the old content under its own name is cut as it now is.
    const [again] = await sources.cut(places().slice(39));
    assert.match(again?.file.lines.join() ?? '', /Changed/);
  });

  it('needs no thread for a few files', async () => {
    const { sources, lists } = cutter(PATHS.length);
    sources.begin(places().slice(0, 5));
    assert.equal((await sources.cut(places().slice(0, 5))).length, 5);
    assert.equal(lists.length, 0);
  });
});
