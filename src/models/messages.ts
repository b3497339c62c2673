import { message } from '../core/messages/message.ts';

// Choosing a model

export const noModel = message('models.no-model', 'There is no model "{name}". Name one as in {examples}.');
export const noWorkspaceModel = message(
  'models.no-workspace-model',
  'There is no model "workspace/{model}". Use workspace/quotes.',
);
export const keyNeeded = message(
  'models.key-needed',
  'The models of {provider}/… need a key. Set {variable} to yours.',
);
export const googleName = message(
  'models.google-name',
  'The name of a model of Google looks like google/gemini-2.5-flash.',
);
export const baseUrlNeeded = message(
  'models.base-url-needed',
  'The model needs the base URL of a server. Set it with --base-url or THOUGHT_TREE_BASE_URL, as in http://127.0.0.1:8080/v1.',
);
export const baseUrlScheme = message(
  'models.base-url-scheme',
  'The base URL must begin with http:// or https://. Set it with --base-url or THOUGHT_TREE_BASE_URL, as in http://127.0.0.1:8080/v1.',
);
export const baseUrlPassword = message(
  'models.base-url-password',
  'The base URL must not hold a user name or password. Give the key as THOUGHT_TREE_API_KEY.',
);
export const noTime = message('models.no-time', 'The time for a call (--timeout) must be more than 0.');
export const oddKey = message('models.odd-key', 'The API key holds characters that no key has. Check {variable}.');
export const noList = message('models.no-list', '{url} sent no list of models.');

// Words and acts of a server. What happened, then what to do: each a message of its own.

export const happened = message('models.happened', '{what}. {advice}');
export const happenedSaying = message('models.happened-saying', '{what}: {said} {advice}');

export const rateLimited = message(
  'models.rate-limited',
  '{model} at {server} cannot take more requests now ({where})',
);
export const quotaExceeded = message(
  'models.quota-exceeded',
  '{model} at {server} says that the quota is used up ({where})',
);
export const keyRefused = message('models.key-refused', '{model} at {server} does not accept the key ({where})');
export const unknownModel = message(
  'models.unknown-model',
  '{model} at {server} has no such model or address ({where})',
);
export const requestRefused = message('models.bad-request', '{model} at {server} refused the request ({where})');
export const failed = message('models.failed', '{model} at {server} failed ({where})');
export const status = message('models.status', 'HTTP {status}');
export const withinAnswer = message('models.within-answer', 'in the middle of an answer');

export const brokenOff = message('models.broken-off', 'The answer of {model} broke off before its end ({why})');
export const noEnd = message('models.no-end', 'no end');
export const noFinishReason = message('models.no-finish-reason', 'no finish reason');
export const lineNotJson = message('models.line-not-json', 'a line that is not JSON');
export const eventNotJson = message('models.event-not-json', 'an event that is not JSON');
export const secondRequest = message('models.second-request', 'it would need a second request');
export const unreachable = message('models.unreachable', '{server} cannot be reached ({why})');
export const unknownEvent = message(
  'models.unknown-event',
  '{model} at {server} answered in a form that is not known here',
);
export const answerTooLong = message(
  'models.answer-too-long',
  'The answer of {model} was longer than anything useful, and was stopped',
);
export const tooLate = message('models.too-late', '{model} at {server} did not end its answer within {seconds} s');
export const sentElse = message('models.sent-else', '{server} sent {what} instead of an answer');
export const webPage = message('models.web-page', 'a web page');
export const redirects = message(
  'models.redirects',
  '{server} redirects (HTTP {status}), which is not followed, to keep the key safe',
);
export const redirectsTo = message(
  'models.redirects-to',
  '{server} redirects to {target} (HTTP {status}), which is not followed, to keep the key safe',
);

export const tryLater = message('models.try-later', 'Try again later.');
export const waitALittle = message('models.wait-a-little', 'Wait a little, or lower the concurrency.');
export const addCredit = message('models.add-credit', 'Add credit there or raise the limit, or choose another model.');
export const checkName = message(
  'models.check-name',
  "Check the model's name, and whether the base URL is the one in the server's manual (often …/v1).",
);
export const checkBaseUrl = message(
  'models.check-base-url',
  "Check whether the base URL is the one in the server's manual (often …/v1).",
);
export const checkRequest = message(
  'models.check-request',
  'Check that the model accepts requests of this kind and length.',
);
export const conversationTooLong = message(
  'models.conversation-too-long',
  'The conversation is too long for this model: choose one with a longer context, or a smaller depth; `--thinking 0` leaves out the room for its reasoning.',
);
export const askedOtherwise = message('models.asked-otherwise', 'It is asked in another form from now on.');
export const setKey = message('models.set-key', 'Set {variable} to a key of this server.');
export const checkServer = message('models.check-server', 'Check that the server runs, its address, and the network.');
export const checkProxy = message(
  'models.check-proxy',
  'Check that the server runs, its address, and the proxy {host}, which {variable} names.',
);
export const proxyNotUsed = message(
  'models.proxy-not-used',
  'Check that the server runs, and its address. The proxy {host}, which {variable} names, is used with Node 22.21 or 24.5 and later only.',
);
export const trustCertificate = message(
  'models.trust-certificate',
  'If you trust it, name the file with the certificate of its authority in NODE_EXTRA_CA_CERTS.',
);
export const tryAnother = message('models.try-another', 'Try again, or choose another model.');
export const allowMoreTime = message('models.allow-more-time', 'Try again, or allow more time with --timeout.');
export const trustAddress = message('models.trust-address', 'If you trust that address, use it as the base URL.');
export const pullModel = message('models.pull-model', 'Get it with: ollama pull {model}');

