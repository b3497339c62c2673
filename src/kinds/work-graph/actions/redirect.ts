import * as z from 'zod';
import type { Message } from '../../../core/messages/message.ts';
import { isPruned } from '../../../core/tree/tree.ts';
import type { Acting, Action } from '../../../engine/actions/action.ts';
import { changePlan } from '../run/plan-of.ts';
import { graphFrom } from '../run/tree/read-graph.ts';
import { atomFieldsOf, fitting, type WorkSearch } from '../run/work-search.ts';
import type { Change } from './change.ts';
import { letGoOn } from './decide.ts';
import * as say from './messages.ts';
import { bindingChange } from './redirect-binding.ts';
import { constraintChange, objectiveChange } from './redirect-goal.ts';
import { graphChange } from './redirect-graph.ts';

const Args = z.object({
  type: z.enum(['objective', 'graph', 'constraint', 'binding']),
  change: z.unknown(),
  why: z.string().max(1000).optional(),
  dryRun: z.boolean().optional(),
});
const Result = z.object({
  reopened: z.array(z.string()),
  checksGoal: z.boolean(),
  isDone: z.boolean(),
  /** What it reopens, for people. */
  text: z.string(),
});
type Result = z.infer<typeof Result>;

const LONGEST_WHAT = 3900;
const MOST_CORRECTIONS = 400;

/** Changes the goal, the graph, limits, or what came of an atom. Each change is a correction in plan.yaml. */
export function redirectWith(search: WorkSearch): Action<z.infer<typeof Args>, Result> {
  return {
    args: Args,
    result: Result,
    async run(acting, { type, change: given, why, dryRun = false }) {
      const change = await changeOf(search, type, given);
      const { reopened, checksGoal } = change;
      const text = search.show(effectOf(change));
      if (dryRun) return { reopened: [...reopened], checksGoal, isDone: false, text };
      await releaseAll(search, acting, reopened);
      const what = [why, JSON.stringify(given)].filter(Boolean).join(' — ').slice(0, LONGEST_WHAT);
      const time = new Date(search.clock.now()).toISOString();
      // First what is to be known of it: a kill in between leaves a correction that has to be made again.
      await changePlan(search.store, ({ corrections }) => ({
        corrections: [...corrections.slice(-MOST_CORRECTIONS), { time, type, what }],
      }));
      await change.make();
      for (const name of reopened) await reopen(search, name);
      if (checksGoal) await reopenGoal(search);
      await letGoOn(search);
      return { reopened: [...reopened], checksGoal, isDone: true, text };
    },
    say: (result) => (result.isDone ? say.redirected({ effect: effectOf(result) }) : effectOf(result)),
  };
}

async function changeOf(search: WorkSearch, type: z.infer<typeof Args>['type'], given: unknown): Promise<Change> {
  const kinds = {
    objective: objectiveChange,
    constraint: constraintChange,
    graph: graphChange,
    binding: bindingChange,
  };
  return await kinds[type](search, given);
}

function effectOf({ reopened, checksGoal }: Pick<Change, 'reopened' | 'checksGoal'>): Message {
  if (reopened.length > 0) return say.reopens({ count: reopened.length, names: reopened.slice(0, 50).join(', ') });
  return checksGoal ? say.checksGoalAgain() : say.reopensNone();
}

async function releaseAll({ tree }: WorkSearch, { loop }: Acting, names: readonly string[]): Promise<void> {
  const { atoms } = graphFrom(tree);
  await loop.release(new Set(names.flatMap((name) => atoms.get(name)?.node.id ?? [])));
}

/** Makes an atom open again: what it did stays a part of the accepted work, and is done once more on it. */
async function reopen(search: WorkSearch, name: string): Promise<void> {
  const node = graphFrom(search.tree).atoms.get(name)?.node;
  const fields = node && atomFieldsOf(node);
  if (!node || !fields || isPruned(node)) return;
  const { work: _work, evidence: _evidence, joined: _joined, ...own } = fields;
  const isOpen = node.children.length > 0 ? {} : ({ status: 'unexpanded', leafReason: null, failure: null } as const);
  await search.nodes.change(node, { ...isOpen, own: fitting(own) as never });
}

async function reopenGoal({ tree, nodes }: WorkSearch): Promise<void> {
  const { goal } = graphFrom(tree);
  if (!goal) return;
  const { evidence: _, ...own } = goal.own;
  await nodes.change(goal.node, { status: 'unexpanded', leafReason: null, own: own as never });
}
