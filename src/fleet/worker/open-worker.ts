import { randomUUID } from 'node:crypto';
import type { Message } from '../../core/messages/message.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { isAgent } from '../../models/agents/agent.ts';
import { readQueueAddress } from '../address.ts';
import type { AgentPlace } from '../agents.ts';
import * as say from '../messages.ts';
import { openQueue } from '../open-queue.ts';
import { type FleetQueue, type FleetVersion, VERSION } from '../queue.ts';
import { type MayServe, type OpenOwnModel, ServedModels } from './calls.ts';
import { FleetWorker, type WorkerOptions } from './fleet-worker.ts';
import { type DayCaps, SpentToday } from './spent-today.ts';

export interface OpenWorkerOptions extends Pick<WorkerOptions, 'slots' | 'agents' | 'purse' | 'onCall' | 'onState'> {
  /** Of the queue. */
  readonly address: string;
  /** The models that it serves; none for whatever is asked for. */
  readonly models: readonly string[];
  readonly open: OpenOwnModel;
  readonly caps: DayCaps;
  /** Where it keeps what it spent; undefined if nowhere. */
  readonly folder: string | undefined;
  readonly notice: (what: Message) => void;
  /** Told why it has to end, if the fleet has become one of another version. */
  readonly onForeign: (why: ThoughtTreeError) => void;
}

/** A worker that takes calls, and the address of its queue without a password. */
export interface OpenedWorker {
  readonly worker: FleetWorker;
  readonly shown: string;
  close(): Promise<void>;
}

/**
 * Opens a worker, which then takes calls.
 * @throws ThoughtTreeError `bad-input`, `unreachable`; `newer-version` if the fleet is of another version
 */
export async function openWorker(options: OpenWorkerOptions): Promise<OpenedWorker> {
  const { address, models: names, open, caps, folder, notice, onForeign, ...more } = options;
  const at = readQueueAddress(address);
  for (const what of at.weak) notice(what);
  const models = new ServedModels(open);
  for (const name of names)
    if (!(await models.add(name))) {
      const why = isAgent(name) ? say.agentNeedsFolder({ model: name }) : say.notServed({ model: name });
      throw new ThoughtTreeError('bad-input', why);
    }
  const queue = await ofOurVersion(await openQueue(at, false));
  const id = randomUUID();
  const spent = new SpentToday(folder, id, caps);
  const worker = new FleetWorker({
    ...{ ...more, queue, id, version: VERSION.program, models, mayServe: mayServe(names, more.agents), spent },
    onForeign: (fleet) => onForeign(foreign(fleet)),
  });
  const close = async (): Promise<void> => {
    await models.close();
    await queue.close();
  };
  await worker.start();
  return { worker, shown: at.shown, close };
}

/** Serves what leaders ask for where this person named none of its kind; agents only for the folder given to them. */
function mayServe(names: readonly string[], agents: AgentPlace | undefined): MayServe {
  const namesAgents = names.some(isAgent);
  return (name, origin) => (isAgent(name) ? !namesAgents && agents?.origin(name) === origin : names.length === 0);
}

async function ofOurVersion(queue: FleetQueue): Promise<FleetQueue> {
  const { version } = await queue.rules();
  if (!version || version.protocol === VERSION.protocol) return queue;
  await queue.close();
  throw foreign(version);
}

function foreign({ protocol, program }: FleetVersion): ThoughtTreeError {
  return new ThoughtTreeError(
    'newer-version',
    say.workerIsForeign({ theirs: program, protocol, ours: VERSION.program }),
  );
}
