import { foreign } from '../../../src/core/messages/message.ts';
import { ThoughtTreeError } from '../../../src/core/search/errors.ts';
import type { OwnRegistration, Registration } from '../../../src/fleet/protocol.ts';
import {
  type CallPlace,
  type CallState,
  type CapCount,
  type CappedCall,
  dollarsLeft,
  type FleetQueue,
  type FleetRules,
  type FleetVersion,
  type Lead,
  type ModelCap,
  minutesOf,
  type Packed,
  type QueuedAnswer,
  type QueuedCall,
  type RateNote,
  type SeenRegistration,
  type TakeLimits,
  type TakenCall,
} from '../../../src/fleet/queue.ts';

interface Job extends QueuedCall {
  state: CallState;
  beatAt: number;
}

/** The queue within one process, for tests; several sides share its `board`. */
export class MemoryQueue implements FleetQueue {
  readonly #board: MemoryBoard;
  readonly #given = new Set<string>();
  #led: Lead | undefined;
  #later: number | undefined;

  constructor(board: MemoryBoard) {
    this.#board = board;
  }

  onNews(listener: (queue: string | undefined) => void): () => void {
    this.#board.listeners.add(listener);
    return () => void this.#board.listeners.delete(listener);
  }

  async lead(lead: Lead, isLatest = false): Promise<boolean> {
    const known = this.#board.leads.get(lead.search) ?? 0;
    if (known > lead.epoch && !(isLatest && known === this.#later)) {
      if (!isLatest) this.#later = known;
      return false;
    }
    this.#board.leads.set(lead.search, lead.epoch);
    this.#led = lead;
    return true;
  }

  /** Whether somebody leads the search of this side by a later lease. */
  get #isFollowed(): boolean {
    return this.#led !== undefined && (this.#board.leads.get(this.#led.search) ?? 0) > this.#led.epoch;
  }

