import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { CommitId } from '../../core/ports/workshop.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { type Disk, replaceFile } from '../../store/files/replace-file.ts';
import { isGone, ProcessIdentity } from '../../store/lease/process-identity.ts';
import { acceptingElsewhere, otherInterrupted } from '../messages.ts';

/** A file of the person before the first acceptance, as far as the start does not tell. */
const Former = z.object({
  mode: z.number().int(),
  /** True if it had CRLF where the start has LF. */
  hasCrlf: z.boolean().optional(),
  /** The name of its content in the store, if that is another one. */
  id: z.string().optional(),
});
export type Former = z.infer<typeof Former>;

/** The name of a folder in the workspace. */
const Stage = z.string().regex(/^\.thought-tree-accept-[\da-f]{12}$/);

const LineFile = z.object({
  version: z.literal(1),
  start: CommitId,
  tip: CommitId,
  /** The last commit whose files were brought into the workspace. */
  accepted: CommitId.optional(),
  /** The acceptance, or its undoing, that is under way or did not come to its end. */
  accepting: z
    .object({
      /** The commits that it was bringing, and those before that did not come to their end either. */
      commits: z.array(CommitId),
      /** Their folders, with the new files and the originals. */
      stages: z.array(Stage),
      /** Who is at it; missing if nobody is any more. */
      by: ProcessIdentity.optional(),
    })
    .optional(),
  /** Folders of acceptances that are over, if they could not be removed yet. */
  left: z.array(Stage).optional(),
  /**
   * The files of the person as they were before the first acceptance that has them, by their paths: those that one changed or
   * deleted, and those that were already as it makes them.
   */
  before: z.record(z.string(), Former).optional(),
  /** The command that prepares each new checkout. */
  setUp: z.string().optional(),
});
type LineFile = z.infer<typeof LineFile>;

/** The line of accepted work: where it begins, and how far it is. One file, replaced as a whole. */
export class Line {
  readonly #file: string;
  readonly #disk: Disk | undefined;
  #now: LineFile | undefined;
  #changes: Promise<unknown> = Promise.resolve();

  private constructor(file: string, now: LineFile | undefined, disk: Disk | undefined) {
    this.#file = file;
    this.#now = now;
    this.#disk = disk;
  }

  static async open(folder: string, disk?: Disk): Promise<Line> {
    const file = join(folder, 'line.json');
    const text = await readFile(file, 'utf8').catch(() => undefined);
    return new Line(file, text === undefined ? undefined : LineFile.parse(JSON.parse(text)), disk);
  }

  get now(): LineFile | undefined {
    return this.#now;
  }

  /** Begins the line. */
  begin(begun: LineFile): Promise<void> {
    return this.#change(() => begun);
  }

  /** Changes what is given; what is undefined is taken away. One change is on the disk itself before the next begins. */
  change(given: { readonly [K in keyof LineFile]?: LineFile[K] | undefined }): Promise<void> {
    return this.#change((now) => LineFile.parse({ ...now, ...given }));
  }

  #change(make: (now: LineFile | undefined) => LineFile): Promise<void> {
    const changed = this.#changes.then(async () => {
      const now = make(this.#now);
      const how = { mode: 0o600, ...(this.#disk && { disk: this.#disk }) };
      await replaceFile(this.#file, `${JSON.stringify(now, undefined, 2)}\n`, how);
      this.#now = now;
    });
    this.#changes = changed.catch(() => undefined);
    return changed;
  }
}

/** The number of times that two which came at once try again, and their longest wait, in milliseconds. */
const LOCK_TRIES = 4;
const LOCK_WAIT_MS = 100;
/** The age at which files of a process that was ended meanwhile are removed, in milliseconds. */
const OLD_LOCK_MS = 24 * 60 * 60_000;

/** The end of the name of a lock whose process came to its end, though not with all files. */
const OVER = '.over.json';

const LockFile = z.object({
  version: z.literal(1),
  /** The folder of the work that is accepted, and the search's own for messages. */
  work: z.string(),
  search: z.string(),
  ...ProcessIdentity.shape,
});
type LockFile = z.infer<typeof LockFile>;

/** Who wants to change the files of a workspace. */
export interface LockRequest {
  /** Our folder of locks: this user's own, outside of every workspace. */
  readonly locks: string;
  /** Its real path. */
  readonly workspace: string;
  readonly work: string;
  readonly search: string;
  readonly me: ProcessIdentity;
  readonly disk: Disk;
}

/**
 * Lets one process at a time change the files of a workspace by accepting. Everybody writes a file of their own first, and looks for
 * others then: so of two that come at once, one at most finds itself alone.
 * @returns gives it back; with true, others are told that files were left as neither before nor after
 * @throws ThoughtTreeError `held` while another process has it, or where an interrupted acceptance of another search has to be ended first
 */
export async function lockWorkspace(request: LockRequest): Promise<(isHalf: boolean) => Promise<void>> {
  const { locks, workspace, work, search, me, disk } = request;
  await mkdir(locks, { recursive: true, mode: 0o700 });
  const begin = createHash('sha256').update(workspace).digest('hex').slice(0, 32);
  const write = async (): Promise<string> => {
    const file = join(locks, `${begin}-${randomBytes(8).toString('hex')}.json`);
    await disk.write(file, `${JSON.stringify({ version: 1, work, search, ...me })}\n`, 0o600);
    await disk.flush(locks);
    return file;
  };
  for (let tries = 1; ; tries++) {
    const own = await write();
    try {
      await assertAlone(locks, begin, own, request);
      return async (isHalf) => {
        // Another name needs no room on a full disk.
        if (isHalf) await disk.rename(own, own.replace(/\.json$/, OVER));
        else await rm(own, { force: true });
      };
    } catch (error) {
      await rm(own, { force: true });
      if (tries === LOCK_TRIES) throw error;
      await sleep(Math.random() * LOCK_WAIT_MS);
    }
  }
}

async function assertAlone(locks: string, begin: string, own: string, { work, me }: LockRequest): Promise<void> {
  for (const name of await readdir(locks)) {
    const file = join(locks, name);
    if (!name.startsWith(`${begin}-`) || !name.endsWith('.json') || file === own) continue;
    const other = await readLock(file);
    if (other && !name.endsWith(OVER) && !isGone(other, me)) {
      const { pid, host } = other;
      throw new ThoughtTreeError('held', acceptingElsewhere({ search: other.search, pid, host, file }), { file });
    }
    if (other && other.work !== work && (await isHalfDone(other.work)))
      throw new ThoughtTreeError('held', otherInterrupted({ search: other.search, file }));
    // Of one that is known to be gone. What cannot be read may be just being written, by one that will look for us then.
    if (other || (await isOldLock(file))) await rm(file, { force: true });
  }
}

async function readLock(file: string): Promise<LockFile | undefined> {
  try {
    return LockFile.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return undefined;
  }
}

async function isOldLock(file: string): Promise<boolean> {
  const about = await stat(file).catch(() => undefined);
  return about !== undefined && Date.now() - about.mtimeMs > OLD_LOCK_MS;
}

async function isHalfDone(work: string): Promise<boolean> {
  return (await Line.open(work).catch(() => undefined))?.now?.accepting !== undefined;
}
