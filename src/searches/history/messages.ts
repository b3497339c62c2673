import { counted, message } from '../../core/messages/message.ts';

export const started = message('history.started', 'Began with {model}.');
export const resumed = message('history.resumed', 'Continued with {model}.');
export const finished = message('history.finished', 'Finished.');
export const adopted = message(
  'history.adopted',
  'Opened here for the first time: what is before came with the folder.',
);
export const forkedHere = message('history.forked-here', 'Went on as a fork of {search} after event {event:number}.');
export const ranked = counted('history.ranked', '1 leaf was ranked.', '{count:number} leaves were ranked.');
export const added = counted('history.added', '1 node below “{title}”.', '{count:number} nodes below “{title}”.');
export const removed = message('history.removed', '“{title}” was removed.');
export const moved = message('history.moved', '“{title}” was moved from {from} to {to}.');
export const reordered = message('history.reordered', 'The nodes below “{title}” were reordered.');
export const documentEdited = message('history.document-edited', 'The document of “{title}” was changed by hand.');
export const documentRemoved = message('history.document-removed', 'The document of “{title}” was removed by hand.');
export const edited = message('history.edited', '“{title}” was changed by hand.');
export const restored = message('history.restored', '“{title}” is part of the search again.');
export const done = message('history.done', '“{title}” is done.');
export const failed = message('history.failed', '“{title}” failed. {why}');
export const pruned = message('history.pruned', '“{title}” was pruned.');
export const opened = message('history.opened', '“{title}” is open again.');
export const fileGone = message('history.file-gone', '{file} was removed.');
export const fileWritten = message('history.file-written', '{file} was written.');
export const fileChanged = message('history.file-changed', '{file} was changed by hand.');

// Events of interest that have no line of their own in the log

export const solved = message('history.solved', '“{title}” is a solution.');
export const bestScore = message('history.best-score', '“{title}” has the best score so far: {score:number} of 10.');
export const scoreChanged = message(
  'history.score-changed',
  'The score of “{title}” went from {before:number} to {score:number}.',
);
export const limitsChanged = message('history.limits-changed', 'The limits were changed.');
export const spentUsd = message('history.spent-usd', '{usd:usd} were spent by now.');
export const spentTokens = message('history.spent-tokens', '{tokens:number} tokens were used by now.');

export const noName = message(
  'history.no-name',
  'A name of a moment begins with a letter and has letters, digits, ".", "_" and "-": "{name}" is none.',
);
export const nothingYet = message('history.nothing-yet', 'Nothing has happened in this search yet.');
export const tooManyNames = message('history.too-many-names', 'A search has at most {most:number} named moments.');

// Why

export const listedThere = message('history.listed-there', 'It was proposed there.');
export const addedThere = message('history.added-there', 'It was added there.');
export const scored = message('history.scored', 'Its score became {score:number}.');
export const chosenAs = message('history.chosen-as', 'It was ranked {place:number} of {count:number}.');
export const actedOn = message('history.acted-on', 'Somebody asked for it: {action}.');
export const written = message('history.written', 'Its document was written.');
export const writtenByHand = message('history.written-by-hand', 'Its document was changed by hand.');
export const paidFor = message('history.paid-for', 'A call was made for it.');
export const becameStatus = message('history.became-status', 'It became {status}.');

// Forks

export const forkTitle = message('history.fork-title', '{title} @{event:number}');
export const forkExists = message('history.fork-exists', 'There is a search in {folder} already.');
export const forkOfWork = message(
  'history.fork-of-work',
  'A search that changes files cannot be forked: its checkouts and commits belong to it alone.',
);

// Comparing

export const noSearchAt = message('history.no-search-at', '{path} is no search, and in none.');
export const noNodeAt = message('history.no-node-at', 'The search has no node at {path}.');
export const divergedAfter = message('history.diverged-after', 'The same up to event {event:number}; then:');
export const differsAt = message('history.differs-at', 'The first difference is at “{title}”:');
export const isCalled = message('history.is-called', 'It is called “{title}”.');
export const isBelow = message('history.is-below', '“{title}” is below it.');
export const documentSays = message('history.document-says', 'It says: {text}');
export const nothingMore = message('history.nothing-more', 'nothing more');
export const otherNote = message('history.other-note', 'note');
export const nodesAlike = counted('history.nodes-alike', '1 node is the same.', '{count:number} nodes are the same.');
export const nodesOf = counted('history.nodes-of', '1 node', '{count:number} nodes');
export const tokensOf = message('history.tokens-of', '{tokens} tokens');
export const callsOf = counted('history.calls-of', '1 call', '{count:number} calls');

// Playing it again

export const workNotPlayed = message(
  'history.work-not-played',
  'A search that changes files cannot be played again: its work is done once.',
);
export const neverAskedThen = message('history.never-asked-then', 'Nobody asked that then: {purpose} of {node}.');

// Documents that are out of date

export const allUpToDate = message('history.all-up-to-date', 'Nothing that a document rests on has changed since.');
export const belowEdit = message('history.below-edit', 'a text above it was changed');
export const editedStays = message('history.edited-stays', 'it stays, since you edited it');
export const changedAt = message('history.changed-at', '{places} changed');
export const outOfDatePrice = counted(
  'history.out-of-date-price',
  '1 document is out of date. When it was written, it cost {usd:usd} ({calls:number} calls, {tokens} tokens).',
  '{count:number} documents are out of date. When they were written, they cost {usd:usd} ({calls:number} calls, {tokens} tokens).',
);
export const bringThem = counted('history.bring-them', 'Write it anew?', 'Write them anew?');
