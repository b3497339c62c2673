import type { Passage } from '../cut/passage.ts';
import type { Lines } from './quoted-lines.ts';
import type { Subject } from './topic.ts';

/** Which section of a document a quotation belongs to. */
export type Lane = 'defined' | 'docs' | 'used' | 'tested';

/** A quotation, and the passage that contains its lines. */
export interface Quote extends Lines {
  readonly lane: Lane;
  readonly passage: Passage;
  /** True if it is included because it names the subject, rather than for its words. */
  readonly named: boolean;
}

/** A place worth knowing that is not quoted. From 0. */
interface Mention {
  readonly passage: Passage;
  readonly row: number;
}

/** An important file, the line to begin at (from 0), and why. */
export interface FirstRead {
  readonly path: string;
  readonly row: number;
  readonly why: string;
}

/** The content of a document, in order. */
export interface DocumentPlan {
  readonly subject: Subject;
  readonly quotes: readonly Quote[];
  /** Uses that are not quoted. */
  readonly moreUses: readonly Mention[];
  readonly readFirst: readonly FirstRead[];
  /** Words of the question, and of a person's own title, that occur in no file. */
  readonly missing: readonly string[];
}
