import { counted, message } from '../core/messages/message.ts';

export const endedTooSoon = message(
  'cli.ended-too-soon',
  'The command ended before its work was done. This is a fault of the program.',
);

export const nodeTooOld = message(
  'cli.node-too-old',
  'This needs Node {oldest} or newer, and this is Node {version}. Install a newer one.',
);

// Faults of what was typed

export const noQuestion = message('cli.no-question', 'There is no question. Write it after start, in quotation marks.');
export const emptyTitle = message('cli.empty-title', 'The title is empty.');
export const noFolder = message('cli.no-folder', 'There is no folder {folder}.');
export const notAFolder = message('cli.not-a-folder', '{folder} is not a folder.');
export const linkedFolder = message(
  'cli.linked-folder',
  '{folder} is a link to another folder, which agents are not given. Name the folder that they may use with --folder.',
);
export const noFile = message('cli.no-file', 'There is no file {file}.');
export const fileExists = message('cli.file-exists', 'There is a file {file} already. Name another one, or remove it.');
export const searchOfOtherQuestion = message(
  'cli.search-of-other-question',
  '{folder} holds a search for another question: "{question}". Give this one another name with --title, or another folder with --dir.',
);
export const otherKindsOption = message(
  'cli.other-kinds-option',
  '--{flag} is for searches that {about}: add --kind {kind}.',
);
export const checkNeeded = message(
  'cli.check-needed',
  'This task needs a command that decides. Name one, as in --check "npm test"; it runs in the folder that is searched.',
);
export const timeoutWithoutCheck = message(
  'cli.timeout-without-check',
  '--check-timeout limits the time of --check, which is missing.',
);
export const checkOfOtherTask = message(
  'cli.check-of-other-task',
  '--check is for the task "{own}", and this is "{task}".',
);
export const hooksOfOtherTask = message(
  'cli.hooks-of-other-task',
  '--hooks defines the task "{own}", and this is "{task}".',
);
export const planTooLarge = message('cli.plan-too-large', '{file} is too large for a plan.');
export const planNotText = message('cli.plan-not-text', '{file} is not text in UTF-8.');
export const commandsNeedFlag = counted(
  'cli.commands-need-flag',
  'The plan runs a command: {first}. Where nobody can be asked, say that it may with --allow-commands.',
  'The plan runs {count:number} commands, the first of them: {first}. Where nobody can be asked, say that they may with --allow-commands.',
);
export const textNeeded = message('cli.text-needed', 'A {what} needs a {part}.');
export const textTooLong = message('cli.text-too-long', 'A {what} has at most {most:number} characters.');
export const noteTooLong = message(
  'cli.note-too-long',
  'A note has at most {most:number} characters; write it into notes.md instead.',
);
export const limitNeeded = message(
  'cli.limit-needed',
  'Say how far: --size, --max-depth, --max-calls, --max-tokens, --max-usd, --max-minutes.',
);
export const searchItself = message('cli.search-itself', 'That is the search itself. Name a node to {action}.');
export const noCalls = message('cli.no-calls', 'There is no call {number}: no call was made for it.');
export const noCall = counted(
  'cli.no-call',
  'There is no call {number}: there is 1.',
  'There is no call {number}: there are {count:number}.',
);
export const nodeFolderGone = message('cli.node-folder-gone', 'The folder {folder} is gone.');
export const linkedNodeGone = message('cli.linked-node-gone', 'a node that is gone ({id})');
export const importStopped = message('cli.import-stopped', 'The import was stopped; nothing of it is left.');

// Questions to a person

