import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from '../core/messages/message.ts';
import { isThoughtTreeError } from '../core/search/errors.ts';
import { isAgent } from '../models/agents/agent.ts';
import { readQueueAddress } from './address.ts';
import { queueOf } from './names.ts';
import { openQueue } from './open-queue.ts';
import type { LeaderRegistration, OtherRegistration, WorkerRegistration } from './protocol.ts';
import { type FleetQueue, ModelCap, type SeenRegistration } from './queue.ts';

export interface FleetView {
  readonly workers: readonly (SeenRegistration & WorkerRegistration)[];
  readonly searches: readonly (SeenRegistration & LeaderRegistration)[];
  /** The models that somebody serves or asks for, and how many calls wait for each. */
  readonly models: readonly { readonly name: string; readonly waiting: number }[];
  /** Agents that searches ask for and nobody runs where they have to work, with the searches' titles. */
  readonly unserved: readonly { readonly model: string; readonly title: string }[];
  readonly caps: readonly ViewedCap[];
  /** Workers and searches of other versions, which have no part in it. */
  readonly others: readonly OtherRegistration[];
}

/** A cap of the fleet's owner, and what counts towards it now. */
interface ViewedCap extends ModelCap {
  readonly underWay: number;
  /** Dollars. */
  readonly spent: number;
}

/** Returns the state of a fleet at this moment, by its open queue. */
export async function lookAtFleet(
  queue: Pick<FleetQueue, 'registrations' | 'waiting' | 'rules' | 'counted'>,
): Promise<FleetView> {
  const registrations = await queue.registrations();
  const workers = registrations.filter((card) => card.kind === 'worker');
  const searches = registrations.filter((card) => card.kind === 'leader');
  const others = registrations.filter((card) => card.kind === 'other');
  const caps: ViewedCap[] = [];
  for (const cap of (await queue.rules()).caps) {
    const { calls, usd } = await queue.counted(cap);
    caps.push({ ...cap, underWay: calls, spent: usd });
  }
  const served = new Set(workers.flatMap(({ models }) => models.map(({ queue: of }) => of)));
  const unserved = searches.flatMap(({ title, models }) =>
    models
      .filter(({ name, origin }) => isAgent(name) && !served.has(queueOf(name, origin)))
      .map(({ name }) => ({ model: name, title })),
  );
  const names = new Map<string, string>();
  for (const model of workers.flatMap(({ models }) => models)) names.set(model.queue, model.name);
  for (const { name, origin } of searches.flatMap(({ models }) => models)) names.set(queueOf(name, origin), name);
  const waiting = await queue.waiting([...names.keys()]);
  const models = [...names].map(([key, name]) => ({ name, waiting: waiting.get(key) ?? 0 }));
  return { workers, searches, models, unserved, caps, others };
}

/**
 * Looks at the fleet of a queue, and deletes what nobody needs any more: searches that would may be gone.
 * @throws ThoughtTreeError `bad-input`, `unreachable`, `key-refused`
 */
export async function viewFleet(address: string, notice: (what: Message) => void): Promise<FleetView> {
  const at = readQueueAddress(address);
  for (const what of at.weak) notice(what);
  const queue = await openQueue(at, false);
  try {
    const view = await lookAtFleet(queue);
    await queue.tidy().catch(() => undefined);
    return view;
  } finally {
    await queue.close();
  }
}

/** The interval of its looks, in milliseconds: as often as registrations are shown. */
const LOOK_MS = 2000;
/** The time for which it leaves a database alone that did not let it in, in milliseconds. */
const REFUSED_MS = 20_000;

interface WatchOptions {
  /** Opens the queue. */
  readonly open: () => Promise<FleetQueue>;
  readonly onView: (view: FleetView) => void;
  /** The queue cannot be reached at this moment. */
  readonly onAway: (error: unknown) => void;
}

/** Opens a queue only to look at it. */
export async function openToLook(address: string): Promise<FleetQueue> {
  return await openQueue(readQueueAddress(address), false);
}

/** Looks at a fleet again and again, by one open queue, until it is closed; opens it anew where that failed. */
export class FleetWatch {
  readonly #options: WatchOptions;
  readonly #over = new AbortController();
  readonly #work: Promise<void>;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#work = this.#watch();
  }

  async #watch(): Promise<void> {
    const { onAway, open } = this.#options;
    while (!this.#over.signal.aborted) {
      try {
        const queue = await open();
        try {
          await this.#lookAt(queue);
        } finally {
          await queue.close();
        }
      } catch (error) {
        if (!this.#over.signal.aborted) onAway(error);
        await this.#rest(isThoughtTreeError(error, 'key-refused') ? REFUSED_MS : LOOK_MS);
      }
    }
  }

  async #lookAt(queue: FleetQueue): Promise<void> {
    for (;;) {
      const view = await lookAtFleet(queue);
      if (this.#over.signal.aborted) return;
      this.#options.onView(view);
      await this.#rest(LOOK_MS);
      if (this.#over.signal.aborted) return;
    }
  }

  async #rest(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#over.signal }).catch(() => undefined);
  }

  /** Resolves when the queue is closed. */
  async close(): Promise<void> {
    this.#over.abort();
    await this.#work;
  }
}

/**
 * Sets what all workers of a queue together may do with a model. What is not given stays as it was; without anything, all
 * is removed.
 * @throws ThoughtTreeError `bad-input`, `unreachable`; `declined` for whoever is not the owner of the queue
 */
export async function setCap(address: string, cap: ModelCap, notice: (what: Message) => void): Promise<void> {
  const at = readQueueAddress(address);
  for (const what of at.weak) notice(what);
  const queue = await openQueue(at, false);
  try {
    const isRemoval = cap.calls === undefined && cap.usdAMinute === undefined;
    const { caps } = await queue.rules();
    const before = isRemoval ? undefined : caps.find(({ model }) => model === cap.model);
    await queue.setCap(ModelCap.parse({ ...before, ...cap }));
  } finally {
    await queue.close();
  }
}
