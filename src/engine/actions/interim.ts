import * as z from 'zod';
import type { Action } from './action.ts';
import { interimEdited, interimWritten } from './messages.ts';

const Nothing = z.object({});
const Done = z.object({ isEdited: z.boolean() });

/** Writes report.md from the tree as it is, without a call; also while the search runs. Nothing happens to the search itself. */
export const interim: Action<object, z.infer<typeof Done>> = {
  args: Nothing,
  result: Done,
  isLoops: true,
  tellsItself: true,
  async run({ loop }) {
    return { isEdited: (await loop.writeInterim()) === 'edited' };
  },
  say: ({ isEdited }) => (isEdited ? interimEdited() : interimWritten()),
};
