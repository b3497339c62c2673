import * as z from 'zod';
import type { KindRun } from '../kind/kind.ts';
import type { Action, Actions } from './action.ts';
import { add } from './add.ts';
import { expand } from './expand.ts';
import { grow } from './grow.ts';
import { interim } from './interim.ts';
import { finishing, pausing, stopped } from './messages.ts';
import { note } from './note.ts';
import { prune } from './prune.ts';
import { redo } from './redo.ts';
import { report } from './report.ts';
import { restore } from './restore.ts';
import { retry } from './retry.ts';

const Args = z.object({ now: z.boolean().optional() });
const Result = z.object({ now: z.boolean() });

/** Stops the loop: after the work under way, or at once. */
const pause: Action<z.infer<typeof Args>, z.infer<typeof Result>> = {
  args: Args,
  result: Result,
  isLoops: true,
  async run({ loop }, { now = false }) {
    loop.pause(now);
    return { now };
  },
  say: ({ now }) => (now ? stopped() : pausing()),
};

const Nothing = z.object({});

/** Ends the search where it is, with its report. */
const finish: Action<object, object> = {
  args: Nothing,
  result: Nothing,
  isLoops: true,
  async run({ loop }) {
    await loop.finish();
    return {};
  },
  say: () => finishing(),
};

/** The actions of searches of all kinds. */
const ENGINE_ACTIONS: Actions = {
  pause,
  finish,
  report,
  interim,
  grow,
  prune,
  restore,
  expand,
  retry,
  redo,
  add,
  note,
};

/** The actions of a search. */
export function actionsOf({ actions }: Pick<KindRun, 'actions'>): Actions {
  return actions ? { ...ENGINE_ACTIONS, ...actions } : ENGINE_ACTIONS;
}
