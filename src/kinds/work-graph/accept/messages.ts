import { counted, message } from '../../../core/messages/message.ts';

export const notHere = message(
  'work.not-here',
  'Nothing here may look at the work or accept it. Do it in a terminal or in the editor.',
);
export const nothingChanges = message('work.nothing-changes', 'Nothing is changed.');
export const changes = counted(
  'work.changes',
  '1 file changes: {added:number} lines more, {removed:number} lines less.',
  '{count:number} files change: {added:number} lines more, {removed:number} lines less.',
);
export const accepted = counted(
  'work.accepted',
  'Accepted: 1 file of yours is changed. git shows it as uncommitted, and can undo it.',
  'Accepted: {count:number} files of yours are changed. git shows them as uncommitted, and can undo them.',
);