export const modelOfSearch = message(
  'cli.model-of-search',
  'This search names the model "{model}", which has not been used here. Say which one to use with --model.',
);
export const modelsOfSearch = message(
  'cli.models-of-search',
  'This search names the models "{model}", which have not all been used here, or not with such limits. Say which ones to use with --models.',
);
export const sharersStay = message(
  'cli.sharers-stay',
  'The thoughts are still shared among {models}; {model} does the rest. Name others with --models.',
);
export const useModel = message(
  'cli.use-model',
  'This search names the model "{model}", which has not been used here. Use it?',
);
export const loadPackage = message(
  'cli.load-package',
  'The Claude Agent SDK in {folder} may have come with this folder. Run it?',
);
export const startAgent = message(
  'cli.start-agent',
  'acp/{name}, version {version}, is started as an agent that reads this folder: {line}\nStart it?',
);
export const mayCost = message(
  'cli.may-cost',
  'This search may cost up to {most}, and you want to be asked above {limit}.',
);
export const unknownCost = message(
  'cli.unknown-cost',
  'The cost of this search is unknown, and you want to be asked above {limit}.',
);
export const raiseAskAbove = message(
  'cli.raise-ask-above',
  '{why} Raise --ask-above, or leave it out, to begin anyway.',
);
export const sentAndLess = message('cli.sent-and-less', '{what} Less with --read quotes; nothing with --read nothing.');
export const sentAndNothing = message('cli.sent-and-nothing', '{what} Nothing with --read nothing.');
export const sentAndMore = message('cli.sent-and-more', '{what} More with --read quotes or --read tools.');
export const mayRead = message('cli.may-read', '{why} May models see its files?');
export const sayRead = message(
  'cli.say-read',
  '{why} Models see its files only if you say so: give --read tools or --read quotes, or --read nothing to send no file.',
);
export const beginAsked = message('cli.begin', '{why} Begin?');
export const notBegun = message('cli.not-begun', 'The search was not begun.');
export const commandsOfPlan = counted(
  'cli.commands-of-plan',
  'It runs this command, in a checkout of its own:',
  'It runs these {count:number} commands, each in a checkout of its own:',
);
export const runCommands = counted('cli.run-commands', 'May it run?', 'May they run?');
export const beginPlan = message('cli.begin-plan', 'Begin with this plan? To change it, edit {file} first.');
export const sayWithYes = message('cli.say-with-yes', '{question} Say so with --yes.');
export const doIt = message('cli.do-it', '{what} Do it?');
export const leftAsItIs = message('cli.left-as-it-is', 'It is left as it is.');

// Comparing strategies

export const nameStrategies = message(
  'cli.name-strategies',
  'Name what to compare with --strategies; --strategy is for one search.',
);
export const setupsOrStrategies = message(
  'cli.setups-or-strategies',
  'Name what to compare with --strategies or with --setup, not with both.',
);
export const setupTwice = message('cli.setup-twice', 'The set-up "{setup}" is there twice.');
export const notASetup = message('cli.not-a-setup', 'The set-up {setup} cannot be read: {why}');
export const notPageOrPicture = message(
  'cli.not-page-or-picture',
  'It has to end in .html, for a page, or in .svg, for a picture.',
);
export const againstSetup = message('cli.against-setup', 'against {setup}');
export const comparedTitle = message('cli.compared-title', '{file}, compared');
export const scoreFrom = message('cli.score-from', '{from:number} to {to:number}');
export const scoresWorth = message(
  'cli.scores-worth',
  'Of the thoughts with a score that were continued, so many led to a solution:',
);
export const howCompared = message(
  'cli.how-compared',
  'Differences are in points of 100, on the problems that both came to the end of. The interval is the normal one of paired differences; p is McNemar’s exact test of wins against losses.',
);
export const correctedBelow = message(
  'cli.corrected-below',
  'Each p is for its pair alone: of {count:number} pairs, one differs for sure enough only below {p:number}.',
);
export const leftOutOfPair = counted(
  'cli.left-out-of-pair',
  '{setup}: one problem is left out, since not both came to its end.',
  '{setup}: {count:number} problems are left out, since not both came to their ends.',
);
export const fewDecided = counted(
  'cli.few-decided',
  '{setup}: only one problem was solved more often by one of the two. That is too few to tell a difference from chance.',
  '{setup}: only {count:number} problems were solved more often by one of the two. That is too few to tell a difference from chance.',
);
export const lineOfProblems = message('cli.line-of-problems', 'Line {line} of the problems: {why}');
export const problemsTooLarge = message(
  'cli.problems-too-large',
  '{file} is larger than {megabytes:number} MB. It must contain one problem per line.',
);
export const noProblems = message('cli.no-problems', '{file} contains no problems. It must contain one per line.');
export const tooManyProblems = message(
  'cli.too-many-problems',
  '{file} contains more than {most:number} problems. It must contain one per line.',
);
export const unevenQuotes = message(
  'cli.uneven-quotes',
  'Line {line} of the CSV file cannot be read: its quotes are not in pairs.',
);
export const otherSearchThere = message(
  'cli.other-search-there',
  '{folder} holds a search for another problem, or with other options or another model. Name another folder with --dir.',
);
export const notContinued = message('cli.not-continued', 'It was stopped before, and was not continued.');

