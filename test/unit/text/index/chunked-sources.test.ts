import assert from 'node:assert/strict';
import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ChunkedSources, type SourcePlace } from '../../../../src/text/index/chunked-sources.ts';
import { SecretFilter } from '../../../../src/text/secrets/secret-filter.ts';
import { makeWorkspace, removeWorkspaces } from '../../../support/quotes/quotes-workspace.ts';

const PATHS = Array.from({ length: 40 }, (_, i) => `m${i}.ts`);

describe('cutting files that were begun', () => {
  after(removeWorkspaces);

  /** A folder, what cuts its files, and the paths of those whose marks were asked for; they come once `go` is called. */
  function cutter(): { folder: string; sources: ChunkedSources; asked: string[]; go: () => void } {
    const folder = realpathSync(makeWorkspace(Object.fromEntries(PATHS.map((path) => [path, `// About ${path}\n`]))));
    const asked: string[] = [];
    let go = (): void => undefined;
    const gone = new Promise<void>((resolve) => {
      go = resolve;
    });
    const findMarks = async (path: string): Promise<Uint8Array> => {
      asked.push(path);
      await gone;
      return new Uint8Array();
    };
    return { folder, sources: new ChunkedSources(folder, new SecretFilter(folder), { findMarks }), asked, go };
  }

  function places(content: (path: string) => string = () => 'as it is'): SourcePlace[] {
    return PATHS.map((path) => ({ path, content: content(path) }));
  }

  /** Resolves when the first are asked for; no more are as long as those are not answered. */
  async function someAsked(asked: readonly string[]): Promise<void> {
    while (asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
    assert.ok(asked.length < PATHS.length / 2);
  }

  it('cuts no file again, and has all in order', async () => {
    const { sources, asked, go } = cutter();
    sources.begin(places());
    await someAsked(asked);
    go();
    const cut = await sources.cut(places());
    assert.deepEqual(
      cut.map(({ file }) => file.path),
      PATHS,
    );
    assert.deepEqual(asked, PATHS);
    assert.deepEqual(await sources.cut(places()), cut);
    assert.deepEqual(asked, PATHS, 'what is cut stays so');
  });

  it('cuts again what changed since, and leaves what is not wanted any more', async () => {
    const { folder, sources, asked, go } = cutter();
    sources.begin(places());
    await someAsked(asked);
    writeFileSync(join(folder, 'm39.ts'), '// Changed\n');
    const wanted = places((path) => (path === 'm39.ts' ? 'changed' : 'as it is')).slice(20);
    go();
    const cut = await sources.cut(wanted);
    assert.deepEqual(
      cut.map(({ file }) => file.path),
      PATHS.slice(20),
    );
    assert.match(cut.at(-1)?.file.lines.join() ?? '', /Changed/);
    assert.equal(new Set(asked).size, asked.length, 'none is parsed twice');
    assert.ok(!asked.includes('m19.ts'));
  });

  it('stops when it is told to, and lets go of what nobody asked for', async () => {
    const { sources, asked, go } = cutter();
    sources.begin(places());
    await someAsked(asked);
    const stop = new AbortController();
    const cut = sources.cut(places(), stop.signal);
    stop.abort(new Error('enough'));
    go();
    await assert.rejects(cut, /enough/);
    sources.begin(places());
    sources.rest();
    assert.equal((await sources.cut(places().slice(39))).length, 1);
    assert.ok(!asked.includes('m20.ts') && asked.includes('m39.ts'));
  });
});
