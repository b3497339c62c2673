import type { Passage } from '../cut/passage.ts';
import type { Lines } from './quoted-lines.ts';
import type { Subject } from './topic.ts';

/** Where in a document a quotation stands. */
export type Lane = 'defined' | 'docs' | 'used' | 'tested';

/** A quotation, and the passage that its lines are part of. */
export interface Quote extends Lines {
  readonly lane: Lane;
  readonly passage: Passage;
  /** Whether it is there for naming the subject, rather than for its words. */
  readonly named: boolean;
}

/** A place worth knowing that is not quoted. From 0. */
interface Mention {
  readonly passage: Passage;
  readonly row: number;
}

/** A file that matters, where in it to begin (from 0), and why. */
export interface FirstRead {
  readonly path: string;
  readonly row: number;
  readonly why: string;
}

/** What a document will hold, in order. */
export interface DocumentPlan {
  readonly subject: Subject;
  readonly quotes: readonly Quote[];
  /** Uses that are not quoted. */
  readonly moreUses: readonly Mention[];
  readonly readFirst: readonly FirstRead[];
  /** Words of the question, and of a person's own title, that no file has. */
  readonly missing: readonly string[];
}
