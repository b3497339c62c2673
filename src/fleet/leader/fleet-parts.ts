import type { MadeBefore, Price } from '../../core/ports/model.ts';
import type { AgentPlace } from '../agents/agent-place.ts';
import { queueOf } from '../names.ts';
import type { Answer, WorkerCard } from '../protocol.ts';
import type { FleetQueue } from '../queue.ts';
import type { SentCalls } from './sent-calls.ts';

export interface FleetParts {
  readonly queue: FleetQueue;
  /** The search's name in the queue and its calls there, once the search is on disk. */
  readonly opened: (signal: AbortSignal) => Promise<{ search: string; key: string; sent: SentCalls }>;
  /** Aborted while the search pauses: what is not sent by then is not sent at all. */
  readonly pausing: () => AbortSignal;
  readonly workers: () => readonly WorkerCard[];
  readonly onAway: (error: unknown) => void;
  /** Calls the listener with a second answer to a call of this model's queue. */
  readonly onUnasked: (listener: (answer: Answer) => void, before: MadeBefore) => void;
  readonly closed: () => Promise<void>;
}

export interface FleetModelOptions {
  readonly name: string;
  /** Of a server of one's own. */
  readonly origin: string | undefined;
  /** Its lowest price, as far as this person knows. */
  readonly price: Price | undefined;
  /** The longest that a call may take once it is taken. */
  readonly seconds: number;
  /** Of an agent: where it has to work. `origin` names it. */
  readonly agents?: AgentPlace | undefined;
}

/**
 * Returns a name that tells a model's calls from those of others. One of the same name at another server is another
 * model; an agent is the same in whatever place, which has another name after a restart of the computer.
 */
export function makerOf({ name, origin, agents }: Pick<FleetModelOptions, 'name' | 'origin' | 'agents'>): string {
  return queueOf(name, agents ? undefined : origin);
}
