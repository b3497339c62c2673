import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDiskFiles } from '../../../../src/store/files/disk/disk-files.ts';
import type { DiskOperations } from '../../../../src/store/files/disk/disk-operations.ts';
import type { Files } from '../../../../src/store/files/files.ts';
import { MemoryFiles } from '../../../support/memory-store.ts';

const made: string[] = [];

/** A new empty folder, removed by `removeFolders`. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'thought-tree-test-'));
  made.push(folder);
  return folder;
}

export async function removeFolders(): Promise<void> {
  await Promise.all(made.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
}

/** The implementations that must behave the same. */
export const PLACES: readonly { readonly name: string; readonly open: () => Promise<Files> }[] = [
  { name: 'in memory', open: async () => new MemoryFiles() },
  { name: 'on disk', open: async () => await openDiskFiles(await newFolder()) },
];

/** What the operating system throws. */
export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: injected`), { code });
}

/** System calls of which one always fails. */
export function failing(name: keyof DiskOperations, code: string): Partial<DiskOperations> {
  const fail = (): never => {
    throw systemError(code);
  };
  const later = (): Promise<never> => Promise.reject(systemError(code));
  return { [name]: name.endsWith('Sync') ? fail : later };
}
