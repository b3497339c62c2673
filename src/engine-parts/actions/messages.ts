import { counted, message } from '../../core/messages/message.ts';

// Refusals

export const unknownAction = message('actions.unknown', 'This search has no action "{action}".');
export const noNode = message('actions.no-node', 'There is no node "{path}" in this search; its outline lists them.');
export const onNodesOnly = message('actions.on-nodes-only', 'That is the search itself. Name a node to {action}.');
export const onSearchesOnly = message(
  'actions.on-searches-only',
  '"{action}" applies to a whole search, not to a node in it.',
);
export const cannotUse = message('actions.cannot-use', 'The arguments of "{action}" are invalid: {why}.');
export const nodeGone = message('actions.node-gone', 'The folder of "{title}" is gone.');
export const titleNeeded = message('actions.title-needed', 'A node needs a title.');
export const noteNeeded = message('actions.note-needed', 'A note needs a text.');
export const notesTooLong = message(
  'actions.notes-too-long',
  'With this note, the notes to "{title}" would be longer than {most} characters. Shorten them in its node.json.',
);
export const editedByPerson = message('actions.edited', 'A person edited the document of "{title}". Redo it anyway?');

// Confirmations

export const stopped = message('actions.stopped', 'The search is stopped.');
export const pausing = message('actions.pausing', 'The search pauses when its slots are done.');
export const finishing = message('actions.finishing', 'The search ends with its report.');
export const reportWritten = message('actions.report-written', 'The report was rewritten.');
export const interimWritten = message('actions.interim-written', 'The interim report was written.');
export const interimEdited = message(
  'actions.interim-edited',
  'The interim report was changed by hand, so it stays as it is. Rewriting the report replaces it.',
);
export const grown = message('actions.grown', 'The search may go further.');
export const limitsSet = message('actions.limits-set', 'The limits of the search are changed.');
export const prunedAlready = message('actions.pruned-already', '"{title}" is already pruned.');
export const branchPruned = message('actions.branch-pruned', '"{title}" is pruned, with everything below it.');
export const restored = message('actions.restored', '"{title}" is restored.');
export const workedOn = message('actions.worked-on', '"{title}" is being worked on.');
export const comesNext = message('actions.comes-next', '"{title}" comes next.');
export const openAgain = message('actions.open-again', '"{title}" is open again.');
export const failedOpenAgain = counted(
  'actions.failed-open-again',
  '1 failed node is open again.',
  '{count:number} failed nodes are open again.',
);
export const redoing = message('actions.redoing', 'The document of "{title}" will be rewritten.');
export const added = message('actions.added-first', '"{title}" is added to the first level.');
export const addedBelow = message('actions.added-below', '"{title}" is added below "{parent}".');
export const noteOnSearch = message('actions.note-on-search', 'The note is added to the search.');
export const noteOnNode = message('actions.note-on-node', 'The note is added to "{title}".');

// Undo

export const undone = message('actions.undone', 'Undone: {action} {title}');
export const doneAgain = message('actions.done-again', 'Done again: {action} {title}');
export const nothingToUndo = message('actions.nothing-to-undo', 'There is nothing to undo.');
export const nothingForward = message('actions.nothing-forward', 'There is nothing that was undone.');
export const notUndoable = message(
  'actions.not-undoable',
  'The last thing that was done is "{action}", which is not undone here.',
);
export const roundBegun = message(
  'actions.round-begun',
  'This began a further round at a node, which cannot be undone.',
);
export const limitsUnknown = message(
  'actions.limits-unknown',
  'Nobody knows the limits from before, so this cannot be undone.',
);
export const ledToCall = message(
  'actions.led-to-call',
  '"{action} {title}" led to the call {call} ({purpose}, {tokens:number} tokens), so it cannot be undone.',
);
export const ledToPaidCall = message(
  'actions.led-to-paid-call',
  '"{action} {title}" led to the call {call} ({purpose}, {tokens:number} tokens, {usd:usd}), so it cannot be undone.',
);
export const changedSince = message(
  'actions.changed-since',
  '"{title}" changed since, so what was done to it cannot be undone.',
);
export const textGone = message(
  'actions.text-gone',
  'The text from before was not kept, or forgotten, so this cannot be undone.',
);
