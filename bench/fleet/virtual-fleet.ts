import { randomUUID } from 'node:crypto';
import { deflateSync, inflateSync } from 'node:zlib';
import {
  type Answer,
  type Call,
  PROTOCOL,
  readRegistration,
  type WorkerRegistration,
} from '../../src/fleet/protocol.ts';
import type {
  CallPlace,
  CallState,
  Packed,
  QueuedAnswer,
  QueuedCall,
  SeenRegistration,
} from '../../src/fleet/queue.ts';
import { MemoryBoard, MemoryQueue } from '../../test/support/fleet/memory-queue.ts';
import type { DiskClock } from '../engine/disk-clock.ts';

/** Slots of a worker, as many as it has by default. */
const SLOTS_EACH = 4;

interface Job {
  readonly id: string;
  readonly queue: string;
  /** What the database has. */
  readonly row: string;
  state: CallState;
}

export interface VirtualFleetOptions {
  readonly clock: DiskClock;
  readonly slots: number;
  readonly callMs: number;
  readonly model: string;
  /** The queue of the model's calls. */
  readonly queue: string;
  readonly answer: (request: Call['request']) => string;
}

/**
 * A queue in memory, with workers that answer after a while of virtual time. What a leader's process does for a real one is
 * done here, too (rows are JSON, registrations are checked); what the workers and the database do is measured, so that it can be
 * taken off.
 */
export class VirtualFleet extends MemoryQueue {
  /** Milliseconds of answers so far, except picks: the least that the slots have to wait. */
  work = 0;
  /** Milliseconds of this process that were not the leader's. */
  own = 0;
  /** How often the leader asked what has become of its calls, and for registrations. */
  follows = 0;
  looks = 0;
  readonly #options: VirtualFleetOptions;
  readonly #board: MemoryBoard;
  readonly #jobs = new Map<string, Job>();
  readonly #waiting: Job[] = [];
  readonly #working = new Map<string, { readonly call: Call; readonly since: number }>();
  /** Rows of answers, and those of them that the leader has not got. */
  readonly #answers = new Map<string, string>();
  #fresh: string[] = [];

  constructor(options: VirtualFleetOptions) {
    const board = new MemoryBoard();
    super(board);
    this.#board = board;
    this.#options = options;
  }

  override async send({ id, queue, payload }: QueuedCall): Promise<void> {
    const job: Job = { id, queue, row: JSON.stringify(payload), state: 'waiting' };
    this.#jobs.set(id, job);
    this.#waiting.push(job);
    this.#options.clock.release(id);
    this.#take();
  }

  override async withdraw(calls: readonly CallPlace[]): Promise<ReadonlySet<string>> {
    const free = calls.filter(({ id }) => this.#jobs.get(id)?.state === 'waiting').map(({ id }) => id);
    for (const { id } of calls) {
      const job = this.#jobs.get(id);
      if (job) job.state = 'withdrawn';
    }
    return new Set(free);
  }

  override async states(calls: readonly CallPlace[]): Promise<ReadonlyMap<string, CallState>> {
    this.follows++;
    return new Map(calls.map(({ id }) => [id, this.#jobs.get(id)?.state ?? 'unknown']));
  }

  override async answers(): Promise<readonly QueuedAnswer[]> {
    const keys = this.#fresh;
    this.#fresh = [];
    return keys.map((key) => ({ key, payload: JSON.parse(this.#answers.get(key) ?? 'null') as Packed }));
  }

  override async forget(_search: string, keys: readonly string[], calls: readonly CallPlace[] = []): Promise<void> {
    for (const { id } of calls) this.#jobs.delete(id);
    for (const key of keys) this.#answers.delete(key);
  }

  override async registrations(): Promise<readonly SeenRegistration[]> {
    this.looks++;
    const rows = this.#asideOf(() => this.#workerCards().map((card) => JSON.stringify(card)));
    return rows.flatMap((row) => {
      const card = readRegistration(JSON.parse(row));
      return card ? { ...card, silentMs: 0 } : [];
    });
  }

  /** Forgets everything: it is the database that has it. */
  empty(): void {
    this.#jobs.clear();
    this.#answers.clear();
  }

  #take(): void {
    while (this.#working.size < this.#options.slots) {
      const job = this.#waiting.shift();
      if (!job) return;
      if (job.state === 'waiting') void this.#carryOut(job);
    }
  }

  async #carryOut(job: Job): Promise<void> {
    const { clock, callMs, answer } = this.#options;
    const { call, row } = this.#asideOf(() => {
      const call = unpacked(job.row);
      return { call, row: answerRow(call, answer(call.request)) };
    });
    if (call.request.purpose !== 'pick') this.work += callMs;
    job.state = 'taken';
    this.#working.set(job.id, { call, since: clock.now() });
    await clock.sleep(callMs);
    this.#working.delete(job.id);
    // Whoever withdrew it waits for nothing.
    if (job.state === 'taken') {
      job.state = 'answered';
      const key = randomUUID();
      this.#answers.set(key, row);
      this.#fresh.push(key);
      clock.hold(job.id);
      this.#board.tell();
    }
    this.#take();
  }

  #workerCards(): WorkerRegistration[] {
    const { slots, model, queue } = this.#options;
    const working = [...this.#working.values()].map(({ call: { model, request, search }, since }) => {
      return { model, node: request.node, purpose: request.purpose, since, search };
    });
    return Array.from({ length: Math.ceil(slots / SLOTS_EACH) }, (_, n) => ({
      ...{ kind: 'worker', protocol: PROTOCOL, version: '1', id: `worker-${n}`, host: 'virtual', pid: n },
      ...{ slots: SLOTS_EACH, state: 'working', spent: { calls: 0, tokens: 0, usd: 0 } },
      models: [{ queue, name: model, free: true, tools: true, warmsCache: false }],
      calls: working.slice(n * SLOTS_EACH, (n + 1) * SLOTS_EACH),
    }));
  }

  /** Does what is not the leader's work; it is done at once, on this thread. */
  #asideOf<T>(work: () => T): T {
    const before = process.threadCpuUsage();
    const done = work();
    const { user, system } = process.threadCpuUsage(before);
    this.own += (user + system) / 1000;
    return done;
  }
}

function unpacked(row: string): Call {
  const { packed } = JSON.parse(row) as Packed;
  return JSON.parse(inflateSync(Buffer.from(packed, 'base64')).toString('utf8')) as Call;
}

function answerRow({ id, token = '' }: Call, text: string): string {
  const usage = { prompt: 1, cached: 0, completion: 1 };
  const answer: Answer = {
    ...{ protocol: PROTOCOL, id, token, worker: 'worker', taken: randomUUID(), received: 2 * text.length },
    result: { outcome: 'answer', text, finish: 'stop', usage },
  };
  return JSON.stringify({ packed: deflateSync(JSON.stringify(answer)).toString('base64') });
}
