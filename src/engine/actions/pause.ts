import * as z from 'zod';
import type { Action } from './action.ts';
import { pausing, stopped } from './messages.ts';

const Args = z.object({ now: z.boolean().optional() });
const Result = z.object({ now: z.boolean() });

/** Stops the loop: after the work under way, or at once. */
export const pause: Action<z.infer<typeof Args>, z.infer<typeof Result>> = {
  args: Args,
  result: Result,
  isLoops: true,
  async run({ loop }, { now = false }) {
    loop.pause(now);
    return { now };
  },
  say: ({ now }) => (now ? stopped() : pausing()),
};
