import { lstat, mkdir, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Message } from '../core/messages/message.ts';
import {
  type Accepted,
  type Checkout,
  CommitId,
  type Diff,
  type Isolation,
  type Joined,
  type WorkCommand,
  type WorkOutcome,
  type Workshop,
} from '../core/ports/workshop.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../core/search/errors.ts';
import { replaceFile } from '../store/files/replace-file.ts';
import { Acceptance, type AcceptanceParts } from './accept/acceptance.ts';
import { Line } from './accept/line.ts';
import { type CommandRules, runWorkCommand } from './commands/run-command.ts';
import { removeFolder, throwIfStopped } from './folders.ts';
import type { GitStore } from './git/git-store.ts';
import {
  badName,
  endedWith,
  isGone,
  isOther,
  isPointedElsewhere,
  isUnclean,
  linesNotAllowed,
  notAfter,
  notAllowed,
  notBegun,
  notEnded,
  replaced,
  setUpFailed,
  tipMoved,
} from './messages.ts';
import { shownLine } from './shown.ts';

/** The longest text of a file that is read, in bytes. */
const LONGEST_TEXT = 4 * 1024 * 1024;

/** Which command lines a person agreed to. */
export interface Consent {
  isAllowed(line: string): boolean;
  /** Asks for those that they have not agreed to; false if they do not. */
  ask(lines: readonly string[], isolation: Isolation): Promise<boolean>;
}

export interface WorkshopParts {
  /** Our own folder for it. */
  readonly folder: string;
  readonly store: GitStore;
  readonly rules: CommandRules;
  readonly consent: Consent;
  /** The folder of locks of workspaces. */
  readonly locks: string;
  /** Replacements for the system, for tests. */
  readonly system?: Pick<AcceptanceParts, 'disk' | 'me'> | undefined;
}

/** A workshop over a store of commits, whatever that is. */
export class WorkshopOfStore implements Workshop {
  readonly isolation: Isolation;
  readonly #parts: WorkshopParts;
  readonly #line: Line;
  readonly #checkouts: Checkouts;
  #isFinished = false;
  #listed: { readonly commit: CommitId; readonly entries: ReturnType<GitStore['entriesOf']> } | undefined;

  private constructor(parts: WorkshopParts, line: Line) {
    const { store, rules, consent, folder } = parts;
    this.#parts = parts;
    this.#line = line;
    this.isolation = { sandbox: rules.sandbox?.name };
    const isAllowed = (each: string): boolean => consent.isAllowed(each);
    this.#checkouts = new Checkouts(join(folder, 'checkouts'), { store, rules, isAllowed });
  }

  static async open(parts: WorkshopParts): Promise<WorkshopOfStore> {
    const workshop = new WorkshopOfStore(parts, await Line.open(parts.folder, parts.system?.disk));
    // A process that was killed may have left what it was just making.
    await workshop.#checkouts.clear(false);
    return workshop;
  }

  leftOut(): Promise<readonly string[]> {
    return this.#parts.store.leftOut();
  }

  uncommitted(): Promise<readonly string[]> {
    return this.#parts.store.uncommitted();
  }

