import pLimit from 'p-limit';
import type { ReadStore } from '../core/ports/store.ts';
import type { SearchFile } from '../core/search/search-file.ts';
import { pathOf, type Tree, type TreeNode, walk } from '../core/tree/tree.ts';

/** Nodes whose files are read at the same time. */
const READS_AT_ONCE = 64;

/** A search that nobody has to run for it. */
interface ReadSearch {
  readonly file: SearchFile;
  readonly tree: Tree;
  readonly store: Pick<
    ReadStore,
    'readNodeFile' | 'readDocument' | 'readDecomposition' | 'readNotes' | 'readReport' | 'readPlan' | 'readImported'
  >;
}

/** A search of any kind as one JSON value: all that its files say, conversations and journal left out. */
export async function searchAsJson({ file, tree, store }: ReadSearch): Promise<object> {
  const [notes, report, decomposition, plan, imported] = [
    await store.readNotes(),
    await store.readReport(),
    await store.readDecomposition(),
    await store.readPlan(),
    await store.readImported(),
  ];
  const nodes = [...walk(tree.root)].filter(({ parent }) => parent !== undefined);
  return {
    search: file,
    notes,
    decomposition,
    plan,
    imported,
    report,
    children: slugsIn(tree.root),
    nodes: await pLimit(READS_AT_ONCE).map(nodes, (node) => nodeAsJson(node, store)),
  };
}

async function nodeAsJson(node: TreeNode, store: ReadSearch['store']): Promise<object> {
  const path = pathOf(node);
  const [file, document] = await Promise.all([store.readNodeFile(path), store.readDocument(path)]);
  return { path, ...file, document, children: node.listed ? slugsIn(node) : undefined };
}

function slugsIn({ children }: TreeNode): string[] {
  return children.map(({ slug }) => slug);
}
