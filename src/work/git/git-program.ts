import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { runProcess } from '../../processes/run-process.ts';
import { oldGit } from '../messages.ts';
import { foldersOutside } from '../paths.ts';

/** Joining without touching files (`git merge-tree --write-tree`) exists from this version on. */
const OLDEST = [2, 38] as const;

/** The git of this system. */
export interface GitProgram {
  /** Its absolute path. */
  readonly path: string;
  /** The folders that it may find programs of its own in. */
  readonly searchPath: string;
}

/**
 * Finds git where the system would, but never in the workspace: whoever wrote its files would decide what runs.
 * @returns undefined if there is none
 * @throws ThoughtTreeError `bad-input` if it is too old
 */
export async function findGit(
  workspace: string,
  searchPath = process.env['PATH'] ?? '',
): Promise<GitProgram | undefined> {
  const folders = await foldersOutside(workspace, searchPath);
  for (const folder of folders) {
    const path = join(folder, process.platform === 'win32' ? 'git.exe' : 'git');
    if (!(await isProgram(path))) continue;
    const version = await versionOf(path, folder);
    if (version === undefined) continue;
    const [major, minor] = version;
    if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]))
      throw new ThoughtTreeError('bad-input', oldGit({ version: version.join('.') }));
    return { path, searchPath: folders.join(delimiter) };
  }
  return undefined;
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

async function versionOf(program: string, folder: string): Promise<[number, number] | undefined> {
  let text = '';
  const onOutput = (piece: Buffer): boolean => {
    text += piece.toString('latin1');
    return text.length < 1000;
  };
  try {
    await runProcess({ program, args: ['--version'], folder, env: {}, timeoutMs: 10_000, onOutput });
  } catch {
    return undefined;
  }
  const found = /^git version (\d{1,4})\.(\d{1,4})/.exec(text);
  return found ? [Number(found[1]), Number(found[2])] : undefined;
}
