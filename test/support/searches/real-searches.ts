import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Limits } from '../../../src/core/search/limits.ts';
import type { SearchFile } from '../../../src/core/search/search-file.ts';
import type { TreeNode } from '../../../src/core/tree/tree.ts';
import { openQuotesModel } from '../../../src/models/quotes/quotes-model.ts';
import { game24Model } from '../game24/game24-model.ts';
import { createMemoryStore, MemoryFiles } from '../memory-store.ts';
import { mochaWorkspace } from '../quotes/quotes-workspace.ts';
import { chance, choose } from '../servers/server-random.ts';
import { stillClock } from '../virtual-clock.ts';
import { nodeUpdate } from '../work-graph/node-update.ts';
import { simulate } from './simulated-search.ts';
import { simulateThoughts, thoughtFile } from './simulated-thoughts.ts';

/** Runs a search with the engine, the same each time, and leaves its files in a folder. */
type RunInto = (folder: string) => Promise<void>;

/** Searches as people have them: of each kind, and of three sizes. Who runs the first three removes the workspaces. */
export const REAL_SEARCHES = {
  /** Stopped by its limit of calls, with a branch that a person cut off. */
  research: async (folder) => {
    const limits = { size: 'medium', guards: { calls: 31 } } as const;
    await runQuotes(folder, { title: 'How are test timeouts enforced?', kind: 'research', limits, prune: 2 });
  },
  /** Some 450 nodes, most of them not looked into. */
  'large-research': async (folder) => {
    await runQuotes(folder, {
      title: 'How are tests, hooks, suites, reporters, errors and options run and shown?',
      kind: 'research',
      limits: { size: 'all', maxDepth: 6, guards: { calls: 310 } },
    });
  },
  /** Of documents that a script writes, with a branch that a person cut off. */
  'scripted-research': async (folder) => {
    const files = new MemoryFiles();
    const store = createMemoryStore(searchFile('Why?', 'research'), files);
    const { search, run } = await simulate({ store, search: { limits: { size: 'small' } } });
    await run();
    await search.act({ action: 'prune', node: (search.tree.root.children[1] as TreeNode).slug }, 'Ada');
    await search.close();
    await layDown(files, folder);
  },
  investigation: async (folder) => {
    await runQuotes(folder, { title: 'How are hooks and retries run?', kind: 'investigation' });
  },
  /** Solved; the solution itself was never scored. */
  thoughts: (folder) => runGame24(folder),
  /** Stopped by its limit of calls before a solution was found. */
  'paused-thoughts': (folder) => runGame24(folder, { guards: { calls: 6 } }),
  /** An alternative failed, the next one held, and what is left waits for a person. */
  'work-graph': async (folder) => {
    const files = new MemoryFiles();
    const { search, run } = await nodeUpdate(files);
    await run();
    await search.close();
    await layDown(files, folder);
  },
  /** Some 10,000 nodes. */
  'ten-thousand': async (folder) => {
    const files = new MemoryFiles();
    const store = createMemoryStore(searchFile('How does this server protect itself?', 'research'), files);
    const fanout = (path: string, depth: number): number => (depth < 6 ? 8 + Math.round(12 * chance(7, path)) : 0);
    const tree = { fanout, title: titleOf, documentWords: 10 };
    const limits: Partial<Limits> = { size: 'all', maxDepth: 6, guards: { calls: 1700, tokens: 1e9 } };
    const { search, run } = await simulate({ store, tree, search: { limits } });
    await run();
    await search.close();
    await layDown(files, folder);
  },
} as const satisfies Record<string, RunInto>;

export type RealSearch = keyof typeof REAL_SEARCHES;

interface QuotesRun {
  readonly title: string;
  readonly kind: 'research' | 'investigation';
  readonly limits?: Partial<Limits>;
  /** The branch of the first level that is cut off at the end. */
  readonly prune?: number;
}

/** By the quotes of mocha's sources, one node at a time. */
async function runQuotes(folder: string, { title, kind, limits, prune }: QuotesRun): Promise<void> {
  const model = openQuotesModel({ workspace: mochaWorkspace() });
  const files = new MemoryFiles();
  const store = createMemoryStore(searchFile(title, kind), files);
  const parts = { concurrency: 1, clock: stillClock, model, ...(limits && { limits }) };
  const { search } = await simulate({ store, search: parts });
  await search.run();
  const cut = prune === undefined ? undefined : search.tree.root.children[prune];
  if (cut) await search.act({ action: 'prune', node: cut.slug }, 'Ada');
  await search.close();
  await model.close?.();
  await layDown(files, folder);
}

async function runGame24(folder: string, limits: Partial<Limits> = {}): Promise<void> {
  const options = { task: 'game24', size: 'all', maxDepth: 3 } as const;
  const files = new MemoryFiles();
  const store = createMemoryStore(thoughtFile({ prompt: '4 5 6 10', options }), files);
  const { search, run } = await simulateThoughts({ store, search: { model: game24Model(1), limits } });
  await run();
  await search.close();
  await layDown(files, folder);
}

function searchFile(title: string, kind: string): SearchFile {
  return { version: 1, kind, title, prompt: title, options: {} };
}

async function layDown(files: MemoryFiles, folder: string, at = ''): Promise<void> {
  for (const { name, kind } of await files.list(at)) {
    const path = at === '' ? name : `${at}/${name}`;
    if (kind === 'folder') await layDown(files, folder, path);
    else {
      const file = join(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, (await files.read(path)) ?? '');
    }
  }
}

const WHAT = [
  'Sessions',
  'Passwords',
  'Rate limits',
  'Tokens',
  'Input checks',
  'Secrets',
  'Audit log',
  'Licences',
] as const;
const WHERE = [
  'at the gateway',
  'in the worker',
  'before the database',
  'when the cache is cold',
  'in the build',
] as const;

function titleOf(path: string, index: number): string {
  return `${choose(WHAT, 3, path, index, 1)} ${choose(WHERE, 3, path, index, 2)}`;
}
