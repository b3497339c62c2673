import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';

/**
 * The bytes of a plain file; undefined for anything else (a link, a folder, a device, a pipe), and for a file of more
 * than `most` bytes. The file may be replaced while it is opened: links are not followed, and a pipe does not block.
 * @param into where the bytes are put if they fit, for callers that read many files one after the other
 * @throws the system's error for a file that is gone or not readable
 */
export function readBounded(file: string, most: number, into?: Buffer): Buffer | undefined {
  const found = lstatSync(file);
  if (!found.isFile() || found.size > most) return undefined;
  const opened = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(opened);
    if (!stats.isFile() || stats.size > most) return undefined;
    // One byte more than its reported size: it may be growing.
    const bytes = into && into.length > stats.size ? into.subarray(0, stats.size + 1) : Buffer.alloc(stats.size + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(opened, bytes, length, bytes.length - length, null);
    return length > most ? undefined : bytes.subarray(0, length);
  } finally {
    closeSync(opened);
  }
}
