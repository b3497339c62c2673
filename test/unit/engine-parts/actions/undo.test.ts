import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ActionCall } from '../../../../src/core/actions/action-call.ts';
import { isThoughtTreeError } from '../../../../src/core/search/errors.ts';
import { pathOf, walk } from '../../../../src/core/tree/tree.ts';
import type { Search } from '../../../../src/engine/search.ts';
import { effort } from '../../../support/effort.ts';
import { createMemoryStore, MemoryFiles } from '../../../support/memory-store.ts';
import '../../../support/property-seed.ts';
import { QUESTION, simulate } from '../../../support/searches/simulated-search.ts';
import { simulateThoughts, thoughtFile } from '../../../support/searches/simulated-thoughts.ts';

const RUNS = effort(1000);
const ACTS = ['prune', 'restore', 'expand', 'redo', 'add', 'note', 'note on the search', 'grow', 'retry'] as const;

const step = fc.record({
  what: fc.constantFrom(...ACTS, ...ACTS, 'undo', 'undo', 'undo', 'undo', 'forward', 'forward', 'forward'),
  at: fc.nat(1000),
});
const story = fc.record({ kind: fc.constantFrom('research', 'thoughts'), steps: fc.array(step, { maxLength: 25 }) });
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** The files of a search but for the engine's own, byte for byte, and its folders. */
function contentOf(files: MemoryFiles, folder = ''): string[] {
  return files
    .namesNow(folder)
    .flatMap((name) => {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (path === '.search') return [];
      if (files.isFolderNow(path)) return [path, ...contentOf(files, path)];
      return [`${path}: ${files.readNow(path)}`];
    })
    .sort();
}

function callFor(search: Search, { what, at }: Step): ActionCall {
  const nodes = [...walk(search.tree.root)].filter(({ parent }) => parent).map(pathOf);
  const node = nodes[at % nodes.length] as string;
  if (what === 'undo') return { action: 'undo' };
  if (what === 'forward') return { action: 'undo', forward: true };
  if (what === 'add') return { action: 'add', title: `Mine ${at}`, ...(at % 3 > 0 && { node }) };
  if (what === 'note') return { action: 'note', node, text: `Mind ${at}.` };
  if (what === 'note on the search') return { action: 'note', text: `Mind ${at}.` };
  if (what === 'grow') return { action: 'grow', maxDepth: 2 + (at % 5), size: at % 2 === 0 ? 'small' : 'all' };
  if (what === 'redo') return { action: 'redo', node, force: true };
  return what === 'retry' ? { action: 'retry' } : { action: what, node };
}

/** All that an act can change. */
function stateOf(search: Search, files: MemoryFiles): object {
  const { limits, wishes } = search.record;
  return { files: contentOf(files), limits, wishes: wishes.map(({ node, action }) => `${action} ${node}`).sort() };
}

async function opened(kind: string): Promise<{ search: Search; files: MemoryFiles }> {
  const files = new MemoryFiles();
  const limits = { size: 'all' as const, maxDepth: 2 };
  if (kind === 'thoughts') {
    const options = { candidates: 2, beam: 2, maxDepth: 2 };
    const store = createMemoryStore(thoughtFile({ options }), files);
    const { search, run } = await simulateThoughts({ options, store, search: { limits } });
    await run();
    return { search, files };
  }
  const tree = { fanout: (_: string, depth: number) => [3, 2][depth] ?? 0, documentWords: 4 };
  const { search, run } = await simulate({ tree, store: createMemoryStore(QUESTION, files), search: { limits } });
  await run();
  return { search, files };
}

/** A search whose limits somebody set before it began, as a fork's are. */
async function forked() {
  const files = new MemoryFiles();
  const store = createMemoryStore(QUESTION, files);
  await files.makeFolder('.search');
  const limits = { size: 'all', maxDepth: 2, guards: { calls: 1000 } };
  const time = '2026-01-01T00:00:00.000Z';
  const own = [
    { seq: 1, time, type: 'forked', from: { search: 'origin', event: 1, time } },
    { seq: 2, time, type: 'budget-changed', by: 'terminal', limits },
  ];
  files.put('.search/journal.jsonl', own.map((event) => `${JSON.stringify(event)}\n`).join(''));
  const tree = { fanout: (_: string, depth: number) => [3, 2][depth] ?? 0, documentWords: 4 };
  const { search, run } = await simulate({ tree, store, search: { limits: { size: 'all', maxDepth: 2 } } });
  return { search, run, files };
}

describe('undo', () => {
  it(`walks back and forward through any acts, to the same bytes (${RUNS} sequences)`, async () => {
    await fc.assert(
      fc.asyncProperty(story, async ({ kind, steps }) => {
        const { search, files } = await opened(kind);
        const states: object[] = [stateOf(search, files)];
        let here = 0;
        for (const each of steps) {
          const call = callFor(search, each);
          const done = await search.act(call, 'terminal').catch((error: unknown) => {
            assert.ok(isThoughtTreeError(error), String(error));
            return error;
          });
          const now = stateOf(search, files);
          const where = JSON.stringify(call);
          if (done instanceof Error) {
            assert.deepEqual(now, states[here], `${where} was refused: ${done.message}`);
            const isWalk = call.action === 'undo' && !/round at a node/.test(done.message);
            if (isWalk)
              assert.ok('forward' in call ? here === states.length - 1 : here === 0, `${where}: ${done.message}`);
          } else if (call.action === 'undo') {
            here += 'forward' in call ? 1 : -1;
            assert.deepEqual(now, states[here], `${where}: ${done.say.text}`);
          } else {
            states.splice(++here, states.length, now);
          }
        }
        await search.close();
      }),
      { numRuns: RUNS },
    );
  }).timeout(600_000);

  it('refuses an act that led to a call, naming it and what it cost', async () => {
    const { search, run, clock } = await simulate({ search: { limits: { size: 'small', maxDepth: 2 } } });
    await run();
    const { value } = await search.act({ action: 'add', title: 'Mine' }, 'terminal');
    await clock.run(search.run());
    const { path } = value as { path: string };
    await assert.rejects(search.act({ action: 'undo' }, 'terminal'), /add Mine.*led to the call .* tokens/);
    assert.ok([...walk(search.tree.root)].some((node) => pathOf(node) === path));
  });

  it('refuses an act on what was changed since', async () => {
    const { search, files } = await opened('research');
    const [node] = search.tree.root.children;
    assert.ok(node);
    await search.act({ action: 'prune', node: node.slug }, 'terminal');
    const file = `${node.slug}/node.json`;
    files.put(file, (files.readNow(file) ?? '').replace('"pruned"', '"expanded"'));
    await search.reconcile(node.slug);
    await assert.rejects(search.act({ action: 'undo' }, 'terminal'), /changed since/);
  });

  it('takes back an act alone, not what the search found since somebody changed its limits', async () => {
    const { search, run, files } = await forked();
    await run();
    const before = contentOf(files);
    assert.ok(before.some((each) => /document\.md: ./.test(each)));
    for (const call of [
      { action: 'note', text: 'Mind the lease.' },
      { action: 'prune', node: search.tree.root.children[0]?.slug ?? '' },
    ]) {
      await search.act(call, 'terminal');
      await search.act({ action: 'undo' }, 'terminal');
      assert.deepEqual(contentOf(files), before, call.action);
    }
  });
});
