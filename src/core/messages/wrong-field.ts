import type * as z from 'zod';
import { oneLine } from '../text/text.ts';
import { type Message, message } from './message.ts';

const missing = message('core.field-missing', 'the field "{field}" is missing');
const wrongType = message('core.field-wrong-type', 'the field "{field}" is not of type {type}');
const wrongValue = message('core.field-wrong', 'the field "{field}" is wrong: {why}');
const wrongWhole = message('core.value-wrong', 'it is not as it should be: {why}');

/** What a schema finds wrong first, for people. */
export function wrongField({ issues }: z.ZodError): Message {
  const issue = issues[0];
  if (!issue || issue.path.length === 0) return wrongWhole({ why: oneLine(issue?.message ?? '', 300) });
  const field = oneLine(issue.path.map(String).join('.'), 200);
  if (issue.message.endsWith('received undefined')) return missing({ field });
  if (issue.code === 'invalid_type') return wrongType({ field, type: issue.expected });
  return wrongValue({ field, why: oneLine(issue.message, 300) });
}
