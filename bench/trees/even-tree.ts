import { chance } from '../../test/support/servers/server-random.ts';
import { candidatesIn, type ScriptedTree } from '../../test/support/servers/server-tree.ts';

/** The number of children on each level, for trees of about this size: all of them four levels deep. */
export const FANOUTS: Readonly<Record<number, readonly number[]>> = {
  100: [3, 3, 3, 3],
  1000: [6, 6, 5, 5],
  10000: [10, 10, 10, 9],
  100000: [18, 17, 17, 18],
};

export function nodesOf(fanouts: readonly number[]): number {
  let level = 1;
  let nodes = 0;
  for (const fanout of fanouts) {
    level *= fanout;
    nodes += level;
  }
  return nodes;
}

const BODY = 'The cache holds what a worker needs until its lease ends, and no longer. '.repeat(24);

/** Returns a document like one from a model, of about 450 tokens. */
export function documentOf(title: string): string {
  return `---\ntitle: ${title}\nsummary: What is known of it.\n---\n\n# ${title}\n\n${BODY}\n`;
}

/** A tree whose answers are cheap to make. */
export function evenTree(fanouts: readonly number[]): Pick<ScriptedTree, 'answer'> {
  const lists = fanouts.map((fanout) => listOf(fanout));
  const answer: ScriptedTree['answer'] = ({ purpose, node, prompt }) => {
    if (purpose === 'document') return documentOf('Topic');
    if (purpose === 'children') return lists[node === '' ? 0 : node.split('/').length] ?? listOf(0);
    if (purpose === 'pick') return ranking(prompt);
    return 'In short: all of it.\n';
  };
  return { answer };
}

function listOf(fanout: number): string {
  const list = Array.from({ length: fanout }, (_, i) => ({
    title: `Topic ${i + 1}`,
    score: Math.round(chance(i) * 100) / 10,
    why: `It is part ${i + 1} of the whole.`,
  }));
  return `<output>\n${JSON.stringify(list)}\n</output>`;
}

function ranking(prompt: string): string {
  const limit = Number(/up to (\d+)/.exec(prompt)?.[1] ?? 1);
  return `<output>\n${candidatesIn(prompt).slice(0, limit).join('\n')}\n</output>`;
}
