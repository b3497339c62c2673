import type { Stats } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pLimit from 'p-limit';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import type { Disk } from '../../store/files/replace-file.ts';
import { throwIfStopped } from '../folders.ts';
import { editedMeanwhile } from '../messages.ts';
import { shownPaths } from '../shown.ts';

const AT_ONCE = 8;

export interface Step {
  readonly path: string;
  /** The file that was there; undefined if there was none. */
  readonly found: Stats | undefined;
  /** Its look, by `lookOf`. */
  readonly was: string;
  /** The content that will be there; undefined if nothing will. */
  readonly content: { readonly bytes: Buffer; readonly mode: number } | { readonly link: string } | undefined;
}

type Undo = () => Promise<unknown>;

/** Steps with the folder next to the files that has what comes, and what was there. */
export class StagedSteps {
  readonly #workspace: string;
  readonly #stage: string;
  readonly #steps: readonly Step[];
  readonly #disk: Disk;
  readonly #undo: Undo[] = [];

  /** @param stage a folder in the workspace, which is made */
  constructor(workspace: string, stage: string, steps: readonly Step[], disk: Disk) {
    this.#workspace = workspace;
    this.#stage = stage;
    this.#steps = steps;
    this.#disk = disk;
  }

  /** Writes everything new into the folder, and keeps there what will be replaced; all of it is on the disk itself then. */
  async prepare(signal: AbortSignal): Promise<void> {
    await this.#disk.makeFolder(this.#stage, 0o700);
    const limit = pLimit(AT_ONCE);
    const done = await Promise.allSettled(
      this.#steps.map((step, i) =>
        limit(async () => {
          throwIfStopped(signal);
          await this.#prepare(step, i);
        }),
      ),
    );
    for (const each of done) if (each.status === 'rejected') throw each.reason;
    await this.#disk.flush(this.#stage);
    await this.#disk.flush(this.#workspace);
    throwIfStopped(signal);
  }

  /**
   * Takes all steps; they are on the disk itself then.
   * @throws ThoughtTreeError `edited` if a file changes meanwhile, or what the system says; `putBack` is needed then
   */
  async take(): Promise<void> {
    // Files that go make room for those that come.
    for (const [i, step] of this.#steps.entries()) if (!step.content) await this.#remove(step, i);
    for (const [i, step] of this.#steps.entries()) if (step.content) await this.#put(step, i);
    await this.#flush();
  }

  /** Puts back what was taken, as far as that is possible. */
  async putBack(): Promise<void> {
    for (const back of this.#undo.splice(0).reverse()) await back().catch(() => undefined); // who calls looks at what came of it
    await this.#flush();
  }

  #new(i: number): string {
    return join(this.#stage, `new-${i}`);
  }

  #old(i: number): string {
    return join(this.#stage, `old-${i}`);
  }

  async #prepare({ path, found, content }: Step, i: number): Promise<void> {
    if (content && 'link' in content) await this.#disk.symlink(content.link, this.#new(i));
    else if (content) await this.#disk.write(this.#new(i), content.bytes, content.mode);
    if (found) await this.#keep(join(this.#workspace, path), this.#old(i), found);
  }

  async #keep(file: string, kept: string, found: Stats): Promise<void> {
    if (!found.isFile()) return this.#disk.symlink(await readlink(file), kept);
    try {
      await this.#disk.link(file, kept);
    } catch {
      await this.#disk.copy(file, kept); // not all file systems have links
    }
  }

  /** The folders that become empty go too, as git does it. */
  async #remove(step: Step, i: number): Promise<void> {
    if (step.found) {
      const file = join(this.#workspace, step.path);
      await this.#assertAsFound(step);
      await this.#disk.unlink(file);
      this.#undo.push(() => this.#return(i, file, undefined));
    }
    for (let folder = dirname(step.path); folder !== '.'; folder = dirname(folder)) {
      const place = join(this.#workspace, folder);
      if (!(await this.#removeEmpty(place))) return;
    }
  }

  /** Removes a folder in which are nothing but folders; false if there is more in it. */
  async #removeEmpty(folder: string): Promise<boolean> {
    const about = await lstat(folder).catch(() => undefined);
    if (!about) return true;
    if (!about.isDirectory()) return false;
    try {
      for (const name of await readdir(folder)) if (!(await this.#removeEmpty(join(folder, name)))) return false;
      await this.#disk.removeFolder(folder);
    } catch {
      return false; // somebody made something in it meanwhile, or it is not ours to remove
    }
    this.#undo.push(() => this.#disk.makeFolder(folder, about.mode & 0o7777));
    return true;
  }

  async #put(step: Step, i: number): Promise<void> {
    const file = join(this.#workspace, step.path);
    await this.#makeFolders(step.path);
    await this.#assertAsFound(step);
    const ours = await lstat(this.#new(i));
    if (!step.found) await this.#removeEmpty(file); // a folder in which no files are left
    this.#undo.push(() => this.#return(step.found && i, file, ours));
    await this.#disk.rename(this.#new(i), file);
  }

  /**
   * Puts back what was at a path, unless the person changed it meanwhile.
   * @param kept of which step; undefined if nothing was there
   * @param ours what we put there
   */
  async #return(kept: number | undefined, file: string, ours: Stats | undefined): Promise<void> {
    const now = await lstat(file).catch(() => undefined);
    if (now && !(ours && isSame(now, ours))) return;
    if (kept !== undefined) await this.#disk.rename(this.#old(kept), file);
    else if (now) await this.#disk.unlink(file);
  }

  async #makeFolders(path: string): Promise<void> {
    const names = path.split('/').slice(0, -1);
    for (const [i] of names.entries()) {
      const folder = join(this.#workspace, ...names.slice(0, i + 1));
      const about = await lstat(folder).catch(() => undefined);
      if (about?.isDirectory()) continue;
      if (about) throw new Error(`${folder} is no folder`);
      await this.#disk.makeFolder(folder);
      this.#undo.push(() => this.#disk.removeFolder(folder));
    }
  }

  /** The person may save a file between the check and now. */
  async #assertAsFound({ path, found }: Step): Promise<void> {
    const now = await lstat(join(this.#workspace, path)).catch(() => undefined);
    if (!found && (!now || now.isDirectory())) return;
    if (!found || !now || !isSame(now, found))
      throw new ThoughtTreeError('edited', editedMeanwhile({ paths: shownPaths([path]) }));
  }

  /** All folders that got or lost an entry, from the outermost on. */
  async #flush(): Promise<void> {
    const folders = new Set<string>();
    for (const { path } of this.#steps)
      for (let folder = dirname(path); ; folder = dirname(folder)) {
        folders.add(folder);
        if (folder === '.') break;
      }
    for (const folder of [...folders].sort()) {
      const place = join(this.#workspace, folder);
      if ((await lstat(place).catch(() => undefined))?.isDirectory()) await this.#disk.flush(place);
    }
  }
}

function isSame(now: Stats, then: Stats): boolean {
  return now.ino === then.ino && now.size === then.size && now.mtimeMs === then.mtimeMs;
}

/** Removes what an acceptance kept next to the files; nothing else is ever in it. */
export async function removeStage(stage: string, disk: Disk): Promise<void> {
  const names = await readdir(stage).catch(() => []);
  for (const name of names) await disk.unlink(join(stage, name));
  if (names.length > 0 || (await lstat(stage).catch(() => undefined))) await disk.removeFolder(stage);
}
