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
export const changesOutside = message(
  'work.changes-outside',
  '{changes} Changed by atoms that do not name them: {paths}',
);
export const brought = counted(
  'work.brought',
  'Accepted: 1 file of yours is changed. `accept --undo` takes it back. {kept}',
  'Accepted: {count:number} files of yours are changed. `accept --undo` takes that back. {kept}',
);
export const gitHasAll = message('work.git-has-all', 'All that was there before is in your last commit, too.');
export const gitLacks = message(
  'work.git-lacks',
  'Git cannot bring back these as they were, since they are not so in your last commit: {paths}.',
);
export const allNew = message('work.all-new', 'Nothing was there before in its place.');
export const nothingToAccept = message(
  'work.nothing-to-accept',
  'Nothing was changed: your files have all of it already.',
);
export const undone = counted(
  'work.undone',
  'Undone: 1 file is as it was before it was accepted.',
  'Undone: {count:number} files are as they were before they were accepted.',
);
export const nothingToUndo = message('work.nothing-to-undo', 'Nothing was changed: nothing of this is in your files.');
