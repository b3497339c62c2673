import { constants } from 'node:fs';
import { lstat, mkdir, open, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { leftOut } from '../../../core/text/left-out.ts';
import { isOddPath } from '../../../core/text/text.ts';
import { isNotebook, notebookText } from '../../../text/files/notebook-text.ts';
import { isOfGit, placeWithin } from '../../../text/files/real-place.ts';
import { SecretFilter } from '../../../text/secrets/secret-filter.ts';
import { Refusal } from '../tool-arguments.ts';

/** The largest file that is written or changed, in bytes. */
export const LARGEST_FILE = 1024 * 1024;

const OUTSIDE = 'That path leads out of the folder, or belongs to git. Give a path relative to the folder, with /.';
const NOT_FOR_YOU = 'That file is not for you: it usually holds a secret, or lies in a dot folder.';
const NO_FILE = 'There is no such file. Look with list or search.';
const NO_NOTEBOOK = 'That is no notebook. You are shown what its cells say; what is written is its whole JSON.';
const NOT_TEXT = 'That is not a text file in UTF-8 of at most 1 MB. It cannot be changed here.';

/**
 * The files of a checkout that a model changes. Paths are hostile, and so are links that are in the folder: nothing is
 * changed outside of it, nor in `.git`, and no file with secrets that the model cannot see.
 */
export class CheckoutFiles {
  readonly #folder: string;
  readonly #filter: SecretFilter;

  /**
   * @param folder absolute
   * @param allowedFiles as for `SecretFilter`
   */
  constructor(folder: string, allowedFiles: readonly string[] = []) {
    this.#folder = folder;
    this.#filter = new SecretFilter(folder, allowedFiles);
  }

  /**
   * Writes a file, whether it exists or not, with the folders above it.
   * @returns whether it is new
   */
  async write(path: string, text: string): Promise<boolean> {
    const place = this.#placeOf(path);
    if (isNotebook(place) && notebookText(text) === undefined) throw new Refusal(NO_NOTEBOOK);
    const before = await this.#textAt(place);
    if (before !== undefined) {
      const { secrets } = await this.#filter.hide(place, before);
      if (secrets > 0)
        throw new Refusal(`You do not see all of that file: ${leftOut(secrets, path)}. Change it with edit_file.`);
    }
    await this.#put(place, text);
    return before === undefined;
  }

  /** Replaces a passage that occurs exactly once; returns the line where it begins, from 1. */
  async edit(path: string, old: string, replacement: string): Promise<number> {
    const place = this.#placeOf(path);
    const text = await this.#textAt(place);
    if (text === undefined) throw new Refusal(NO_FILE);
    const at = text.indexOf(old);
    if (at < 0) throw new Refusal('The file does not hold that passage. Give it exactly, with all spaces and lines.');
    if (text.indexOf(old, at + 1) >= 0)
      throw new Refusal('The file holds that passage more than once. Give more of what is around it.');
    await this.#put(place, text.slice(0, at) + replacement + text.slice(at + old.length));
    return text.slice(0, at).split('\n').length;
  }

  /** Removes a file, or a link rather than what it leads to. */
  async remove(path: string): Promise<void> {
    const steps = stepsOf(path);
    const name = steps.pop() ?? '';
    const above = steps.length === 0 ? '' : this.#placeOf(steps.join('/'));
    const place = above === '' ? name : `${above}/${name}`;
    if (isOfGit(place)) throw new Refusal(OUTSIDE);
    if (this.#filter.isKept(place)) throw new Refusal(NOT_FOR_YOU);
    const file = join(this.#folder, ...place.split('/'));
    const there = await lstat(file).catch(() => undefined);
    if (!there) throw new Refusal(NO_FILE);
    if (there.isDirectory()) throw new Refusal('That is a folder. Name each file.');
    await unlink(file);
  }

  #placeOf(path: string): string {
    const place = placeWithin(this.#folder, stepsOf(path).join('/'));
    if (place === undefined || isOfGit(place)) throw new Refusal(OUTSIDE);
    if (this.#filter.isKept(place)) throw new Refusal(NOT_FOR_YOU);
    return place;
  }

  /** The text of a file; undefined if there is none. */
  async #textAt(place: string): Promise<string | undefined> {
    const file = join(this.#folder, ...place.split('/'));
    const there = await lstat(file).catch(() => undefined);
    if (!there) return undefined;
    if (there.isDirectory()) throw new Refusal('That is a folder.');
    if (!there.isFile() || there.size > LARGEST_FILE) throw new Refusal(NOT_TEXT);
    const handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    try {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(LARGEST_FILE + 1), 0, LARGEST_FILE + 1, 0);
      const bytes = buffer.subarray(0, bytesRead);
      if (bytesRead > LARGEST_FILE || bytes.includes(0)) throw new Refusal(NOT_TEXT);
      // With its mark, if it has one: what is written back has to equal what was not changed.
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch (error) {
      throw error instanceof TypeError ? new Refusal(NOT_TEXT) : error;
    } finally {
      await handle.close();
    }
  }

  /** Writes into the file that is there, so that it stays executable; never through a link. */
  async #put(place: string, text: string): Promise<void> {
    const bytes = Buffer.from(text.toWellFormed());
    if (bytes.length > LARGEST_FILE) throw new Refusal('A file can have 1 MB at most.');
    const file = join(this.#folder, ...place.split('/'));
    await mkdir(dirname(file), { recursive: true });
    // Folders that were made, or replaced, meanwhile: where it leads now has to be where it led.
    if (placeWithin(this.#folder, file) !== place || basename(file) === '') throw new Refusal(OUTSIDE);
    const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
    const handle = await open(file, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK, 0o666);
    try {
      await handle.writeFile(bytes);
    } finally {
      await handle.close();
    }
  }
}

/** The steps of a path as written by a model: `./src/` is `src`. */
function stepsOf(path: string): string[] {
  const steps = path.split('/');
  if (path.startsWith('/') || /^(~|[a-z]:|file:)/i.test(path) || steps.includes('..') || isOddPath(path))
    throw new Refusal(OUTSIDE);
  const kept = steps.filter((step) => step !== '' && step !== '.');
  if (kept.length === 0) throw new Refusal(OUTSIDE);
  return kept;
}
