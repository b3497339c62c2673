import * as z from 'zod';
import * as say from '../../../core/messages/answers.ts';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import { dataIn, listIn } from '../../../core/text/output-block.ts';
import { oneLine } from '../../../core/text/text.ts';
import { titleKey } from '../known-titles.ts';

/** One child as proposed by a model; `score` is how much it expects of it, 0 to 10. */
export interface ProposedChild {
  readonly title: string;
  readonly score?: number;
  readonly why?: string;
}

const LONGEST_TITLE = 200;

const Proposed = z.array(
  z.union([
    z.looseObject({
      title: z.union([z.string(), z.number()]),
      score: z.union([z.number(), z.string()]).nullish().catch(undefined),
      why: z.string().nullish().catch(undefined),
    }),
    z.string().transform((title) => ({ title, score: undefined, why: undefined })),
  ]),
);

/**
 * The list of children in an answer: titles reduced to one line, empty and repeated ones dropped, cut to `maxChildren`.
 * @throws ThoughtTreeError `bad-answer` saying what is wrong, in words for the model
 */
export function readChildren(answer: string, maxChildren: number): ProposedChild[] {
  const parsed = Proposed.safeParse(listIn(dataIn(answer)));
  if (!parsed.success)
    throw new ThoughtTreeError('bad-answer', say.wrongList({ why: oneLine(z.prettifyError(parsed.error), 500) }));
  return dropRepeated(parsed.data).slice(0, maxChildren);
}

function dropRepeated(list: z.infer<typeof Proposed>): ProposedChild[] {
  const seen = new Set<string>();
  const children: ProposedChild[] = [];
  for (const each of list) {
    const title = oneLine(String(each.title), LONGEST_TITLE);
    const key = titleKey(title);
    if (title === '' || seen.has(key)) continue;
    seen.add(key);
    const score = scoreOf(each.score);
    children.push({
      title,
      ...(score === undefined ? {} : { score }),
      ...(each.why ? { why: oneLine(each.why, 500) } : {}),
    });
  }
  return children;
}

/** A score as a number from 0 to 10; undefined if it is not a number. */
function scoreOf(said: number | string | null | undefined): number | undefined {
  const score = typeof said === 'string' && said.trim() !== '' ? Number(said) : said;
  if (typeof score !== 'number' || !Number.isFinite(score)) return undefined;
  return Math.min(10, Math.max(0, score)) + 0; // no -0: it would not survive being written
}
