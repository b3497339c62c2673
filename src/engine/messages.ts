import { counted, message } from '../core/messages/message.ts';

// What a search is doing

export const nodeSkipped = message('engine.node-skipped', 'Skipped (cached): {title}');
export const depthLimit = message('engine.depth-limit', 'Depth limit reached: {title}');
export const complete = message(
  'engine.complete',
  'Tree search complete: {expanded:number} expanded, {leaves}, {skipped:number} skipped',
);
export const leaves = counted('engine.leaves', '1 leaf', '{count:number} leaves');

// Why it stops

export const paused = message('engine.paused', 'Paused.');
export const failedInARow = message(
  'engine.failed-in-a-row',
  '{nodes:number} nodes in a row failed of one cause and are open again. The last one: {last}',
);
export const limitOfCalls = message(
  'engine.limit-of-calls',
  'One more call could pass the limit of {limit:number} calls.',
);
export const limitOfTokens = message(
  'engine.limit-of-tokens',
  'One more call could pass the limit of {limit:number} tokens.',
);
export const limitOfUsd = message('engine.limit-of-usd', 'One more call could pass the limit of {limit:usd}.');
export const limitOfMinutes = message(
  'engine.limit-of-minutes',
  'One more call could pass the limit of {limit:number} minutes.',
);
export const workStopped = message('engine.work-stopped', 'The work was stopped.');
export const callStopped = message('engine.call-stopped', 'The call was stopped.');
export const noAnswerInTime = message(
  'engine.no-answer-in-time',
  'No full answer came within {seconds:number} seconds.',
);
export const callCutOff = message(
  'engine.call-cut-off',
  'The process that made this call ended before an answer came.',
);
export const contextTooLong = message(
  'engine.context-too-long',
  'The conversation on "{title}" needs about {tokens:number} tokens, and {model} takes {room:number}, even with every document above in short. Choose a model with a longer context, or keep the tree flatter with a lower depth.',
);
export const unknownError = message('engine.unknown-error', 'An unknown error.');

// What was wrong with an answer: said to the model, too

export const noMoreTools = message('engine.no-more-tools', 'No tool can be used any more. Answer in words.');
export const answerCut = message(
  'engine.answer-cut',
  'The answer was cut off because it was too long. Give a shorter one.',
);
export const answerRefused = message(
  'engine.answer-refused',
  'The model refused to answer. Answer as far as the rules allow.',
);

// What a person asked for

export const stopped = message('engine.stopped', 'The search is stopped.');
export const pausing = message('engine.pausing', 'The search pauses when its slots are done.');
export const finishing = message('engine.finishing', 'The search ends with its report.');
export const reportWritten = message('engine.report-written', 'The report was written anew.');
export const grown = message('engine.grown', 'The search may go further.');
export const titleNeeded = message('engine.title-needed', 'A node needs a title.');
export const noFirstLevel = message('engine.no-first-level', 'The first level is not there yet. Add to it when it is.');
export const added = message('engine.added', '"{title}" is added at {path}.');
export const workedOn = message('engine.worked-on', '"{title}" is being worked on.');
export const expandedAlready = message(
  'engine.expanded-already',
  '"{title}" is expanded already. Redo it, or expand a node below it.',
);
export const comesNext = message('engine.comes-next', '"{title}" comes next.');
export const prunedAlready = message('engine.pruned-already', '"{title}" is pruned already.');
export const branchPruned = message('engine.branch-pruned', '"{title}" is pruned, with all below it.');
export const editedByPerson = message(
  'engine.edited',
  'A person edited the document of "{title}". Redo it all the same?',
);
export const redoing = message('engine.redoing', 'The document of "{title}" will be written anew.');
export const notPruned = message('engine.not-pruned', '"{title}" is not pruned.');
export const nodeGone = message('engine.node-gone', 'The folder of "{title}" is gone.');
export const restored = message('engine.restored', '"{title}" is restored.');
export const notFailed = message('engine.not-failed', '"{title}" did not fail.');
export const openAgain = message('engine.open-again', '"{title}" is open again.');
export const failedOpenAgain = counted(
  'engine.failed-open-again',
  '1 failed node is open again.',
  '{count:number} failed nodes are open again.',
);
export const noNode = message('engine.no-node', 'There is no node "{path}" in this search. `status` lists them.');
export const inPruned = message('engine.in-pruned', '"{title}" is in a pruned branch. Restore that first.');
export const noteOnSearch = message('engine.note-on-search', 'The note is added to the search.');
export const noteOnNode = message('engine.note-on-node', 'The note is added to "{title}".');

// What changed by hand

export const changes = message('engine.changes', '{changes}');
export const removed = message('engine.removed', 'removed by hand');
export const childRemoved = message('engine.child-removed', '{child} removed by hand');
export const statusChanged = message('engine.status-changed', 'status {status}');
export const titleChanged = message('engine.title-changed', 'title');
export const fieldsChanged = message('engine.fields-changed', 'fields');
export const orderChanged = message('engine.order-changed', 'order of children');
export const droppedAsPruned = message(
  'engine.dropped-as-pruned',
  'pruned by hand; what came of the work at it was dropped',
);
export const droppedAsRemoved = message(
  'engine.dropped-as-removed',
  'removed by hand; what came of the work at it was dropped',
);
export const citationsChecked = message('engine.citations-checked', 'citations checked again');

// What it cannot begin with

export const unknownKind = message(
  'engine.unknown-kind',
  'This version knows no searches of kind "{kind}", only {known}.',
);
export const proseNeeded = message(
  'engine.prose-needed',
  "{model} quotes the workspace's own text and writes nothing of its own, so it can neither propose {nodes} nor judge them. Name a language model for this kind of search.",
);
export const wrongOptions = message('engine.wrong-options', 'search.json: {why}.');

// Why the words of a call are not known

export const wordsNotKept = message('engine.words-not-kept', 'Its words were not kept.');
export const wordsLost = message(
  'engine.words-lost',
  'Its words were not kept: its process ended before it could keep them, or it still runs.',
);
export const conversationGone = message(
  'engine.conversation-gone',
  'The conversation of this node is gone; it is kept on one computer only.',
);
export const conversationAboveGone = message(
  'engine.conversation-above-gone',
  'A conversation above this node is gone; it is kept on one computer only.',
);
export const notInConversation = message(
  'engine.not-in-conversation',
  'The conversation of this node does not hold it.',
);
