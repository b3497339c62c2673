import { hostname } from 'node:os';
import { kept } from '../../core/messages/message.ts';
import type { AgentPlace } from '../agents.ts';
import * as say from '../messages.ts';
import { type Call, PROTOCOL, type Result, type WorkerRegistration } from '../protocol.ts';
import { type FleetQueue, type FleetVersion, insistently, type ModelCap, pack } from '../queue.ts';
import type { MayServe, OwnModel, ServedModels } from './calls.ts';
import { type AdmittedCall, CallUnderWay, carryOut, takeCalls, type WorkerPurse } from './calls.ts';
import type { Amount, SpentToday } from './spent-today.ts';

/** The interval of its looks for calls, where nothing is heard of any, in milliseconds. */
const TAKE_MS = 1000;
/** The interval at which it says that it lives, and asks which calls were withdrawn, in milliseconds. */
const BEAT_MS = 1000;
/** The delays after which an unanswered sign of life is sent again, in milliseconds: a worker silent for ten seconds is gone. */
const BEATS_MS = [0, 2500, 5000];
const CARD_MS = 2000;
/** By then, every worker has said again which calls with a cap are under way. */
const SETTLING_MS = 3 * BEAT_MS;
/** Failures for which it leaves a model's calls to others for a while. */
const BROKEN: ReadonlySet<string> = new Set([
  'unreachable',
  'key-refused',
  'quota-exceeded',
  'unknown-model',
  'redirected',
]);

export interface WorkerOptions {
  readonly queue: FleetQueue;
  readonly id: string;
  readonly version: string;
  readonly slots: number;
  readonly models: ServedModels;
  /** Tells whether it also serves a model that nobody named, as leaders ask for it. */
  readonly mayServe: MayServe;
  /** Where it runs agents, if it does. */
  readonly agents?: AgentPlace | undefined;
  readonly spent: SpentToday;
  readonly purse?: WorkerPurse | undefined;
  /** Tells the person about a call that ended. */
  readonly onCall?: (call: Call, result: Result, ms: number) => void;
  /** Tells them that the state changed. */
  readonly onState?: (state: WorkerRegistration['state'] | 'away' | 'back') => void;
  /** Tells them that the fleet has become one of another version, for which this worker is of no use. */
  readonly onForeign?: (fleet: FleetVersion) => void;
}

