import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { CommitId } from '../core/ports/workshop.ts';
import { type Disk, replaceFile } from '../store/files/replace-file.ts';
import { ProcessIdentity } from '../store/lease/process-identity.ts';

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
  /** The files of the person that acceptances changed or deleted, by their paths. */
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
