import type { TellText } from '../../core/ports/store.ts';
import { FOUND } from '../../core/search/events.ts';
import type { ReadFiles } from '../files/files.ts';
import { DECOMPOSITION } from '../store-paths.ts';
import { textHash } from '../system-ports.ts';
import type { TextKeeper } from './kept-texts.ts';

const FOLLOWED: readonly string[] = ['search.json', 'notes.md', 'plan.yaml', 'report.md', 'imported.md', DECOMPOSITION];
const PROMPTS = 'prompts';
/** More files of `prompts` are not looked at. */
const MOST_PROMPTS = 50;
/** Enough to find out that a text is too long to be kept. */
const LONGEST = 16 * 1024 * 1024;

/** Tells whether a file is a text of the search as a whole, whose every version is kept. */
export function isFollowed(file: string): boolean {
  return FOLLOWED.includes(file) || file.startsWith(`${PROMPTS}/`);
}

/** Returns the bytes of a file; empty if there is none. */
export async function readWhole(files: ReadFiles, file: string): Promise<Uint8Array> {
  return await files.readBytes(file, 0, LONGEST);
}

/**
 * The texts of the search as a whole: each version of them is kept and told of once, also those that a person writes, as soon
 * as they are noticed. Operations on one file come one after the other.
 */
export class FollowedTexts {
  readonly #files: ReadFiles;
  readonly #keeper: TextKeeper;
  readonly #known = new Map<string, string>();
  #tell: TellText | undefined;

  constructor(files: ReadFiles, keeper: TextKeeper) {
    this.#files = files;
    this.#keeper = keeper;
  }

  /** Looks at all of them, and follows them from now on. */
  async follow(known: ReadonlyMap<string, string>, tell: TellText): Promise<void> {
    for (const [file, text] of known) if (isFollowed(file)) this.#known.set(file, text);
    const names = (await this.#files.list(PROMPTS)).filter(({ kind }) => kind === 'file').map(({ name }) => name);
    const prompts = names
      .sort()
      .slice(0, MOST_PROMPTS)
      .map((name) => `${PROMPTS}/${name}`);
    for (const file of new Set([...FOLLOWED, ...prompts, ...this.#known.keys()]))
      await this.#look(file, FOUND.onOpening, tell);
    this.#tell = tell;
  }

  /**
   * Writes one of them, or removes it; what was there is kept, too.
   * @param write writes the file
   */
  async write(file: string, text: string | undefined, write: () => Promise<void>): Promise<void> {
    await this.#look(file, FOUND.byHand, this.#tell);
    const hash = text === undefined ? undefined : await this.#keeper.keepNew(text);
    await write();
    if (this.#know(file, hash)) this.#tell?.(file, hash);
  }

  /** One of them was read, as this text: somebody may have changed it. */
  async seen(file: string, text: string | undefined): Promise<void> {
    if (!this.#tell || (text === undefined ? undefined : textHash(text)) === this.#known.get(file)) return;
    // Whoever reads it gets it, whatever becomes of that: the next one notices it again.
    await this.#look(file, FOUND.byHand, this.#tell).catch(() => undefined);
  }

  async #look(file: string, by: string, tell: TellText | undefined): Promise<void> {
    const found = await this.#files.stat(file).catch(() => undefined);
    const bytes = found?.kind === 'file' ? await readWhole(this.#files, file).catch(() => undefined) : undefined;
    const hash = bytes && textHash(bytes);
    if (hash === this.#known.get(file)) return;
    if (bytes) await this.#keeper.keep(bytes);
    if (this.#know(file, hash)) tell?.(file, hash, by);
  }

  /** @returns whether that is new */
  #know(file: string, hash: string | undefined): boolean {
    if (this.#known.get(file) === hash) return false;
    if (hash === undefined) this.#known.delete(file);
    else this.#known.set(file, hash);
    return true;
  }
}
