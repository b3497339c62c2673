import { counted, message } from '../../core/messages/message.ts';

// Progress of a search

export const rootExpanding = message('research.root-expanding', 'Generating root children...');
export const surveying = message(
  'research.surveying',
  'Looking around the workspace, for a first answer and the topics...',
);
export const provisional = message('research.provisional', 'First answer: {answer}');
export const rootWalk = message('research.root-walk', 'Walking root level: {title} ({current}/{total})');
export const pickingLeaf = message('research.picking-leaf', 'Picking next leaf to research...');
export const expandingNode = message('research.expanding-node', 'Researching: {title} (depth {depth})');

// Faults of prompts of a person's own

export const templateTooLong = message('research.template-too-long', 'prompts/{name}: is too long.');
export const unknownPlaceholder = message(
  'research.unknown-placeholder',
  'prompts/{name}: unknown placeholder {placeholder}. Known are {placeholders}.',
);
export const missingPlaceholder = message(
  'research.missing-placeholder',
  'prompts/{name}: the placeholder {placeholder} is required.',
);
export const rulesNotJson = message('research.rules-not-json', 'prompts/{name}: this is not valid JSON.');
export const wrongRules = message('research.wrong-rules', 'prompts/{name}: {why}.');

// The opening

export const question = message('research.question', 'The question');
export const provisionalAnswer = message(
  'research.provisional-answer',
  'The first answer, from a look around; nothing of it was checked yet.',
);
export const found = message('research.found', 'Found so far');
export const stillUnknown = message('research.still-unknown', 'Not known yet');
export const outlineOnly = message(
  'research.outline-only',
  '_Compiled from the topics themselves; no language model was asked for a summary._',
);
export const noOpening = message(
  'research.no-opening',
  '_Compiled from the topics themselves: the opening is missing, since {why}._',
);
export const nothing = message('research.nothing', 'There are no results: no topic was worked on.');
export const nothingListed = message(
  'research.nothing-listed',
  'There are no results: the search ended before it had its topics.',
);
export const passages = message('research.passages', 'From the documents');
export const moreLines = counted('research.more-lines', '_… 1 more line._', '_… {count:number} more lines._');

// Answers of a model that only looks for words

export const lookedIn = counted(
  'research.looked-in',
  '1 file was searched for the words of the question; no language model was asked.',
  '{count:number} files were searched for the words of the question; no language model was asked.',
);
export const lookedCloselyIn = counted(
  'research.looked-closely-in',
  '1 file was searched for the words of the question, and {read:number} read closely; no language model was asked.',
  '{count:number} files were searched for the words of the question, and {read:number} of them read closely; no language model was asked.',
);
export const overview = message('research.overview', 'An overview; no language model was asked.');
export const overviewClosely = counted(
  'research.overview-closely',
  'An overview; 1 file was searched, and {read:number} read closely; no language model was asked.',
  'An overview; {count:number} files were searched, and {read:number} of them read closely; no language model was asked.',
);
export const inNoFile = message('research.in-no-file', 'In no file: {words}.');
export const inNoFileRead = message('research.in-no-file-read', 'In no file that was read: {words}.');
export const insteadOf = message('research.instead-of', '“{word}” (only the similar “{other}”)');
export const spelledAlike = message('research.spelled-alike', 'Names that are spelled alike: {names}.');
export const notSearched = message('research.not-searched', 'Not searched: {reasons}.');
export const ignoredFiles = message(
  'research.ignored-files',
  'Nor is what git is told to ignore, or a folder `node_modules`.',
);
export const onlyIgnored = message(
  'research.only-ignored',
  'What git is told to ignore, or a folder `node_modules`, is not searched.',
);
export const gitUnasked = message(
  'research.git-unasked',
  'Git could not be asked what it ignores here; its rules were read from their files.',
);
export const reasonExamples = message('research.reason-examples', '{reason} ({examples})');
export const otherReason = counted('research.skipped-other', '1 file ({reason})', '{count:number} files ({reason})');
export const nothingToSearch = message(
  'research.nothing-to-search',
  '**There is nothing to search in this folder**: no file with text in it.',
);
export const noGoodPlace = counted(
  'research.no-good-place',
  '**Found nothing good enough.** 1 file was searched for the words of the question, and no place has enough of them.',
  '**Found nothing good enough.** {count:number} files were searched for the words of the question, and no place has enough of them.',
);
export const nearestPlace = message('research.nearest-place', 'The nearest place, no more than a guess:');
export const whatToTry = message('research.what-to-try', 'What to try:');
export const tryName = message('research.try-name', 'Name a symbol or a file as it is written in the code.');
export const tryNear = message(
  'research.try-near',
  'Name a symbol or a file as it is written in the code, such as {names}.',
);
export const tryWords = message(
  'research.try-words',
  'Ask in other words: those that the files use, in their language.',
);
export const tryModel = message(
  'research.try-model',
  'Choose a language model (`--model`): it understands a question whatever its words.',
);