  async openSearch(search: string): Promise<void> {
    if (!this.#board.answers.has(search)) this.#board.answers.set(search, new Map());
  }

  async closeSearch(search: string): Promise<void> {
    if (this.#isFollowed) return;
    this.#board.answers.delete(search);
  }

  async send(call: QueuedCall): Promise<void> {
    if (this.#isFollowed) throw new ThoughtTreeError('lease-lost', foreign({ text: 'Led by another one.' }));
    if (!this.#board.jobs.has(call.id)) this.#board.jobs.set(call.id, { ...call, state: 'waiting', beatAt: 0 });
    this.#board.tell(call.queue);
  }

  async withdraw(calls: readonly CallPlace[]): Promise<ReadonlySet<string>> {
    const free = await this.withdrawUntaken(calls);
    for (const { id } of calls) {
      const job = this.#board.jobs.get(id);
      if (job?.state === 'taken' && !this.#isFollowed) job.state = 'withdrawn';
    }
    this.#board.tell();
    return free;
  }

  async withdrawUntaken(calls: readonly CallPlace[]): Promise<ReadonlySet<string>> {
    if (this.#isFollowed) return new Set();
    const free = calls.filter(({ id }) => this.#board.jobs.get(id)?.state === 'waiting').map(({ id }) => id);
    for (const id of free) this.#board.jobs.delete(id);
    return new Set(free);
  }

  async states(calls: readonly CallPlace[]): Promise<ReadonlyMap<string, CallState>> {
    this.#board.sweep();
    return new Map(calls.map(({ id }) => [id, this.#board.jobs.get(id)?.state ?? 'unknown']));
  }

  async answers(search: string, again = false): Promise<readonly QueuedAnswer[]> {
    if (this.#isFollowed) return [];
    const found = [...(this.#board.answers.get(search) ?? [])].filter(([key]) => again || !this.#given.has(key));
    for (const [key] of found) this.#given.add(key);
    return found.map(([key, payload]) => ({ key, payload }));
  }

  async forget(search: string, keys: readonly string[], calls: readonly CallPlace[] = []): Promise<void> {
    if (this.#isFollowed) return;
    for (const { id } of calls) this.#board.jobs.delete(id);
    for (const key of keys) this.#board.answers.get(search)?.delete(key);
  }

  async take(queue: string, most: number, limits?: TakeLimits): Promise<readonly TakenCall[]> {
    return await this.#board.inTurn(async () => {
      const free = [...this.#board.jobs.values()].filter((job) => job.queue === queue && job.state === 'waiting');
      const { cap, admit } = limits ?? {};
      const room = Math.min(most, (cap?.calls ?? most) - this.#underCap(cap));
      const taken: TakenCall[] = [];
      for (const job of free.slice(0, Math.max(0, room))) {
        const call = { id: job.id, queue, payload: job.payload };
        const usd = await admit?.(call, cap && dollarsLeft(cap, this.#spent(cap)));
        if (admit && usd === undefined) break;
        if (cap)
          this.#board.taken.set(job.id, { model: cap.model, usd: usd ?? 0, isOver: false, at: this.#board.now() });
        Object.assign(job, { state: 'taken', beatAt: this.#board.now() });
        taken.push(call);
      }
      return taken;
    });
  }

  async goOn(calls: readonly CappedCall[]): Promise<void> {
    const at = this.#board.now();
    for (const { id, ...call } of calls) {
      const row = this.#board.taken.get(id);
      if (!row) this.#board.taken.set(id, { ...call, isOver: false, at });
      else if (!row.isOver) row.at = at;
    }
  }

  async isOver({ id, queue }: CallPlace, usd: number): Promise<void> {
    const row = this.#board.taken.get(id);
    if (row) Object.assign(row, { isOver: true, usd, at: this.#board.now() });
    this.#board.tell(queue);
  }

  async rules(): Promise<FleetRules> {
    return { caps: [...this.#board.caps.values()], version: this.#board.version };
  }

  async counted(cap: ModelCap): Promise<CapCount> {
    return { calls: this.#underCap(cap), usd: this.#spent(cap) };
  }

  async setCap(cap: ModelCap): Promise<void> {
    this.#board.caps.set(cap.model, cap);
    if (cap.calls === undefined && cap.usdAMinute === undefined) this.#board.caps.delete(cap.model);
  }

  async setVersion(version: FleetVersion): Promise<void> {
    this.#board.version = version;
  }

  #spent(cap: ModelCap): number {
    const now = this.#board.now();
    const rows = [...this.#board.taken.values()].filter(({ model }) => model === cap.model);
    const counted = rows.filter(({ at, usd }) => now - at < 60_000 * minutesOf(usd, cap));
    return counted.reduce((sum, { usd }) => sum + usd, 0);
  }

  #underCap(cap: ModelCap | undefined): number {
    const now = this.#board.now();
    return [...this.#board.taken.values()].filter(
      ({ model, isOver, at }) => model === cap?.model && !isOver && now - at < 15_000,
    ).length;
  }

  async beat(calls: readonly CallPlace[]): Promise<ReadonlySet<string>> {
    this.#board.sweep();
    const jobs = calls.flatMap(({ id }) => this.#board.jobs.get(id) ?? []);
    for (const job of jobs) if (job.state === 'taken') job.beatAt = this.#board.now();
    return new Set(jobs.filter(({ state }) => state === 'withdrawn').map(({ id }) => id));
  }

  async answer({ id }: CallPlace, search: string, payload: Packed, by: string): Promise<void> {
    const job = this.#board.jobs.get(id);
    if (job?.state === 'taken') job.state = 'answered';
    this.#board.answers.get(search)?.set(`${id} ${by}`, payload);
    this.#board.tell();
  }

  async register(card: OwnRegistration): Promise<void> {
    this.#board.registrations.set(card.id, { card, at: this.#board.now() });
  }

  async unregister(id: string): Promise<void> {
    this.#board.registrations.delete(id);
  }

  async registrations(): Promise<readonly SeenRegistration[]> {
    const now = this.#board.now();
    const seen = [...this.#board.registrations.values()].map(({ card, at }) => ({ ...card, silentMs: now - at }));
    return seen.filter(({ silentMs }) => silentMs < 10_000);
  }

  async waiting(queues: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const found = new Map<string, number>();
    for (const { queue, state } of this.#board.jobs.values())
      if (state === 'waiting' && queues.includes(queue)) found.set(queue, (found.get(queue) ?? 0) + 1);
    return found;
  }

  async noteRate({ account, model, ms }: RateNote): Promise<void> {
    const key = `${account} ${model}`;
    const until = Math.max(this.#board.rates.get(key)?.until ?? 0, this.#board.now() + ms);
    this.#board.rates.set(key, { account, model, until });
    this.#board.tell();
  }

  async rates(): Promise<readonly RateNote[]> {
    const now = this.#board.now();
    const notes = [...this.#board.rates.values()].map(({ until, ...note }) => ({ ...note, ms: until - now }));
    return notes.filter(({ ms }) => ms > 0);
  }

  async tidy(): Promise<void> {}

  async close(): Promise<void> {}
}

/** What the sides of a queue in memory share. */
export class MemoryBoard {
  readonly jobs = new Map<string, Job>();
  readonly answers = new Map<string, Map<string, Packed>>();
  /** The epoch of the lease by which each search is led. */
  readonly leads = new Map<string, number>();
  readonly registrations = new Map<string, { card: Registration; at: number }>();
  readonly rates = new Map<string, { account: string; model: string; until: number }>();
  readonly caps = new Map<string, ModelCap>();
  readonly taken = new Map<string, { model: string; usd: number; isOver: boolean; at: number }>();
  version: FleetVersion | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  readonly listeners = new Set<(queue: string | undefined) => void>();
  now: () => number = () => performance.now();

  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  tell(queue?: string): void {
    for (const listener of this.listeners) listener(queue);
  }

  /** Workers that were silent for too long are gone. */
  sweep(): void {
    for (const job of this.jobs.values())
      if (job.state === 'taken' && this.now() - job.beatAt > 10_000) job.state = 'lost';
  }
}
