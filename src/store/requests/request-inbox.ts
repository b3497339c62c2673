import { lstat, rename, unlink } from 'node:fs/promises';
import { type ActionReply, ActionRequest } from '../../core/actions/action-call.ts';
import { kept, type Message } from '../../core/messages/message.ts';
import { FolderChanges, type WatchFolder } from '../files/folders.ts';
import * as say from '../messages.ts';
import {
  parseJson,
  readSmallFile,
  removeLeftovers,
  replyPath,
  requestPath,
  requestsFolder,
  TOO_OLD_MS,
  takenPath,
  waitingRequests,
  writeWhole,
} from './request-files.ts';

/** The interval at which the folder is polled even without notifications, in milliseconds. */
const LOOK_MS = 500;

export interface InboxParts {
  /** Carries out a request; never throws. */
  readonly carryOut: (request: ActionRequest) => Promise<ActionReply>;
  /** The token of this process's lease: a request for any other is not for this process. */
  readonly lease: string;
  /** Throws if this process no longer holds the search. */
  readonly checkLease: () => void;
  /** Called once if it holds the search no longer: with why. Nothing else may tell it while all its calls are under way. */
  readonly onLost?: (error: unknown) => void;
  /** For tests; by default the system's. */
  readonly watchFolder?: WatchFolder;
}

/** Carries out other processes' requests to a search, one after the other, for as long as this process holds it. */
export class RequestInbox {
  readonly #folder: string;
  readonly #parts: InboxParts;
  readonly #changes: FolderChanges;
  readonly #loop: Promise<void>;
  #closed = false;

  private constructor(folder: string, parts: InboxParts) {
    this.#folder = folder;
    this.#parts = parts;
    this.#changes = new FolderChanges(folder, false, parts.watchFolder);
    this.#loop = this.#run();
  }

  /**
   * @param search the search's folder
   * @throws ThoughtTreeError `outside`, `not-writable`, `disk-full`
   */
  static async open(search: string, parts: InboxParts): Promise<RequestInbox> {
    const folder = await requestsFolder(search);
    await removeLeftovers(folder);
    return new RequestInbox(folder, parts);
  }

  /** Accepts no more; resolves when accepted requests are answered. Waiting ones can be withdrawn or taken by others. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#changes.close();
    await this.#loop;
    await removeLeftovers(this.#folder);
  }

  async #run(): Promise<void> {
    while (!this.#closed) {
      for (const id of await waitingRequests(this.#folder)) if (this.#mayTake()) await this.#take(id);
      if (!this.#closed) await this.#changes.next(LOOK_MS);
      const error = this.#closed ? undefined : this.#whyLost();
      if (error) return this.#parts.onLost?.(error);
    }
  }

  #mayTake(): boolean {
    return !this.#closed && this.#isHolder();
  }

  #isHolder(): boolean {
    return this.#whyLost() === undefined;
  }

  #whyLost(): unknown {
    try {
      this.#parts.checkLease();
      return undefined;
    } catch (error) {
      return error;
    }
  }

  /** Takes one request by renaming it, so that nobody else can, carries it out and answers it. */
  async #take(id: string): Promise<void> {
    const taken = takenPath(this.#folder, id);
    try {
      await rename(requestPath(this.#folder, id), taken);
    } catch {
      return; // it was withdrawn
    }
    const read = await this.#read(taken, id);
    // Nothing has been done yet: whoever holds the search now may do it.
    if (!this.#isHolder()) return void (await rename(taken, requestPath(this.#folder, id)).catch(() => undefined));
    // It was for an earlier holder, or came with the folder. Whoever waits for an answer sees it gone, and asks again.
    if ('isForAnother' in read) return void (await unlink(taken).catch(() => undefined));
    const reply = 'refused' in read ? refusal(read.refused) : await this.#parts.carryOut(read.request);
    await writeWhole(replyPath(this.#folder, id), reply).catch(() => undefined);
    await unlink(taken).catch(() => undefined);
  }

  async #read(
    file: string,
    id: string,
  ): Promise<{ request: ActionRequest } | { refused: Message } | { isForAnother: true }> {
    const about = await lstat(file).catch(() => undefined);
    const text = await readSmallFile(file);
    if (!about || text === undefined) return { refused: say.requestTooLong() };
    const parsed = ActionRequest.safeParse(parseJson(text));
    if (!parsed.success || parsed.data.id !== id) return { refused: say.requestUnknown() };
    if (parsed.data.lease !== this.#parts.lease) return { isForAnother: true };
    // Sent long ago by a process that died: nobody is waiting for it.
    const age = Date.now() - Math.min(Date.parse(parsed.data.time), about.mtimeMs);
    if (!(age < TOO_OLD_MS)) return { refused: say.requestTooOld() };
    return { request: parsed.data };
  }
}

function refusal(why: Message): ActionReply {
  return { ok: false, reason: 'bad-input', ...kept(why) };
}
