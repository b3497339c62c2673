import * as z from 'zod';
import type { Action } from './action.ts';
import { reportWritten } from './messages.ts';

const Nothing = z.object({});

/** Rewrites report.md from the current tree. */
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
