import * as z from 'zod';
import type { Action } from './action.ts';
import { interimWritten } from './messages.ts';

const Nothing = z.object({});

/** Writes report.md from the tree as it is, without a call; also while the search runs. Nothing happens to the search itself. */
export const interim: Action<object, object> = {
  args: Nothing,
  result: Nothing,
  isLoops: true,
  tellsItself: true,
  async run({ loop }) {
    await loop.writeInterim();
    return {};
  },
  say: () => interimWritten(),
};
