import { message } from '../core/messages/message.ts';

export const noReply = message(
  'searches.no-reply',
  '{who} holds this search and did not answer (last sign of life {seconds:number} s ago). Nothing was changed. If it no longer runs, the search is free 30 s after its last sign of life.',
);
export const holderProcess = message('searches.holder', 'Process {pid} on {host}');
export const holderUnknown = message('searches.holder-unknown', 'Another process');
export const notRunning = message('searches.not-running', 'The search is not running.');
export const pastStays = message(
  'searches.past-stays',
  'What was cannot be changed: name the search without a moment.',
);
export const cannotSteer = message('searches.cannot-steer', 'Other processes cannot steer this search: {why}');
export const notYourSearch = message(
  'searches.not-your-search',
  'Only the user who runs this search can raise its limits: it spends in their name.',
);
export const agentReads = message(
  'searches.agent-reads',
  '{model} reads the folder by itself: secrets in its files are not left out of what it sees.',
);
export const agentsDamaged = message(
  'searches.agents-damaged',
  '{file} in your state folder cannot be read as agents.',
);

// The parts of the workspace that models may see

export const sentTools = message(
  'searches.sent-tools',
  'Sent to {models}: what it looks up in the files of {folder}, and passages of them; nothing that looks like a secret or that git ignores.',
);
export const sentQuotes = message(
  'searches.sent-quotes',
  'Sent to {models}: passages of the files of {folder}; nothing that looks like a secret or that git ignores.',
);
export const sentNothing = message('searches.sent-nothing', 'Sent to {models}: nothing of the files of {folder}.');
export const homeFolder = message('searches.home-folder', '{folder} is your home folder, or holds it.');
export const wholeDisk = message('searches.whole-disk', '{folder} is a whole disk.');
export const folderOfAnother = message('searches.folder-of-another', '{folder} belongs to another user.');
export const notRead = message(
  'searches.not-read',
  '{why} Models see files of such a folder only if a person agrees. Begin in the folder that the question is about.',
);
export const readsByItself = message(
  'searches.reads-by-itself',
  '{model} reads the folder by itself, and models may see nothing of it here. Choose another model, or allow quotes or tools.',
);
export const worksInFolder = message(
  'searches.works-in-folder',
  'A search of this kind works in the folder, and models may see nothing of it here. Allow quotes or tools.',
);
export const optionHeldBack = message(
  'searches.option-held-back',
  'search.json asks for {name} {wanted}, which you have not allowed for this search: {used} is used.',
);
export const nothingHoldsPrograms = message(
  'searches.nothing-holds-programs',
  'Nothing on this system would hold programs of models, so none are run. On Linux, installing bubblewrap holds them.',
);
export const limitsHeldBack = message(
  'searches.limits-held-back',
  'The journal of this search has limits that somebody else may have given it: only those that are lower than yours hold. To go further, give them again.',
);
export const noModelCalled = message('searches.no-model-called', 'No model is called here.');

export const linkedFolder = message(
  'searches.linked-folder',
  '{folder} is a link to another folder, and may have come with the files next to it. Put a folder in its place, or name another one.',
);

export const fileInPlace = message(
  'searches.file-in-place',
  '{file} is a file. Name a folder for the search; one that is missing is made.',
);

// Results of checking receipts and citations again

export const checked = message(
  'searches.verify.checked',
  '{what}: {holds:number} hold, {fails:number} do not hold, {unknown:number} cannot be checked here',
);
export const receipts = message('searches.verify.receipts', 'Receipts');
export const citations = message('searches.verify.citations', 'Citations');
export const fails = message('searches.verify.fails', 'does not hold');
export const cannotCheck = message('searches.verify.unknown', 'cannot be checked here');
export const noReceipt = message('searches.verify.no-receipt', 'Nothing says how it came about.');
export const foreignJournal = message(
  'searches.verify.foreign-journal',
  "Nothing shows that this user's programs left the journal as it is here.",
);
export const noSession = message('searches.verify.no-session', 'The session file of the agent {agent} is not here.');
export const notInJournal = message('searches.verify.not-in-journal', 'The journal does not tell of it.');
export const nodeEdited = message(
  'searches.verify.node-edited',
  'Its node.json was changed since the search wrote it.',
);
export const documentEdited = message(
  'searches.verify.document-edited',
  'Its document was changed since the search wrote it.',
);
export const untoldCall = message('searches.verify.no-such-call', 'The journal tells of no call {call} to {model}.');
export const noConversation = message('searches.verify.no-conversation', 'The conversation is not here.');
export const otherWords = message(
  'searches.verify.other-words',
  'What was asked or answered is not what the receipt says.',
);
export const quotationStale = message(
  'searches.verify.stale',
  'The file changed, and the quotation is no longer in it.',
);
export const noWords = message('searches.verify.no-words', 'The quotation has no words that could be looked for.');
export const fileNotHere = message('searches.verify.file-not-here', 'The file is not here.');
export const quotationNotFound = message('searches.verify.not-found', 'The quotation is not in the file.');

