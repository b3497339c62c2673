import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Checkout, CommitId, WorkCommand, WorkOutcome } from '../core/ports/workshop.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../core/search/errors.ts';
import { type About, CheckoutPlace } from './checkout-place.ts';
import { type CommandRules, runWorkCommand } from './commands/run-command.ts';
import type { GitStore } from './git/git-store.ts';
import { badName, endedWith, isUnclean, notAllowed, notEnded, replaced, setUpFailed } from './messages.ts';
import { removeFolder } from './remove-folder.ts';
import { shownLine } from './shown.ts';
import { throwIfStopped } from './stopped.ts';

const NAME = /^[\w-]{1,100}$/;
/** The time that a set-up command may take, in milliseconds. */
const SET_UP_MS = 30 * 60_000;

export interface CheckoutParts {
  readonly store: GitStore;
  readonly rules: CommandRules;
  /** Tells whether a person agreed to a command line. */
  readonly isAllowed: (line: string) => boolean;
}

/** The checkouts of a workshop, each in a folder of its own. */
export class Checkouts {
  readonly #root: string;
  readonly #parts: CheckoutParts;

  constructor(root: string, parts: CheckoutParts) {
    this.#root = root;
    this.#parts = parts;
  }

  /** Tells whether an earlier try left one of this name. */
  async has(name: string): Promise<boolean> {
    const about = await this.#place(name).about();
    return about !== undefined && !about.isShown;
  }

  /**
   * Finds the one that an earlier try left, or makes it.
   * @param wanted the commit that it begins at
   * @param isShown whether it is to show that commit, whatever was there
   */
  async open(
    name: string,
    wanted: CommitId,
    setUp: string | undefined,
    isShown: boolean,
    signal: AbortSignal,
  ): Promise<Checkout> {
    const place = this.#place(name);
    const known = await place.about();
    if (known && !known.isShown && !isShown && (await isOurs(place, known))) return this.#checkout(place, known, true);
    try {
      // The files of a set-up belong to its commit; without a sandbox, a command could have changed what stays here.
      const canMove = known?.isShown && isShown && setUp === undefined && this.#parts.rules.sandbox !== undefined;
      const moved =
        canMove && (await isOurs(place, known)) ? await this.#move(place, known, wanted, signal) : undefined;
      if (moved) return this.#checkout(place, moved, false);
      await removeFolder(place.root);
      return this.#checkout(place, await this.#make(place, wanted, setUp, isShown, signal), false);
    } catch (error) {
      await removeFolder(place.root);
      throw error;
    }
  }

  /** Removes those that were never completed, and those that only showed a commit; all of them if the search is finished. */
  async clear(all: boolean): Promise<void> {
    for (const name of await readdir(this.#root).catch(() => [])) {
      const place = new CheckoutPlace(join(this.#root, name));
      const about = await place.about();
      if (all || !about || about.isShown) await removeFolder(place.root);
    }
  }

  #place(name: string): CheckoutPlace {
    if (!NAME.test(name)) throw new ThoughtTreeError('bad-input', badName({ name: shownLine(name.slice(0, 100)) }));
    return new CheckoutPlace(join(this.#root, name));
  }

  /** Makes one that shows a commit show another one; undefined if it is not as it was left. */
  async #move(place: CheckoutPlace, known: About, wanted: CommitId, signal: AbortSignal): Promise<About | undefined> {
    const { store } = this.#parts;
    if (known.base === wanted) return known;
    await place.forget();
    await store.move(place.folder, known.base, wanted, signal);
    return (await store.isClean(place.folder)) ? place.remember(wanted, true) : undefined;
  }

  async #make(
    place: CheckoutPlace,
    base: CommitId,
    setUp: string | undefined,
    isShown: boolean,
    signal: AbortSignal,
  ): Promise<About> {
    const { store } = this.#parts;
    for (const folder of [place.folder, place.home]) await mkdir(folder, { recursive: true, mode: 0o700 });
    await store.write(base, place.folder, signal);
    if (!(await store.isClean(place.folder)))
      throw new ThoughtTreeError('outside', replaced({ folder: place.folder, what: isUnclean() }));
    if (setUp !== undefined) await this.#setUp(place, base, setUp, signal);
    return place.remember(base, isShown);
  }

  async #setUp(place: CheckoutPlace, base: CommitId, line: string, signal: AbortSignal): Promise<void> {
    const command: WorkCommand = { line, rights: 'write', timeoutMs: SET_UP_MS };
    const { exitCode, output } = await this.#run(place, command, signal);
    throwIfStopped(signal);
    if (exitCode !== 0) {
      const how = exitCode === undefined ? notEnded() : endedWith({ code: exitCode });
      const end = output.slice(-2000);
      throw new ThoughtTreeError('bad-input', setUpFailed({ line: shownLine(line), how, output: end }));
    }
    // Files that it made stay if git ignores them; the rest would count as work.
    await this.#parts.store.reset(base, place.folder);
  }

  async #run(place: CheckoutPlace, command: WorkCommand, signal: AbortSignal): Promise<WorkOutcome> {
    const { rules, isAllowed } = this.#parts;
    if (!isAllowed(command.line)) throw new ThoughtTreeError('declined', notAllowed({ line: shownLine(command.line) }));
    return runWorkCommand(rules, place, command, signal);
  }

  #checkout(place: CheckoutPlace, about: About, isContinued: boolean): Checkout {
    return {
      folder: place.folder,
      base: about.base,
      isContinued,
      run: async (command, signal) => {
        await place.assert(about);
        return this.#run(place, command, signal);
      },
      commit: async (message) => {
        await place.assert(about);
        return this.#parts.store.take(place.folder, about.base, message);
      },
      remove: () => removeFolder(place.root),
    };
  }
}

/** Tells whether it is still the folder that we made. One that was replaced is given up, with what is in it. */
async function isOurs(place: CheckoutPlace, about: About): Promise<boolean> {
  try {
    await place.assert(about);
    return true;
  } catch (error) {
    if (!isThoughtTreeError(error, 'outside')) throw error;
    return false;
  }
}
