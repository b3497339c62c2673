import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { parse, relative, sep } from 'node:path';
import type { Message } from '../../core/messages/message.ts';
import { folderOfAnother, homeFolder, wholeDisk } from '../messages.ts';

/**
 * Why a person is asked before models see files of a folder: it is their home folder or one above it, which hold far more than
 * what a search is about, or it belongs to somebody else. Undefined for any other.
 * @param folder an absolute path
 * @param home this person's home folder
 */
export async function whyAskToRead(folder: string, home = homedir()): Promise<Message | undefined> {
  const place = await realpath(folder).catch(() => folder);
  const own = await realpath(home).catch(() => home);
  const below = relative(place, own);
  if (place === parse(place).root) return wholeDisk({ folder });
  if (below === '' || !(below === '..' || below.startsWith(`..${sep}`) || below === own)) return homeFolder({ folder });
  const user = process.getuid?.();
  const owner = (await stat(place).catch(() => undefined))?.uid;
  // The superuser works in everybody's folders.
  return user && owner !== undefined && owner !== user ? folderOfAnother({ folder }) : undefined;
}