/** Takes calls from the queue and carries them out with its own keys. It never sees a tree, and keeps nothing but its spend. */
export class FleetWorker {
  readonly #options: WorkerOptions;
  readonly #underWay = new Map<string, CallUnderWay>();
  readonly #limits: RateLimits;
  #caps: ReadonlyMap<string, ModelCap> = new Map();
  #state: WorkerRegistration['state'] = 'working';
  /** The amount for which its own caps had no room, and the day. */
  #refused: { readonly worst: Amount; readonly day: string } | undefined;
  readonly #contact: QueueContact;
  readonly #giveBack: GiveBack;
  #timers: NodeJS.Timeout[] = [];
  #taking: Promise<void> | undefined;
  #again = false;
  /** None of these waits for another: whoever does not say in time that it lives is gone. */
  readonly #beats: Turns;
  readonly #capped: Turns;
  readonly #shows: Turns;
  #idle: (() => void)[] = [];
  #deaf: () => void = () => undefined;

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#limits = new RateLimits(options.queue);
    this.#contact = new QueueContact((state) => options.onState?.(state));
    this.#giveBack = new GiveBack(options, this.#contact);
    const turns = (): Turns => new Turns(() => this.#contact.failed(QUEUE_ITSELF));
    [this.#beats, this.#capped, this.#shows] = [turns(), turns(), turns()];
  }

  /** Begins to take calls; resolves once others can see it. */
  async start(): Promise<void> {
    await this.#obey();
    await this.#meet();
    await this.#register();
    this.#deaf = this.#options.queue.onNews((queue) => {
      if (queue === undefined) this.#limits.heard();
      if (queue === undefined || this.#options.models.of(queue)) this.#take();
    });
    this.#timers = [
      setInterval(() => this.#take(), TAKE_MS),
      setInterval(() => this.#beats.do(() => this.#beat()), BEAT_MS),
      setInterval(() => this.#capped.do(() => this.#goOn()), BEAT_MS),
      setInterval(() => this.#shows.do(() => this.#show()), CARD_MS),
    ];
    this.#take();
  }

  /** Calls that are not given back yet. */
  get underWay(): number {
    return this.#underWay.size;
  }

  /** Takes nothing new; resolves when the last call is given back. */
  async drain(): Promise<void> {
    this.#setState('draining');
    this.#shows.do(() => this.#show());
    await this.#taking;
    if (this.#underWay.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
    for (const timer of this.#timers) clearInterval(timer);
    this.#deaf();
    this.#options.spent.keep();
    for (const { over } of [this.#beats, this.#capped, this.#shows]) await over;
    await this.#options.queue.unregister(this.#options.id).catch(() => undefined);
  }

  /** Ends the calls under way, which are given back as failed. */
  stop(): void {
    for (const each of this.#underWay.values()) each.end('stopped');
  }

  #setState(state: WorkerRegistration['state']): void {
    if (state === this.#state || this.#state === 'draining') return;
    this.#state = state;
    this.#options.onState?.(state);
  }

  #take(): void {
    this.#again = true;
    this.#taking ??= this.#takeAll().finally(() => {
      this.#taking = undefined;
    });
  }

  async #takeAll(): Promise<void> {
    while (this.#again) {
      this.#again = false;
      await this.#takeOnce().catch(() => this.#contact.failed(QUEUE_ITSELF));
    }
  }

  async #takeOnce(): Promise<void> {
    const { queue, models, slots, spent, purse } = this.#options;
    if (this.#state === 'draining' || this.#underWay.size >= slots) return;
    // Without it, what other workers were told is not known; our own servers still tell us.
    if (!this.#limits.isKnown) await this.#contact.ask('rates', () => this.#limits.refresh());
    for (const name of models.queues) {
      const own = models.of(name);
      if (this.#underWay.size >= slots || this.#state !== 'working' || !own) return;
      const most = this.#roomFor(own);
      if (most <= 0) continue;
      const cap = this.#caps.get(own.model.name);
      const isHeld = models.isResting(name) || this.#limits.isHeld(own.account, own.model.name);
      if (isHeld || (cap && this.#mayCountTooFew)) {
        this.#contact.answered(`take ${name}`); // it is not asked for any more
        continue;
      }
      const onRefused = (worst: Amount): void => this.#refuse(worst);
      const take = async (): Promise<void> => {
        const taken = await takeCalls({ queue, name, own, most, spent, purse, cap, onRefused });
        for (const each of taken) this.#begin(each);
        // There are more where there were many: not all are given out at once.
        if (taken.length > 1) this.#again = true;
      };
      // A fault in the calls of one model is not to keep us from those of others.
      await this.#contact.ask(`take ${name}`, take);
    }
  }

  /**
   * After a time without the database, calls under way count again only once their workers have said that they go on. Whoever
   * starts workers may do so as soon as it is back.
   */
  get #mayCountTooFew(): boolean {
    return this.#contact.wasAwayWithin(SETTLING_MS);
  }

  /** Agents that may change their folder work one at a time: two would undo each other's changes. */
  #roomFor({ model }: OwnModel): number {
    const free = this.#options.slots - this.#underWay.size;
    if (!model.changesWorkspace) return free;
    const changing = [...this.#underWay.values()].filter(
      ({ taken }) => this.#options.models.of(taken.queue)?.model.changesWorkspace,
    );
    return Math.min(free, 1 - changing.length);
  }

  /** There may be room again once a call under way has ended; without one, only tomorrow. */
  #refuse(worst: Amount): void {
    if (this.#underWay.size > 0) return;
    this.#refused = { worst, day: this.#options.spent.day };
    this.#setState('capped');
  }

  #begin(admitted: AdmittedCall): void {
    const each = new CallUnderWay(admitted);
    // Not by its job: a queue that lost its memory may give that out twice.
    this.#underWay.set(each.id, each);
    void this.#carryOut(each).finally(() => {
      each.answered();
      this.#underWay.delete(each.id);
      if (this.#underWay.size === 0) for (const idle of this.#idle.splice(0)) idle();
      this.#take();
    });
  }

  async #carryOut(each: CallUnderWay): Promise<void> {
    const { models, onCall } = this.#options;
    const { taken, call, settle, refused } = each;
    const own = models.of(taken.queue);
    if (!settle || !own) {
      const { reason, why } = refused ?? { reason: 'aborted', why: say.capReached() };
      const result: Result = { outcome: 'failure', reason, ...kept(why), charged: false };
      if (refused) onCall?.(call, result, 0);
      return await this.#giveBack.give(each, { result, received: 0 });
    }
    own.agents?.begin(call.id);
    const { result, received, used, putOffMs } = await carryOut(own, call, each.signal);
    settle(used);
    if (putOffMs !== undefined) this.#limits.note(own.account, own.model.name, putOffMs);
    if (result.outcome === 'failure' && BROKEN.has(result.reason)) models.rest(taken.queue);
    onCall?.(call, result, Date.now() - each.since);
    await this.#giveBack.give(each, { result, received, usd: used?.usd });
  }

  async #beat(): Promise<void> {
    const calls = [...this.#underWay.values()];
    if (calls.length === 0) return;
    const beat = (): Promise<ReadonlySet<string>> =>
      this.#options.queue.beat(calls.map(({ taken }) => taken)).catch((error: unknown) => {
        this.#contact.failed('beat');
        throw error;
      });
    await this.#contact.ask('beat', async () => {
      const withdrawn = await insistently(BEATS_MS, beat);
      for (const each of calls) if (withdrawn.has(each.taken.id)) each.end('withdrawn');
    });
  }

  async #goOn(): Promise<void> {
    const underWay = new Map([...this.#underWay.values()].map((each) => [each.taken.id, each]));
    const calls = [...underWay].flatMap(([id, { call, capped: usd }]) =>
      usd === undefined ? [] : { id, model: call.model, usd },
    );
    if (calls.length > 0) await this.#contact.ask('capped', () => this.#options.queue.goOn(calls));
  }

  async #show(): Promise<void> {
    this.#options.spent.keep();
    // First: no registration keeps us from what the fleet's owner says.
    if (!(await this.#contact.ask(QUEUE_ITSELF, () => this.#obey()))) return;
    await this.#contact.ask('cards', () => this.#meet());
    await this.#contact.ask('card', () => this.#register());
  }

  /** Learns what others want. */
  async #meet(): Promise<void> {
    const { queue, models, mayServe } = this.#options;
    const leaders = (await queue.registrations()).filter((each) => each.kind === 'leader');
    await models.addWanted(leaders, mayServe);
  }

  async #register(): Promise<void> {
    const { queue, id, version, slots, models, agents, spent } = this.#options;
    const refused = this.#refused;
    if (this.#state === 'capped' && refused && (spent.day !== refused.day || spent.fits(refused.worst)))
      this.#setState('working');
    await queue.register({
      ...{ kind: 'worker', protocol: PROTOCOL, version, id, host: hostname().slice(0, 200), pid: process.pid },
      ...{ slots, state: this.#state, models: models.registrations, spent: spent.total },
      ...(agents && { agents: agents.marks }),
      calls: [...this.#underWay.values()].map(({ call, since }) => ({
        ...{ model: call.model, node: call.request.node, purpose: call.request.purpose, since, search: call.search },
      })),
    });
  }

  /** Learns what holds for the whole fleet. */
  async #obey(): Promise<void> {
    const { caps, version } = await this.#options.queue.rules();
    this.#caps = new Map(caps.map((cap) => [cap.model, cap]));
    if (version && version.protocol !== PROTOCOL) this.#options.onForeign?.(version);
  }
}

