import * as z from 'zod';
import { parseDocument, writeDocument } from '../../../core/text/document.ts';
import { oneLine } from '../../../core/text/text.ts';
import { pathOf } from '../../../core/tree/tree.ts';
import { dependentsOf } from '../graph/dependents.ts';
import { graphFrom } from '../run/tree/read-graph.ts';
import type { WorkSearch } from '../run/work-search.ts';
import { type Change, checkedChange, refused } from './change.ts';
import * as say from './messages.ts';

const Binding = z.strictObject({
  atom: z.string().min(1).max(100),
  summary: z.string().trim().min(1).max(2000).optional(),
  artifacts: z.array(z.string().max(500)).max(100).optional(),
});

/** Changes what came of an atom, in other words than its worker's: whatever was built on it is done again. */
export async function bindingChange(search: WorkSearch, given: unknown): Promise<Change> {
  const { atom: name, summary, artifacts } = checkedChange(Binding, given);
  const { graph, atoms } = graphFrom(search.tree);
  const found = atoms.get(name);
  if (!found) throw refused(say.unknownAtom({ name }));
  return {
    concerns: dependentsOf(graph, [name]).filter((each) => each !== name),
    checksGoal: true,
    make: async () => {
      const { node } = found;
      const document = (await search.store.readDocument(pathOf(node))) ?? `# ${node.title}\n`;
      const { data, body } = partsOf(document);
      const next = { ...data, ...(summary !== undefined && { summary }), ...(artifacts && { artifacts }) };
      const fields = summary === undefined ? {} : { summary: oneLine(summary, 300) };
      await search.nodes.change(node, fields, { document: writeDocument(next, body) });
    },
  };
}

function partsOf(document: string): { data: Record<string, unknown>; body: string } {
  try {
    return parseDocument(document);
  } catch {
    return { data: {}, body: document };
  }
}
