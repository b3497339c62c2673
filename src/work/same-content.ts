import { createHash } from 'node:crypto';

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

/** A text with CRLF in place of LF. */
export function withLineEnds(text: Buffer): Buffer {
  return Buffer.from(text.toString('latin1').replaceAll('\n', '\r\n'), 'latin1');
}

function isPointerTo(pointer: Buffer, file: Buffer): boolean {
  if (pointer.length > 1024 || !pointer.toString('latin1').startsWith(LFS)) return false;
  const text = pointer.toString('latin1');
  const hash = createHash('sha256').update(file).digest('hex');
  return text.includes(`\noid sha256:${hash}\n`) && text.includes(`\nsize ${file.length}\n`);
}
