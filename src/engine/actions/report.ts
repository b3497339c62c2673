import * as z from 'zod';
import type { Action } from './action.ts';
import { reportWritten } from './messages.ts';

const Nothing = z.object({});

/** Writes report.md anew from what is there. */
export const report: Action<object, object> = {
  args: Nothing,
  result: Nothing,
  isLoops: true,
  async run({ loop }) {
    await loop.writeReport();
    return {};
  },
  say: () => reportWritten(),
};
