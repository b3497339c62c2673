import type { Packed } from '../../../src/fleet/payload.ts';
import type { Card } from '../../../src/fleet/protocol.ts';
import type {
  CallPlace,
  CallState,
  FleetQueue,
  QueuedAnswer,
  QueuedCall,
  RateNote,
  TakenCall,
} from '../../../src/fleet/queue.ts';

interface Job extends QueuedCall {
  state: CallState;
  beatAt: number;
}

/** The queue within one process, for tests; several sides share its `board`. */
export class MemoryQueue implements FleetQueue {
  readonly #board: MemoryBoard;
  readonly #given = new Set<string>();

  constructor(board: MemoryBoard) {
    this.#board = board;
  }

  onNews(listener: (queue: string | undefined) => void): () => void {
    this.#board.listeners.add(listener);
    return () => void this.#board.listeners.delete(listener);
  }

  async openSearch(search: string): Promise<void> {
    if (!this.#board.answers.has(search)) this.#board.answers.set(search, new Map());
  }

  async closeSearch(search: string): Promise<void> {
    this.#board.answers.delete(search);
  }

  async send(call: QueuedCall): Promise<void> {
    if (!this.#board.jobs.has(call.id)) this.#board.jobs.set(call.id, { ...call, state: 'waiting', beatAt: 0 });
    this.#board.tell(call.queue);
  }

  async withdraw(calls: readonly CallPlace[]): Promise<ReadonlySet<string>> {
    const free = new Set<string>();
    for (const { id } of calls) {
      const job = this.#board.jobs.get(id);
      if (job?.state === 'waiting') {
        free.add(id);
        this.#board.jobs.delete(id);
      } else if (job?.state === 'taken') job.state = 'withdrawn';
    }
    this.#board.tell();
    return free;
  }

  async states(calls: readonly CallPlace[]): Promise<ReadonlyMap<string, CallState>> {
    this.#board.sweep();
    return new Map(calls.map(({ id }) => [id, this.#board.jobs.get(id)?.state ?? 'unknown']));
  }

  async answers(search: string, all = false): Promise<readonly QueuedAnswer[]> {
    const found = [...(this.#board.answers.get(search) ?? [])].filter(([key]) => all || !this.#given.has(key));
    for (const [key] of found) this.#given.add(key);
    return found.map(([key, payload]) => ({ key, payload }));
  }

  async forget(search: string, keys: readonly string[], calls: readonly CallPlace[] = []): Promise<void> {
    for (const { id } of calls) this.#board.jobs.delete(id);
    for (const key of keys) this.#board.answers.get(search)?.delete(key);
  }

  async take(queue: string, most: number): Promise<readonly TakenCall[]> {
    const free = [...this.#board.jobs.values()].filter((job) => job.queue === queue && job.state === 'waiting');
    const taken = free.slice(0, most);
    for (const job of taken) Object.assign(job, { state: 'taken', beatAt: this.#board.now() });
    return taken.map(({ id, payload }) => ({ id, queue, payload }));
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

  async showCard(card: Card): Promise<void> {
    this.#board.cards.set(card.id, { card, at: this.#board.now() });
  }

  async removeCard(id: string): Promise<void> {
    this.#board.cards.delete(id);
  }

  async cards(): Promise<readonly Card[]> {
    const now = this.#board.now();
    return [...this.#board.cards.values()].filter(({ at }) => now - at < 10_000).map(({ card }) => card);
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

  async close(): Promise<void> {}
}

/** What the sides of a queue in memory share. */
export class MemoryBoard {
  readonly jobs = new Map<string, Job>();
  readonly answers = new Map<string, Map<string, Packed>>();
  readonly cards = new Map<string, { card: Card; at: number }>();
  readonly rates = new Map<string, { account: string; model: string; until: number }>();
  readonly listeners = new Set<(queue: string | undefined) => void>();
  now: () => number = () => performance.now();

  tell(queue?: string): void {
    for (const listener of this.listeners) listener(queue);
  }

  /** Workers that were silent for too long are gone. */
  sweep(): void {
    for (const job of this.jobs.values())
      if (job.state === 'taken' && this.now() - job.beatAt > 10_000) job.state = 'lost';
  }
}
