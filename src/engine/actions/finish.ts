import * as z from 'zod';
import type { Action } from './action.ts';
import { finishing } from './messages.ts';

const Nothing = z.object({});

/** Ends the search where it is, with its report. */
export const finish: Action<object, object> = {
  args: Nothing,
  result: Nothing,
  isLoops: true,
  async run({ loop }) {
    await loop.finish();
    return {};
  },
  say: () => finishing(),
};
