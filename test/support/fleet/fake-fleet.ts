import { randomUUID } from 'node:crypto';
import type { Message } from '../../../src/core/messages/message.ts';
import type { Model, ModelAnswer, ModelCall, ModelRequest } from '../../../src/core/ports/model.ts';
import type { AgentPlace } from '../../../src/fleet/agents.ts';
import { FleetLeader } from '../../../src/fleet/leader/fleet-leader.ts';
import { tokenOf } from '../../../src/fleet/names.ts';
import type { Answer, Result } from '../../../src/fleet/protocol.ts';
import { pack } from '../../../src/fleet/queue.ts';
import { ServedModels } from '../../../src/fleet/worker/calls.ts';
import { FleetWorker } from '../../../src/fleet/worker/fleet-worker.ts';
import { type DayCaps, SpentToday } from '../../../src/fleet/worker/spent-today.ts';
import { MemoryBoard, MemoryQueue } from './memory-queue.ts';

export const NAME = 'openai-compatible/small';

/** Returns a model that answers as it is told to. */
export function modelOf(generate: Model['generate'], more: Partial<Model> = {}): Model {
  return { name: NAME, label: NAME, free: false, tools: true, keepsTime: true, generate, ...more };
}

export const ANSWER: ModelAnswer = {
  text: 'An answer.',
  finish: 'stop',
  usage: { prompt: 40, cached: 0, completion: 4 },
};

/** Returns what a model said, by whomever. */
export function said(answer: ModelAnswer | undefined): Omit<ModelAnswer, 'making'> {
  const { making: _, ...words } = answer ?? { text: '', finish: 'other' };
  return words;
}

export function requestFor(prompt: string): ModelRequest {
  return {
    purpose: 'document',
    node: 'a/b',
    system: 'Be brief.',
    turns: [],
    prompt,
    data: { question: '' },
    maxOutputTokens: 500,
  };
}

export function callFor(question: string, signal = new AbortController().signal): ModelCall {
  return { question, call: randomUUID(), signal };
}

interface FakeWorkerOptions {
  readonly slots?: number;
  readonly caps?: DayCaps;
  readonly account?: string;
  readonly others?: readonly Model[];
  /** Where its models work, which are agents then. */
  readonly agents?: AgentPlace;
}

const ENDLESS: DayCaps = { tokens: 1e9, usd: 1e9 };

/** Returns what a worker gives back for a job; each one is another taking of the call. */
export async function answerTo(id: string, result: Result): ReturnType<typeof pack> {
  return await pack(answerFrom(id, result));
}

/** Returns the same before it is packed. */
export function answerFrom(id: string, result: Result): Answer {
  return { protocol: 1, id, token: tokenOf('k', id), worker: 'w', taken: randomUUID(), received: 10, result };
}

/** Leaders and workers around one queue in memory. */
export class FakeFleet {
  readonly board = new MemoryBoard();
  readonly notices: string[] = [];
  /** What workers said of themselves. */
  readonly states: string[] = [];
  /** Whether the queue's database is away. */
  isAway = false;
  /** How often it was asked while it was. */
  refused = 0;
  readonly #ends: (() => Promise<void>)[] = [];

  queue(): MemoryQueue {
    return new Proxy(new MemoryQueue(this.board), {
      get: (queue, name) => {
        const found: unknown = Reflect.get(queue, name);
        if (typeof found !== 'function') return found;
        const isAsked = name !== 'onNews' && name !== 'close';
        return (...args: unknown[]) => (this.isAway && isAsked ? this.#refuse() : found.apply(queue, args));
      },
    });
  }

  async #refuse(): Promise<never> {
    this.refused++;
    throw new Error('the database is away');
  }

  async worker(
    model: Model,
    { slots = 4, caps = ENDLESS, account = 'a', others = [], agents }: FakeWorkerOptions = {},
  ): Promise<FleetWorker> {
    const all = [model, ...others];
    const models = new ServedModels(async (name) => {
      const found = all.find((each) => each.name === name);
      return found && { model: found, origin: agents?.origin(name), account, ...(agents && { agents }) };
    });
    for (const { name } of all) await models.add(name);
    const id = randomUUID();
    const spent = new SpentToday(undefined, id, caps);
    const worker = new FleetWorker({
      ...{ queue: this.queue(), id, version: '1', slots, models, mayServe: () => false, agents, spent },
      onState: (state) => this.states.push(state),
      onForeign: ({ program }) => this.states.push(`not of ${program}`),
    });
    await worker.start();
    this.#ends.push(async () => {
      worker.stop();
      await worker.drain();
    });
    return worker;
  }

  /** @param lease of the process that leads; undefined once it has lost it */
  leader(search = 'ab12', lease: () => number | undefined = () => 1): FleetLeader {
    const notice = (what: Message): void => void this.notices.push(what.text);
    const of = { search: async () => search, lease: async () => lease() };
    return new FleetLeader({ ...{ queue: this.queue(), title: 'Why?', ...of, key: 'k', notice } });
  }

  model(leader = this.leader(), seconds = 60, name = NAME): Model {
    return this.#opened(leader.model({ name, origin: undefined, price: undefined, seconds }));
  }

  /** Returns an agent that works in a place. */
  agent(name: string, agents: AgentPlace, leader = this.leader()): Model {
    return this.#opened(leader.model({ name, origin: agents.origin(name), price: undefined, seconds: 60, agents }));
  }

  #opened(model: Model): Model {
    this.#ends.push(async () => await model.close?.());
    return model;
  }

  async close(): Promise<void> {
    this.isAway = false;
    for (const end of this.#ends.splice(0)) await end();
  }
}
