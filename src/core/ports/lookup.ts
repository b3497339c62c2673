import * as z from 'zod';

const MOST_WORDS = 24;
const MOST_PLACES = 50;
const LONGEST_NAME = 300;
const LONGEST_LINE = 1000;

const name = z.string().max(LONGEST_NAME);
const count = z.number().int().nonnegative();

/** A place that answers the question, and the line of it that decides. */
const LookupPlace = z.object({
  /** Of its topic. */
  title: name,
  /** A statement of what is there, in a sentence without its end. */
  says: name,
  /** As people name it: `src/queue.ts:12`. */
  place: name,
  /** To the line, relative to the search's folder, percent-encoded. */
  link: z.string().max(LONGEST_LINE),
  /** Empty where what it says is all that there is to say. */
  code: z.string().max(LONGEST_LINE),
  /** An editor's name for the language of the code. */
  language: z.string().regex(/^[a-z0-9]{0,20}$/),
});

/** Files that were not read, and why: a word such as `binary`. */
const Skipped = z.object({ reason: name, count, examples: z.array(name).max(MOST_WORDS) });

/**
 * The course of a search for a question's words by a model that writes none of its own: where the answer is, what it
 * searched and what it did not, and what to try if there is nothing. It is kept with the answer that lists its topics.
 */
export const Lookup = z.object({
  /** The best first; none if nothing is good enough. */
  places: z.array(LookupPlace).max(MOST_PLACES),
  /** The nearest place, if nothing is good enough. */
  guess: LookupPlace.optional(),
  /** The question is about the workspace as a whole, so its words do not matter. */
  isOverview: z.boolean(),
  /** Files whose words are known, and how many of them were read closely. */
  files: count,
  read: count,
  skipped: z.array(Skipped).max(MOST_WORDS),
  /** Words of the question that are in none of the files. */
  missing: z.array(name).max(MOST_WORDS),
  /** Of these, the ones that one of the best places has another word for. */
  instead: z
    .array(z.object({ word: name, other: name }))
    .max(MOST_WORDS)
    .optional(),
  /** So much of the question is in no file that the places are only the nearest ones. */
  isNear: z.boolean().optional(),
  /** Names of the workspace that are spelt like words of the question. */
  near: z.array(name).max(MOST_WORDS),
});
export type Lookup = z.infer<typeof Lookup>;
export type LookupPlace = z.infer<typeof LookupPlace>;
export type Skipped = z.infer<typeof Skipped>;

const TAGS = ['<lookup>', '</lookup>'] as const;

/** A lookup as a part of an answer, outside of its output. */
export function lookupBlock(lookup: Lookup): string {
  // No text in it can be taken for a tag.
  return `${TAGS[0]}\n${JSON.stringify(lookup).replaceAll('<', '\\u003c')}\n${TAGS[1]}`;
}

/** The lookup in an answer; undefined if there is none, or if it is not as we write it. */
export function lookupIn(answer: string): Lookup | undefined {
  const [start, end] = [answer.lastIndexOf(TAGS[0]), answer.lastIndexOf(TAGS[1])];
  if (start < 0 || end < start) return undefined;
  try {
    return Lookup.safeParse(JSON.parse(answer.slice(start + TAGS[0].length, end))).data;
  } catch {
    return undefined;
  }
}
