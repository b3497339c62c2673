import type { ModelRequest } from '../../src/core/ports/model.ts';
import { chance } from '../../test/support/servers/server-random.ts';
import { type ScriptedTree, type ScriptedTreeOptions, scriptedTree } from '../../test/support/servers/server-tree.ts';

/** A realistic question: a few sentences. */
export const QUESTION =
  'Why has our build become three times as slow since spring, and what should we do about it first? It is a monorepo ' +
  'of forty packages in TypeScript, bundled with two tools and tested on four machines. Say what costs how much, what ' +
  'can be cached, and which of the remedies are safe to take before the release.';

const NAMES = ['Amber', 'Binary', 'Cedar', 'Delta', 'Ember', 'Fallow', 'Granite', 'Harbor'] as const;

/** The depth of a tree of 900 nodes: the default depth of a search, or one level less and so wider. */
export type Shape = 'deep' | 'wide';

/**
 * 900 nodes, documents of about 450 tokens. `deep`: 6, 30, 150, 714 on its four levels, like a search of default depth.
 * `wide`: 12, 96, 792 on three. Titles are short enough to make the plain form send the amount known from elsewhere,
 * 10.6 million tokens: its outlines and candidates are titles.
 */
const SHAPES: Record<Shape, ScriptedTreeOptions['fanout'] & {}> = {
  deep: (path, depth) => [6, 5, 5, ordinalOf(path) < 36 ? 4 : 5][depth] ?? 0,
  wide: (path, depth) => [12, 8, 8 + (depth === 2 && /[1-2]$/.test(path) ? 1 : 0)][depth] ?? 0,
};

/** Returns the place of a node on its level, from 0, by the numbers in its titles. */
function ordinalOf(path: string): number {
  return Array.from(path.matchAll(/-(\d+)/g)).reduce((place, [, n]) => place * 5 + Number(n) - 1, 0);
}

/**
 * Returns the tree of 900 nodes. Its answers are made once and cached: a benchmark asks for the same ones many times.
 */
export function simulatedTree(seed: number, shape: Shape): ScriptedTree {
  const title = (path: string, index: number): string => `${NAMES[(path.length + index) % NAMES.length]} ${index + 1}`;
  const tree = scriptedTree({ fanout: SHAPES[shape], documentWords: 340, title, seed });
  const kept = new Map<string, string>();
  return {
    ...tree,
    answer: (call) => {
      if (call.purpose === 'pick') return tree.answer(call);
      const key = `${call.purpose} ${call.node}`;
      const answer = kept.get(key) ?? tree.answer(call);
      kept.set(key, answer);
      return answer;
    },
  };
}

/** Milliseconds per call: a document 4 to 12 seconds, a list 1 to 3, a pick 2 to 4; depends only on seed and request. */
export function latencies(seed: number): (request: ModelRequest) => number {
  return ({ purpose, node, prompt }) => {
    const [least, most] = purpose === 'document' ? [4000, 12_000] : purpose === 'pick' ? [2000, 4000] : [1000, 3000];
    return least + (most - least) * chance('latency', seed, purpose, node, purpose === 'pick' ? prompt.length : 0);
  };
}
