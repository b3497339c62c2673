import type { QuotationRequest, WorkspaceQuotation } from '../../core/ports/workspace-text.ts';
import type { SourceFile } from '../files/source-file.ts';
import type { WorkspaceIndex } from '../index/workspace-index.ts';
import { chooseContext } from './choose-context.ts';
import { chooseLines } from './choose-lines.ts';
import { isElsewhere } from './good-topics.ts';
import { type Lines, QuotedLines } from './quoted-lines.ts';
import { type Research, researcher } from './research.ts';
import { subjectOf } from './topic.ts';

/** The most files that a text names, and the most passages quoted from each. */
const MOST_NAMED = 6;
const QUOTES_A_FILE = 2;
const LONGEST_TEXT = 20_000;
/** The room for quotations, in tokens: for the question and the first level, on which all others rest, and below it. */
const ROOM = { upper: 1200, below: 400 } as const;

/** Finds quotations of the workspace for another model. The result depends on the files and the request alone. */
export class QuotationFinder {
  readonly #index: WorkspaceIndex;
  readonly #research: (text: string) => Research;

  constructor(index: WorkspaceIndex) {
    this.#index = index;
    this.#research = researcher(index);
  }

  find({ question, titles, naming, shown }: QuotationRequest): WorkspaceQuotation[] {
    // Words closer to the node come first: only so many are searched for.
    const both = this.#research([...titles.toReversed(), question].join(' '));
    const quoted = this.#linesOf(shown);
    if (naming) {
      const files = namedFiles(this.#index, naming);
      return files.flatMap((file) => this.#quoteFile(file, both, quoted)).map(quotationOf);
    }
    // The researcher without a model finds nothing either; what the workspace is, models are told all the same.
    if (isElsewhere(this.#research(question)) && isElsewhere(both)) return [];
    const { passages: named } = subjectOf(titles.at(-1) ?? question, this.#index);
    const room = titles.length <= 1 ? ROOM.upper : ROOM.below;
    return chooseContext({ index: this.#index, named, research: both, quoted, room }).map(quotationOf);
  }

  #linesOf(shown: QuotationRequest['shown']): QuotedLines {
    const quoted = new QuotedLines();
    for (const { path, from, to } of shown) {
      const file = this.#index.fileNamed(path);
      if (file?.path === path) quoted.add({ file, start: from - 1, end: Math.min(to, file.lines.length) - 1 });
    }
    return quoted;
  }

  /** Quotes what a file says about the words, or else its beginning. */
  #quoteFile(file: SourceFile, both: Research, quoted: QuotedLines): Lines[] {
    const hits = both.found.hits.filter(({ passage }) => passage.file === file).map(({ passage }) => passage);
    const passages = hits.length > 0 ? hits : this.#index.passages.filter((passage) => passage.file === file);
    const chosen: Lines[] = [];
    for (const passage of passages) {
      if (chosen.length === QUOTES_A_FILE) break;
      const lines = chooseLines(passage, {
        weigh: (row) => both.lines.of(file, row) + (row === passage.head ? 1 : 0),
        taken: (row) => quoted.has(file, row),
        isComment: (row) => this.#index.isComment(file, row),
      });
      if (!lines) continue;
      quoted.add(lines);
      chosen.push(lines);
    }
    return chosen;
  }
}

function quotationOf({ file, start, end }: Lines): WorkspaceQuotation {
  return { path: file.path, from: start + 1, to: end + 1, lines: file.lines.slice(start, end + 1) };
}

/** The files named in texts, last text first: it is the closest to the question. */
function namedFiles(index: WorkspaceIndex, texts: readonly string[]): SourceFile[] {
  const files = new Set<SourceFile>();
  for (const text of texts.toReversed())
    for (const [word] of text.slice(0, LONGEST_TEXT).matchAll(/[\p{L}\p{N}_$@+()[\]./-]{3,300}/gu)) {
      const file = index.fileNamed(word.replace(/^[.,;:/([-]+|(?<![.,;:/)\]-])[.,;:/)\]-]+$/g, ''));
      if (file) files.add(file);
      if (files.size === MOST_NAMED) return [...files];
    }
  return [...files];
}