// Places

export const folderNeeded = message(
  'searches.folder-needed',
  'A search needs a folder of its own, and {folder} holds what is searched. Name a folder for it with --dir.',
);
export const placeTaken = message(
  'searches.place-taken',
  '{folder} already exists and is not empty. Give the search a name of its own with --title, or a folder with --dir.',
);
export const damagedExport = message('searches.damaged-export', 'This is not a search as it was exported: {why}.');
export const newerExport = message(
  'searches.newer-export',
  'A newer Thought Tree exported this search (version {version:number}; this one reads {known:number}). Update this one first.',
);
export const noSuchPlace = message('searches.no-such-place', 'a node has the path "{node}", which cannot be a folder');
export const nodeTwice = message('searches.node-twice', 'the node "{node}" is in it twice');
export const nodeAlone = message('searches.node-alone', 'the node above "{node}" is missing');
export const parentInOtherCase = message(
  'searches.parent-in-other-case',
  'the node above "{node}" is written "{parent}": write both alike, with the same capital letters, and import it again',
);
export const notUtf8 = message('searches.not-utf8', '{file}, line {line}: this is not UTF-8; save the file as UTF-8.');
export const noFile = message('searches.no-file', 'There is no file {file}.');
export const fileTooLarge = message(
  'searches.file-too-large',
  '{file} is larger than {megabytes:number} MB, and is not read.',
);

// A person's own command and hooks

export const notACommand = message('searches.not-a-command', 'This is not a command: {why}.');
export const openQuote = message('searches.open-quote', 'a quote is left open in {text}');
export const forShell = message(
  'searches.for-shell',
  '{word} needs a shell, and none is used; put it into a script and name that',
);
export const emptyCommand = message('searches.empty-command', 'it is empty');
export const noProgram = message('searches.no-program', 'There is no executable program {program} here.');
export const trustNeeded = message(
  'searches.trust-needed',
  'Commands run in a trusted workspace only. Trust it first.',
);
export const notAgreed = message('searches.not-agreed', 'Nobody agreed to run {command}.');
export const cannotRun = message(
  'searches.cannot-run',
  'The command {program} cannot be run: {why}. Fix it, or give another one.',
);
export const taskRefused = message('searches.task-refused', 'The task of {file} is not used: {why}.');
export const pathNotAbsolute = message('searches.path-not-absolute', 'its path has to be absolute');
export const taskInWorkspace = message(
  'searches.task-in-workspace',
  'it is in the workspace and may have come with a clone; keep it elsewhere',
);

// Tools

export const searchStopped = message('searches.search-stopped', 'The search of the files was stopped.');
export const toolStopped = message('searches.tool-stopped', 'The use of a tool was stopped.');

// Finding a node

export const noNode = message(
  'searches.no-node',
  'There is no node "{node}" in this search. Name it by its title, or by its folder in that of the search.',
);
export const nearNodes = message(
  'searches.near-nodes',
  'There is no node "{node}" in this search. Did you mean one of these? {nodes}',
);
export const severalNodes = message('searches.several-nodes', '"{node}" may be one of several. Name one of: {nodes}');
export const moreNodes = message(
  'searches.more-nodes',
  '"{node}" may be one of several. Name one of: {nodes}, and {more:number} more',
);
export const receiptOfEngine = message('searches.receipt.engine', 'By the engine, in call {call} to {model}.');
export const receiptOfAgent = message('searches.receipt.agent', 'By the agent {agent}, whose session file was found.');
export const cannotBeRead = message('searches.cannot-be-read', 'The search cannot be read.');
export const unknownCall = message('searches.unknown-call', 'There is no such call.');
export const otherFormat = message(
  'searches.other-format',
  'This is a search of kind "{kind}". Only others ({others}) are written as {format}; this one can be written as json.',
);

