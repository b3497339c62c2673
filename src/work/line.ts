import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { CommitId } from '../core/ports/workshop.ts';
import { replaceFile } from './replace-file.ts';

const LineFile = z.object({
  version: z.literal(1),
  start: CommitId,
  tip: CommitId,
  /** The last commit whose files were brought into the workspace. */
  accepted: CommitId.optional(),
  /** The command that prepares each new checkout. */
  setUp: z.string().optional(),
});
type LineFile = z.infer<typeof LineFile>;

/** The line of accepted work: where it begins, and how far it is. One file, replaced as a whole. */
export class Line {
  readonly #file: string;
  #now: LineFile | undefined;

  private constructor(file: string, now: LineFile | undefined) {
    this.#file = file;
    this.#now = now;
  }

  static async open(folder: string): Promise<Line> {
    const file = join(folder, 'line.json');
    const text = await readFile(file, 'utf8').catch(() => undefined);
    return new Line(file, text === undefined ? undefined : LineFile.parse(JSON.parse(text)));
  }

  get now(): LineFile | undefined {
    return this.#now;
  }

  async set(now: LineFile): Promise<void> {
    await replaceFile(this.#file, `${JSON.stringify(now, null, 2)}\n`);
    this.#now = now;
  }
}
