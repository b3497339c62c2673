import * as z from 'zod';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import { oneLine } from '../../../core/text/text.ts';
import { CheckItem, FileGlob } from '../plan/plan.ts';
import { sameName, wrongOrder, wrongParts } from './messages.ts';
import { cutText, readAnswer } from './read-answer.ts';
import type { Part } from './roles.ts';

/** The most parts of an atom. */
export const MOST_PARTS = 8;

const AnsweredPart = z.looseObject({
  title: cutText(200),
  does: cutText(8000).nullish(),
  after: z.array(z.int().min(0)).max(100).nullish(),
  touches: z.array(FileGlob).max(100).nullish(),
  checks: z.array(CheckItem).max(20).nullish(),
});
const Answer = z.array(AnsweredPart).max(100);

/**
 * The parts of an atom. Only checks that run nothing new are kept: nobody consented to other commands.
 * @param isKnown whether a command line is one of those that the plan has
 * @throws ThoughtTreeError `bad-answer`
 */
export function checkParts(text: string, isKnown: (line: string) => boolean): Part[] {
  const answered = readAnswer(text, Answer);
  if (answered.length < 2 || answered.length > MOST_PARTS)
    throw new ThoughtTreeError('bad-answer', wrongParts({ most: MOST_PARTS }));
  const titles = new Set<string>();
  return answered.map(({ title: said, does, after, touches, checks }, i) => {
    const title = oneLine(said, 200) || `${i + 1}`;
    if (titles.has(title)) throw new ThoughtTreeError('bad-answer', sameName({ title }));
    titles.add(title);
    if ((after ?? []).some((place) => place >= i)) throw new ThoughtTreeError('bad-answer', wrongOrder({ part: i }));
    return {
      title,
      does: does ?? title,
      after: [...new Set(after ?? [])],
      ...(touches && { touches }),
      checks: (checks ?? []).filter((item) => isRunnable(item, isKnown)),
    };
  });
}

function isRunnable({ check, all_of, any_of }: CheckItem, isKnown: (line: string) => boolean): boolean {
  if (!check) return (all_of ?? any_of ?? []).every((part) => isRunnable(part, isKnown));
  if ('command' in check) return isKnown(check.command);
  return 'not_command' in check ? isKnown(check.not_command) : true;
}
