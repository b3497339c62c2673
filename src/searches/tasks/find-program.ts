import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { noProgram } from '../messages.ts';

/**
 * Where a program lies, as the system would find it: so that a wrong name is told before anything is paid for.
 * @param folder what a path such as `./check.sh` starts from
 * @throws ThoughtTreeError `bad-input` where there is none that may be run
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
