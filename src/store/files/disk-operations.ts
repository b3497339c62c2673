import {
  closeSync,
  constants,
  copyFileSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { lstat, mkdir, open, readdir, realpath, unlink } from 'node:fs/promises';

/**
 * The system calls that files on disk are made of, so that tests can let each of them fail. Those that change what
 * others see are synchronous: nothing comes between the last look at the lease and the change.
 */
export interface DiskOperations {
  readonly lstat: typeof lstat;
  readonly mkdir: typeof mkdir;
  readonly open: typeof open;
  readonly readdir: typeof readdir;
  readonly realpath: typeof realpath;
  readonly unlink: typeof unlink;
  readonly closeSync: typeof closeSync;
  readonly copyFileSync: typeof copyFileSync;
  readonly ftruncateSync: typeof ftruncateSync;
  readonly linkSync: typeof linkSync;
  readonly lstatSync: typeof lstatSync;
  readonly mkdirSync: typeof mkdirSync;
  readonly openSync: typeof openSync;
  readonly readFileSync: typeof readFileSync;
  readonly renameSync: typeof renameSync;
  readonly writeSync: typeof writeSync;
}

/** The real ones. */
export const diskOperations: DiskOperations = {
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  unlink,
  closeSync,
  copyFileSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
};

/** Makes opening a symbolic link fail; 0 where the system has no such flag (Windows). */
export const NO_FOLLOW: number = constants.O_NOFOLLOW ?? 0;
