import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Step } from './accept/take-steps.ts';
import type { Entry } from './git/git-repository.ts';

/** The thing at a path of the workspace. */
export type Found =
  | { readonly is: 'nothing' }
  | { readonly is: 'file'; readonly about: Stats; readonly bytes: Buffer }
  | { readonly is: 'link'; readonly about: Stats; readonly target: string }
  /** Something that no commit can hold, or that lies behind a link. */
  | { readonly is: 'other' };

/**
 * Looks at a path without following any link.
 * @param ours paths that are looked at one by one: where a folder takes the place of a file, or a file that of a folder, they
 *   are no obstacle
 */
export async function findAt(workspace: string, path: string, ours: ReadonlySet<string>): Promise<Found> {
  const steps = path.split('/');
  for (let depth = 1; depth < steps.length; depth++) {
    const above = steps.slice(0, depth).join('/');
    const about = await lstat(join(workspace, above)).catch(() => undefined);
    if (!about) return { is: 'nothing' };
    if (!about.isDirectory()) return ours.has(above) ? { is: 'nothing' } : { is: 'other' };
  }
  const file = join(workspace, path);
  const about = await lstat(file).catch(() => undefined);
  if (!about) return { is: 'nothing' };
  if (about.isFile()) return { is: 'file', about, bytes: await readFile(file) };
  if (about.isSymbolicLink()) return { is: 'link', about, target: await readlink(file) };
  if (about.isDirectory() && (await holdsOnly(workspace, path, ours))) return { is: 'nothing' };
  return { is: 'other' };
}

/** Tells whether a folder holds nothing but these paths. */
async function holdsOnly(workspace: string, folder: string, ours: ReadonlySet<string>): Promise<boolean> {
  for (const entry of await readdir(join(workspace, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (!(entry.isDirectory() ? await holdsOnly(workspace, path, ours) : ours.has(path))) return false;
  }
  return true;
}

/** Tells whether what was found is what a commit has. @param isExact whether that includes that it can be run */
export function matches(
  found: Found,
  entry: Entry | undefined,
  content: Buffer | undefined,
  isExact: boolean,
): boolean {
  if (!entry || !content) return found.is === 'nothing' && !entry;
  if (entry.mode === '120000') return found.is === 'link' && found.target === content.toString('utf8');
  if (found.is !== 'file' || !isSameContent(content, found.bytes)) return false;
  return !isExact || process.platform === 'win32' || canRun(found.about) === (entry.mode === '100755');
}

/** Returns the bytes of a file to be made; line ends stay as the person has them. */
export function contentFor(
  found: Found,
  before: Buffer | undefined,
  after: Entry | undefined,
  content: Buffer | undefined,
): Step['content'] {
  if (!after || !content) return undefined;
  if (after.mode === '120000') return { link: content.toString('utf8') };
  const old = found.is === 'file' ? found : undefined;
  const mode = modeFor(after, old?.about);
  // Only whether it can be run changes.
  if (old && isSameContent(content, old.bytes)) return { bytes: old.bytes, mode };
  const isOther = old !== undefined && hasOtherLineEnds(before ?? content, old.bytes) && !content.includes(0);
  return { bytes: isOther ? withLineEnds(content) : content, mode };
}

function canRun({ mode }: Stats): boolean {
  return (mode & 0o100) !== 0;
}

/** Returns the rights of a file as they are, but for running it; undefined for those that new files get. */
function modeFor({ mode }: Entry, about: Stats | undefined): number {
  const isRun = mode === '100755';
  const usual = (isRun ? 0o777 : 0o666) & ~process.umask();
  if (!about) return usual;
  const kept = about.mode & 0o777;
  // Whoever may read it may run it, as git does it.
  return isRun ? kept | ((kept & 0o444) >> 2) : kept & ~0o111;
}

const LFS = 'version https://git-lfs.github.com/spec/';

/**
 * Tells whether a file of the workspace has the content of a commit: as it is; with the line ends that git's settings
 * gave it; or as the file to which a pointer of Git LFS points. So no settings have to be known, and no filter is run.
 */
export function isSameContent(committed: Buffer, file: Buffer): boolean {
  return committed.equals(file) || hasOtherLineEnds(committed, file) || isPointerTo(committed, file);
}

/** Tells whether a file has CRLF wherever the commit has LF, and is the same otherwise. */
export function hasOtherLineEnds(committed: Buffer, file: Buffer): boolean {
  if (committed.includes(0) || file.length <= committed.length || committed.includes('\r\n')) return false;
  return withLineEnds(committed).equals(file);
}

/** Returns a text with CRLF in place of LF. */
export function withLineEnds(text: Buffer): Buffer {
  return Buffer.from(text.toString('latin1').replaceAll('\n', '\r\n'), 'latin1');
}

function isPointerTo(pointer: Buffer, file: Buffer): boolean {
  if (pointer.length > 1024 || !pointer.toString('latin1').startsWith(LFS)) return false;
  const text = pointer.toString('latin1');
  const hash = createHash('sha256').update(file).digest('hex');
  return text.includes(`\noid sha256:${hash}\n`) && text.includes(`\nsize ${file.length}\n`);
}