// States of a search, in a line

export const waiting = message('cli.waiting', 'Waiting: {why}');
export const answersAgain = message('cli.answers-again', 'The model answers again.');
export const worksAgain = message('cli.works-again', 'The search is running again.');
export const failedNode = message('cli.failed-node', 'Failed: {node}: {why}');
export const noReason = message('cli.no-reason', 'no reason was given');
export const prunedNode = message('cli.pruned-node', 'Pruned: {node}');
export const changedOnDisk = message('cli.changed-on-disk', 'Changed on disk: {node}: {what}');
export const firstLevel = message('cli.first-level', 'the first level');
export const steeredBy = message('cli.steered-by', 'Steered by {by}: {action}: {what}');
export const steeredNode = message('cli.steered-node', 'Steered by {by}: {action} {node}: {what}');
export const documentsShortened = counted('cli.documents-shortened', '1 document', '{count:number} documents');
export const listsShortened = counted('cli.lists-shortened', '1 list', '{count:number} lists');
export const shortened = message(
  'cli.shortened',
  'Shortened for {node} ({purpose}): {what} above it; about {tokens} tokens, room for {room}',
);

export const offerTaken = message('cli.offer-taken', 'Offer {offer} is taken by {by}');
export const offerGivenBack = message('cli.offer-given-back', 'Offer {offer} is given back by {by}');
export const offerExpired = message('cli.offer-expired', 'Offer {offer} has expired');
export const offersWithdrawn = counted(
  'cli.offers-withdrawn',
  'Withdrawn: 1 offer',
  'Withdrawn: {count:number} offers',
);
export const offersAnswered = counted(
  'cli.offers-answered',
  'Answered by {by}: 1 offer',
  'Answered by {by}: {count:number} offers',
);

// Rows

export const score = message('cli.score', '{score}/10');

// Values of options

export const notAPrice = message(
  'cli.not-a-price',
  'It has to be three numbers, as in 3,0.3,15: prompt, cached prompt, answer.',
);
export const priceOfNone = message(
  'cli.price-of-none',
  '--price names {model}, which this search does not ask. Its models are {models}.',
);
export const wholeNumberFrom = message('cli.whole-number-from', 'It has to be a whole number from {least} on.');
export const wholeNumberIn = message('cli.whole-number-in', 'It has to be a whole number from {least} to {most}.');
export const numberFrom = message('cli.number-from', 'It has to be a number from {least} on.');
export const numberIn = message('cli.number-in', 'It has to be a number from {least} to {most}.');

// Results of a command

export const noModelNeeded = message('cli.no-model-needed', 'no model: quotes from the workspace, free');
export const pricesAsOf = message(
  'cli.prices-as-of',
  'Prices in dollars per million tokens (prompt/cached/answer), of {date}.',
);
export const keyNeeded = message('cli.key-needed', 'It needs a key. Set {variable} to yours.');
export const keyNotAccepted = message('cli.key-not-accepted', 'It does not accept the key. Set {variable} to yours.');
export const noModels = message('cli.no-models', 'It has no models.');
export const modelAnswers = message('cli.model-answers', '{model} answers ({how}).');
export const noSearches = message('cli.no-searches', 'There are no searches in {folder}.');
export const searchUnreadable = message('cli.search-unreadable', 'search.json cannot be read');
export const damaged = message('cli.damaged', 'damaged');
export const nodesIn = counted('cli.nodes-in', '1 node in {file}', '{count:number} nodes in {file}');
export const nodesToContinue = counted(
  'cli.nodes-to-continue',
  '1 node in {folder}. To continue:',
  '{count:number} nodes in {folder}. To continue:',
);
export const notRunning = message('cli.not-running', 'The search is not running. To continue:');
export const pausedSearch = message('cli.paused-search', 'A search was paused. To continue: {command}');
export const seeProgress = message('cli.see-progress', '`{command}` shows its progress.');

