import { counted, message } from '../../core/messages/message.ts';

// Counts by status, each next to the mark of the status

export const statusCounts = {
  expanded: message('cli.count-expanded', '{count:number} expanded'),
  leaf: counted('cli.count-leaf', '1 leaf', '{count:number} leaves'),
  'in-progress': message('cli.count-in-progress', '{count:number} in progress'),
  unexpanded: message('cli.count-unexpanded', '{count:number} open'),
  pruned: message('cli.count-pruned', '{count:number} pruned'),
  failed: message('cli.count-failed', '{count:number} failed'),
};
export const noNodesYet = message('cli.no-nodes-yet', 'no {nodes} yet');
export const moreNodes = message('cli.more-nodes', '… {count:number} more {nodes}');

// Ends of a search, and ways to continue it

export const paused = message('cli.paused', 'Paused. {why}');
export const setAside = counted(
  'cli.set-aside',
  '{nodes} is set aside. To continue from one of them:',
  '{nodes} are set aside. To continue from one of them:',
);
export const sizeReached = message('cli.size-reached', 'The size {size} ({limit}) is reached; {open}');
export const stillOpen = counted(
  'cli.still-open',
  '{nodes} is still open. To continue:',
  '{nodes} are still open. To continue:',
);
export const someFailed = message('cli.some-failed', '{nodes} failed. To see why, and to retry:');
export const toContinue = message('cli.to-continue', 'To continue:');
export const onceWritable = message(
  'cli.once-writable',
  'Nothing that was written is lost. Once the folder can be written again:',
);
export const onceFixed = message('cli.once-fixed', 'Once that is fixed:');
export const limitReached = message(
  'cli.limit-reached',
  'The limit of {limit} ({option}) is reached. To continue with a higher one:',
);
export const toAnswer = message('cli.to-answer', 'To see what they ask, to take one, and to answer it:');
export const toWait = message('cli.to-wait', 'To wait here for the answers:');

/** The advice to a person on the cause of a pause. */
export const advice = {
  'at-rest': message('cli.advice-at-rest', 'To go on:'),
  unreachable: message(
    'cli.advice-unreachable',
    "The model's server was not reached. Check that it runs, and that --base-url or THOUGHT_TREE_BASE_URL is right; then:",
  ),
  'key-refused': message(
    'cli.advice-key-refused',
    'Put a key that the server accepts into the variable named above; then:',
  ),
  'quota-exceeded': message(
    'cli.advice-quota-exceeded',
    'The account has no credit left. Top it up, or name another model with --model; then:',
  ),
  'unknown-model': message('cli.advice-unknown-model', 'Name a model that the server has with --model; then:'),
  redirected: message(
    'cli.advice-redirected',
    'If you trust the new address of the server, give it with --base-url; then:',
  ),
  'five-failures': message(
    'cli.advice-five-failures',
    'Check the model or its server, or name another one with --model; then:',
  ),
};

// Forecasts

export const forecast = message('cli.forecast', 'Forecast: about {calls}, {tokens}, {money}, {time}');
export const forecastGuess = message(
  'cli.forecast-guess',
  'Forecast: about {calls}, {tokens}, {money}, {time}; a guess, as no search was run here before',
);
export const forecastOfModel = message('cli.forecast-of-model', '  {model} alone: {money}');
export const tokensAtMost = message('cli.tokens-at-most', '{tokens} tokens (at most {most})');
export const moneyBand = message('cli.money-band', '{usd} ({low} to {high})');
export const moneyBandAtMost = message('cli.money-band-at-most', '{usd} ({low} to {high}), at most {most}');
export const aboutTime = message('cli.about-time', 'about {time}');
export const aboutTimeAndMoney = message('cli.about-time-and-money', 'about {time} and {usd}');

// Calls

export const attemptOf = message('cli.attempt', 'attempt {attempt}');
export const tokensUsed = message(
  'cli.tokens-used',
  '{prompt:number} tokens ({cached:number} cached) + {answer:number}',
);
export const tokensAtWorst = message('cli.tokens-at-worst', 'at worst {tokens:number} tokens');
export const notCharged = message('cli.not-charged', 'not charged');
export const noAnswerYet = message('cli.no-answer-yet', 'No answer yet: it is under way.');
export const noAnswer = message('cli.no-answer', 'No answer ({outcome}).');
export const noAnswerSince = message('cli.no-answer-since', 'No answer ({outcome}): {why}');
export const noCallsMade = message('cli.no-calls-made', 'No calls yet.');
export const transcriptHint = message('cli.exact-words', '--call N shows the exact words of one of the {calls}.');
export const secondsOfAnswers = message('cli.seconds-of-answers', '{seconds}s of answers');

// One node

export const steeredAt = message('cli.steered-at', '{time} by {by}: {action}: {what}');
export const withConfidence = message('cli.with-confidence', '{score} (confidence {confidence})');

// Offers

export const moreOffers = message('cli.more-offers', '… and {count:number} more');
export const takenBy = message('cli.taken-by', '(taken by {by})');

// A search for a solution

export const answerIs = message('cli.answer-is', 'Answer: {answer}');
export const noSolution = message('cli.no-solution', 'No solution was found.');
export const itsPath = message('cli.its-path', 'Its path:');
export const bestPathSoFar = message('cli.best-path', 'The best path so far:');
export const noneFound = message('cli.none-found', 'none was found');
export const answerPruned = message('cli.answer-pruned', 'the branch of the answer that was found is pruned');
export const noneWritten = message('cli.none-written', 'none was written down; the report has the best path');

// A search at a glance

export const notNamed = message('cli.not-named', 'not named');
export const depthOf = message('cli.depth', 'depth {depth}');
export const tokenLimit = counted('cli.token-limit', '1 token', '{count:number} tokens');
export const minuteLimit = counted('cli.minute-limit', '1 minute', '{count:number} minutes');
export const underWay = message('cli.under-way', '{spend}, {count:number} under way');
export const heldBy = message('cli.held-by', '{state} (process {pid} on {host})');
export const heldBySince = message('cli.held-by-since', '{state} (process {pid} on {host} since {since})');

export const byEngine = message('cli.receipt.engine', 'by the engine, in call {call} to {model}');
export const byAgent = message('cli.receipt.agent', 'by the agent {agent}, whose session file was found');
export const unverified = message('cli.receipt.unverified', 'unverified');
export const receiptCounts = message(
  'cli.receipt.counts',
  '{engine:number} by the engine, {agent:number} by agents, {unverified:number} unverified',
);

// Access of models to the folder

export const seesNothing = message('cli.sees-nothing', 'nothing of the folder');
export const seesQuotes = message('cli.sees-quotes', 'passages of its files');
export const seesTools = message('cli.sees-tools', 'passages of its files, and what they look up');

export const asOf = message('cli.as-of', 'event {event:number}, {time}');
