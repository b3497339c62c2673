import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { QUESTION } from './tools-script.ts';

/** The search as it was kept. */
export const RECORDING = join(import.meta.dirname, 'tools.jsonl');

/** The code that it read, as it was then: a file's text by its path. */
const CODE = join(import.meta.dirname, 'tools-workspace.json');

/** Without context: what an index finds is no part of what is kept here. One slot, since a pick sees what is done by then. */
export const START: readonly string[] = [
  'start',
  QUESTION,
  '--tools',
  '--no-context',
  '--size',
  'all',
  '--concurrency',
  '1',
];

/** Writes the code into a folder; a recording that lies in it is not to be found by the model that it is of. */
export async function writeCode(folder: string): Promise<void> {
  await writeFile(join(folder, '.gitignore'), '*.jsonl\n');
  const files = JSON.parse(await readFile(CODE, 'utf8')) as Record<string, string>;
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, dirname(path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}