// While a search runs

export const pausing = message('cli.pausing', 'Pausing; Ctrl-C again stops at once.');
export const pausingAfter = message('cli.pausing-after', 'Pausing: finishing {nodes}; Ctrl-C again stops at once.');
export const stoppingNow = message('cli.stopping-now', 'Stopping now.');
export const pressEnter = message('cli.press-enter', 'Press Enter to begin. To change it, edit {file} first.');
export const judgePicks = message('cli.judge-picks', '{model}; {judge} picks and scores');
export const filesIn = message('cli.files-in', 'Files: {folder}');

// Help

export const formatOfKind = message('cli.format-of-kind', '{format} for those of kind {kind}, whose default it is');
export const alsoOfKind = message('cli.also-of-kind', '{format} for those of kind {kind}');
export const fileInFormat = message(
  'cli.file-in-format',
  'a {format}, written by `export` or by another program; or a search of any kind as `export --format json` writes it',
);
export const createFromFile = message('cli.create-from-file', 'create a search of kind {kind} from a file');
export const nodeOrWhole = message(
  'cli.node-or-whole',
  'slug path, path on disk or title; left out, the {what} is for the whole search',
);

// A file that is kept true for other programs

export const mirrorStops = message('cli.mirror-stops', '{file} asks for a stop. Pausing.');
export const mirrorChanged = message(
  'cli.mirror-changed',
  '{file} was changed by somebody else, so it stays as it is, and the search does not run on.',
);
export const acceptBy = message('cli.accept-by', 'To accept a change: {command}');
export const thenRemove = message(
  'cli.then-remove',
  'Once nothing in it is needed any more, remove the file: the next run writes it anew.',
);
export const mirrorFailed = message('cli.mirror-failed', '{file} is not kept any more: {why}');
export const mirrorNeedsTerminal = message(
  'cli.mirror-needs-terminal',
  '{program} is installed ({place}), so --mirror has to be agreed to at a terminal.',
);
export const mirrorAll = message('cli.mirror-all', '{program} is installed ({place}). Write the file all the same?');
export const mirrorDeclined = message(
  'cli.mirror-declined',
  'Nothing was begun. Leave out --mirror to run without it.',
);

// Spending

export const calls = counted('cli.calls', '1 call', '{count:number} calls');
export const tokens = message('cli.tokens', '{tokens} tokens');
export const tokensCached = message('cli.tokens-cached', '{tokens} tokens ({percent}% cached)');
export const tokensAndMoney = message('cli.tokens-and-money', '{tokens} tokens, {usd}');
export const free = message('cli.free', 'free');
export const callsFree = message('cli.calls-free', '{calls}, free');
export const atWorst = message('cli.at-worst', '{tokens} at worst');
export const bookedMore = message('cli.booked-more', 'up to {amount} more for {calls} cut off or not told');
export const bookedBesides = message(
  'cli.booked-besides',
  'up to {amount} more for calls that were made twice, or are not in this journal',
);
export const atLeast = message('cli.at-least', 'at least {usd}, price partly unknown');
export const priceUnknown = message('cli.price-unknown', 'price unknown');

// Work of each slot

export const betweenCalls = message('cli.between-calls', 'between calls');
export const idleWaiting = message('cli.idle-waiting', 'waiting');
export const slotFree = message('cli.slot-free', 'free');
export const moreSlots = counted(
  'cli.more-slots',
  '1 more slot at work, {free:number} free',
  '{count:number} more slots at work, {free:number} free',
);
export const tryAgain = message('cli.try', '(try {attempt})');
export const pickerIdle = message('cli.picker-idle', 'picker idle');
export const picking = message('cli.picking', 'picking');
export const pickingOf = message('cli.picking-of', 'what comes next, of {count:number} open {nodes}');
export const timeLeft = message('cli.time-left', '{left} left');