// A file that is kept true for other programs
export const notOurMirror = message(
  'searches.not-our-mirror',
  '{file} was not written for this search, so it stays as it is. Move it away, name another file, or import it.',
);
export const mirrorGone = message('searches.mirror-gone', 'It was removed, or somebody else made it meanwhile.');

// The line above a document

export const documentScore = message('searches.document-score', '{score} of 10');
export const documentCited = message('searches.document-cited', 'quotations {counts}');
export const documentParent = message('searches.document-parent', '↑ above:');
export const documentChildren = message('searches.document-children', '↓ below:');
export const documentMore = message('searches.document-more', 'and {count:number} more');

export const noState = message(
  'searches.work-no-state',
  'Work is done in a folder of your own, apart from the workspace, and there is none: your home folder cannot be written. Set XDG_STATE_HOME to one that can.',
);
export const heldBySandbox = message(
  'searches.work-held-by-sandbox',
  'They run in a sandbox ({sandbox}): they can write only to their own copy of the files, and cannot read your API keys or hidden files in your home folder.',
);
export const heldByNothing = message(
  'searches.work-held-by-nothing',
  'Nothing on this system can hold them: they run with your rights, and could read and change every file of yours. What they change in this folder is found afterwards and stops their part of the work. On Linux, installing bubblewrap holds them.',
);
export const withNetwork = message('searches.work-with-network', 'They may use the network.');
export const withoutNetwork = message('searches.work-without-network', 'They have no network.');
export const networkNotHeld = message('searches.work-network-not-held', 'Nothing keeps them from using the network.');
export const acceptInterrupted = message(
  'searches.work-accept-interrupted',
  'Accepting its work was interrupted, so your files may have a part of it. Accept its changes again, or undo accepting.',
);

// Prices

export const noPriceTable = message(
  'searches.no-price-table',
  "{from} is no table of prices that can be read: LiteLLM's model_prices_and_context_window.json can, and the api.json of models.dev.",
);
export const priceTableTooLarge = message(
  'searches.price-table-too-large',
  '{from} is too large for a table of prices.',
);
export const priceTableUnread = message('searches.price-table-unread', '{from} could not be read: {why}');
export const pricesNotKept = message(
  'searches.prices-not-kept',
  'The prices cannot be kept: there is no folder of yours that can be written. Set XDG_STATE_HOME to one.',
);
export const pricesAreOld = message(
  'searches.prices-are-old',
  'The prices of models are those of {date}, more than half a year ago. `thought-tree models --update-prices` takes newer ones.',
);

// The limits over everything

export const purseUnusable = message(
  'searches.purse-unusable',
  'What you spend on this computer is kept in {file}, which cannot be used: {why}. It may hold limits of yours, so no call is made; move it away to begin a new one.',
);
export const purseHeld = message(
  'searches.purse-held',
  'What you spend on this computer is kept in {file}, which another process has held for {seconds} seconds, so no call is made. If one of yours was suspended (Ctrl+Z), let it go on or end it, then try again.',
);
const USED =
  '{used:usd} is spent or booked, and the next call may cost {next:usd}. `thought-tree money` shows and changes your limits.';
export const purseOfDay = message(
  'searches.purse-of-day',
  `Your limit of {limit:exactUsd} a day, for everything on this computer, is reached: ${USED}`,
);
export const purseOfMonth = message(
  'searches.purse-of-month',
  `Your limit of {limit:exactUsd} a month, for everything on this computer, is reached: ${USED}`,
);
export const purseOfFolder = message(
  'searches.purse-of-folder',
  `Your limit of {limit:exactUsd} for this folder is reached: ${USED}`,
);
export const limitNeedsPrice = message(
  'searches.limit-needs-price',
  'Nobody knows what a call of {model} costs, so it cannot be held to a limit in dollars. Give its price, as in --price {model}=3,0.3,15, or name it without a limit.',
);
export const oneModelHere = message(
  'searches.one-model-here',
  'Several models cannot share the work here: leave out the option models.',
);
export const noPurse = message(
  'searches.no-purse',
  'Limits over all that you run on this computer are not heeded here: there is no folder of yours that can be written (set XDG_STATE_HOME to one), or this program has no database (node:sqlite). The limits of the search itself hold.',
);
export const purseUnpriced = message(
  'searches.purse-unpriced',
  'Nobody knows the price of {model}: your limits over everything on this computer count its calls only as far as its server says what they cost. --price gives it one.',
);
