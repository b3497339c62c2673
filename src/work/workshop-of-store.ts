import { join } from 'node:path';
import type { Accepted, Checkout, CommitId, Diff, Isolation, Joined, Workshop } from '../core/ports/workshop.ts';
import { ThoughtTreeError } from '../core/search/errors.ts';
import { Acceptance, type AcceptanceParts } from './accept/acceptance.ts';
import { Checkouts } from './checkouts.ts';
import type { CommandRules } from './commands/run-command.ts';
import type { GitStore } from './git/git-store.ts';
import { Line } from './line.ts';
import { linesNotAllowed, notAfter, notBegun, tipMoved } from './messages.ts';
import { removeFolder } from './remove-folder.ts';
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

  /** The files of the last commit that was asked about: commits never change, and most questions are about one. */
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
