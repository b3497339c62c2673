import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Arg } from '../../core/messages/message.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../../core/search/errors.ts';
import * as say from '../messages.ts';

/**
 * Loads a person's own hooks: a module that exports `task`. It is their code and runs with their rights, so its path
 * comes from their settings, and no file of the workspace is accepted: that may have come with a clone.
 * @param path absolute
 * @param use checks the export; throws if it is unusable
 * @throws ThoughtTreeError `bad-input` saying what is wrong if it cannot be loaded or has another shape
 */
export async function loadUserTask<T>(path: string, workspace: string, use: (task: unknown) => T): Promise<T> {
  if (!isAbsolute(path)) throw refused(path, say.pathNotAbsolute());
  try {
    const file = await realpath(path);
    if (isInside(file, await realpath(workspace))) throw refused(path, say.taskInWorkspace());
    const module = (await import(pathToFileURL(file).href)) as { readonly task?: unknown };
    return use(module.task);
  } catch (error) {
    throw isThoughtTreeError(error) ? error : refused(path, error instanceof Error ? error.message : String(error));
  }
}

function isInside(file: string, folder: string): boolean {
  const between = relative(folder, file);
  return between !== '..' && !between.startsWith(`..${sep}`) && !isAbsolute(between);
}

function refused(file: string, why: Arg): ThoughtTreeError {
  return new ThoughtTreeError('bad-input', say.taskRefused({ file, why }));
}
