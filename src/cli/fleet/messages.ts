import { counted, message } from '../../core/messages/message.ts';

export const fleetNeedsQueue = message(
  'cli.fleet-needs-queue',
  '--concurrency fleet follows the workers of a fleet: name its queue with --queue or THOUGHT_TREE_QUEUE.',
);
export const fleetNeedsState = message(
  'cli.fleet-needs-state',
  'A fleet needs a folder of your own for its key, and there is none. Set XDG_STATE_HOME to one that only you can write.',
);
export const rightsOfWorkers = message(
  'cli.rights-of-workers',
  '--allow-tool says nothing to the workers of a fleet: give it to the worker that you start with --agents.',
);
export const toolsNeedAgents = message(
  'cli.tools-need-agents',
  '--allow-tool is for agents: name the folder in which they may work with --agents FOLDER.',
);
export const workerRunsAgents = message(
  'cli.worker-runs-agents',
  'Runs agents in {folder} for your own searches on this computer. They read it by themselves, secrets in its files too, and may use nothing else.',
);
export const workerAllowsAgents = message(
  'cli.worker-allows-agents',
  'Runs agents in {folder} for your own searches on this computer. They read it by themselves, secrets in its files too, and may use {tools}.',
);
export const agentNotOpened = message('cli.agent-not-opened', 'A search asks for {model}, which cannot be run: {why}');
export const runsAgents = message('cli.runs-agents', 'runs agents in a folder of its computer');
export const agentUnserved = message(
  'cli.agent-unserved',
  'No worker runs {model} for "{title}": only one that the same user starts on the same computer with --agents for its folder does.',
);
export const passwordSeen = message(
  'cli.password-seen',
  'Everybody on this computer can see the password in --queue. Give the address in THOUGHT_TREE_QUEUE, or the password in PGPASSWORD or ~/.pgpass.',
);
export const queueNeeded = message(
  'cli.queue-needed',
  'Name the queue with --queue or THOUGHT_TREE_QUEUE, as in postgres://user@host/database.',
);
export const priceOfOne = message(
  'cli.price-of-one',
  '--price is of one model: name it with --model. Start another worker for models of other prices.',
);
export const workerTakes = message(
  'cli.worker-takes',
  'Takes calls for {models} from {address}. Ctrl-C finishes those under way and ends.',
);
export const workerTakesWanted = message(
  'cli.worker-takes-wanted',
  'Takes calls for every model that it has a key for from {address}. Ctrl-C finishes those under way and ends.',
);
export const drains = counted(
  'cli.worker-drains',
  'Finishes 1 call and ends. Ctrl-C again gives it back as failed.',
  'Finishes {count:number} calls and ends. Ctrl-C again gives them back as failed.',
);
export const leaves = message('cli.worker-leaves', 'Says goodbye to the queue and ends.');
export const givesBack = counted(
  'cli.worker-gives-back',
  'Gives back 1 call as failed. Ctrl-C again ends at once.',
  'Gives back {count:number} calls as failed. Ctrl-C again ends at once.',
);
export const leavesStill = message(
  'cli.worker-leaves-still',
  'Still says goodbye to the queue. Ctrl-C again ends at once.',
);
export const capped = message(
  'cli.worker-capped',
  'The cap of the day is reached: it takes no more calls until tomorrow (UTC). Raise --max-usd or --max-tokens to go on.',
);
export const works = message('cli.worker-works', 'It takes calls again.');
export const queueAway = message(
  'cli.worker-queue-away',
  'The queue cannot be reached. Tries again until it is there.',
);
export const queueBack = message('cli.worker-queue-back', 'The queue is there again.');
export const noWorkers = message('cli.no-workers', 'No worker is there. Start one with thought-tree worker.');
export const slotsBusy = message('cli.slots-busy', '{busy:number} of {slots:number} slots busy');
export const spentToday = message('cli.spent-today', 'today {tokens} tokens, {usd}');
export const isDraining = message('cli.worker-is-draining', 'finishes its calls');
export const isCapped = message('cli.worker-is-capped', 'has reached its cap of the day');
export const callsWait = counted('cli.calls-wait', '1 call waits for {model}', '{count:number} calls wait for {model}');
export const searchHas = counted(
  'cli.search-has',
  '"{title}" waits for 1 answer',
  '"{title}" waits for {count:number} answers',
);
export const capHow = message(
  'cli.cap-how',
  'A cap names a model and what is capped: --cap PROVIDER/MODEL with --calls N, --usd-a-minute DOLLARS, or both. --uncap PROVIDER/MODEL removes it.',
);
export const capOfCalls = counted(
  'cli.cap-of-calls',
  '{model} has a cap of 1 call at the same time; {underWay:number} now',
  '{model} has a cap of {count:number} calls at the same time; {underWay:number} now',
);
export const capOfMoney = message('cli.cap-of-money', '{model} has a cap of {usd} a minute; {spent} in the last one');
export const otherWorker = message(
  'cli.other-worker',
  'A worker on {host} is of another version ({version}, protocol {protocol:number}) and gets no calls.',
);
export const otherSearch = message(
  'cli.other-search',
  'A search of another version ({version}, protocol {protocol:number}) uses this queue; these workers do not serve it.',
);
