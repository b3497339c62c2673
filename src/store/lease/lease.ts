import { uptime } from 'node:os';
import type { Message } from '../../core/messages/message.ts';
import type { Clock, Random } from '../../core/ports/ports.ts';
import type { LastEnd } from '../../core/ports/store.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../../core/search/errors.ts';
import type { Files } from '../files/files.ts';
import { stringifyJson } from '../json/json-file.ts';
import * as say from '../messages.ts';
import { endOf, type Holder, type LeaseFile, leasePath, leftUnflushed, listEpochs, readHolder } from './lease-file.ts';
import { type ProcessIdentity, thisProcess } from './process-identity.ts';

/** Milliseconds between two heartbeats. */
const HEARTBEAT_MS = 5_000;

/** Milliseconds between the tries to write that a lease is released. */
const RELEASED_AGAIN_AFTER_MS = [1_000, 2_000, 5_000, 15_000, 30_000, 60_000, 120_000, 300_000];

// Far below the point where file names could no longer be parsed.
const HIGHEST_EPOCH = 1e12;

export interface LeasePorts {
  readonly clock: Clock;
  readonly random: Random;
  /** For tests; by default this process. */
  readonly identity?: ProcessIdentity;
  /** When the computer was started, in milliseconds since 1970; for tests, by default what the system says. */
  readonly startedAt?: number;
}

/**
 * Takes the right to write a search: if it is free, if its holder's process is gone, or if its holder has been silent
 * for 30 seconds.
 * @throws ThoughtTreeError `held`, saying who writes; and the errors of writing a file
 */
export async function takeLease(files: Files, ports: LeasePorts): Promise<Lease> {
  const me = ports.identity ?? thisProcess();
  await files.makeFolder('.search');
  for (;;) {
    const holder = await readHolder(files, ports.clock, me);
    if (holder?.state === 'alive') throw held(files, holder);
    if (holder && holder.epoch >= HIGHEST_EPOCH) throw impossible(files, holder);
    const lastEnd = holder ? endOf(holder, me) : 'closed';
    const started = ports.startedAt ?? ports.clock.now() - uptime() * 1000;
    const startedAt = holder?.file?.host === me.host ? started : undefined;
    const before = { lastEnd, leftUnflushed: holder !== undefined && leftUnflushed(holder, me), startedAt };
    const lease = await tryToTake(files, ports, me, (holder?.epoch ?? 0) + 1, before);
    if (lease) return lease;
    // Somebody else was quicker: check again who holds the search.
  }
}

/** The state that the holder before left. */
interface Before {
  readonly lastEnd: LastEnd;
  readonly leftUnflushed: boolean;
  readonly startedAt: number | undefined;
}

async function tryToTake(
  files: Files,
  ports: LeasePorts,
  me: ProcessIdentity,
  epoch: number,
  before: Before,
): Promise<Lease | undefined> {
  const now = new Date(ports.clock.now()).toISOString();
  const { lastEnd } = before;
  const left = lastEnd === 'closed' ? {} : { left: lastEnd };
  const file: LeaseFile = { epoch, token: ports.random.id(), ...me, since: now, heartbeat: now, ...left };
  if (!(await files.createExclusive(leasePath(epoch), stringifyJson(file)))) return undefined;
  const epochs = await listEpochs(files);
  if (epochs.at(-1) !== epoch) {
    // A higher one existed, and its holder had already removed the one that this replaced.
    await files.remove(leasePath(epoch));
    return undefined;
  }
  // Lowest first, so that a holder whose file has no successor can conclude from its absence that it lost the search.
  for (const each of epochs) if (each < epoch) await files.remove(leasePath(each));
  return new Lease(files, ports.clock, file, before);
}

function held(files: Files, { file, epoch, silentMs }: Holder): ThoughtTreeError {
  const seconds = Math.round(silentMs / 1000);
  return new ThoughtTreeError('held', say.held({ who: whoHolds(file), seconds }), {
    file: `${files.root}/${leasePath(epoch)}`,
  });
}

function whoHolds(file: Holder['file']): Message {
  if (!file) return say.holderUnknown();
  const { pid, host, since } = file;
  return since === undefined ? say.holderProcess({ pid, host }) : say.holderSince({ pid, host, since });
}

function impossible(files: Files, { epoch }: Holder): ThoughtTreeError {
  const file = `${files.root}/${leasePath(epoch)}`;
  return new ThoughtTreeError('damaged', say.foreignLease({ file }), { file });
}

/** The right to write one search, until another process takes over. A heartbeat every 5 seconds shows that it is alive. */
export class Lease implements WriteRight {
  readonly epoch: number;
  readonly leftUnflushed: boolean;
  readonly startedAt: number | undefined;
  readonly holder: NonNullable<WriteRight['holder']>;
  readonly #files: Files;
  readonly #clock: Clock;
  #file: LeaseFile;
  readonly #end = new AbortController();
  readonly #heart: Promise<void>;
  #lost = false;
  /** The identity of the file when it was last read and found to be this lease's. */
  #seen: string | undefined;

