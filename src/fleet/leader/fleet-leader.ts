import { randomUUID } from 'node:crypto';
import type { Message } from '../../core/messages/message.ts';
import type { Model } from '../../core/ports/model.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import type { JournalEvent } from '../../core/search/events.ts';
import { plannedSlots } from '../../core/search/search-file.ts';
import { readQueueAddress } from '../address.ts';
import { whyNoAgent } from '../agents.ts';
import * as say from '../messages.ts';
import { isMadeBy, queueOf } from '../names.ts';
import { openQueue } from '../open-queue.ts';
import {
  type Answer,
  type LeaderRegistration,
  PROTOCOL,
  type ServedModel,
  type WorkerRegistration,
} from '../protocol.ts';
import { type FleetQueue, type FleetRules, type Lead, type SeenRegistration, VERSION } from '../queue.ts';
import { type FleetModelOptions, fleetModel, makerOf } from './fleet-model.ts';
import { patiently, SentCalls } from './sent-calls.ts';
import { servedBy, shareOf } from './served.ts';
import type { CountedBefore } from './unclaimed-answers.ts';

/** The interval at which it shows its registration and reads those of others, in milliseconds. */
const CARDS_MS = 2000;

export interface LeaderOptions {
  readonly queue: FleetQueue;
  readonly title: string;
  /** The search's name in the queue; it is asked for once there is something to send. */
  readonly search: () => Promise<string>;
  /** The number of the lease by which this process may write the search; undefined if it has none any more. */
  readonly lease: () => Promise<number | undefined>;
  /** The key from which the tokens of its calls are made: the same after a restart. */
  readonly key: string;
  /** Tells the person something. */
  readonly notice: (what: Message) => void;
  /** Hears as which job a call goes out, before it does. */
  readonly onJob?: ((call: string, job: string) => Promise<void>) | undefined;
}

/** One search's side of a fleet: its models, and how many calls the fleet has room for. */
export class FleetLeader {
  readonly #options: LeaderOptions;
  readonly #id = randomUUID();
  readonly #models: FleetModelOptions[] = [];
  readonly #listeners = new Set<() => void>();
  readonly #doubts: Doubts;
  readonly #unserved: Unserved;
  #workers: readonly WorkerRegistration[] = [];
  /** Other searches that ask for the same models. */
  #others: readonly LeaderRegistration[] = [];
  #rules: FleetRules | undefined;
  #slots = 1;
  #isFinished = false;
  #hasMet = false;
  #takesBack = false;
  /** Aborted while it takes back: who waits for the database to send something waits no longer. */
  #pausing = new AbortController();
  #opened: Promise<{ search: string; key: string; sent: SentCalls }> | undefined;
  #sent: SentCalls | undefined;
  #search: string | undefined;
  #led: Lead | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  readonly #closed = new AbortController();
  #open = 0;
  /** By the models that count them. */
  readonly #unasked = new Map<string, (answer: Answer) => void>();
  /** The counts of earlier processes. */
  #before: CountedBefore | undefined;
  #isAway = false;

  constructor(options: LeaderOptions) {
    this.#options = options;
    this.#doubts = new Doubts(options.notice);
    this.#unserved = new Unserved(options.notice);
  }

