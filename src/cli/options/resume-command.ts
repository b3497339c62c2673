import { basename, dirname } from 'node:path';
import { redactor } from '../../core/text/redact.ts';
import { secretsIn } from '../../models/http/secrets-in.ts';
import { type Place, SEARCHES } from '../../searches/place.ts';
import { commandName } from './command-name.ts';
import type { SearchFlags } from './options.ts';
import { shownPath } from './search-place.ts';
import type { TaskFlags } from './task-options.ts';

/**
 * The command that continues a search, to be copied into a shell: with the options of this run that are needed again,
 * and with `more`.
 */
export function resumeCommand(
  place: Place,
  flags: Pick<SearchFlags, 'baseUrl' | 'allowFile'> & TaskFlags,
  ...more: string[]
): string {
  const words = [...commandName(), 'resume', shownPath(place.folder)];
  const parent = dirname(place.folder);
  const isFound = basename(parent) === SEARCHES && dirname(parent) === place.workspace;
  if (!isFound) words.push('--folder', shownPath(place.workspace));
  if (flags.baseUrl !== undefined) words.push('--base-url', redactor(secretsIn(flags.baseUrl))(flags.baseUrl));
  for (const path of flags.allowFile ?? []) words.push('--allow-file', path);
  if (flags.check !== undefined) words.push('--check', flags.check);
  if (flags.checkTimeout !== undefined) words.push('--check-timeout', String(flags.checkTimeout));
  if (flags.hooks !== undefined) words.push('--hooks', flags.hooks);
  return shellCommand([...words, ...more]);
}

/** Words as one line for a shell. */
export function shellCommand(words: readonly string[]): string {
  return words.map((word) => quoted(word)).join(' ');
}

/** A word as the shell reads it. */
export function quoted(word: string, platform: NodeJS.Platform = process.platform): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return platform === 'win32' ? `"${word.replaceAll('"', '\\"')}"` : `'${word.replaceAll("'", "'\\''")}'`;
}
