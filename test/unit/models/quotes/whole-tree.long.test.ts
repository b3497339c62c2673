import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Model, Topic } from '../../../../src/core/ports/model.ts';
import { openQuotesModel } from '../../../../src/models/quotes/quotes-model.ts';
import { splitLines } from '../../../../src/text/files/read-text.ts';
import { frontMatter } from '../../../support/front-matter.ts';
import {
  below,
  childrenOf,
  documentOf,
  folderOf,
  mochaWorkspace,
  quotesIn,
} from '../../../support/quotes/quotes-workspace.ts';
import { mochaModel } from '../../../support/quotes/shared-models.ts';

const QUESTION = 'How are test timeouts enforced?';
const DEPTH = 3;

interface Visited {
  readonly lineage: Topic[];
  readonly document: string;
  readonly children: string[];
}

describe('a whole tree of quotations', () => {
  let workspace: string;
  let tree: Visited[];
  before(async () => {
    workspace = mochaWorkspace();
    tree = await grow(mochaModel(), 'depth-first');
  });

  it('quotes word for word, at most 40 lines a document, each place once', () => {
    assert.ok(tree.length > 40, `${tree.length} nodes`);
    for (const { lineage, document } of tree) {
      const quotes = quotesIn(document, folderOf(lineage));
      assert.ok(quotes.length >= 2 || quotes.some(({ lines }) => lines.length >= 3), document);
      assert.equal(document.match(/^`{3,}\w*$/gm)?.length, 2 * quotes.length, 'every fence belongs to a quotation');
      let all = 0;
      for (const { path, start, end, lines } of quotes) {
        const file = splitLines(readFileSync(join(workspace, path), 'utf8'));
        assert.deepEqual(lines, file.slice(start - 1, end), `${path}:${start}-${end}`);
        all += lines.length;
      }
      assert.ok(all <= 40, document);
    }
  });

  it('links to existing files and lines', () => {
    for (const { lineage, document } of tree)
      for (const [, address = '', line = ''] of document.matchAll(/\]\(([^)\s]+)#L(\d+)/g)) {
        const file = join(workspace, folderOf(lineage), decodeURIComponent(address));
        assert.ok(Number(line) <= splitLines(readFileSync(file, 'utf8')).length, `${address}#L${line}`);
      }
  });

  it('quotes no line that an ancestor or an earlier sibling, at any level, quotes', () => {
    const quoted = new Map<string, Set<string>>();
    for (const { lineage, document } of tree) {
      const lines = new Set<string>();
      for (const { path, start, end } of quotesIn(document, folderOf(lineage)))
        for (let line = start; line <= end; line++) lines.add(`${path}:${line}`);
      quoted.set(folderOf(lineage), lines);
    }
    for (const { lineage } of tree) {
      const own = quoted.get(folderOf(lineage)) ?? new Set();
      lineage.forEach((topic, level) => {
        const above = lineage.slice(0, level);
        for (let index = 0; index < topic.index; index++) {
          const sibling = folderOf([...above, { ...topic, index }]);
          assert.ok(disjoint(own, quoted.get(sibling)), `${folderOf(lineage)} repeats ${sibling}`);
        }
        const ancestor = folderOf([...above, topic]);
        if (level < lineage.length - 1) assert.ok(disjoint(own, quoted.get(ancestor)), ancestor);
      });
    }
  });

  it('names a thing and its place in every title, and no topic twice on one path', () => {
    for (const { lineage } of tree) {
      const titles = lineage.map(({ title }) => title);
      assert.match(titles.at(-1) ?? '', /^(`[^`]+`|“[^”]+”)(: .+)? \([^()]+\)$/);
      const places = titles.map((title) => title.replace(/`: .* \(/, '` ('));
      assert.equal(new Set(places).size, places.length, titles.join(' > '));
    }
  });

  it('has front matter with the title and one line that says something of its own', () => {
    const summaries = new Set<string>();
    for (const { lineage, document } of tree) {
      const { data } = frontMatter(document);
      assert.equal(data['title'], lineage.at(-1)?.title);
      const { summary = '' } = data;
      assert.match(summary, /^[^\n]{10,300}$/);
      summaries.add(summary);
    }
    assert.ok(summaries.size > 0.8 * tree.length, 'summaries are alike');
  });

  it('is the same in another order of work, and for a fresh model', async () => {
    const fresh = openQuotesModel({ workspace });
    try {
      const byPlace = new Map((await grow(fresh, 'last-first')).map((node) => [folderOf(node.lineage), node]));
      assert.equal(byPlace.size, tree.length);
      for (const node of tree) assert.deepEqual(byPlace.get(folderOf(node.lineage)), node);
    } finally {
      await fresh.close?.();
    }
  });

  it('ends by itself in a small workspace', async () => {
    const small = openQuotesModel({ workspace: join(workspace, 'lib/interfaces') });
    try {
      const nodes = await grow(small, 'depth-first', 12);
      assert.ok(Math.max(...nodes.map(({ lineage }) => lineage.length)) < 12);
      assert.ok(nodes.length < 200, `${nodes.length} nodes`);
    } finally {
      await small.close?.();
    }
  });
});

function disjoint(a: ReadonlySet<string>, b: ReadonlySet<string> = new Set()): boolean {
  return [...a].every((one) => !b.has(one));
}

/** Visits every node down to a depth; which one is next must make no difference. */
async function grow(model: Model, order: 'depth-first' | 'last-first', depth = DEPTH): Promise<Visited[]> {
  const visited: Visited[] = [];
  const open = below([], await childrenOf(model, QUESTION, []));
  for (let lineage = next(); lineage; lineage = next()) {
    // Another order asks for the children before the document, too.
    const early = order === 'last-first' ? await childrenOf(model, QUESTION, lineage) : undefined;
    const document = await documentOf(model, QUESTION, lineage);
    const children = early ?? (await childrenOf(model, QUESTION, lineage));
    visited.push({ lineage, document, children: children.map(({ title }) => title) });
    if (lineage.length < depth) open.unshift(...below(lineage, children));
  }
  return visited;

  function next(): Topic[] | undefined {
    return order === 'depth-first' ? open.shift() : open.pop();
  }
}