  /** Returns a model of the fleet; to be closed, and the last one closes the queue. */
  model(options: FleetModelOptions): Model {
    this.#models.push(options);
    this.#slots = this.#count();
    this.#open++;
    let isOpen = true;
    return fleetModel(
      {
        queue: this.#options.queue,
        opened: (signal) => this.#begin(signal),
        pausing: () => this.#pausing.signal,
        workers: () => this.#workers,
        onAway: () => this.#away(),
        onJob: async (call, job) => await this.#options.onJob?.(call, job),
        onUnasked: (listener, before) => {
          this.#unasked.set(makerOf(options), listener);
          this.#before ??= before;
        },
        closed: async () => {
          if (isOpen && --this.#open === 0) await this.#close();
          isOpen = false;
        },
      },
      options,
    );
  }

  /** Resolves when each model has a worker, or after a while without one. From then on it reports models without a worker. */
  async meet(patienceMs: number): Promise<void> {
    const end = performance.now() + patienceMs;
    this.#timer ??= setInterval(() => this.#look(), CARDS_MS);
    for (;;) {
      this.#look();
      await this.#looking;
      if (this.#unserved.of(this.#models, this.#workers).length === 0 || performance.now() >= end) break;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    this.#hasMet = true;
    this.#unserved.tell(this.#models, this.#workers, true);
  }

  /** Hears what happens to the search: once it is finished, nobody waits for answers that come when it is closed. */
  hear({ type }: Pick<JournalEvent, 'type'>): void {
    if (type === 'search-finished') this.#isFinished = true;
    else if (type === 'search-resumed') {
      this.#isFinished = false;
      this.#takeBack(false);
    }
  }

  /** The search begins nothing more until it is resumed: calls that no worker has taken are withdrawn, and cost nothing. */
  takeBack(): void {
    this.#takeBack(true);
  }

  #takeBack(does: boolean): void {
    this.#takesBack = does;
    if (does) this.#pausing.abort();
    else this.#pausing = new AbortController();
    if (this.#sent) this.#sent.takesBack = does;
  }

  /** Calls that this search may have in the fleet at the same time; at least one may wait for a worker. */
  get slots(): number {
    return this.#slots;
  }

  /** By the registrations that were seen last: a search asks again and again, and there may be hundreds. */
  #count(): number {
    const queues = this.#models.map(({ name, origin }) => queueOf(name, origin));
    const ours = this.#workers.filter(({ models }) => models.some(({ queue }) => queues.includes(queue)));
    const all = ours.reduce((sum, { state, slots }) => sum + (state === 'working' ? slots : 0), 0);
    // A call that waits for a cap needs no slot: the nodes of those calls are chosen when they can be made.
    const usable = this.#models.reduce((sum, { name, origin }) => sum + this.#slotsOf(name, origin), 0);
    return shareOf(Math.min(all, usable), this.#id, this.#others) + this.#leaving(ours);
  }

  /** Calls of this search at workers that take nothing more: they are in nobody's way at the others. */
  #leaving(workers: readonly WorkerRegistration[]): number {
    const calls = workers.flatMap((worker) => (worker.state === 'working' ? [] : worker.calls));
    return this.#search === undefined ? 0 : calls.filter(({ search }) => search === this.#search).length;
  }

  /** The slots that a search plans with if it takes all of them, as things are now. */
  get planned(): number {
    return plannedSlots(this.slots);
  }

  onSlots(listener: () => void): void {
    this.#listeners.add(listener);
  }

  #slotsOf(name: string, origin: string | undefined): number {
    const { slots } = servedBy(this.#workers, queueOf(name, origin), undefined);
    const calls = this.#rules?.caps.find(({ model }) => model === name)?.calls;
    return Math.min(slots, calls ?? slots);
  }

  /** Opened for all who ask: that one of them is stopped does not concern the others. */
  async #begin(signal: AbortSignal): Promise<{ search: string; key: string; sent: SentCalls }> {
    this.#opened ??= this.#openSearch(this.#closed.signal).catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    const signals = [signal, this.#pausing.signal];
    let stop = (): void => undefined;
    const stopped = new Promise<never>((_, reject) => {
      stop = () => reject(new ThoughtTreeError('aborted', say.notTaken(), { charged: false }));
      if (signals.some(({ aborted }) => aborted)) stop();
      else for (const each of signals) each.addEventListener('abort', stop, { once: true });
    });
    return await Promise.race([this.#opened, stopped]).finally(() => {
      for (const each of signals) each.removeEventListener('abort', stop);
    });
  }

  async #openSearch(signal: AbortSignal): Promise<{ search: string; key: string; sent: SentCalls }> {
    const { queue, search: named, lease, key } = this.#options;
    const search = await named();
    const queues = this.#models.map(({ name, origin }) => queueOf(name, origin));
    // First its registration: what is deleted as nobody's is what no registration names.
    this.#search = search;
    const open = async (): Promise<void> => {
      await queue.register(this.#card()).catch(() => undefined);
      await this.#lead(search);
      await queue.openSearch(search, queues);
    };
    await patiently(signal, open, () => this.#away());
    const { epoch } = this.#led ?? {};
    const holds = async (): Promise<boolean> => (await lease()) === epoch;
    const notice = (what: Message): void => this.#doubts.tellOnce(what.key, what);
    const onUnasked = (answer: Answer): void => this.#countUnasked(answer);
    this.#sent = new SentCalls({ queue, search, key, holds, onUnasked, before: this.#before, notice });
    this.#sent.takesBack = this.#takesBack;
    return { search, key, sent: this.#sent };
  }

  /** By the model that made it; one that the search has no more is counted by the first. */
  #countUnasked(answer: Answer): void {
    const [first, ...others] = this.#unasked;
    const [, count] = others.find(([maker]) => isMadeBy(answer.id, maker)) ?? first ?? [];
    count?.(answer);
  }

  /**
   * First of all: a process that led the search before and still lives touches nothing of it from then on.
   * @throws ThoughtTreeError `lease-lost`
   */
  async #lead(search: string): Promise<void> {
    const { queue, lease } = this.#options;
    const epoch = await lease();
    const leads = async (lead: Lead): Promise<boolean> =>
      // A later one is known: it has taken the search from us, or else the search was put back to before it.
      (await queue.lead(lead)) || ((await lease()) === lead.epoch && (await queue.lead(lead, true)));
    if (epoch === undefined || !(await leads({ search, epoch })))
      throw new ThoughtTreeError('lease-lost', say.ledByAnother(), { charged: false });
    this.#led = { search, epoch };
  }

  /** One at a time: while the database is slow, nothing piles up. */
  #look(): void {
    this.#looking ??= this.#lookNow()
      .catch(() => this.#away())
      .finally(() => {
        this.#looking = undefined;
      });
  }

  #card(): LeaderRegistration {
    const title = this.#options.title.slice(0, 300);
    return {
      ...{ kind: 'leader', protocol: PROTOCOL, version: VERSION.program, id: this.#id, title },
      models: this.#models.map(({ name, origin }) => ({
        ...{ name, queue: queueOf(name, origin) },
        ...(origin !== undefined && { origin }),
      })),
      underWay: this.#sent?.underWay ?? 0,
      share: this.slots,
      ...(this.#search !== undefined && { search: this.#search }),
    };
  }

  async #lookNow(): Promise<void> {
    const { queue } = this.#options;
    // First: no registration keeps anybody from what the fleet's owner says.
    const rules = await queue.rules();
    await this.#reopen();
    await queue.register(this.#card());
    const before = this.slots;
    this.#rules = rules;
    const registrations = await queue.registrations();
    this.#workers = registrations.filter((each) => each.kind === 'worker');
    this.#doubts.tell(registrations, this.#models);
    this.#others = registrations.filter((each) => each.kind === 'leader').filter((each) => this.#asksForSame(each));
    this.#slots = this.#count();
    this.#isAway = false;
    if (this.#hasMet) this.#unserved.tell(this.#models, this.#workers);
    if (this.slots !== before) for (const listener of this.#listeners) listener();
  }

  #asksForSame({ id, models }: LeaderRegistration): boolean {
    const own = this.#models.map(({ name, origin }) => queueOf(name, origin));
    return id !== this.#id && models.some(({ name, origin }) => own.includes(queueOf(name, origin)));
  }

  /** A database that was away for long, or was made anew, may have no queue for our answers any more. */
  async #reopen(): Promise<void> {
    if (!this.#isAway || !this.#led) return;
    await this.#options.queue.lead(this.#led);
    const queues = this.#models.map(({ name, origin }) => queueOf(name, origin));
    await this.#options.queue.openSearch(this.#led.search, queues);
  }

  /** The database is away: said once, until it is there again. */
  #away(): void {
    if (this.#isAway) return;
    this.#isAway = true;
    this.#options.notice(say.queueAway());
  }

  async #close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closed.abort();
    await this.#looking;
    await this.#sent?.close();
    const opened = this.#isFinished ? await this.#opened?.catch(() => undefined) : undefined;
    if (opened) await this.#options.queue.closeSearch(opened.search).catch(() => undefined);
    await this.#options.queue.unregister(this.#id).catch(() => undefined);
    await this.#options.queue.close();
  }
}

