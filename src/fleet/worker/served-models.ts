import type { Model } from '../../core/ports/model.ts';
import type { AgentPlace } from '../agents/agent-place.ts';
import { queueOf } from '../names.ts';
import type { LeaderCard, ServedModel } from '../protocol.ts';

/** A model that this worker has opened, by its own settings. */
export interface OwnModel {
  readonly model: Model;
  /** Of a server of its own. */
  readonly origin: string | undefined;
  /** Tells its server with its key from others. */
  readonly account: string;
  /** Of an agent: the folder in which it works. */
  readonly agents?: AgentPlace;
}

/** Opens a model by its name, at a server of one's own if an origin is asked for; undefined without a key or server for it. */
export type OpenOwnModel = (name: string, origin?: string) => Promise<OwnModel | undefined>;

/** Tells whether a model that nobody named is served if a leader asks for it. */
export type MayServe = (name: string, origin: string | undefined) => boolean;

/** Models that leaders ask for and nobody named: so many are tried. */
const MOST = 100;
/** The time for which a model is left alone whose server does not work here, in milliseconds. */
const REST_MS = 30_000;

/** The models that a worker serves, by the queues of their calls. */
export class ServedModels {
  readonly #open: OpenOwnModel;
  readonly #byQueue = new Map<string, OwnModel & { readonly name: string }>();
  readonly #tried = new Set<string>();
  readonly #restUntil = new Map<string, number>();

  constructor(open: OpenOwnModel) {
    this.#open = open;
  }

  get queues(): readonly string[] {
    return [...this.#byQueue.keys()];
  }

  /** Opens one, once; false if it cannot be served here. */
  async add(name: string, origin?: string): Promise<boolean> {
    const tried = queueOf(name, origin);
    if (this.#tried.has(tried)) return [...this.#byQueue.values()].some((each) => each.name === name);
    this.#tried.add(tried);
    const own = await this.#open(name, origin);
    if (own) this.#byQueue.set(queueOf(name, own.origin), { ...own, name });
    return own !== undefined;
  }

  /** Opens what leaders ask for, as far as this worker can and wants to. */
  async addWanted(leaders: readonly LeaderCard[], mayServe: MayServe): Promise<void> {
    for (const { name, origin } of leaders.flatMap(({ models }) => models))
      if (this.#tried.size < MOST && mayServe(name, origin)) await this.add(name, origin).catch(() => undefined);
  }

  of(queue: string): OwnModel | undefined {
    return this.#byQueue.get(queue);
  }

  /** Its server does not work here now: others are to take its calls. */
  rest(queue: string): void {
    this.#restUntil.set(queue, performance.now() + REST_MS);
  }

  isResting(queue: string): boolean {
    return (this.#restUntil.get(queue) ?? 0) > performance.now();
  }

  /** As others see them. */
  get cards(): ServedModel[] {
    return [...this.#byQueue].map(([queue, { name, model, account }]) => ({
      ...{ queue, name, account, free: model.free, tools: model.tools === true, warmsCache: model.warmsCache === true },
      ...(model.price && { price: model.price }),
      ...(model.contextTokens !== undefined && { contextTokens: model.contextTokens }),
      ...(model.thinking && { thinking: model.thinking }),
      ...(model.changesWorkspace && { changesWorkspace: true }),
    }));
  }

  async close(): Promise<void> {
    for (const { model } of this.#byQueue.values()) await model.close?.();
  }
}
