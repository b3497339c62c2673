import { counted, message } from '../core/messages/message.ts';

// Progress

export const nodeSkipped = message('engine.node-skipped', 'Skipped (cached): {title}');
export const depthLimit = message('engine.depth-limit', 'Depth limit reached: {title}');
export const complete = message(
  'engine.complete',
  'Tree search complete: {expanded:number} expanded, {leaves}, {skipped:number} skipped',
);
export const completeButFailed = message(
  'engine.complete-but-failed',
  'Tree search complete: {expanded:number} expanded, {leaves}, {skipped:number} skipped, {failed:number} failed',
);
export const nothingWritten = message(
  'engine.nothing-written',
  'The search has failed: all that it tried failed, and nothing was written.',
);
export const allFailed = message(
  'engine.all-failed',
  'All that was tried failed for the same reason, and is open again: {why}',
);
export const leaves = counted('engine.leaves', '1 leaf', '{count:number} leaves');

// Why it stops

export const paused = message('engine.paused', 'Paused.');
export const waitsForAnswers = counted(
  'engine.waits-for-answers',
  'Everything else is done: 1 offer waits to be answered from outside.',
  'Everything else is done: {count:number} offers wait to be answered from outside.',
);
export const failedInARow = message(
  'engine.failed-in-a-row',
  '{nodes:number} nodes in a row failed for the same reason and are open again. The last one: {last}',
);
export const limitOfCalls = message(
  'engine.limit-of-calls',
  'One more call could exceed the limit of {limit:number} calls.',
);
export const limitOfTokens = message(
  'engine.limit-of-tokens',
  'One more call could exceed the limit of {limit:number} tokens.',
);
export const limitOfUsd = message('engine.limit-of-usd', 'One more call could exceed the limit of {limit:exactUsd}.');
export const limitOfModel = message(
  'engine.limit-of-model',
  'One more call of {model} could exceed the {limit:exactUsd} that the option "models" gives it.',
);
export const limitOfMinutes = message(
  'engine.limit-of-minutes',
  'One more call could exceed the limit of {limit:number} minutes.',
);
/** The limit in the way, and what it is made of. */
export const usedAndNextUsd = message(
  'engine.used-and-next-usd',
  '{limit} Used: {used:usd}; the next call could cost up to {next:usd}.',
);
export const usedAndNextTokens = message(
  'engine.used-and-next-tokens',
  '{limit} Used: {used:number}; the next call could use up to {next:number}.',
);
export const keptUsd = message('engine.kept-usd', '{what} {kept:usd} is kept for the report.');
export const keptTokens = message('engine.kept-tokens', '{what} {kept:number} are kept for the report.');
export const usedCalls = message('engine.used-calls', '{limit} Made: {used:number}.');
export const keptCalls = message('engine.kept-calls', '{limit} Made: {used:number}; one is kept for the report.');
export const fieldsRefused = message('engine.fields-refused', 'A node cannot keep this: {why}.');
export const workStopped = message('engine.work-stopped', 'The work was stopped.');
export const callStopped = message('engine.call-stopped', 'The call was stopped.');
export const noAnswerInTime = message(
  'engine.no-answer-in-time',
  'No full answer came within {seconds:number} seconds.',
);
export const contextTooLong = message(
  'engine.context-too-long',
  'What is asked about "{title}" needs about {tokens:number} tokens, and {model} accepts {room:number}, even without all that is above it. Choose a model with a longer context.',
);
export const noRoomForAnswer = message(
  'engine.no-room-for-answer',
  '{model} used all {tokens:number} tokens that it was allowed before it wrote an answer, probably for reasoning. Give it more room with --thinking or the setting thoughtTree.thinking, or choose another model.',
);
export const answerUnusable = message(
  'engine.answer-unusable',
  '{model} gave no answer that can be used, nor did it when asked once more. {why} It said: “{said}”',
);
export const answersCut = message(
  'engine.answers-cut',
  'The answers of {model} were cut off at {tokens:number} tokens, even when it was asked for a shorter one.',
);
export const unknownError = message('engine.unknown-error', 'An unknown error.');

// Impossible figures that a server reports for a call

