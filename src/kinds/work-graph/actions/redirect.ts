import * as z from 'zod';
import type { Message } from '../../../core/messages/message.ts';
import type { Acting, Action } from '../../../engine/actions/action.ts';
import { isTaken } from '../run/graph-facts.ts';
import { removeCheckout, startOver } from '../run/moves/atom-changes.ts';
import { changePlan } from '../run/plan-of.ts';
import { graphFrom } from '../run/tree/read-graph.ts';
import type { WorkSearch } from '../run/work-search.ts';
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
  /** The atoms that are worked on now, which is stopped. */
  stopped: z.array(z.string()),
  checksGoal: z.boolean(),
  isDone: z.boolean(),
  /** The atoms that it reopens and stops, for people. */
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
      const { checksGoal } = change;
      const effect = { ...begunAmong(search, change), checksGoal };
      const text = search.show(effectOf(effect));
      if (dryRun) return { ...effect, isDone: false, text };
      await releaseAll(search, acting, change);
      const what = [why, JSON.stringify(given)].filter(Boolean).join(' — ').slice(0, LONGEST_WHAT);
      const time = new Date(search.clock.now()).toISOString();
      // First what is to be known of it: a kill in between leaves a correction that has to be made again.
      await changePlan(search.store, ({ corrections }) => ({
        corrections: [...corrections.slice(-MOST_CORRECTIONS), { time, type, what }],
      }));
      // Then nothing counts as done that the change is about, nor what was built on it, before it is made.
      if (checksGoal) await reopenGoal(search);
      for (const name of effect.reopened.toReversed()) await reopen(search, name);
      await change.make();
      await letGoOn(search);
      return { ...effect, isDone: true, text };
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

type Effect = Pick<Result, 'reopened' | 'stopped' | 'checksGoal'>;

/** Returns what is open again, and what is worked on now. */
function begunAmong(search: WorkSearch, { concerns, drops = [] }: Change): Pick<Effect, 'reopened' | 'stopped'> {
  const { atoms, graph } = graphFrom(search.tree);
  const dropped = new Set(drops);
  const working = [...new Set([...concerns, ...drops])].flatMap((name) => {
    const node = atoms.get(name)?.node;
    return node && (node.status === 'in-progress' || isTaken(search, node)) ? name : [];
  });
  const begun = concerns.filter((name) => {
    const { state = 'pending' } = graph.atoms.get(name) ?? {};
    const hasParts = (atoms.get(name)?.node.children.length ?? 0) > 0;
    return !hasParts && !dropped.has(name) && (state !== 'pending' || working.includes(name));
  });
  return { reopened: begun, stopped: working };
}

function effectOf({ reopened, stopped, checksGoal }: Effect): Message {
  const shown = (names: readonly string[]) => ({ count: names.length, names: names.slice(0, 50).join(', ') });
  const none = checksGoal ? say.checksGoalAgain() : say.reopensNone();
  const effect = reopened.length > 0 ? say.reopens(shown(reopened)) : none;
  return stopped.length > 0 ? say.stopsWork({ effect, ...shown(stopped) }) : effect;
}

/** Stops whoever works on what the change concerns, or looks at the goal as it was, and takes back what was offered. */
async function releaseAll(search: WorkSearch, { loop }: Acting, change: Change): Promise<void> {
  const { concerns, drops = [], checksGoal } = change;
  const { atoms, goal } = graphFrom(search.tree);
  const nodes = [...concerns, ...drops].flatMap((name) => atoms.get(name)?.node ?? []);
  const looking = checksGoal && goal ? [goal.node.id] : [];
  await loop.release(new Set([...nodes.map(({ id }) => id), ...looking]));
  for (const node of nodes) await removeCheckout(search, node);
}

async function reopen(search: WorkSearch, name: string): Promise<void> {
  const node = graphFrom(search.tree).atoms.get(name)?.node;
  if (node) await startOver(search, node);
}

async function reopenGoal({ tree, nodes }: WorkSearch): Promise<void> {
  const { goal } = graphFrom(tree);
  if (!goal) return;
  const { evidence: _, ...own } = goal.own;
  await nodes.change(goal.node, { status: 'unexpanded', leafReason: null, own: own as never });
}
