import type { CutSource } from './cut-one.ts';

/** A file to be cut, and what tells its content from another. */
export interface SourcePlace {
  readonly path: string;
  readonly content: string;
  /** In bytes. */
  readonly size: number;
}

/** Takes one of some files that two threads cut; false if it was taken before. @param taken shared by both */
export function take(taken: Int32Array, at: number): boolean {
  return Atomics.compareExchange(taken, at, 0, 1) === 0;
}

/** Files that two threads cut from both ends: each takes the next one that nobody has taken. */
export class CutList {
  readonly places: readonly SourcePlace[];
  readonly taken: Int32Array;
  readonly #cut = new Map<string, CutSource | undefined>();

  constructor(places: readonly SourcePlace[]) {
    this.places = places;
    this.taken = new Int32Array(new SharedArrayBuffer(places.length * Int32Array.BYTES_PER_ELEMENT));
  }

  take(at: number): boolean {
    return take(this.taken, at);
  }

  /** Takes what need not be cut after all. */
  limitTo(wanted: ReadonlySet<string>): void {
    this.places.forEach((place, at) => {
      if (!wanted.has(keyOf(place))) this.take(at);
    });
  }

  add(at: number, source: CutSource | undefined): void {
    const place = this.places[at];
    if (place) this.#cut.set(keyOf(place), source);
  }

  has(place: SourcePlace): boolean {
    return this.#cut.has(keyOf(place));
  }

  get(place: SourcePlace): CutSource | undefined {
    return this.#cut.get(keyOf(place));
  }

  /** The last one that nobody has taken yet. */
  get last(): SourcePlace | undefined {
    return this.places.findLast((_, at) => Atomics.load(this.taken, at) === 0);
  }

  /** How many bytes nobody has taken yet, from a place on. */
  left(from: number): number {
    return this.places.reduce(
      (sum, { size }, at) => (at >= from && Atomics.load(this.taken, at) === 0 ? sum + size : sum),
      0,
    );
  }
}

/** Tells a file with its content from any other. */
export function keyOf({ path, content }: SourcePlace): string {
  return `${content}\0${path}`;
}