  /** @param file the content of this lease's file, which the caller has just created */
  constructor(files: Files, clock: Clock, file: LeaseFile, { leftUnflushed, startedAt }: Before) {
    this.leftUnflushed = leftUnflushed;
    this.startedAt = startedAt;
    this.epoch = file.epoch;
    this.holder = { epoch: file.epoch, pid: file.pid, host: file.host, token: file.token };
    this.#files = files;
    this.#clock = clock;
    this.#file = file;
    this.#heart = this.#beat();
  }

  /**
   * Tells whether this process still holds the search; checks the files synchronously. One system call is enough as
   * long as this lease's file keeps its identity: a successor removes it before reading anything.
   */
  held(): boolean {
    if (this.#lost) return false;
    const identity = this.#files.identityNow(leasePath(this.epoch));
    if (identity !== undefined && identity === this.#seen) return true;
    // The successor first: its holder removes this file only after creating its own.
    this.#lost = this.#files.existsNow(leasePath(this.epoch + 1)) || !this.#isMine();
    if (!this.#lost) this.#seen = identity;
    return !this.#lost;
  }

  /** @throws ThoughtTreeError `lease-lost` if another process took over the search, or the lease was released */
  check(): void {
    if (this.#end.signal.aborted) throw new ThoughtTreeError('lease-lost', say.searchClosed());
    this.#checkHeld();
  }

  get lastEnd(): LastEnd {
    return this.#file.left ?? 'closed';
  }

  recovered(): void {
    const { left: _left, ...file } = this.#file;
    this.#file = file as LeaseFile;
  }

  /**
   * Ends the heartbeat and lets others take the search at once. Never fails: if that cannot be written, it is tried again
   * for some minutes as long as this process lives, as others believe it to hold the search for that long.
   * @param isSettled whether everything written is on the disk itself
   */
  async release(isSettled = !this.leftUnflushed): Promise<void> {
    if (this.#end.signal.aborted) return;
    this.#end.abort();
    await this.#heart;
    const file = { ...this.#file, heartbeat: this.#now(), released: true, ...(!isSettled && { unsettled: true }) };
    if (await this.#isReleased(file)) return;
    void this.#releaseLater(file);
  }

  async #releaseLater(file: LeaseFile): Promise<void> {
    for (const ms of RELEASED_AGAIN_AFTER_MS) {
      await this.#clock.sleep(ms);
      if (await this.#isReleased(file)) return;
    }
  }

  /** Writes that it is released, unless somebody else holds the search by now; false if that failed. */
  async #isReleased(file: LeaseFile): Promise<boolean> {
    try {
      await this.#write(file, true);
      return true;
    } catch (error) {
      return isThoughtTreeError(error, 'lease-lost');
    }
  }

  async #beat(): Promise<void> {
    while (!this.#end.signal.aborted) {
      await this.#clock.sleep(HEARTBEAT_MS, this.#end.signal);
      if (this.#end.signal.aborted) return;
      try {
        await this.#write({ ...this.#file, heartbeat: this.#now() });
      } catch (error) {
        // Anything else, such as a full disk, may be temporary; the search's own writes will report it.
        if (isThoughtTreeError(error, 'lease-lost')) return;
      }
    }
  }

  async #write(file: LeaseFile, flush = false): Promise<void> {
    this.#checkHeld();
    await this.#files.writeAtomic(leasePath(this.epoch), stringifyJson(file), {
      beforeCommit: () => this.#checkHeld(),
      flush,
    });
  }

  #checkHeld(): void {
    if (this.held()) return;
    throw new ThoughtTreeError('lease-lost', say.takenOver());
  }

  #isMine(): boolean {
    return this.#files.readNow(leasePath(this.epoch))?.includes(`"${this.#file.token}"`) ?? false;
  }

  #now(): string {
    return new Date(this.#clock.now()).toISOString();
  }
}

/** The right to write a search: the lease, or a substitute if there is only one process. */
export interface WriteRight {
  /** Who holds it, if it is a lease. */
  readonly holder?: { readonly epoch: number; readonly pid: number; readonly host: string; readonly token: string };
  /** The end of the holder before this one, until that was recovered; `closed` by default. */
  readonly lastEnd?: LastEnd;
  /**
   * When the computer was started, in milliseconds since 1970, if the holder before ran on it, too: what changed since then
   * was not written by a holder that a loss of power ended.
   */
  readonly startedAt?: number | undefined;
  /** True if an earlier holder, of the same boot, may have written data that is not on the disk itself. */
  readonly leftUnflushed?: boolean;
  recovered?(): void;
  /**
   * Synchronous, so that it can come immediately before a change.
   * @throws ThoughtTreeError `lease-lost` if the right is gone
   */
  check(): void;
  /**
   * Gives up the right.
   * @param isSettled whether everything written is on the disk itself
   */
  release(isSettled: boolean): Promise<void>;
}
