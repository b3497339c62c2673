import assert from 'node:assert/strict';
import { randomUUID as newId } from 'node:crypto';
import fc from 'fast-check';
import { pathOf, type Tree, walk } from '../../../../src/core/tree/tree.ts';
import { holdTree, openTree } from '../../../../src/engine-parts/opening/open-tree.ts';
import { effort } from '../../../support/effort.ts';
import { createMemoryStore, MemoryFiles } from '../../../support/memory-store.ts';
import { snapshotOf } from '../../../support/searches/search-snapshot.ts';
import { QUESTION, simulate } from '../../../support/searches/simulated-search.ts';

const tree = { fanout: (_path: string, depth: number) => [3, 2, 2][depth] ?? 0, documentWords: 5 };

/** A search that got as far as `calls` calls, and the files it left. */
async function searchOf(calls: number): Promise<MemoryFiles> {
  const files = new MemoryFiles();
  const limits = { size: 'all' as const, guards: { calls } };
  const simulation = await simulate({ tree, store: createMemoryStore(QUESTION, files), search: { limits } });
  await simulation.run();
  return files;
}

interface Edit {
  readonly kind: 'remove' | 'damage' | 'copy' | 'status' | 'title' | 'document' | 'list' | 'older' | 'rename';
  readonly at: number;
  readonly text: string;
}

const edits = fc.array(
  fc.record({
    kind: fc.constantFrom<Edit['kind'][]>(
      'remove',
      'damage',
      'copy',
      'status',
      'title',
      'document',
      'list',
      'older',
      'rename',
    ),
    at: fc.nat(1000),
    text: fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.constantFrom('in-progress', 'leaf', '', '[]', '{}'),
    ),
  }),
  { minLength: 1, maxLength: 6 },
);

function folderOf(file: string): string {
  return file.slice(0, file.lastIndexOf('/') + 1);
}

function rewrite(text: string, change: (value: Record<string, unknown>) => void): string {
  try {
    const value = JSON.parse(text) as Record<string, unknown>;
    change(value);
    return JSON.stringify(value);
  } catch {
    return text;
  }
}

/** The files as a person, an editor or git may leave them. */
function edited(before: Record<string, string>, older: Record<string, string>, { kind, at, text }: Edit) {
  const files = { ...before };
  const names = Object.keys(files);
  const nodes = names.filter((name) => name.endsWith('/node.json'));
  const node = nodes[at % Math.max(1, nodes.length)] ?? 'search.json';
  const folder = folderOf(node);
  const any = names.filter((name) => name !== 'search.json')[at % Math.max(1, names.length - 1)] ?? node;
  const moveTo = (target: string, keep: boolean): void => {
    for (const name of names.filter((each) => each.startsWith(folder))) {
      files[target + name.slice(folder.length)] = files[name] ?? '';
      if (!keep) delete files[name];
    }
  };
  if (kind === 'remove') for (const name of names) if (name.startsWith(folder) && folder !== '') delete files[name];
  if (kind === 'damage') files[any] = text;
  if (kind === 'copy') moveTo(`${folder.slice(0, -1)}-copy/`, true);
  if (kind === 'rename') moveTo(`renamed-${at}/`, false);
  if (kind === 'status') files[node] = rewrite(files[node] ?? '', (value) => Object.assign(value, { status: text }));
  if (kind === 'title') files[node] = rewrite(files[node] ?? '', (value) => Object.assign(value, { title: text }));
  if (kind === 'document') files[`${folder}document.md`] = text;
  if (kind === 'list') {
    const list = names.filter((name) => name.endsWith('children.json'))[at % 5] ?? 'children.json';
    files[list] = rewrite(files[list] ?? '[]', (value) => Array.isArray(value) && value.reverse().splice(at % 3, 1));
  }
  if (kind === 'older') {
    for (const name of names) if (name.startsWith(folder)) delete files[name];
    for (const [name, old] of Object.entries(older)) if (name.startsWith(folder)) files[name] = old;
  }
  return files;
}

function filesFrom(contents: Record<string, string>): MemoryFiles {
  const files = new MemoryFiles();
  for (const [path, text] of Object.entries(contents)) files.put(path, text);
  return files;
}

function shapeOf(of: Tree): unknown[] {
  return [...walk(of.root)].map((node) => [pathOf(node), node.status, node.title, node.summary, node.listed]);
}

const documentsOf = (files: Record<string, string>): [string, string][] =>
  Object.entries(files)
    .filter(([name]) => name.endsWith('document.md'))
    .sort(([a], [b]) => (a < b ? -1 : 1));

describe('opening what somebody edited', () => {
  let older: Record<string, string>;
  let later: Record<string, string>;
  before(async () => {
    older = await snapshotOf(await searchOf(12));
    later = await snapshotOf(await searchOf(30));
  });

  it('never crashes, never loses a document, and changes nothing the second time', async () => {
    await fc.assert(
      fc.asyncProperty(edits, async (list) => {
        const contents = list.reduce((files, edit) => edited(files, older, edit), later);
        const files = filesFrom(contents);
        const first = await holdTree({ store: createMemoryStore(QUESTION, files), newId }, QUESTION.title);
        const repaired = await snapshotOf(files);
        assert.deepEqual(documentsOf(repaired), documentsOf(contents), 'documents are as the person left them');
        const second = await holdTree({ store: createMemoryStore(QUESTION, files), newId }, QUESTION.title);
        assert.deepEqual(shapeOf(second), shapeOf(first));
        assert.deepEqual(await snapshotOf(files), repaired, 'the second opening changes nothing');
        const reader = await openTree(createMemoryStore(QUESTION, files), QUESTION.title, 'reader');
        assert.deepEqual(shapeOf(reader), shapeOf(first), 'a reader sees the same');
      }),
      { numRuns: effort(400), includeErrorInReport: true },
    );
  });

  it('continues to the end from there, keeping every document of a person', async () => {
    await fc.assert(
      fc.asyncProperty(edits, fc.integer({ min: 1, max: 1e6 }), async (list, seed) => {
        const contents = list.reduce((files, edit) => edited(files, older, edit), later);
        const files = filesFrom(contents);
        const search = { limits: { size: 'all' as const, guards: { calls: 10_000 } } };
        const simulation = await simulate({ tree, store: createMemoryStore(QUESTION, files), search, seed });
        const outcome = await simulation.run();
        assert.equal(outcome.state, 'finished');
        const after = new Map(documentsOf(await snapshotOf(files)));
        for (const [name, text] of documentsOf(contents))
          if (text.trim() !== '') assert.equal(after.get(name), text, name);
      }),
      { numRuns: effort(150), includeErrorInReport: true },
    );
  });
});
