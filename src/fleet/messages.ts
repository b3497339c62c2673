import { message } from '../core/messages/message.ts';

export const tooLong = message(
  'fleet.too-long',
  'The request is too long for the queue, which carries at most {most:number} bytes.',
);

// The address of a queue

export const notAnAddress = message(
  'fleet.not-an-address',
  'The address of a queue looks like postgres://user@host:5432/database. Its password belongs into PGPASSWORD or ~/.pgpass.',
);
export const unknownSetting = message(
  'fleet.unknown-setting',
  'The address of a queue has no setting "{name}", only sslmode, sslrootcert, host and schema.',
);
export const socketNotAPath = message(
  'fleet.socket-not-a-path',
  'The setting "host" in the address of a queue is the folder of a socket, such as /run/postgresql.',
);
export const notASchema = message(
  'fleet.not-a-schema',
  'The setting "schema" in the address of a queue is a name of at most 40 small letters, digits and underscores, not beginning with a digit.',
);
export const unknownMode = message(
  'fleet.unknown-mode',
  'The setting "sslmode" in the address of a queue is one of {modes}.',
);
export const noCertificate = message('fleet.no-certificate', 'The certificate {file} cannot be read.');
export const notEncrypted = message(
  'fleet.not-encrypted',
  'The connection to {host} is not encrypted, because the address of the queue says so: anybody on the way can read and change prompts and answers.',
);
export const notChecked = message(
  'fleet.not-checked',
  "The server's certificate is not checked, because the address of the queue says so: anybody who can answer in the place of {host} can read and change prompts and answers.",
);
export const noQueue = message('fleet.no-queue', 'The queue at {address} cannot be used: {why}');
export const roleMayNot = message(
  'fleet.role-may-not',
  'The queue at {address} cannot be used by this role: {why}. Its owner makes the queue first, with thought-tree fleet --queue URL, and then gives the role its rights, as doc/fleet.md shows.',
);
export const unknownAuthority = message(
  'fleet.unknown-authority',
  'The certificate of the queue at {address} comes from an authority that is not known here: {why}. Name the file of its certificate in the address, as in ?sslrootcert=FILE.',
);
export const loginRefused = message(
  'fleet.login-refused',
  'The queue at {address} asks for a password, or refuses the one that it got.',
);

// Rules of a whole fleet

export const notTheOwner = message(
  'fleet.not-the-owner',
  'Only the owner of the queue may change what holds for its workers: use the role of the database that made it.',
);
export const fleetIsNewer = message(
  'fleet.is-newer',
  'The workers of this queue are of a newer version ({theirs}, protocol {protocol:number}) than this program ({ours}). Install that version here, or use another database for searches of this one.',
);

// The leader

export const answerTooLong = message(
  'fleet.answer-too-long',
  'A worker gave an answer that is longer than it was allowed to be. It is not used.',
);
export const workerGone = message(
  'fleet.worker-gone',
  'The worker that had the call is gone, or the queue lost the call.',
);
export const madeTooOften = message(
  'fleet.made-too-often',
  'More than {most:number} answers came to one call, each from another delivery of it. Either the database was put back to an earlier state again and again, or somebody who may write into it says so. All of them are counted. See to it, and resume.',
);
export const callTooLate = message(
  'fleet.call-too-late',
  'The worker that took the call gave no answer within {seconds:number} s.',
);
export const stopped = message('fleet.stopped', 'The call was stopped.');
export const notTaken = message('fleet.not-taken', 'The call was withdrawn before any worker took it.');
export const noWorker = message(
  'fleet.no-worker',
  'No worker of the fleet serves {model} now. Its calls wait until one does: start it with thought-tree worker.',
);
export const workerThere = message(
  'fleet.worker-there',
  'A worker of the fleet serves {model} now. Calls that wait are made.',
);
export const workerIsForeign = message(
  'fleet.worker-is-foreign',
  'The searches of this queue are of version {theirs} (protocol {protocol:number}), and this worker is of {ours}: it would get no calls. Install version {theirs} here, and start it again.',
);
export const otherProtocol = message(
  'fleet.other-protocol',
  'A worker on {host} is of another version ({theirs:number} instead of {ours:number}) and gets no calls. Install the same version there.',
);
export const queueAway = message(
  'fleet.queue-away',
  'The queue cannot be reached. Calls wait, and go on once it is there again.',
);
export const beyondQueue = message('fleet.beyond-queue', 'The answer is too long for the queue.');
export const answerTooLarge = message(
  'fleet.answer-too-large',
  'Somebody put an answer into the queue that is larger than any may be. It was not read, and is deleted.',
);
export const answersUnread = message(
  'fleet.answers-unread',
  'The answers of workers cannot be read from the queue: {why}. The search tries again, and calls whose time is over are counted.',
);
export const unknownPrice = message(
  'fleet.unknown-price',
  'The price of {model} is unknown, and workers report different ones. The highest counts: set it with --price.',
);

// The worker

export const ledByAnother = message('fleet.led-by-another', 'Another process leads this search by now.');
export const tookTooLong = message('fleet.took-too-long', 'The call took longer than it may.');
export const workerStopped = message('fleet.worker-stopped', 'The worker was stopped in the middle of the call.');
export const capReached = message('fleet.cap-reached', 'The worker has reached its cap of the day.');
export const notServed = message(
  'fleet.not-served',
  'This worker cannot serve {model}: only models behind a server can be served, with a key where they need one.',
);

// Agents, which work in a folder

export const noAgentFolder = message('fleet.no-agent-folder', '{folder} is no folder in which agents could work.');
export const noAgents = message(
  'fleet.no-agents',
  '{model} is an agent and works in {folder}, and no worker of the fleet runs agents. Its calls wait until one does: start it yourself on this computer, with thought-tree worker --agents {folder}.',
);
export const agentsElsewhere = message(
  'fleet.agents-elsewhere',
  '{model} is an agent and works in {folder}. Workers of the fleet run agents, but on other computers or for other users, which do not have that folder. Its calls wait until one does: start it yourself on this computer, with thought-tree worker --agents {folder}.',
);
export const agentsForOtherFolders = message(
  'fleet.agents-for-other-folders',
  '{model} is an agent and works in {folder}. Your workers on this computer run agents for other folders. Its calls wait until one does for this one: start it with thought-tree worker --agents {folder}.',
);
export const agentNotServed = message(
  'fleet.agent-not-served',
  'A worker of yours runs agents in {folder}, but not {model}: it was started for others, or says where it runs why not. Calls wait until one does: thought-tree worker --agents {folder} --model {model}.',
);
export const agentWorkersRest = message(
  'fleet.agent-workers-rest',
  'The workers that run agents in {folder} take no calls now: they are about to end, or have reached their cap of the day. Calls for {model} wait until one does.',
);
export const agentOnlyInFolder = message(
  'fleet.agent-only-in-folder',
  '{model} works for a fleet in the folder that is searched alone, and this has to be done elsewhere.',
);
export const agentNeedsFolder = message(
  'fleet.agent-needs-folder',
  '{model} is an agent: name the folder in which it may work with --agents FOLDER. It then works there for your own searches on this computer.',
);
export const agentOfOthers = message(
  'fleet.agent-of-others',
  'This worker runs agents for searches of its own user on its own computer alone, in the folder that it was started for.',
);
export const agentTwice = message('fleet.agent-twice', 'This call was carried out already.');
export const agentFolderGone = message(
  'fleet.agent-folder-gone',
  'The folder in which this worker runs agents is gone, or another one has taken its place. Start the worker again.',
);
