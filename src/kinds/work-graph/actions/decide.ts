import * as z from 'zod';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import type { TreeNode } from '../../../core/tree/tree.ts';
import type { Action } from '../../../engine/actions/action.ts';
import { retry as retryAny } from '../../../engine/actions/retry.ts';
import { CheckItem, FileGlob } from '../plan/plan.ts';
import { lastIteration } from '../run/graph-facts.ts';
import { removeCheckout } from '../run/moves/atom-changes.ts';
import { addAtom } from '../run/moves/discovered.ts';
import type { GoalFields } from '../run/tree/own-fields.ts';
import { graphFrom } from '../run/tree/read-graph.ts';
import { atomFieldsOf, fitting, goalFieldsOf, groupFieldsOf, type WorkSearch } from '../run/work-search.ts';
import * as say from './messages.ts';

const Nothing = z.object({});

function atomOf(node: TreeNode): NonNullable<ReturnType<typeof atomFieldsOf>> {
  const own = atomFieldsOf(node);
  if (!own) throw new ThoughtTreeError('bad-input', say.notAnAtom({ title: node.title }));
  return own;
}

/** Counts iterations and stalls from here, since a person had a look. */
export async function letGoOn(search: WorkSearch): Promise<void> {
  const { goal } = graphFrom(search.tree);
  if (!goal) return;
  const own = { ...goal.own, since: lastIteration(search) } as GoalFields;
  await search.nodes.change(goal.node, { own: own as never });
}

export function goOnWith(search: WorkSearch): Action<object, object> {
  return {
    args: Nothing,
    result: Nothing,
    async run() {
      await letGoOn(search);
      return {};
    },
    say: () => say.goesOn(),
  };
}

/** Opens again what failed; the loop may go as far as before. */
export function retryWith(search: WorkSearch): typeof retryAny {
  return {
    ...retryAny,
    async run(at, args) {
      const result = await retryAny.run(at, args);
      await letGoOn(search);
      return result;
    },
  };
}

/** Forgets what we found out ourselves, so that it is looked at again. */
export function checkAgainWith(search: WorkSearch): Action<object, object> {
  return {
    args: Nothing,
    result: Nothing,
    async run({ node, by }) {
      const own = goalFieldsOf(node) ?? atomOf(node);
      const { evidence = [], ...rest } = own;
      const said = own.type === 'goal' ? [] : evidence.filter((each) => each.by !== undefined);
      const next = { ...rest, ...(said.length > 0 && { evidence: said }) };
      await search.nodes.change(node, { own: next as never }, { by });
      await letGoOn(search);
      return {};
    },
    say: (_result, { title }) => say.checkedAgain({ title }),
  };
}

/** Makes an atom one that a person does: it becomes an offer, in a new checkout, and whoever worked on it stops. */
export function doMyselfWith(search: WorkSearch): Action<object, object> {
  return {
    args: Nothing,
    result: Nothing,
    async run({ node, by, loop }) {
      const { work: _work, evidence: _evidence, ...own } = atomOf(node);
      await loop.release(new Set([node.id]));
      await removeCheckout(search, node);
      const next = fitting({ ...own, by: 'person' });
      const open = { status: 'unexpanded', failure: null } as const;
      await search.nodes.change(node, { ...open, own: next as never }, { by });
      await letGoOn(search);
      return {};
    },
    say: (_result, { title }) => say.forYou({ title }),
  };
}

export function acceptProposalWith(search: WorkSearch): Action<object, object> {
  return {
    args: Nothing,
    result: Nothing,
    async run({ node, by }) {
      const { isProposed, ...own } = atomOf(node);
      if (!isProposed) throw new ThoughtTreeError('bad-input', say.notProposed({ title: node.title }));
      await search.nodes.change(node, { own: own as never }, { by });
      await letGoOn(search);
      return {};
    },
    say: (_result, { title }) => say.proposalAccepted({ title }),
  };
}

const Alternative = z.object({
  title: z.string().trim().min(1).max(1000),
  does: z.string().max(8000).optional(),
  run: z.string().trim().min(1).max(4000).optional(),
  checks: z.array(CheckItem).max(50).optional(),
  touches: z.array(FileGlob).max(100).optional(),
});
const Added = z.object({ title: z.string() });

/** Adds another way to a group, which then goes on. */
export function addAlternativeWith(search: WorkSearch): Action<z.infer<typeof Alternative>, z.infer<typeof Added>> {
  return {
    args: Alternative,
    result: Added,
    async run({ node }, { title, does, run, checks, touches }) {
      const group = groupFieldsOf(node) ? node : node.parent && groupFieldsOf(node.parent) ? node.parent : undefined;
      if (!group) throw new ThoughtTreeError('bad-input', say.notAGroup({ title: node.title }));
      const atom = {
        title,
        ...(does && { does }),
        ...(run && { run }),
        ...(checks && { checks }),
        ...(touches && { touches }),
      };
      const added = await addAtom(search, atom, {}, group);
      if (!added) throw new ThoughtTreeError('bad-input', say.tooManyAtoms());
      await letGoOn(search);
      return { title };
    },
    say: ({ title }) => say.alternativeAdded({ title }),
  };
}
