import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Message } from '../../core/messages/message.ts';
import { isGone, ProcessIdentity, thisProcess } from '../../store/lease/process-identity.ts';
import { readSearchId } from '../../store/open-store.ts';
import { realPath } from '../trust/search-use.ts';
import { statePath } from '../trust/state-folder.ts';
import { acceptInterrupted } from './messages.ts';
import { placeOf } from './work-folders.ts';

const HalfAccepted = z.object({ accepting: z.object({ by: ProcessIdentity.optional() }) });

/** Tells what to do about work that is in the files in part, as accepting it was interrupted; else undefined. */
export async function halfAccepted(folder: string): Promise<Message | undefined> {
  const [state, id] = [statePath(), await readSearchId(folder)];
  if (state === undefined || id === undefined) return undefined;
  const own = join(state, 'work', id);
  try {
    const { accepting } = HalfAccepted.parse(JSON.parse(await readFile(join(own, 'line.json'), 'utf8')));
    if ((await placeOf(own)) !== (await realPath(folder))) return undefined; // of the search that this is a copy of
    return accepting.by && !isGone(accepting.by, thisProcess()) ? undefined : acceptInterrupted();
  } catch {
    return undefined; // most searches have no work
  }
}
