import type { Message } from '../../../core/messages/message.ts';
import type { Plan } from '../../../engine/kind/kind.ts';
import { commandsOf } from '../plan/commands.ts';
import type { PlanFile } from '../plan/plan.ts';
import { planLines } from '../plan/plan-lines.ts';
import { beginsWithout } from './began-without.ts';
import { ensurePlan } from './ensure-plan.ts';
import * as say from './messages.ts';
import { planOf } from './plan-of.ts';
import { graphFrom } from './tree/read-graph.ts';
import { withSetUp } from './work-commands.ts';
import { shopOf, type WorkSearch } from './work-search.ts';

/**
 * Makes the plan, if there is none, has it reviewed together with the commands that it runs, and begins the line of accepted
 * work. Nothing is shown again once the plan is laid out.
 * @throws ThoughtTreeError `bad-input` if there is no plan and no model to make one; `declined` if the person does not agree
 */
export async function prepare(
  search: WorkSearch,
  show: (plan: Plan) => Promise<void>,
  making?: () => void,
): Promise<void> {
  const { store, tree } = search;
  const signal = new AbortController().signal;
  await ensurePlan(search, signal, making);
  const plan = withSetUp(await planOf(store), search.options);
  if (!graphFrom(tree).goal) {
    const check = async (): Promise<void> => void (await planOf(store));
    await show({ lines: await linesFor(search, plan), file: 'plan.yaml', check, commands: commandsOf(plan) });
    await check();
  }
  if (search.workshop) await search.ready(signal);
}

/** The plan with all that a person agrees to: its commands, what holds them, and what the work begins without. */
async function linesFor(search: WorkSearch, plan: PlanFile): Promise<Message[]> {
  const lines = planLines(plan);
  if (!search.workshop) return lines;
  const { sandbox } = shopOf(search).isolation;
  lines.push(sandbox ? say.heldBy({ sandbox }) : say.notHeld());
  lines.push(...(await beginsWithout(search.workshop, search.options)));
  return lines;
}