  async begin(
    { withUncommitted, setUp }: { readonly withUncommitted: boolean; readonly setUp?: string },
    signal: AbortSignal,
  ): Promise<CommitId> {
    if (this.#line.now) return this.#line.now.start;
    const start = await this.#parts.store.first(withUncommitted, signal);
    await this.#line.begin({ version: 1, start, tip: start, ...(setUp !== undefined && { setUp }) });
    return start;
  }

  async start(): Promise<CommitId | undefined> {
    return this.#line.now?.start;
  }

  async tip(): Promise<CommitId | undefined> {
    return this.#line.now?.tip;
  }

  async consent(lines: readonly string[], _signal?: AbortSignal): Promise<void> {
    const { consent } = this.#parts;
    const asked = [...new Set(lines)].filter((line) => !consent.isAllowed(line));
    if (asked.length === 0 || (await consent.ask(asked, this.isolation))) return;
    const shown = asked.map((line) => shownLine(line)).join(' · ');
    throw new ThoughtTreeError('declined', linesNotAllowed({ lines: shown.slice(0, 2000) }));
  }

  async checkout(name: string, signal: AbortSignal, at?: CommitId): Promise<Checkout> {
    const { tip, setUp } = this.#begun();
    return this.#checkouts.open(name, at ?? tip, setUp, at !== undefined, signal);
  }

  hasCheckout(name: string): Promise<boolean> {
    return this.#checkouts.has(name);
  }

  async join(work: { readonly base: CommitId; readonly commit: CommitId }, message: string): Promise<Joined> {
    return this.#parts.store.join(this.#begun().tip, work, message);
  }

  async advance(from: CommitId, to: CommitId): Promise<void> {
    const line = this.#begun();
    // Done before, by a process that was killed before it could say so.
    if (line.tip === to) return;
    if (line.tip !== from) throw new ThoughtTreeError('edited', tipMoved({ commit: from }));
    if (!(await this.#parts.store.isAfter(to, from))) throw new ThoughtTreeError('bad-input', notAfter({ from, to }));
    await this.#line.change({ tip: to });
  }

  withPathsOf(commit: CommitId, earlier: CommitId, paths: readonly string[]): Promise<CommitId> {
    return this.#parts.store.withPathsOf(commit, earlier, paths);
  }

  async fileAt(commit: CommitId, path: string): Promise<string | undefined> {
    const entry = (await this.#entriesOf(commit)).get(path);
    if (!entry || entry.mode === '120000') return undefined;
    const bytes = (await this.#parts.store.read([entry.id])).get(entry.id);
    if (!bytes || bytes.length > LONGEST_TEXT || bytes.includes(0)) return undefined;
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      return undefined;
    }
  }

  async pathsAt(commit: CommitId): Promise<readonly string[]> {
    return [...(await this.#entriesOf(commit)).keys()];
  }

  diff(from: CommitId, to: CommitId): Promise<Diff> {
    return this.#parts.store.diff(from, to);
  }

  async accept(signal: AbortSignal): Promise<Accepted> {
    const { start, tip } = this.#begun();
    const brought = await this.#acceptance.bring(false, signal);
    return { commit: tip, files: (await this.#parts.store.diff(start, tip)).files, ...brought };
  }

  async undoAccept(signal: AbortSignal): Promise<Accepted> {
    const { start } = this.#begun();
    const files = (await this.inFiles())?.files ?? [];
    return { commit: start, files, ...(await this.#acceptance.bring(true, signal)) };
  }

  async inFiles(): Promise<Diff | undefined> {
    if (!this.#line.now) return undefined;
    const { start, accepted, accepting } = this.#line.now;
    const now = accepted ?? accepting?.commits.find((commit) => commit !== start);
    return now === undefined ? undefined : this.#parts.store.diff(now, start);
  }

  get #acceptance(): Acceptance {
    const { rules, folder: work, locks, store, system } = this.#parts;
    const { workspace, ownFolder } = rules;
    return new Acceptance({ workspace, ownFolder, work, locks, store, line: this.#line, ...system });
  }

  /** Says whether all work is done: then no checkout is left when it is closed. */
  finish(isFinished = true): void {
    this.#isFinished = isFinished;
  }

  async close(): Promise<void> {
    await this.#checkouts.clear(this.#isFinished);
    await removeFolder(this.#parts.rules.scratch);
  }

  /**
   * Returns the files of the last commit that was asked about: commits never change, and most questions are about one.
   */
  #entriesOf(commit: CommitId): ReturnType<GitStore['entriesOf']> {
    if (this.#listed?.commit !== commit) {
      const entries = this.#parts.store.entriesOf(commit);
      this.#listed = { commit, entries };
      entries.catch(() => {
        this.#listed = undefined;
      });
    }
    return this.#listed.entries;
  }

  #begun(): NonNullable<Line['now']> {
    if (!this.#line.now) throw new ThoughtTreeError('bad-input', notBegun());
    return this.#line.now;
  }
}

const NAME = /^[\w-]{1,100}$/;
/** The time that a set-up command may take, in milliseconds. */
const SET_UP_MS = 30 * 60_000;

interface CheckoutParts {
  readonly store: GitStore;
  readonly rules: CommandRules;
  /** Tells whether a person agreed to a command line. */
  readonly isAllowed: (line: string) => boolean;
}

/** The checkouts of a workshop, each in a folder of its own. */
class Checkouts {
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

/** The identity that tells a folder from every other one. */
const Identity = z.object({ device: z.string(), inode: z.string() });
type Identity = z.infer<typeof Identity>;

/** The facts that are remembered of a checkout, next to it. */
const About = z.object({
  version: z.literal(1),
  base: CommitId,
  folder: Identity,
  /** Of its own repository, if it has one. */
  git: Identity.optional(),
  /** True if it shows a commit that somebody named: nothing is continued there. */
  isShown: z.boolean(),
});
type About = z.infer<typeof About>;

/** The folders of one checkout. */
class CheckoutPlace {
  /** The folder of all of it. */
  readonly root: string;
  /** The files. */
  readonly folder: string;
  /** The home of the commands that run there. */
  readonly home: string;
  readonly #about: string;

  constructor(root: string) {
    this.root = root;
    this.folder = join(root, 'work');
    this.home = join(root, 'home');
    this.#about = join(root, 'about.json');
  }

  /** Reads what is remembered; undefined if it was never completed. */
  async about(): Promise<About | undefined> {
    const text = await readFile(this.#about, 'utf8').catch(() => undefined);
    if (text === undefined) return undefined;
    try {
      return About.safeParse(JSON.parse(text)).data;
    } catch {
      return undefined;
    }
  }

  /** Remembers which folder was made. Only from here on the checkout exists. */
  async remember(base: CommitId, isShown: boolean): Promise<About> {
    const folder = await identityOf(this.folder);
    if (!folder) throw this.#error(isGone());
    const git = await identityOf(join(this.folder, '.git'));
    const about: About = { version: 1, base, folder, ...(git && { git }), isShown };
    await replaceFile(this.#about, `${JSON.stringify(about)}\n`, { mode: 0o600 });
    return about;
  }

  /** Forgets it, until it is remembered anew: a kill in between leaves nothing that counts. */
  async forget(): Promise<void> {
    await rm(this.#about, { force: true });
  }

  /** @throws ThoughtTreeError `outside` unless the folder is the one that was made, in its place, with its own repository */
  async assert({ folder, git }: About): Promise<void> {
    const now = await identityOf(this.folder);
    if (!now) throw this.#error(isGone());
    if (now.device !== folder.device || now.inode !== folder.inode) throw this.#error(isOther());
    if ((await realpath(this.folder)) !== this.folder) throw this.#error(isOther());
    const place = join(this.folder, '.git');
    const there = await lstat(place).catch(() => undefined);
    if (!git || !there) return; // whoever works there may do without
    const own = await identityOf(place);
    if (own?.device !== git.device || own.inode !== git.inode) throw this.#error(isPointedElsewhere());
    for (const pointer of ['commondir', 'gitdir'])
      if (await lstat(join(place, pointer)).catch(() => undefined)) throw this.#error(isPointedElsewhere());
  }

  #error(what: Message): ThoughtTreeError {
    return new ThoughtTreeError('outside', replaced({ folder: this.folder, what }), { file: this.folder });
  }
}

/** Of a folder that is no link. */
async function identityOf(folder: string): Promise<Identity | undefined> {
  const about = await lstat(folder, { bigint: true }).catch(() => undefined);
  return about?.isDirectory() ? { device: String(about.dev), inode: String(about.ino) } : undefined;
}
