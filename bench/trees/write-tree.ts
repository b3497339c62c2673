import { appendFileSync, closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { documentOf } from './even-tree.ts';

const USAGE = { prompt: 2000, cached: 1700, completion: 450, usd: 0 };

/** Writes the files that a finished search over a whole tree leaves behind, without searching. */
export function writeTree(folder: string, fanouts: readonly number[]): void {
  mkdirSync(join(folder, '.search'), { recursive: true });
  const search = { version: 1, kind: 'research', title: 'Slow build', prompt: 'Why?', options: {} };
  writeFileSync(join(folder, 'search.json'), JSON.stringify(search));
  writeFileSync(join(folder, '.search/.gitignore'), '*\n');
  const journal = openSync(join(folder, '.search/journal.jsonl'), 'w');
  let seq = 0;
  const tell = (...events: readonly object[]): void => {
    const time = '2026-01-01T00:00:00.000Z';
    writeSync(journal, events.map((event) => `${JSON.stringify({ seq: ++seq, time, ...event })}\n`).join(''));
  };
  tell({ type: 'search-started', model: 'simulated/tree', limits: { size: 'all', maxDepth: 4, guards: {} } });
  tell({ type: 'node-added', node: '', children: childrenOf('', fanouts[0] ?? 0) });
  const write = (path: string, depth: number): void => {
    const children = childrenOf(path, fanouts[depth] ?? 0);
    const at = path === '' ? folder : join(folder, path);
    writeFileSync(join(at, 'children.json'), `${JSON.stringify(children, undefined, 2)}\n`);
    for (const { title, slug } of children) {
      const child = path === '' ? slug : `${path}/${slug}`;
      const status = (fanouts[depth + 1] ?? 0) > 0 ? 'expanded' : 'leaf';
      mkdirSync(join(folder, child));
      writeFileSync(join(folder, child, 'node.json'), nodeFile(title, slug, status, ++ids));
      writeFileSync(join(folder, child, 'document.md'), documentOf(title));
      tell(...eventsOf(child, title, status, ids, childrenOf(child, fanouts[depth + 1] ?? 0)));
      write(child, depth + 1);
    }
  };
  let ids = 0;
  write('', 0);
  const tokens = { prompt: 0, cached: 0, completion: 0, worstCase: 0 };
  const counts = { expanded: 0, leaves: 0, skipped: 0, failed: 0, pruned: 0, open: 0, calls: 0 };
  const results = { ...counts, tokens, usd: 0, usdComplete: true, minutes: 0 };
  tell({ type: 'search-finished', reason: 'complete', results });
  closeSync(journal);
  appendFileSync(join(folder, 'report.md'), '# Slow build\n');
}

function childrenOf(path: string, count: number): { title: string; slug: string }[] {
  const deep = path === '' ? '' : 'sub';
  return Array.from({ length: count }, (_, i) => ({
    title: `A ${deep}topic ${i + 1}`,
    slug: `a-${deep}topic-${i + 1}`,
  }));
}

function nodeFile(title: string, slug: string, status: string, id: number): string {
  return `${JSON.stringify({ title, slug, status, ...saidOf(status, id) }, undefined, 2)}\n`;
}

/** Returns what is known of a node at its end, in its file and in the journal. */
function saidOf(status: string, id: number): object {
  const evaluation = { score: (id * 7) % 10, reasoning: 'It is part of the whole.' };
  const reason = status === 'leaf' ? { leafReason: 'model' } : {};
  return { ...reason, summary: 'What is known of it.', evaluation, sessionId: `id-${id}`, model: 'simulated/tree' };
}

/** Returns the events of one node, from its beginning to its end. */
function eventsOf(
  node: string,
  title: string,
  status: string,
  id: number,
  children: readonly { title: string; slug: string }[],
): object[] {
  const calls = ['document', 'children'].flatMap((purpose) => {
    const call = { call: `call-${purpose}-${id}`, purpose, node };
    const worst = { tokens: 12_000, usd: 0 };
    return [
      { type: 'call-started', ...call, model: 'simulated/tree', attempt: 1, worst },
      { type: 'call-ended', ...call, ms: 8000, outcome: 'ok', charged: true, usage: USAGE },
    ];
  });
  return [
    { type: 'progress', text: `Researching: ${title} (depth ${node.split('/').length})` },
    { type: 'node-status', node, status: 'in-progress' },
    ...calls,
    ...(children.length > 0 ? [{ type: 'node-added', node, children }] : []),
    { type: 'node-status', node, status, ...saidOf(status, id) },
  ];
}
