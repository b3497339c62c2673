import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { childSlug } from '../../../../src/core/tree/slug.ts';

/** A node to be written: its title, its status, and what is below it. */
export interface WrittenNode {
  readonly title: string;
  readonly status: 'unexpanded' | 'expanded' | 'leaf' | 'pruned' | 'failed';
  readonly children?: readonly WrittenNode[];
}

/** Writes a search as a clone has it: its files, and nothing that the engine keeps for itself. */
export function writeSearch(folder: string, title: string, topics: readonly WrittenNode[]): void {
  mkdirSync(folder, { recursive: true });
  const options = { size: 'medium', maxDepth: 4 };
  const search = { version: 1, kind: 'research', title, prompt: title, strategy: 'research', options };
  writeJson(join(folder, 'search.json'), { ...search, createdAt: '2026-01-01T00:00:00.000Z' });
  writeChildren(folder, topics);
}

function writeChildren(folder: string, nodes: readonly WrittenNode[]): void {
  const listed = nodes.map(({ title }) => ({ title, slug: childSlug(title, '', new Set()) }));
  for (const [index, node] of nodes.entries()) writeNode(join(folder, listed[index]?.slug ?? ''), node);
  writeJson(join(folder, 'children.json'), listed);
}

function writeNode(folder: string, { title, status, children = [] }: WrittenNode): void {
  mkdirSync(folder, { recursive: true });
  const slug = childSlug(title, '', new Set());
  writeJson(join(folder, 'node.json'), { title, slug, status, summary: `What is known of ${title}.` });
  if (status !== 'expanded' && status !== 'leaf') return;
  writeFileSync(join(folder, 'document.md'), `---\ntitle: ${title}\n---\n\nThis is about ${title}.\n`);
  writeChildren(folder, children);
}

function writeJson(file: string, value: unknown): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}