const AGAIN_MS = 500;
/** For an answer that the queue has no room for: it was paid for all the same. */
const TOO_LONG: Result = { outcome: 'failure', reason: 'bad-answer', ...kept(say.beyondQueue()), charged: true };

interface CallOutcome {
  readonly result: Result;
  /** The bytes that arrived from the server. */
  readonly received: number;
  /** Its cost in US dollars; undefined if nobody knows. */
  readonly usd?: number | undefined;
}

class GiveBack {
  readonly #from: { readonly queue: FleetQueue; readonly id: string; readonly models: ServedModels };
  readonly #contact: QueueContact;

  constructor(from: { queue: FleetQueue; id: string; models: ServedModels }, contact: QueueContact) {
    this.#from = from;
    this.#contact = contact;
  }

  /** Puts an answer into the queue, trying again while that is away: it was paid for. */
  async give(each: CallUnderWay, { result, received, usd }: CallOutcome): Promise<void> {
    const { queue, id } = this.#from;
    const { call, taken, capped } = each;
    const endCapped = async (): Promise<unknown> =>
      capped !== undefined && (await this.#contact.ask('over', () => queue.isOver(taken, usd ?? capped)));
    const token = this.#tokenFor(each);
    if (each.isWithdrawn || token === undefined) return void (await endCapped());
    const from = { worker: id, taken: each.id };
    const about = { protocol: PROTOCOL, id: call.id, token, ...from, received };
    const payload = await pack({ ...about, result }).catch(async () => await pack({ ...about, result: TOO_LONG }));
    const give = async (): Promise<void> => {
      // First: whoever has the answer finds the room of its call free.
      await endCapped();
      await queue.answer(taken, call.search, payload, each.id);
    };
    do {
      if (await this.#contact.ask('give', give)) return;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    } while (each.isWanted && !each.isWithdrawn);
    this.#contact.answered('give');
  }

  /** Undefined for a call whose sender nobody knows. */
  #tokenFor({ call, taken }: CallUnderWay): string | undefined {
    const agents = this.#from.models.of(taken.queue)?.agents;
    return call.token ?? (agents?.isProven(call) ? agents.token(call.id) : undefined);
  }
}

/** Work of one kind, one after the other; while it is slow, nothing piles up. */
class Turns {
  readonly #failed: () => void;
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;

  /** @param failed told of work that failed */
  constructor(failed: () => void) {
    this.#failed = failed;
  }

  do(work: () => Promise<void>): void {
    if (this.#waiting >= 2) return;
    this.#waiting++;
    this.#last = this.#last.then(async () => {
      await work().catch(this.#failed);
      this.#waiting--;
    });
  }

  /** Resolves once all of it is done. */
  get over(): Promise<void> {
    return this.#last;
  }
}

/** Stands for the queue itself: work that need not ask it may still succeed, so only its rules, once read, end it. */
const QUEUE_ITSELF = 'queue';

/** Keeps track of whether the queue does what it is asked to. */
class QueueContact {
  readonly #onState: (state: 'away' | 'back') => void;
  /** The requests that failed the last time that they were made. */
  readonly #failing = new Set<string>();
  /** A worker that has just begun does not know whether the queue was away until then. */
  #backAt = performance.now();

  /** @param onState told once that something fails, and once that nothing of what was asked fails any more */
  constructor(onState: (state: 'away' | 'back') => void) {
    this.#onState = onState;
  }

  /** Tells whether the queue is away, or has been in the last so many milliseconds. */
  wasAwayWithin(ms: number): boolean {
    return this.#failing.has(QUEUE_ITSELF) || performance.now() - this.#backAt < ms;
  }

  /** Asks for something; false if that fails. */
  async ask(what: string, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      this.answered(what);
      return true;
    } catch {
      this.failed(what);
      return false;
    }
  }

  failed(what: string): void {
    if (this.#failing.size === 0) this.#onState('away');
    this.#failing.add(what);
  }

  /** It was done, or is not asked for any more. */
  answered(what: string): void {
    const wasFailing = this.#failing.delete(what);
    if (wasFailing && what === QUEUE_ITSELF) this.#backAt = performance.now();
    if (wasFailing && this.#failing.size === 0) this.#onState('back');
  }
}

/** The largest age of what is known of others where nothing is heard of it, in milliseconds. */
const RATES_KNOWN_MS = 1000;

/** Which servers asked to be left alone, whichever worker they said it to. */
class RateLimits {
  readonly #queue: FleetQueue;
  readonly #until = new Map<string, number>();
  #knownAt = Number.NEGATIVE_INFINITY;

  constructor(queue: FleetQueue) {
    this.#queue = queue;
  }

  /** There may be something new. */
  heard(): void {
    this.#knownAt = Number.NEGATIVE_INFINITY;
  }

  /** Tells whether what the server said to others was learnt a moment ago. */
  get isKnown(): boolean {
    return performance.now() - this.#knownAt < RATES_KNOWN_MS;
  }

  /** Learns what the server said to others. */
  async refresh(): Promise<void> {
    const now = performance.now();
    for (const { account, model, ms } of await this.#queue.rates()) this.#hold(account, model, ms);
    this.#knownAt = now;
  }

  isHeld(account: string, model: string): boolean {
    return (this.#until.get(`${account} ${model}`) ?? 0) > performance.now();
  }

  /** Tells everybody with the same key; where the queue is away, it is known here. */
  note(account: string, model: string, ms: number): void {
    this.#hold(account, model, ms);
    this.#queue.noteRate({ account, model, ms }).catch(() => undefined);
  }

  #hold(account: string, model: string, ms: number): void {
    const key = `${account} ${model}`;
    this.#until.set(key, Math.max(this.#until.get(key) ?? 0, performance.now() + ms));
  }
}