export const judgeScores = message('cli.judge-scores', '{model}; {judge} scores');
export const solvedOf = message('cli.solved-of', '{solved:number} of {searches:number}');
export const endWords = {
  solved: message('cli.end-solved', 'solved'),
  unsolved: message('cli.end-unsolved', 'unsolved'),
  stopped: message('cli.end-stopped', 'stopped'),
};
export const limitForAll = message('cli.limit-for-all', 'The limit of {guard} for the whole comparison is reached.');
export const notAllEnded = message('cli.not-all-ended', '{missing} of {wanted} searches did not come to their end.');
export const runAgain = message('cli.run-again', 'Run the same command again to continue them.');
export const notStrategies = message('cli.not-strategies', 'They have to be some of {known}.');

// The purse

export const limitOrNone = message('cli.limit-or-none', 'Give an amount in US dollars, or none.');
export const spentSoFar = message('cli.spent-so-far', '{spent}, no limit');
export const spentOfLimit = message('cli.spent-of-limit', '{spent} of {limit}');
export const bookedForCalls = message('cli.booked-for-calls', 'and {booked} booked for calls that have not ended');
export const callsAndTokens = counted(
  'cli.calls-and-tokens',
  '1 call, {tokens} tokens',
  '{count:number} calls, {tokens} tokens',
);
export const onlyBooked = message('cli.only-booked', '{booked} of it at worst case');
export const withoutPrice = counted(
  'cli.without-price',
  '1 call whose price nobody knows',
  '{count:number} calls whose price nobody knows',
);
export const moreThanLeft = message(
  'cli.more-than-left',
  'This search may cost up to {most}, and your limits over everything on this computer leave {left}: it pauses there. `thought-tree money` shows them.',
);
// History

export const momentNamed = message('cli.moment-named', '{name} is the search after event {event:number}.');
export const forked = message('cli.forked', 'Forked after event {event:number} into {folder}. To go on there:');
export const forkOf = message('cli.fork-of', 'fork of {search} after event {event:number}');
export const textsKept = message('cli.texts-kept', 'Texts that are kept: {megabytes:number} MB, in .search/objects.');
export const forgetWhat = message('cli.forget-what', 'Name either a text or --before with a date.');
export const notADate = message('cli.not-a-date', 'That is no date; one is 2026-11-01.');
export const stillIn = message('cli.still-in', 'The text is still in files of the search itself: {files}');
export const noReportThen = message('cli.no-report-then', 'There was no report then.');
export const compareWhat = message(
  'cli.compare-what',
  'Name two searches, moments or nodes to compare, or --problems with a file of problems to solve in several ways.',
);

export const answersPlayed = message(
  'cli.answers-played',
  '{recorded:number} answers are as they were; {estimated:number} were made of what was said then, and their cost is estimated.',
);
export const neverAskedOf = message('cli.never-asked-of', 'Never asked: {purpose} of {node}');
export const moreNeverAsked = counted(
  'cli.more-never-asked',
  'And 1 more that was never asked.',
  'And {count:number} more that were never asked.',
);

// Prices

export const pricesTaken = counted(
  'cli.prices-taken',
  'The price of 1 model was taken over ({changed:number} new or changed), as of {date}.',
  'The prices of {count:number} models were taken over ({changed:number} new or changed), as of {date}.',
);
export const pricesRefused = counted(
  'cli.prices-refused',
  '1 was refused, as it is no price: {names}',
  '{count:number} were refused, as they are no prices: {names}',
);
export const pricesLeft = counted(
  'cli.prices-left',
  '1 stays as it was, since the new one is ten times as high or as low: {names}. Run it in a terminal to be asked.',
  '{count:number} stay as they were, since the new ones are ten times as high or as low: {names}. Run it in a terminal to be asked.',
);
export const takeUnlikely = counted(
  'cli.take-unlikely',
  'It is ten times as high or as low as it was. Take it over?',
  'These {count:number} are ten times as high or as low as they were. Take them over?',
);
