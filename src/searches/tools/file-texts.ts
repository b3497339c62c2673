import { lstatSync, realpathSync } from 'node:fs';
import { join, posix } from 'node:path';
import { isGenerated } from '../../text/files/excluded-files.ts';
import { readText, splitLines } from '../../text/files/read-text.ts';
import type { HiddenText, SecretFilter } from '../../text/secrets/secret-filter.ts';

/** Characters of all texts that are kept. */
const MOST_KEPT = 32_000_000;

/** The text of a file as it is written. */
export interface WrittenFile {
  readonly path: string;
  readonly text: string;
  /** Its text shows that a program wrote it. */
  readonly isGenerated: boolean;
  /** Without its secrets. */
  shown(): Promise<HiddenText>;
}

/** When a file was changed last, and what was in it then. */
interface Kept {
  readonly stamp: string;
  readonly file: WrittenFile;
}

/** The texts of listed files, read again only where they changed since: tools look through all of them over and over. */
export class FileTexts {
  readonly #folder: string;
  readonly #filter: SecretFilter;
  readonly #kept = new Map<string, Kept>();
  readonly #areReal = new Map<string, boolean>();
  #root: string | undefined;
  #size = 0;

  /** @param folder the workspace, an absolute path */
  constructor(folder: string, filter: SecretFilter) {
    this.#folder = folder;
    this.#filter = filter;
  }

  /** Begins a use: a folder may have become a link since the last one. */
  begin(): void {
    this.#areReal.clear();
  }

  /** The size of a file in bytes; undefined if it is none, or behind a link: its target is listed by itself, or outside. */
  sizeOf(path: string): number | undefined {
    const stats = this.#statsOf(path);
    return stats && Number(stats.size);
  }

  /** The text of a listed file; undefined if it is none, too large, or no text. */
  written(path: string): WrittenFile | undefined {
    const stats = this.#statsOf(path);
    if (!stats) return undefined;
    const stamp = [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join();
    const known = this.#kept.get(path);
    if (known?.stamp === stamp) return known.file;
    try {
      const found = readText(this.#placeOf(path));
      if ('unreadable' in found) return undefined;
      const file = new Written(path, found.text, this.#filter);
      this.#keep(path, { stamp, file });
      return file;
    } catch {
      return undefined; // gone, or not to be read
    }
  }

  #statsOf(path: string) {
    try {
      const stats = lstatSync(this.#placeOf(path), { bigint: true });
      return stats.isFile() && this.#isReal(posix.dirname(path)) ? stats : undefined;
    } catch {
      return undefined; // gone, or not to be looked at
    }
  }

  #isReal(folder: string): boolean {
    const known = this.#areReal.get(folder);
    if (known !== undefined) return known;
    const place = this.#placeOf(folder);
    const isReal = realpathSync(place) === place;
    this.#areReal.set(folder, isReal);
    return isReal;
  }

  #placeOf(path: string): string {
    this.#root ??= realpathSync(this.#folder);
    return join(this.#root, ...path.split('/'));
  }

  /** Those that are there first stay: a use looks through all in the same order, so that the oldest is wanted next. */
  #keep(path: string, kept: Kept): void {
    this.#size -= this.#kept.get(path)?.file.text.length ?? 0;
    this.#kept.delete(path);
    if (this.#size + kept.file.text.length > MOST_KEPT) return;
    this.#size += kept.file.text.length;
    this.#kept.set(path, kept);
  }
}

class Written implements WrittenFile {
  readonly path: string;
  readonly text: string;
  readonly #filter: SecretFilter;
  #isGenerated: boolean | undefined;
  #shown: Promise<HiddenText> | undefined;

  constructor(path: string, text: string, filter: SecretFilter) {
    this.path = path;
    this.text = text;
    this.#filter = filter;
  }

  get isGenerated(): boolean {
    this.#isGenerated ??= isGenerated(this.text.replaceAll('\r\n', '\n'));
    return this.#isGenerated;
  }

  shown(): Promise<HiddenText> {
    this.#shown ??= this.#filter.hide(this.path, this.text);
    return this.#shown;
  }
}

/** The lines of a file as people count them: what ends a line begins none. */
export function linesOf(text: string): string[] {
  const lines = splitLines(text);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
