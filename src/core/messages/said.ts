import * as z from 'zod';
import { isSaid, type Said as SaidType } from './message.ts';

/**
 * A message as kept next to its English text. If it is unreadable, it counts as missing: the English text is shown
 * instead.
 */
export const Said = z
  .custom<SaidType>((value) => isSaid(value))
  .optional()
  .catch(undefined);
