import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import fc from 'fast-check';
import { Answers } from '../../../../src/models/quotes/answers.ts';
import { parser } from '../../../../src/text/chunk/parser.ts';
import { ChunkedSources } from '../../../../src/text/index/chunked-sources.ts';
import { type Columns, columnsOf, type Row } from '../../../../src/text/index/columns.ts';
import { type ChunkedSource, chunkSource } from '../../../../src/text/index/findings.ts';
import { FolderIndex } from '../../../../src/text/index/folder-index.ts';
import { type ScanThread, scanFiles, scanInThreads } from '../../../../src/text/index/scan-files.ts';
import { buildIndex } from '../../../../src/text/index/workspace-index.ts';
import { SecretFilter } from '../../../../src/text/secrets/secret-filter.ts';
import { effort } from '../../../support/effort.ts';
import { filesOf, mochaWorkspace, removeWorkspaces } from '../../../support/quotes/quotes-workspace.ts';
import { seededRandom } from '../../../support/virtual-clock.ts';

const QUESTION = 'How does mocha retry a failed test?';

/** Holds answers back and lets them arrive in an order of its own: as threads and a busy machine do. */
class Arrivals {
  readonly #held: (() => void)[] = [];
  readonly #next: () => number;

  constructor(seed: number) {
    const random = seededRandom(seed);
    this.#next = () => random.next();
  }

  /** What was made, when its turn has come. */
  hold<Value>(make: () => Value | Promise<Value>): Promise<Value> {
    return new Promise((resolve) => {
      this.#held.push(() => resolve(make()));
      setImmediate(() => this.#release());
    });
  }

  #release(): void {
    const [release] = this.#held.splice(Math.floor(this.#next() * this.#held.length), 1);
    release?.();
  }
}

const SALT = { first: 1, second: 2 };

describe('threads that answer in any order', () => {
  const seeds = fc.integer({ min: 0, max: 1_000_000 });
  let folder = '';
  let paths: readonly string[] = [];
  before(async () => {
    folder = realpathSync(mochaWorkspace());
    paths = (await filesOf(folder)).slice(0, 50);
  });
  after(removeWorkspaces);

  it('read files into the same columns', async () => {
    // So often that there are more parts than threads.
    const job = { folder, paths: Array.from({ length: 30 }, () => paths).flat(), salt: SALT };
    const expected = digestOf([scanFiles(job)]);
    await fc.assert(
      fc.asyncProperty(seeds, async (seed) => {
        const arrivals = new Arrivals(seed);
        const startThread = (): ScanThread => ({
          scan: (part) => arrivals.hold(() => scanFiles(part)),
          close: async () => undefined,
        });
        const columns = await scanInThreads(job, { startThread });
        assert.equal(digestOf(columns), expected);
      }),
      { numRuns: effort(5) },
    );
  });

  it('parse files into the same index, which gives the same tree; whatever was begun', async () => {
    const filter = new SecretFilter(folder);
    const words = await new FolderIndex(folder, { cache: null }).read();
    const alone: ChunkedSource[] = [];
    for (const path of paths) {
      const source = await chunkSource(folder, path, filter);
      if (source) alone.push(source);
    }
    const topicsOf = (sources: readonly ChunkedSource[]): unknown => {
      const answers = new Answers(buildIndex(folder, sources, words), QUESTION);
      const [first] = answers.subtopics([]);
      const lineage = [{ title: first?.title ?? '', siblings: [first?.title ?? ''], index: 0 }];
      return [
        answers.subtopics([]),
        answers.subtopics(lineage),
        answers.plan(lineage).quotes.map(({ start }) => start),
      ];
    };
    const expected = topicsOf(alone);
    await fc.assert(
      fc.asyncProperty(seeds, fc.nat(50), async (seed, begun) => {
        const arrivals = new Arrivals(seed);
        const cutter = new ChunkedSources(folder, filter, {
          findMarks: (path, text) => arrivals.hold(() => parser.findMarks(path, text)),
        });
        cutter.begin(paths.slice(0, begun).map((path) => ({ path, content: 'as it is' })));
        const sources = await cutter.cut(paths.map((path) => ({ path, content: 'as it is' })));
        assert.deepEqual(sources, alone);
        assert.deepEqual(topicsOf(sources), expected);
      }),
      { numRuns: effort(6) },
    );
  });
});

/** Of all that is known of files but their times, which are left out as long as they just changed. */
function digestOf(all: readonly Columns[]): string {
  const rows = all.flatMap((columns): Row[] => Array.from(columns.states, (_, row) => ({ columns, row })));
  const { sizes, contents, states, lines, totals, ends, terms, counts } = columnsOf(rows);
  const hash = createHash('sha256');
  for (const { buffer } of [sizes, contents, states, lines, totals, ends, terms, counts])
    hash.update(new Uint8Array(buffer));
  return hash.digest('hex');
}
