import * as z from 'zod';
import { answerTooLong } from '../../../core/messages/answers.ts';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import { dataIn } from '../../../core/text/output-block.ts';
import { oneLine } from '../../../core/text/text.ts';
import { wrongAnswer } from './messages.ts';

/** The longest answer that is read, in characters. */
const LONGEST = 1_000_000;

/**
 * Reads what a model's answer holds within its last `<output>` tags.
 * @throws ThoughtTreeError `bad-answer` saying what is wrong, in words for the model
 */
export function readAnswer<T>(answer: string, schema: z.ZodType<T>): T {
  if (answer.length > LONGEST) throw new ThoughtTreeError('bad-answer', answerTooLong());
  const parsed = schema.safeParse(dataIn(answer.toWellFormed()));
  if (parsed.success) return parsed.data;
  throw new ThoughtTreeError('bad-answer', wrongAnswer({ why: oneLine(z.prettifyError(parsed.error), 800) }));
}

/** A text of at most so many characters; longer ones are cut, never refused. */
export function cutText(most: number): z.ZodType<string> {
  return z.union([z.string(), z.number().transform(String)]).transform((text) => shortened(text, most));
}

/** At most so many texts, of so many characters each; empty ones are left out. */
export function cutTexts(count: number, most: number): z.ZodType<string[]> {
  return z
    .union([z.array(cutText(most)), cutText(most).transform((text) => [text])])
    .nullish()
    .transform((texts) =>
      (texts ?? [])
        .map((text) => text.trim())
        .filter((text) => text !== '')
        .slice(0, count),
    );
}

/** A text with its end cut off where it is too long. */
export function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;
}
