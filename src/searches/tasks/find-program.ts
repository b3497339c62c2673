import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { noProgram } from '../messages.ts';

/**
 * The path of a program, found as the system would: so that a wrong name is reported before anything is paid for.
 * @param folder the base of relative paths such as `./check.sh`
 * @throws ThoughtTreeError `bad-input` if there is no executable program
 */
export async function findProgram(program: string, folder: string): Promise<string> {
  const isPath = isAbsolute(program) || /[/\\]/.test(program);
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((each) => each !== '');
  const places = isPath ? [resolve(folder, program)] : folders.map((each) => join(resolve(folder, each), program));
  for (const place of places)
    for (const ending of process.platform === 'win32' ? ['', '.exe', '.com'] : [''])
      if (await isProgram(`${place}${ending}`)) return `${place}${ending}`;
  throw new ThoughtTreeError('bad-input', noProgram({ program: JSON.stringify(program) }));
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
