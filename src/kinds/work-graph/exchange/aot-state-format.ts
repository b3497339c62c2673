import pLimit from 'p-limit';
import type { Store } from '../../../core/ports/store.ts';
import { pathOf, type Tree, type TreeNode, walk } from '../../../core/tree/tree.ts';
import type { Format, IncomingWishes, WholeSearch } from '../../../engine/kind/kind-format.ts';
import { planWarnings } from '../plan/plan-warnings.ts';
import { readPlan } from '../plan/read-plan.ts';
import { writePlan } from '../plan/write-plan.ts';
import { hookNotes } from './hook.ts';
import * as say from './messages.ts';
import { mirrorAsks } from './mirror.ts';
import { planOfTree, treeOfPlan } from './plan-of-tree.ts';
import { isStateText } from './state-file/front-matter.ts';
import { fileOfState, type PlannedState, searchOfState } from './state-file/plan-state-import.ts';
import { readState } from './state-file/read-state.ts';
import { bindingsIn } from './state-file/state-bindings.ts';
import type { StateOf } from './state-file/state-value.ts';
import { withState, writeState } from './state-file/write-state.ts';

/** Files that are read or written at the same time. */
const FILES_AT_ONCE = 32;

/** The state file of the system that work graphs come from, schema 1.3. */
export const aotState: Format = {
  name: 'aot-state',
  write: async (search) => writeState(await stateOf(search), await search.store.readImported(), { status: 'stopped' }),
  fileName: () => 'aot-loop-state.md',
  notes: hookNotes,
  mirror: {
    warning: say.mirrorArms(),
    program: 'ralph-wiggum-aot',
    write: async (search, status) => writeState(await stateOf(search), await search.store.readImported(), { status }),
    stopped: (found) => withState(found, 'stopped'),
    asks: mirrorAsks,
  },
  readsText: {
    is: isStateText,
    read(text, file, wishes) {
      const { state } = readState(text, file);
      const planned = searchOfState(state);
      return {
        file: fileOfState(state, wishes),
        nodes: planned.tree.size,
        notes: planWarnings(planned.plan),
        writeTo: (store, signal) => writePlanned(planned, text, wishes, store, signal),
      };
    },
  },
};

/** Returns the data from which a search's state follows. */
async function stateOf({ file, tree, store }: Pick<WholeSearch, 'file' | 'tree' | 'store'>): Promise<StateOf> {
  const text = await store.readPlan();
  const plan = text === undefined ? planOfTree(file, tree) : readPlan(text);
  const limit = pLimit(FILES_AT_ONCE);
  const paths = [...walk(tree.root)].filter(({ parent, status }) => parent && status === 'leaf').map(pathOf);
  const read = async (path: string): Promise<[string, string | undefined]> => [path, await store.readDocument(path)];
  const documents = await limit.map(paths, read);
  const found = documents.flatMap(([path, document]) => (document === undefined ? [] : [[path, document] as const]));
  // Before the plan is accepted, there are no nodes.
  if (tree.size === 0) return { plan, tree: treeOfPlan(plan), bindings: new Map() };
  return { plan, tree, bindings: bindingsIn(new Map(found)) };
}

/** Writes the files of a search that only has a search.json. */
async function writePlanned(
  { plan, tree, documents }: PlannedState,
  original: string,
  { newId }: Pick<IncomingWishes, 'newId'>,
  store: Store,
  signal?: AbortSignal,
): Promise<void> {
  await store.writeImported(original);
  await store.writePlan(writePlan(plan));
  const limit = pLimit(FILES_AT_ONCE);
  for (const level of levelsOf(tree))
    await limit.map(level, async (node) => {
      signal?.throwIfAborted();
      const path = pathOf(node);
      await store.writeNode(path, { ...node.file, id: node.fileId ?? newId(), slug: node.slug });
      const document = documents.get(path);
      if (document !== undefined) await store.writeDocument(path, document);
      const hasList = node.children.length > 0 || node.status === 'leaf' || node.status === 'expanded';
      if (hasList) await store.writeChildren(path, listOf(node));
    });
  await store.writeChildren('', listOf(tree.root));
}

function levelsOf({ root }: Tree): TreeNode[][] {
  const levels: TreeNode[][] = [];
  for (let level = [...root.children]; level.length > 0; level = level.flatMap(({ children }) => children))
    levels.push(level);
  return levels;
}

function listOf({ children }: TreeNode): { title: string; slug: string }[] {
  return children.map(({ title, slug }) => ({ title, slug }));
}