/** A leader, and what must not be printed of the address of its queue. */
export interface OpenedLeader {
  readonly leader: FleetLeader;
  readonly secrets: readonly string[];
}

/**
 * Opens a search's side of a fleet, and says what is weak about its address.
 * @param address of the queue
 * @throws ThoughtTreeError `bad-input`, `unreachable`; `newer-version` if the fleet is of a newer version
 */
export async function openLeader(address: string, options: Omit<LeaderOptions, 'queue'>): Promise<OpenedLeader> {
  const at = readQueueAddress(address);
  for (const what of at.weak) options.notice(what);
  const queue = await raisedToOurVersion(await openQueue(at, true));
  void queue.tidy().catch(() => undefined);
  return { leader: new FleetLeader({ ...options, queue }), secrets: at.secrets };
}

/** The fleet follows the newest of its searches, so that workers can tell by themselves whether they are of use. */
async function raisedToOurVersion(queue: FleetQueue): Promise<FleetQueue> {
  const { protocol, program } = VERSION;
  const { version } = await queue.rules();
  if (version && version.protocol > protocol) {
    await queue.close();
    const theirs = { theirs: version.program, protocol: version.protocol };
    throw new ThoughtTreeError('newer-version', say.fleetIsNewer({ ...theirs, ours: program }));
  }
  // Whoever may not say so is no owner of the queue; its workers find out by their calls.
  if (version?.protocol !== protocol) await queue.setVersion(VERSION).catch(() => undefined);
  return queue;
}

