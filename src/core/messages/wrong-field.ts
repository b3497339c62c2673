import type * as z from 'zod';
import { oneLine } from '../text/text.ts';
import { missing, wrongType, wrongValue, wrongWhole, wrongWholeType } from './fields.ts';
import type { Message } from './message.ts';

/** The first problem that a schema finds, for people. */
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
