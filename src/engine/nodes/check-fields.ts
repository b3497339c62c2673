import * as z from 'zod';
import { wrongField } from '../../core/messages/wrong-field.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { type NodeData, ToldFields } from '../../core/tree/node-file.ts';
import { fieldsRefused } from '../messages.ts';

const Told = z.object(ToldFields);
/** The fields that are checked whenever they are set, since a kind fills them with what it likes. */
const FREE = ['links', 'failure', 'own'] as const;
/** The length up to which a text fits into any field, in characters. */
const SHORT = 200;

/**
 * Checks fields of a node before they are written: readers drop a field that is too long, so that it would be lost.
 * @param own checks what a kind keeps in `own`
 * @throws ThoughtTreeError `bad-answer`, naming the field
 */
export function checkFields(set: Partial<NodeData>, own: z.ZodType | undefined): void {
  const isPlain = Object.values(set).every((value) => typeof value !== 'string' || value.length <= SHORT);
  if (isPlain && !FREE.some((name) => set[name] !== undefined)) return;
  const wrong = Told.safeParse(set).error ?? (set.own && own?.safeParse(set.own).error);
  if (wrong) throw new ThoughtTreeError('bad-answer', fieldsRefused({ why: wrongField(wrong) }));
}
