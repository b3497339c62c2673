import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { chmod, copyFile, link, lstat, mkdir, readdir, rename, rm, rmdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isThoughtTreeError, ThoughtTreeError } from '../../core/search/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import { acceptFailed, editedMeanwhile } from '../messages.ts';
import { shownPaths } from '../shown.ts';
import { throwIfStopped } from '../stopped.ts';

/** What is done with one path. */
export interface Step {
  readonly path: string;
  /** What was there; undefined if nothing was. */
  readonly found: Stats | undefined;
  /** What will be there; undefined if nothing will. */
  readonly content: { readonly bytes: Buffer; readonly mode: number } | { readonly link: string } | undefined;
}

const STAGE = '.thought-tree-accept-';
type Undo = () => Promise<unknown>;

/**
 * Takes all steps, or none: everything new is written apart first, then put in its place by renaming; what fails is undone.
 * @throws ThoughtTreeError `edited` if a file changes meanwhile; `not-writable` if the system refuses
 */
export async function takeSteps(workspace: string, steps: readonly Step[], signal: AbortSignal): Promise<void> {
  await removeOldStages(workspace);
  if (steps.length === 0) return;
  const stage = join(workspace, `${STAGE}${randomBytes(6).toString('hex')}`);
  const undo: Undo[] = [];
  try {
    await mkdir(stage, { mode: 0o700 });
    for (const [i, { content }] of steps.entries()) if (content) await write(join(stage, `new-${i}`), content);
    throwIfStopped(signal);
    // What goes makes room for what comes.
    for (const [i, step] of steps.entries())
      if (!step.content) await remove(workspace, step, join(stage, `old-${i}`), undo);
    for (const [i, step] of steps.entries()) if (step.content) await put(workspace, step, stage, i, undo);
  } catch (error) {
    for (const back of undo.reverse()) await back().catch(() => undefined);
    if (isThoughtTreeError(error)) throw error;
    const why = oneLine(error instanceof Error ? error.message : String(error), 500);
    throw new ThoughtTreeError('not-writable', acceptFailed({ why }), { cause: error });
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

/** What a process that was killed left behind. */
async function removeOldStages(workspace: string): Promise<void> {
  for (const entry of await readdir(workspace, { withFileTypes: true }))
    if (entry.isDirectory() && entry.name.startsWith(STAGE))
      await rm(join(workspace, entry.name), { recursive: true, force: true });
}

async function write(file: string, content: NonNullable<Step['content']>): Promise<void> {
  if ('link' in content) return symlink(content.link, file);
  await writeFile(file, content.bytes, { flag: 'wx' });
  await chmod(file, content.mode);
}

/** The folders that become empty go too, as git does it. */
async function remove(workspace: string, step: Step, kept: string, undo: Undo[]): Promise<void> {
  if (!step.found) return;
  const file = join(workspace, step.path);
  await assertAsFound(workspace, step);
  await rename(file, kept);
  undo.push(() => rename(kept, file));
  for (let folder = dirname(step.path); folder !== '.'; folder = dirname(folder)) {
    const place = join(workspace, folder);
    const { mode } = await lstat(place);
    try {
      await rmdir(place);
    } catch {
      return; // not empty
    }
    undo.push(() => mkdir(place, { mode }));
  }
}

async function put(workspace: string, step: Step, stage: string, i: number, undo: Undo[]): Promise<void> {
  const file = join(workspace, step.path);
  await makeFolders(workspace, step.path, undo);
  await assertAsFound(workspace, step);
  if (step.found) {
    // Kept next to it, so that there is no moment without the file.
    const kept = join(stage, `old-${i}`);
    await keep(file, kept, step.found);
    undo.push(() => rename(kept, file));
  } else {
    await rmdir(file).catch(() => undefined); // a folder that has become empty
    undo.push(() => rm(file, { force: true }));
  }
  await rename(join(stage, `new-${i}`), file);
}

async function keep(file: string, kept: string, found: Stats): Promise<void> {
  try {
    await link(file, kept);
  } catch {
    // Not all file systems have links.
    if (!found.isFile()) throw new Error(`cannot keep ${file}`);
    await copyFile(file, kept);
  }
}

async function makeFolders(workspace: string, path: string, undo: Undo[]): Promise<void> {
  const steps = path.split('/').slice(0, -1);
  for (const [i] of steps.entries()) {
    const folder = join(workspace, ...steps.slice(0, i + 1));
    const about = await lstat(folder).catch(() => undefined);
    if (about?.isDirectory()) continue;
    if (about) throw new Error(`${folder} is no folder`);
    await mkdir(folder);
    undo.push(() => rmdir(folder));
  }
}

/** The person may save a file between the check and now. */
async function assertAsFound(workspace: string, { path, found }: Step): Promise<void> {
  const now = await lstat(join(workspace, path)).catch(() => undefined);
  if (!found && (!now || now.isDirectory())) return;
  const isSame = found && now && now.ino === found.ino && now.size === found.size && now.mtimeMs === found.mtimeMs;
  if (!isSame) throw new ThoughtTreeError('edited', editedMeanwhile({ paths: shownPaths([path]) }));
}
