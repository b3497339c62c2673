import { parse } from 'yaml';
import { foreign } from '../../../core/messages/message.ts';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import { PlanFile } from './plan.ts';

/** A plan from its text. @throws ThoughtTreeError `damaged` */
export function readGivenPlan(text: string, file: string): PlanFile {
  const read = PlanFile.safeParse(parse(text));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new ThoughtTreeError('damaged', foreign({ text: `${file}: ${issue?.path.join('.')}: ${issue?.message}` }));
}