/** Tells the person which models of a search have no worker: once, and once more when they have one. */
export class Unserved {
  readonly #notice: (what: Message) => void;
  readonly #told = new Set<string>();
  /** The queues that had no worker at the last look. */
  #missing: ReadonlySet<string> = new Set();

  constructor(notice: (what: Message) => void) {
    this.#notice = notice;
  }

  /** Those of the models that no worker takes calls for. */
  of(models: readonly FleetModelOptions[], workers: readonly WorkerRegistration[]): readonly FleetModelOptions[] {
    return models.filter(({ name, origin }) => servedBy(workers, queueOf(name, origin), undefined).slots === 0);
  }

  /**
   * Tells what has changed.
   * @param isSure whether one look is enough: after a time without the database, workers have to show themselves again
   */
  tell(models: readonly FleetModelOptions[], workers: readonly WorkerRegistration[], isSure = false): void {
    const unserved = this.of(models, workers);
    const missing = new Set(unserved.map(({ name, origin }) => queueOf(name, origin)));
    for (const { name, origin, agents } of unserved) {
      const queue = queueOf(name, origin);
      if (this.#told.has(queue) || !(isSure || this.#missing.has(queue))) continue;
      this.#told.add(queue);
      this.#notice(agents ? whyNoAgent(workers, agents, name) : say.noWorker({ model: name }));
    }
    for (const { name, origin } of models) {
      const queue = queueOf(name, origin);
      if (!missing.has(queue) && this.#told.delete(queue)) this.#notice(say.workerThere({ model: name }));
    }
    this.#missing = missing;
  }
}

/** The most workers of other versions of which a person is told. */
const MOST_TOLD = 20;
/** The ratio of two workers' prices from which on one of them is probably wrong: providers differ by less. */
const DISPUTED = 4;

/** Tells the person what is wrong with a fleet, each thing once. */
export class Doubts {
  readonly #notice: (what: Message) => void;
  readonly #told = new Set<string>();
  /** The workers of other versions of which it was told, by their ids. */
  readonly #others = new Set<string>();

  constructor(notice: (what: Message) => void) {
    this.#notice = notice;
  }

  /** Tells of workers of other versions, and of prices that differ where none is known. */
  tell(registrations: readonly SeenRegistration[], models: readonly FleetModelOptions[]): void {
    for (const card of registrations)
      if (card.kind === 'other' && card.of === 'worker') {
        const { id, host = '?', protocol } = card;
        this.#tellOfWorker(id, say.otherProtocol({ host, theirs: protocol, ours: PROTOCOL }));
      }
    for (const model of models) if (!model.agents) this.#tellOfModel(registrations, model);
  }

  /** @param key the same for two messages about the same thing, whatever their words */
  tellOnce(key: string, what: Message): void {
    if (this.#told.has(key)) return;
    this.#told.add(key);
    this.#notice(what);
  }

  #tellOfModel(registrations: readonly SeenRegistration[], { name, origin, price }: FleetModelOptions): void {
    const queue = queueOf(name, origin);
    const workers = registrations.filter((each) => each.kind === 'worker');
    const serving = workers.flatMap(({ models }) => models.filter((model) => model.queue === queue));
    if (!price && isDisputed(serving)) this.tellOnce(`price ${name}`, say.unknownPrice({ model: name }));
  }

  #tellOfWorker(id: string, what: Message): void {
    if (this.#others.has(id) || this.#others.size >= MOST_TOLD) return;
    this.#others.add(id);
    this.#notice(what);
  }
}

/** Tells whether the prices of workers differ so much that one of them is wrong. */
function isDisputed(models: readonly ServedModel[]): boolean {
  const answers = models.flatMap(({ price }) => price?.completion ?? []);
  return Math.max(...answers) > DISPUTED * Math.min(...answers);
}
