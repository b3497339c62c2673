import * as z from 'zod';
import { wrongField } from '../../core/messages/wrong-field.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { type NodeData, ToldFields } from '../../core/tree/node-file.ts';
import { fieldsRefused } from '../messages.ts';

const Told = z.object(ToldFields);
/** The fields with texts and lists of any length. */
const LONG = ['title', 'links', 'summary', 'evaluation', 'failure', 'sameAs', 'state', 'why', 'note', 'own'] as const;

/**
 * Checks fields of a node before they are written: readers drop a field that is too long, so that it would be lost.
 * @param own checks what a kind keeps in `own`
 * @throws ThoughtTreeError `bad-answer`, naming the field
 */
export function checkFields(set: Partial<NodeData>, own: z.ZodType | undefined): void {
  if (!LONG.some((name) => set[name] !== undefined)) return;
  const wrong = Told.safeParse(set).error ?? (set.own && own?.safeParse(set.own).error);
  if (wrong) throw new ThoughtTreeError('bad-answer', fieldsRefused({ why: wrongField(wrong) }));
}
