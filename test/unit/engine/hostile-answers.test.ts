import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { ModelRequest } from '../../../src/core/ports/model.ts';
import { walk } from '../../../src/core/tree/tree.ts';
import { openTree } from '../../../src/engine-parts/opening/open-tree.ts';
import { createSearch, openForReading, openForWriting } from '../../../src/store/open-store.ts';
import { systemClock } from '../../../src/store/system-ports.ts';
import { effort } from '../../support/effort.ts';
import { QUESTION, simulate } from '../../support/searches/simulated-search.ts';
import { fastClock, seededRandom } from '../../support/virtual-clock.ts';

/** A file that is there only if a title was taken for a command. */
const SENTINEL = join(tmpdir(), `thought-tree-hacked-${process.pid}`);

const HOSTILE_TITLES = [
  '../../x',
  '..',
  '/etc/passwd',
  'C:\\Windows\\x',
  'CON',
  'nul.txt',
  '',
  ' ',
  'a'.repeat(10_000),
  '\u202Egnp.exe',
  'first\nsecond',
  '---js\nprocess.exit(1)\n---',
  '---',
  '<script>alert(1)</script>',
  '"quoted": {yaml: [1',
  `$(touch ${SENTINEL})`,
  '`rm -rf .`',
  '.git',
  '.search',
  'prompts',
  'node.json',
  'document.md',
  '__proto__',
  'constructor',
  '测试中文标题',
  '模型如何选择下一个节点？',
  'Ünïcödé',
  'same',
  'same',
  'Same',
  '\ud800',
  '😀😀',
];
const title = fc.oneof(fc.constantFrom(...HOSTILE_TITLES), fc.string({ unit: 'binary', maxLength: 300 }), fc.string());
const child = fc.record({ title, score: fc.oneof(fc.double(), fc.string(), fc.constant(null)), why: title });
const children = fc.array(child, { maxLength: 12 }).map((list) => `<output>${JSON.stringify(list)}</output>`);
const documents = fc.oneof(
  title.map((text) => `---\ntitle: ${JSON.stringify(text)}\n---\n${text}\nbody`),
  title.map((text) => `---\ntitle: ${text}\nsummary: ${text}\n---\nbody`),
  fc.constant('---js\nglobalThis.hacked = true\n---\nbody'),
  fc.constant('---javascript\n({ get title() { globalThis.hacked = true } })\n---\nbody'),
  fc.constant('---\na: &a [1,1,1,1]\nb: &b [*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c]\n---\nbody'),
  fc.constant('---\n!!js/function "function () { globalThis.hacked = true }"\n---\nbody'),
  fc.string({ unit: 'binary' }),
);
const nonsense = fc.oneof(fc.string(), fc.constant(''), fc.constant('<output>{"not": "a list"}</output>'));
const answers = fc.record({
  children: fc.oneof({ weight: 6, arbitrary: children }, nonsense),
  document: documents,
  pick: fc.oneof(nonsense, fc.constant('<output>../../x\nprompts\n__proto__</output>')),
});

/** A workspace folder with one search in it; everything apart from the search has to stay unchanged. */
async function inWorkspace(work: (workspace: string, folder: string) => Promise<void>): Promise<void> {
  const workspace = mkdtempSync(join(tmpdir(), 'thought-tree-'));
  try {
    const folder = join(workspace, 'thought-trees', 'q');
    await createSearch(folder, QUESTION);
    await work(workspace, folder);
    assert.deepEqual(readdirSync(workspace), ['thought-trees']);
    assert.deepEqual(readdirSync(join(workspace, 'thought-trees')), ['q']);
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
}

async function run(folder: string, instead: (purpose: string, node: string) => string | undefined): Promise<void> {
  const clock = fastClock(1000);
  const store = await openForWriting(folder, { clock: systemClock, random: seededRandom(7) });
  const model = { clock, instead: ({ purpose, node }: ModelRequest) => instead(purpose, node) };
  const limits = { size: 'all' as const, maxDepth: 2 };
  const { search } = await simulate({ store, model, search: { clock, limits, concurrency: 8 } });
  const outcome = await search.run();
  const { results } = outcome;
  const { expanded, leaves, failed, open, pruned } = results;
  assert.equal(expanded + leaves + failed + open + pruned, search.tree.size, 'every node accounted for');
  assert.ok(outcome.state === 'finished' || outcome.reason === 'person');
  const before = [...walk(search.tree.root)].map(({ slug, title: t, status }) => [slug, t, status]);
  await search.close();
  const again = await openTree(await openForReading(folder), QUESTION.title, 'reader');
  const after = [...walk(again.root)].map(({ slug, title: t, status }) => [slug, t, status]);
  assert.deepEqual(after, before, 'what is on disk is what was in memory');
}

describe('a model that answers with anything', () => {
  it('harms nothing: files stay in the folder, nothing runs, nothing is lost, the search ends', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(answers, { minLength: 1, maxLength: 8 }), async (list) => {
        await inWorkspace(async (_workspace, folder) => {
          const counts = new Map<string, number>();
          await run(folder, (purpose) => {
            const n = counts.get(purpose) ?? 0;
            counts.set(purpose, n + 1);
            const each = list[n % list.length] as Record<string, string>;
            return each[purpose];
          });
        });
        assert.equal('hacked' in globalThis, false);
        assert.equal(existsSync(SENTINEL), false);
      }),
      { numRuns: effort(60) },
    );
  });

  it('may list ten thousand children: fifty are taken', async () => {
    await inWorkspace(async (_workspace, folder) => {
      const list = JSON.stringify(Array.from({ length: 10_000 }, (_, i) => ({ title: `Topic ${i}` })));
      await run(folder, (purpose, node) => {
        if (purpose !== 'children') return undefined;
        return node === '' ? `<output>${list}</output>` : '<output>[]</output>';
      });
      assert.equal(readdirSync(folder).filter((name) => name.startsWith('topic-')).length, 50);
    });
  });
});
