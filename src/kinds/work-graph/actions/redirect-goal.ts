import * as z from 'zod';
import { oneLine } from '../../../core/text/text.ts';
import { PlanFile } from '../plan/plan.ts';
import { changePlan, planOf } from '../run/plan-of.ts';
import { graphFrom } from '../run/tree/read-graph.ts';
import type { WorkSearch } from '../run/work-search.ts';
import { type Change, checkedChange } from './change.ts';

const { goal, background, deliverables, done, constraints, in_scope, out_of_scope, base_case } = PlanFile.shape;

/** Without their defaults: what is not named stays. */
const Objective = z.strictObject({
  goal: goal.optional(),
  background: background.optional(),
  deliverables: deliverables.unwrap().optional(),
  done: done.unwrap().optional(),
  in_scope: in_scope.unwrap().optional(),
  out_of_scope: out_of_scope.unwrap().optional(),
  base_case: base_case.optional(),
});

const Limit = z.int().min(1);
const Constraint = z.strictObject({
  constraints: constraints.unwrap().optional(),
  limits: z
    .strictObject({
      iterations: Limit.max(1000).optional(),
      parallel: Limit.max(64).optional(),
      stall: Limit.max(100).optional(),
    })
    .optional(),
});

/** The goal itself, or what has to hold in the end: the base case is looked at again, and choices are made anew. */
export async function objectiveChange(search: WorkSearch, given: unknown): Promise<Change> {
  const change = given_(checkedChange(Objective, given));
  return {
    concerns: [],
    checksGoal: true,
    make: async () => {
      await changePlan(search.store, () => change);
      const { goal: node, groups } = graphFrom(search.tree);
      const title = change.goal === undefined ? '' : oneLine(change.goal, 200);
      if (node && title !== '') await search.nodes.change(node.node, { title });
      if (title === '') return;
      for (const { node: group, own } of groups.values()) {
        const { trail: _, ...rest } = own;
        if (own.trail) await search.nodes.change(group, { own: rest as never });
      }
    },
  };
}

/** Changes what the work has to keep to, and how far the loop may go. Nothing that was done is undone. */
export async function constraintChange(search: WorkSearch, given: unknown): Promise<Change> {
  const { limits, ...rest } = checkedChange(Constraint, given);
  const before = (await planOf(search.store)).limits;
  const next = limits && { limits: { ...before, ...given_(limits) } };
  return {
    concerns: [],
    checksGoal: false,
    make: () => changePlan(search.store, () => ({ ...given_(rest), ...next })),
  };
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The fields that are there. */
function given_<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;
}
