import type { SourceFile } from '../files/source-file.ts';

/** The kind of a passage: a named piece of code, a block with a title (a test), a section of prose, or leftover lines. */
export type PassageKind = 'class' | 'function' | 'member' | 'constant' | 'type' | 'block' | 'section' | 'rest';

/** A piece of a file, as its cutter found it. Lines count from 0 and are inclusive. */
export interface Piece {
  readonly kind: PassageKind;
  /** With its owner's, as in `Suite#timeout`; a section's heading; the file's name for leftover lines. */
  readonly name: string;
  /** The name alone, as other code writes it; undefined if no code can refer to it. */
  readonly identifier?: string;
  /** Where it starts, including the comment above it. */
  readonly start: number;
  /** The line of its name. */
  readonly head: number;
  readonly end: number;
}

/** A piece with its place in the index. */
export interface Passage extends Piece {
  /** Its number, in the order of paths and lines. */
  readonly id: number;
  readonly file: SourceFile;
  /** The number of the passage around it. */
  readonly owner?: number;
  /** The lines that belong to passages inside it, as pairs of first and last. */
  readonly inner: readonly (readonly [number, number])[];
}
