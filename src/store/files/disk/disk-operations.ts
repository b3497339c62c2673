import {
  closeSync,
  constants,
  copyFileSync,
  fdatasync,
  fstatSync,
  fsync,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  open,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmdirSync,
  writeSync,
} from 'node:fs';
import { mkdir, realpath, unlink } from 'node:fs/promises';
import { promisify } from 'node:util';

const flushData = promisify(fdatasync);
const flushAll = promisify(fsync);
const openLater = promisify(open);

/**
 * The system calls that file operations are made of, so that tests can make each of them fail. Those that change what
 * others see are synchronous, since nothing may come between the last check of the lease and the change; so are those
 * for reading and writing small files, since a trip through the thread pool costs many times the call. A temporary file is
 * made in the thread pool all the same: on a busy disk that takes many milliseconds, and the editor shares this thread.
 */
export interface DiskOperations {
  readonly mkdir: typeof mkdir;
  readonly realpath: typeof realpath;
  readonly unlink: typeof unlink;
  readonly closeSync: typeof closeSync;
  readonly copyFileSync: typeof copyFileSync;
  readonly fdatasync: (descriptor: number) => Promise<void>;
  readonly fstatSync: typeof fstatSync;
  readonly fsync: (descriptor: number) => Promise<void>;
  readonly ftruncateSync: typeof ftruncateSync;
  readonly linkSync: typeof linkSync;
  readonly lstatSync: typeof lstatSync;
  readonly mkdirSync: typeof mkdirSync;
  readonly open: (path: string, flags: string) => Promise<number>;
  readonly openSync: typeof openSync;
  readonly readdirSync: typeof readdirSync;
  readonly readSync: typeof readSync;
  readonly renameSync: typeof renameSync;
  readonly rmdirSync: typeof rmdirSync;
  readonly writeSync: typeof writeSync;
}

/** The real ones. */
export const diskOperations: DiskOperations = {
  mkdir,
  realpath,
  unlink,
  closeSync,
  copyFileSync,
  fdatasync: flushData,
  fstatSync,
  fsync: flushAll,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  open: openLater,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmdirSync,
  writeSync,
};

/** Makes opening a symbolic link fail; 0 if the system has no such flag (Windows). */
export const NO_FOLLOW: number = constants.O_NOFOLLOW ?? 0;

/** The flags of opening for reading: links are not followed, and a pipe without a writer does not block. */
export const READ_FLAGS: number = constants.O_RDONLY | NO_FOLLOW | (constants.O_NONBLOCK ?? 0);
