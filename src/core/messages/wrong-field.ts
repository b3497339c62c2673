import type * as z from 'zod';
import { oneLine } from '../text/text.ts';
import { type Message, message } from './message.ts';

/** Returns the first problem that a schema finds, for people. */
export function wrongField({ issues }: z.ZodError): Message {
  const issue = issues[0];
  if (!issue) return wrongWhole({ why: '?' });
  const why = oneLine(issue.message.replace(/^Invalid input: /, ''), 300);
  if (issue.path.length === 0)
    return issue.code === 'invalid_type' ? wrongWholeType({ type: issue.expected }) : wrongWhole({ why });
  const field = oneLine(issue.path.map(String).join('.'), 200);
  if (issue.message.endsWith('received undefined')) return missing({ field });
  if (issue.code === 'invalid_type') return wrongType({ field, type: issue.expected });
  return wrongValue({ field, why });
}

// The faults of a field of a file

const missing = message('core.field-missing', 'the field "{field}" is missing');
const wrongType = message('core.field-wrong-type', 'the field "{field}" is not of type {type}');
const wrongValue = message('core.field-wrong', 'the field "{field}" is wrong: {why}');
const wrongWholeType = message('core.value-wrong-type', 'it is not of type {type}');
const wrongWhole = message('core.value-wrong', 'it is wrong: {why}');
