import type { Message } from '../../core/messages/message.ts';
import * as say from '../messages.ts';
import type { Indexing } from './worker-messages.ts';

/** Between two messages, in milliseconds: who reads them is a person. */
const OFTEN = 1000;

/** Says how far the reading of a workspace is, as long as it takes a while: nothing if it is done within a second. */
export function tellsIndexing(
  tell: (progress: Message) => void,
  now: () => number = () => performance.now(),
): (indexing: Indexing) => void {
  let last = now();
  return (indexing) => {
    const at = now();
    if (at - last < OFTEN) return;
    last = at;
    tell(say.indexing({ done: indexing.done, files: indexing.files }));
  };
}