export const noFigures = message(
  'engine.no-figures',
  'The server of {model} does not say what its answers used, or says less than their text can have. Its calls count at the most they can use.',
);
export const promptCut = message(
  'engine.prompt-cut',
  'The server of {model} read fewer tokens than it was sent: it cuts its prompts, since its context is too short. Start it with a longer one. Its calls count at the most they can use.',
);
export const reasoningLeftOut = message(
  'engine.reasoning-left-out',
  'The server of {model} leaves the reasoning out of the tokens that it counts. Here it is counted, and more is reserved for each call.',
);
export const sumsDoNotAddUp = message(
  'engine.sums-do-not-add-up',
  'The tokens that the server of {model} counts do not add up. The higher figures count, and more is reserved for each call.',
);
export const longerThanAsked = message(
  'engine.longer-than-asked',
  'The server of {model} answers at greater length than it is asked to. More is reserved for each call.',
);
export const endlessAnswers = message(
  'engine.endless-answers',
  'The server of {model} does not end its answers where it is asked to. They are stopped, they count by what arrived, and more is reserved for each call.',
);
export const costBelowPrice = message(
  'engine.cost-below-price',
  'The server of {model} says a lower cost than the price of its tokens. The price counts.',
);

export const priceUnknown = message(
  'engine.price-unknown',
  'Nobody knows what {model} costs, so the limit of {limit:exactUsd} cannot hold in money. What holds: {held}. To give its price: --price, or the setting thoughtTree.prices.',
);
export const nothingHolds = message(
  'engine.nothing-holds',
  'Nobody knows what {model} costs, so the limit of {limit:exactUsd} cannot hold in money, and there is no limit of tokens or calls. To give its price: --price, or the setting thoughtTree.prices.',
);
export const heldTokens = counted('engine.held-tokens', '1 token', '{count:number} tokens');
export const heldCalls = counted('engine.held-calls', '1 call', '{count:number} calls');

// Faults of an answer: said to the model, too

export const toolsRefused = message(
  'engine.tools-refused',
  '{model} or its server takes no tools: it is asked without them, and cannot look at files by itself.',
);
export const schemaRefused = message(
  'engine.schema-refused',
  '{model} or its server takes no schema of an answer: lists are asked for in words alone.',
);
export const contextLearnt = message(
  'engine.context-learnt',
  '{model} holds about {tokens:number} tokens, prompt and answer together: what it is asked is made to fit.',
);
export const noMoreTools = message('engine.no-more-tools', 'No tool can be used any more. Answer in words.');
export const answerCut = message(
  'engine.answer-cut',
  'The answer was cut off because it was too long. Give a shorter one.',
);
export const answerRefused = message(
  'engine.answer-refused',
  'The model refused to answer. Answer as far as the rules allow.',
);

// Changes by hand

export const changes = message('engine.changes', '{changes}');
export const childRemoved = message('engine.child-removed', '{child} removed by hand');
export const statusChanged = message('engine.status-changed', 'status {status}');
export const titleChanged = message('engine.title-changed', 'title');
export const fieldsChanged = message('engine.fields-changed', 'fields');
export const documentChanged = message('engine.document-changed', 'document');
export const branchMoved = message('engine.branch-moved', '{from} is {to} now');
export const orderChanged = message('engine.order-changed', 'order of children');
export const droppedAsPruned = message(
  'engine.dropped-as-pruned',
  'pruned by hand; the result of the work on it was dropped',
);
export const droppedAsRemoved = message(
  'engine.dropped-as-removed',
  'removed by hand; the result of the work on it was dropped',
);
export const citationsChecked = message('engine.citations-checked', 'citations checked again');

// Reasons for which it cannot begin

export const unknownKind = message(
  'engine.unknown-kind',
  'This version does not support searches of kind "{kind}", only {known}.',
);
export const proseNeeded = message(
  'engine.prose-needed',
  "{model} quotes the workspace's own text and writes nothing of its own, so it can neither propose {nodes} nor judge them. Name a language model for this kind of search.",
);
export const tiedToWorkspace = message(
  'engine.tied-to-workspace',
  '{model} works for a fleet in the folder that is searched alone, and a search of this kind works in copies of it with tools of this process. Run it without a queue, or name another model.',
);
export const wrongOptions = message('engine.wrong-options', 'search.json: {why}.');
