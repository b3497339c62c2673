import * as z from 'zod';
import { isSaid } from './kept.ts';
import type { Said as SaidType } from './message.ts';

/**
 * A message as it is kept next to its English text. What cannot be read is as if it were missing: the English text is
 * shown then.
 */
export const Said = z
  .custom<SaidType>((value) => isSaid(value))
  .optional()
  .catch(undefined);