export const stoppedBefore = message('models.stopped-before', 'The request was stopped before it was sent.');
export const stoppedWithin = message('models.stopped-within', 'The request was stopped before its answer ended.');
export const callStopped = message('models.call-stopped', 'The call was stopped.');

// Agents

export const agentSaid = message('models.agent-said', '{agent}: {said}');
export const agentSaidAdvice = message('models.agent-said-advice', '{agent}: {said} {advice}');
export const noAnswer = message('models.no-answer', 'It ended without an answer.');
export const signIn = message('models.sign-in', 'Sign in with "claude", or set ANTHROPIC_API_KEY.');
export const claudeName = message('models.claude-name', 'Name a model that Claude Code knows, as in claude/sonnet.');
export const noSession = message('models.no-session', 'The session {id} is not on this machine.');
export const noSdkThere = message(
  'models.no-sdk-there',
  'There is no Claude Agent SDK in {folder} ({variable}). {how}',
);
export const noSdk = message('models.no-sdk', 'The Claude Agent SDK is not installed. {how}');
export const howToInstallSdk = message(
  'models.how-to-install-sdk',
  'Install it with "npm install -g {package}" (370 MB, under its own licence), or name its folder in {variable}. Then sign in with "claude" or set ANTHROPIC_API_KEY.',
);
export const sdkInWorkspace = message(
  'models.sdk-in-workspace',
  'The Claude Agent SDK in {folder} may have come with this workspace, and is not run unasked. To run it, set {variable}={folder}',
);
export const sdkNotLoaded = message('models.sdk-not-loaded', 'The Claude Agent SDK cannot be loaded: {why}');

export const agentUses = message('models.agent-uses', '{agent}: {what}');
export const acpSignIn = message('models.acp-sign-in', 'Sign in with its own program first.');
export const noAcpAgent = message(
  'models.no-acp-agent',
  'No agent is known as "{name}". Known are {known}; others are named in agents.json in your state folder.',
);
export const noAcpProgram = message(
  'models.no-acp-program',
  'The program "{program}" of acp/{name} is not installed, or is in this workspace, from which no agent is started.',
);
export const acpNotHere = message('models.acp-not-here', 'acp/{name} cannot be started here.');
export const acpNotAgreed = message(
  'models.acp-not-agreed',
  'acp/{name} would start {path}, version {version}, to which you have not agreed. Start it once in a terminal or in the editor, where you are asked.',
);
export const acpNotHeld = message(
  'models.acp-not-held',
  'Nothing here would hold {model} in its folder: that takes bubblewrap on Linux, or macOS. It is not started by trust.',
);
export const acpMayPass = message(
  'models.acp-may-pass',
  '{model} says what a call costs only while it works: it is stopped at the first report over {usd:usd}, and may pass that by one step. If it reports nothing, only calls, tokens and minutes limit it.',
);
export const acpReportsNothing = message(
  'models.acp-reports-nothing',
  '{model} reports no costs: only the limits of calls, tokens and minutes hold.',
);

// Quotes

export const searchFailed = message('models.search-failed', 'Searching the workspace failed: {why}');

// Recordings

export const noRecording = message('models.no-recording', 'There is no recording {file}.');
export const recordingTooLarge = message('models.recording-too-large', 'The recording {file} is too large to be read.');
export const recordingWithoutEnd = message('models.recording-without-end', 'The recording {file} has an endless line.');
export const newerRecording = message(
  'models.newer-recording',
  '{file} was recorded by a newer version. Update Thought Tree.',
);
export const recordingOfOlderWords = message(
  'models.recording-of-older-words',
  '{file} answers the prompts of an earlier version of Thought Tree, which asks in other words now. Record it again with --record.',
);
export const damagedRecording = message('models.damaged-recording', 'The recording {file}, line {line}, {what}.');
export const tooManyLines = message('models.too-many-lines', 'has too many lines');
export const beginsOtherwise = message('models.begins-otherwise', 'does not begin like a recording');
export const notALine = message('models.not-a-line', 'is not a line of a recording');
export const emptyRecording = message('models.empty-recording', 'is empty');
export const unknownText = message('models.unknown-text', 'refers to a text {id} that no earlier line has');
export const recordingExists = message(
  'models.recording-exists',
  'There is a file {file} already. Record into another one, or remove it.',
);
export const recordingNotWritten = message(
  'models.recording-not-written',
  'The recording {file} cannot be written: {why}',
);
export const notRecorded = message(
  'models.not-recorded',
  '{file} holds no answer to this request ({purpose} for {node}). {nearest} Use the question, the options and the prompts of the recorded search, or record a new one with --record.',
);
export const neverAsked = message(
  'models.never-asked',
  '{file} holds no answer to this request. {what} Record a search that asks it with --record, or use one of its strategies.',
);
export const nearestRecorded = message(
  'models.nearest-recorded',
  'The nearest one was for {node}; it differs from {where} on.',
);
export const nothingRecorded = message('models.nothing-recorded', 'Nothing was recorded for {purpose} at all.');
export const searchItself = message('models.search-itself', 'the search itself');
export const quotedNode = message('models.quoted-node', '"{node}"');
export const systemText = message('models.system-text', 'the system text');
export const promptText = message('models.prompt-text', 'the prompt');
export const turnText = message('models.turn-text', 'turn {number} ({role})');
export const itsBeginning = message('models.its-beginning', 'its beginning');

// Reading a workspace

export const indexing = message('models.indexing', 'Indexing: {done:number} of {files:number} files.');