export const lock = counted('research.skipped-lock', '1 lock file', '{count:number} lock files');
export const changelog = counted('research.skipped-changelog', '1 changelog', '{count:number} changelogs');
export const testData = counted(
  'research.skipped-test-data',
  '1 file of test data',
  '{count:number} files of test data',
);
export const vendored = counted('research.skipped-vendored', '1 vendored file', '{count:number} vendored files');
export const generated = counted('research.skipped-generated', '1 generated file', '{count:number} generated files');
export const binary = counted('research.skipped-binary', '1 binary file', '{count:number} binary files');
export const secret = counted(
  'research.skipped-secret',
  '1 file that may hold secrets',
  '{count:number} files that may hold secrets',
);
export const hidden = counted(
  'research.skipped-hidden',
  '1 file in a hidden folder',
  '{count:number} files in hidden folders',
);
export const oddName = counted(
  'research.skipped-odd-name',
  '1 file with a backslash or a control character in its name',
  '{count:number} files with a backslash or a control character in their names',
);
export const tooLarge = counted(
  'research.skipped-too-large',
  '1 file that is too large',
  '{count:number} files that are too large',
);
export const unreadable = counted(
  'research.skipped-unreadable',
  '1 file that cannot be read',
  '{count:number} files that cannot be read',
);
export const link = counted('research.skipped-link', '1 link', '{count:number} links');
export const closed = counted(
  'research.skipped-closed',
  '1 folder that cannot be read',
  '{count:number} folders that cannot be read',
);
export const repository = counted(
  'research.skipped-repository',
  '1 repository inside this one',
  '{count:number} repositories inside this one',
);

// Topics

export const topics = message('research.topics', 'Topics');
export const moreTopics = counted('research.more-topics', 'And 1 more topic.', 'And {count:number} more topics.');
export const moreBelow = counted(
  'research.more-below',
  'and 1 more document below this topic',
  'and {count:number} more documents below this topic',
);
export const ownTopic = message('research.own-topic', 'added by a person');
export const notWorkedOn = message('research.not-worked-on', 'Not worked on.');
export const notToItsEnd = message('research.not-to-its-end', 'Not completed.');
export const documentMissing = message('research.document-missing', 'Its document is missing.');
export const seeFailed = message('research.see-failed', 'Failed; see the open ends.');
export const seePruned = message('research.see-pruned', 'Pruned; see the open ends.');

// Sources

export const sources = message('research.sources', 'Sources');
export const sourcesOf = message(
  'research.sources-of',
  '_Cited by the {read:number} most informative of {all:number} documents._',
);
export const noSources = message('research.no-sources', 'The documents cite nothing.');
/** In front of a list. */
export const mostCited = message('research.most-cited', 'The most cited first:');
export const quotations = message('research.quotations', 'Citations.');
export const inPlace = counted(
  'research.in-place',
  'Of 1 citation of files, checked against them, {verified}',
  'Of {count:number} citations of files, checked against them, {verified}',
);
export const verified = counted(
  'research.verified',
  '1 is where the documents say',
  '{count:number} are where the documents say',
);
export const elsewhere = message('research.elsewhere', '{quotations:number} elsewhere in the file');
export const outdated = message('research.outdated', '{quotations:number} stale: the file has changed since');
export const notFound = message('research.not-found', '{quotations:number} not found there');

// Open ends

export const openEnds = message('research.open-ends', 'Open ends');
export const endedUnlisted = message(
  'research.ended-unlisted',
  'The search was finished before its topics were known.',
);
export const endedEarly = counted(
  'research.ended-early',
  'The search was finished early: 1 topic worked on, {open:number} still open.',
  'The search was finished early: {count:number} topics worked on, {open:number} still open.',
);
export const endedBySize = counted(
  'research.ended-by-size',
  'The search reached its size ({size}): 1 topic worked on, {open:number} still open.',
  'The search reached its size ({size}): {count:number} topics worked on, {open:number} still open.',
);
export const endedComplete = counted(
  'research.ended-complete',
  'The search is complete: 1 topic worked on, no topic left.',
  'The search is complete: {count:number} topics worked on, no topic left.',
);
export const endedOver = counted(
  'research.ended-over',
  'The search is over: 1 topic worked on, no topic left.',
  'The search is over: {count:number} topics worked on, no topic left.',
);
export const inPruned = counted(
  'research.in-pruned',
  '1 of them is in a pruned branch, which this report leaves out.',
  '{count:number} of them are in pruned branches, which this report leaves out.',
);
export const atDepthLimit = counted(
  'research.at-depth-limit',
  '1 document ends at the depth limit: nobody asked what is below it.',
  '{count:number} documents end at the depth limit: nobody asked what is below them.',
);
export const stillOpen = message('research.still-open', '**Still open: {topics:number}**');
export const stillOpenBest = message(
  'research.still-open-best',
  '**Still open: {topics:number}**, most promising first',
);
export const failed = message('research.failed', '**Failed: {topics:number}**');
export const pruned = message('research.pruned', '**Pruned: {topics:number}**, each with everything below it');
export const under = message('research.under', 'under {parent}');
export const expected = message('research.expected', 'expected {score}');
export const calls = message('research.calls', 'Calls: {calls:number}');
