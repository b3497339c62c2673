import type { MoveResult } from '../../../../core/kind/strategy.ts';
import { ThoughtTreeError, toThoughtTreeError } from '../../../../core/search/errors.ts';
import type { TreeNode } from '../../../../core/tree/tree.ts';
import { consequenceOf } from '../../../../engine/loop/consequence.ts';
import type { PlannedAtom } from '../../plan/plan.ts';
import type { Part } from '../../roles/roles.ts';
import * as say from '../messages.ts';
import type { AtomFields } from '../tree/own-fields.ts';
import { partsDocument } from '../tree/parts-document.ts';
import { begun, ended } from '../tree/tries.ts';
import { atomFieldsOf, DONE, DROPPED, isOpen, lookedAt, type WorkSearch } from '../work-search.ts';
import { changeAtom, failAtom } from './atom-changes.ts';
import { taskOf } from './atom-task.ts';
import { childrenFor, laidAtom } from './lay-out.ts';

/** Splits an atom that failed several times as a whole. Its last part is checked by what the whole was to be checked by. */
export async function decomposeAtom(
  search: WorkSearch,
  given: TreeNode,
  iteration: number,
  signal: AbortSignal,
): Promise<MoveResult> {
  const node = await lookedAt(search, given, signal);
  const own = node && atomFieldsOf(node);
  if (!node || !own || !isOpen(node) || own.work || node.children.length > 0) return DROPPED;
  const { decompose } = search.roles;
  if (!decompose) throw new ThoughtTreeError('bad-input', say.noWorker({ name: own.name }));
  return await search.nodes.work(node, signal, async () => {
    const started: AtomFields = { ...own, tries: begun(own, iteration) };
    await changeAtom(search, node, started, { status: 'in-progress' });
    const answer = await partsFor(search, node, started, decompose, signal);
    const done = await search.nodes.commit(node, signal, async () => {
      const current = { ...(atomFieldsOf(node) ?? started), tries: started.tries };
      if (typeof answer === 'string') return await failAtom(search, node, current, { as: 'failed', seen: answer });
      const laid = partsOf(current, answer).map((part) => laidAtom(part));
      await search.nodes.add(node, childrenFor(node, laid, search.file.longestName), 'list-first');
      const { document } = partsDocument(search, node);
      const decomposed = { ...current, tries: ended(current, 'decomposed') };
      await changeAtom(search, node, decomposed, { status: 'expanded' }, document);
    });
    return done === 'gone' ? DROPPED : DONE;
  });
}

async function partsFor(
  search: WorkSearch,
  node: TreeNode,
  own: AtomFields,
  decompose: NonNullable<WorkSearch['roles']['decompose']>,
  signal: AbortSignal,
): Promise<readonly Part[] | string> {
  try {
    return await decompose(await taskOf(search, node, own), signal);
  } catch (error) {
    if (consequenceOf(error) !== 'fail') throw error;
    return search.show(toThoughtTreeError(error).say);
  }
}

/** Parts as atoms, named after the whole. */
function partsOf(own: AtomFields, parts: readonly Part[]): PlannedAtom[] {
  const nameOf = (i: number): string => `${own.name.slice(0, 90)}.${i + 1}`;
  return parts.map(({ title, does, after, touches, checks }, i) => ({
    id: nameOf(i),
    title,
    does,
    depends_on: after.filter((each) => each >= 0 && each < i).map(nameOf),
    uses: [...(own.uses ?? [])],
    probe: false,
    ...(touches ? { touches: [...touches] } : own.touches ? { touches: [...own.touches] } : {}),
    checks: [...checks],
  }));
}
