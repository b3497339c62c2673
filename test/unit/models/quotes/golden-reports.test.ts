import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { someOf } from '../../../support/effort.ts';
import { createMemoryStore, MemoryFiles } from '../../../support/memory-store.ts';
import { closeModels, mochaModel, modelOfCopy } from '../../../support/quotes/shared-models.ts';
import { assertLinksResolve, assertSafe } from '../../../support/report-links.ts';
import { QUESTION, simulate } from '../../../support/searches/simulated-search.ts';
import { fastClock } from '../../../support/virtual-clock.ts';

/** Reports of whole searches; `UPDATE_GOLDEN=1` rewrites them. */
const GOLDEN = new URL('../../../golden/quotes/', import.meta.url);
const FIXTURES = new URL('../../../fixtures/quotes/', import.meta.url);
const updates = process.env['UPDATE_GOLDEN'] !== undefined;

interface Asked {
  readonly question: string;
  readonly of: 'mocha' | 'go-cache' | 'cachetools' | 'lru' | 'own' | 'prose';
}

const REPORTS: Readonly<Record<string, Asked>> = {
  own: { of: 'own', question: 'What happens when two processes want to write the same search?' },
  mocha: { of: 'mocha', question: 'How are test timeouts enforced?' },
  go: { of: 'go-cache', question: 'How are expired items removed?' },
  python: { of: 'cachetools', question: 'When does an item of the TTL cache expire?' },
  rust: { of: 'lru', question: 'What happens when a key is put that is already there?' },
  overview: { of: 'mocha', question: 'What is this project, and how is it structured?' },
  chinese: { of: 'mocha', question: '测试超时是怎么处理的？' },
  'no-answer': { of: 'own', question: 'What is the meaning of life?' },
  elsewhere: { of: 'mocha', question: 'Which recipe of my grandmother uses butter and cinnamon for the Sunday cake?' },
  prose: { of: 'prose', question: 'What happens to a citation when the file changes?' },
  start: { of: 'own', question: 'How does a process take over the lease of another one?' },
};

async function reportOf({ question, of }: Asked): Promise<string> {
  const model = of === 'mocha' ? mochaModel() : modelOfCopy(fileURLToPath(new URL(of, FIXTURES)));
  const files = new MemoryFiles();
  const file = { ...QUESTION, title: question, prompt: question, options: { size: 'small' as const } };
  // Fast, but an index made by a busy machine must not take longer than a call may.
  const search = { concurrency: 1, clock: fastClock(10), model, folder: 'thought-trees/question' };
  await (await simulate({ store: createMemoryStore(file, files), search })).search.run();
  const report = files.readNow('report.md') ?? '';
  assertSafe(report);
  assertLinksResolve(report, files);
  return report.slice(0, report.indexOf('## What it cost')); // how long it took differs
}

describe('a report without a language model', () => {
  after(closeModels);

  for (const [name, asked] of updates ? Object.entries(REPORTS) : someOf(Object.entries(REPORTS), 6))
    it(`is unchanged: ${name}`, async () => {
      const report = await reportOf(asked);
      const place = new URL(`${name}.md`, GOLDEN);
      if (updates) {
        mkdirSync(GOLDEN, { recursive: true });
        writeFileSync(place, report);
      }
      assert.equal(report, readFileSync(place, 'utf8'));
    });

  it('has no text kept of one that is gone', () => {
    const names = Object.keys(REPORTS).map((name) => `${name}.md`);
    assert.deepEqual(readdirSync(GOLDEN).sort(), names.sort());
  });
});
