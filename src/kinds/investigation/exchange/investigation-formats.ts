import pLimit from 'p-limit';
import type { Store } from '../../../core/ports/store.ts';
import type { Format, IncomingWishes } from '../../../engine/kind/kind-format.ts';
import { INVESTIGATION_FORMATS } from '../face.ts';
import { dotOf } from '../protocol/dot.ts';
import { referencesIn } from '../protocol/references.ts';
import { readFindings } from '../run/findings.ts';
import { investigationIn } from '../run/read-investigation.ts';
import { type PlannedInvestigation, planSessionImport } from './plan-session-import.ts';
import { isSessionFile, readSessionFile } from './session-file.ts';
import { sessionIdOf } from './session-id.ts';
import { writeSessionFile } from './write-session-file.ts';

const [TREE_OF_THOUGHTS, DOT, REFERENCES] = INVESTIGATION_FORMATS;
/** Nodes that are written at the same time. */
const WRITES_AT_ONCE = 32;

/** The file that older servers keep an investigation in: its name is all that they know it by. */
const treeOfThoughts: Format = {
  name: TREE_OF_THOUGHTS,
  write: writeSessionFile,
  fileName: (_, search) => `${nameOf(search)}.json`,
  reads: {
    is: isSessionFile,
    read(value, wishes) {
      const planned = planSessionImport(readSessionFile(value), wishes);
      const { file, leads } = planned;
      const writeTo = (store: Store, signal?: AbortSignal) => writePlanned(planned, wishes, store, signal);
      return { file, nodes: leads.length, writeTo };
    },
  },
};

/** The graph, for Graphviz. */
const dot: Format = {
  name: DOT,
  write: async ({ file, tree, record }) => `${dotOf(investigationIn(file, tree, record))}\n`,
  fileName: (_, search) => `${nameOf(search)}.tot-graph.dot`,
};

/** The references that were looked at, a line each. */
const references: Format = {
  name: REFERENCES,
  async write({ file, tree, record, store }) {
    const findings = await readFindings(store, tree, record);
    const { nodes } = investigationIn(file, tree, record);
    const all = referencesIn([...nodes.keys()].map((id) => findings.get(id) ?? ''));
    return all.map((reference) => `${reference}\n`).join('');
  },
  fileName: (_, search) => `${nameOf(search)}.references.txt`,
};

export const investigationFormats: readonly Format[] = [treeOfThoughts, dot, references];

function nameOf({ file, store }: Parameters<Format['fileName']>[1]): string {
  const id = sessionIdOf(file, store);
  return /^\w[\w-]{0,99}$/.test(id) ? id : 'investigation';
}

/** Writes the files of an investigation that only has a search.json. */
async function writePlanned(
  { roots, leads }: PlannedInvestigation,
  { newId }: IncomingWishes,
  store: Store,
  signal?: AbortSignal,
): Promise<void> {
  const limit = pLimit(WRITES_AT_ONCE);
  const levels = Map.groupBy(leads, ({ path }) => path.split('/').length);
  for (const level of levels.values())
    await limit.map(level, async ({ path, file, document, children }) => {
      signal?.throwIfAborted();
      await store.writeNode(path, { id: newId(), ...file });
      if (document !== undefined) await store.writeDocument(path, document);
      if (children) await store.writeChildren(path, [...children]);
    });
  if (roots && roots.length > 0) await store.writeChildren('', [...roots]);
}
