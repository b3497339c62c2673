import * as z from 'zod';
import type { FileLines } from '../citations/citation.ts';

/** The text that quotations are needed for. */
export interface QuotationRequest {
  readonly question: string;
  /** The titles on the way from the first level down to the node; empty for the question itself. */
  readonly titles: readonly string[];
  /** Texts that may name files of the workspace: if there are any, only files that they name are quoted. */
  readonly naming?: readonly string[];
  /** Lines that the conversation already contains. */
  readonly shown: readonly FileLines[];
}

/** Lines of a file, word for word. */
export interface WorkspaceQuotation extends FileLines {
  readonly lines: readonly string[];
}

/** The question that an overview of the workspace is needed for. */
export interface OverviewRequest {
  /** The question of the search: the overview names the places that it is most about. */
  readonly question: string;
  /** Its maximum length, in tokens as `countTokens` counts them. */
  readonly maxTokens: number;
}

/** A file as models may see it. */
export interface FileText {
  readonly text: string;
  /** The number of secrets that were left out of it; undefined if that is unknown. */
  readonly secrets?: number;
}

/** Why a file cannot be read as a source. */
export type Unreadable = 'outside' | 'missing' | 'ignored' | 'too-large' | 'not-text';

/** The text of the workspace: what is quoted to models, and what their quotations are checked against. */
export interface WorkspaceText {
  /** Returns the quotations for a node, best first. May take as long as reading the whole workspace, the first time. */
  find(request: QuotationRequest, signal: AbortSignal): Promise<readonly WorkspaceQuotation[]>;
  /**
   * Describes the workspace for a prompt: its name and purpose, languages, folders and files with their lines, where it
   * starts, and the places that a question is most about. Lines of plain text, safe to put between marks of our own;
   * empty for an empty folder, or if nothing fits. For one folder and request, the text is always the same.
   */
  overview(request: OverviewRequest, signal: AbortSignal): Promise<string>;
  /**
   * A file's current text, without its secrets. The path is hostile: whatever it says, nothing outside the workspace is
   * read.
   */
  read(path: string): Promise<FileText | { readonly unreadable: Unreadable }>;
  /** Returns the paths of files that have this name, the last part of a path; in order, and not more than a few. */
  named(name: string): Promise<readonly string[]>;
  /** Returns a file's text when this search read the workspace; undefined if it did not. */
  asSearched(path: string): Promise<string | undefined>;
  /** Stops the background work. */
  close(): Promise<void>;
}

/** A piece that tokenizers do not go beyond: a part of a word, an ideogram, three digits, marks, line breaks. */
const PIECE = /\p{Ll}+|\p{Lu}+\p{Ll}*|\p{Lo}|\p{L}|\d{1,3}|[^\s\p{L}\d]+|\n+/gu;
const [LETTERS, MARKS] = [8, 3];
/** Tokenizers differ: rather too many than too few. */
const DOUBT = 1.08;

/**
 * About how many tokens a text of code, paths and prose is, for any tokenizer in use: within a tenth of what those with
 * 100,000 and 200,000 tokens count, mostly above.
 */
export function countTokens(text: string): number {
  let count = 0;
  for (const [piece] of text.matchAll(PIECE)) {
    if (/^[\p{Ll}\p{Lu}]/u.test(piece)) count += Math.ceil(piece.length / LETTERS);
    else count += /^[\p{L}\d\n]/u.test(piece) ? 1 : Math.ceil(piece.length / MARKS);
  }
  return Math.ceil(DOUBT * count);
}

const MOST_WORDS = 24;
const MOST_PLACES = 50;
const LONGEST_NAME = 300;
const LONGEST_LINE = 1000;

const name = z.string().max(LONGEST_NAME);
const count = z.number().int().nonnegative();

const MOST_RUNS = 8;
const MOST_SHOWN = 60;
const MOST_MENTIONS = 8;

/** A line as it is shown: the columns of the question's words in it from 0, each with the one behind it. */
const ShownLine = z.object({
  text: z.string().max(LONGEST_LINE),
  words: z.array(z.tuple([count, count])).max(MOST_WORDS),
});
/** Lines of a file that follow one another; `from` counts from 1. */
const ShownRun = z.object({ from: count, lines: z.array(ShownLine).min(1).max(MOST_SHOWN) });
/** Another place that is worth a link: its name as code, its place and its link as those of a `LookupPlace`. */
const Mention = z.object({
  name,
  place: name,
  link: z.string().max(LONGEST_LINE),
  /** Its lines, for who goes on there, unless they are shown elsewhere. */
  shown: z.array(ShownRun).max(1).optional(),
});

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
  /** The lines that decide, of the few places that are an answer. */
  shown: z.array(ShownRun).max(MOST_RUNS).optional(),
  /** Who calls it, which tests name it, and where it is a second time. */
  callers: z.array(Mention).max(MOST_MENTIONS).optional(),
  tests: z.array(Mention).max(MOST_MENTIONS).optional(),
  twins: z.array(Mention).max(MOST_MENTIONS).optional(),
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
export type ShownRun = z.infer<typeof ShownRun>;
export type Mention = z.infer<typeof Mention>;
export type Skipped = z.infer<typeof Skipped>;

/** A line as it stands on a page: its number, padded, empty where lines are left out, and the columns of words in its text. */
export interface ShownRow {
  readonly number: string;
  readonly text: string;
  readonly words: readonly (readonly [number, number])[];
}

/** Returns the places that a reader is shown: those with lines, else the first ones, else the nearest thing there is. */
export function listedPlaces({ places, guess }: Lookup): readonly LookupPlace[] {
  const best = places.filter(({ shown }) => shown !== undefined);
  const listed = best.length > 0 ? best : places.slice(0, 3);
  return listed.length > 0 ? listed : guess ? [guess] : [];
}

/** The lines of a place in order, without the indentation that all of them have, and a row `…` between two runs. */
export function shownRows(runs: readonly ShownRun[]): ShownRow[] {
  const all = runs.flatMap(({ lines }) => lines.filter(({ text }) => text.trim() !== ''));
  const cut = Math.min(...all.map(({ text }) => text.search(/\S/)));
  const width = Math.max(...runs.map(({ from, lines }) => `${from + lines.length - 1}`.length));
  return runs.flatMap(({ from, lines }, place) => [
    ...(place > 0 ? [{ number: ' '.repeat(width), text: '…', words: [] }] : []),
    ...lines.map(({ text, words }, at) => ({
      number: `${from + at}`.padStart(width),
      text: text.slice(cut),
      words: words.map(([start, end]): [number, number] => [start - cut, end - cut]),
    })),
  ]);
}

const TAGS = ['<lookup>', '</lookup>'] as const;

/** Returns a lookup as a part of an answer, outside of its output. */
export function lookupBlock(lookup: Lookup): string {
  // No text in it can be taken for a tag.
  return `${TAGS[0]}\n${JSON.stringify(lookup).replaceAll('<', '\\u003c')}\n${TAGS[1]}`;
}

/** Returns the lookup in an answer; undefined if there is none, or if it is not as we write it. */
export function lookupIn(answer: string): Lookup | undefined {
  const [start, end] = [answer.lastIndexOf(TAGS[0]), answer.lastIndexOf(TAGS[1])];
  if (start < 0 || end < start) return undefined;
  try {
    return Lookup.safeParse(JSON.parse(answer.slice(start + TAGS[0].length, end))).data;
  } catch {
    return undefined;
  }
}
