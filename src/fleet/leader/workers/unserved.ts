import type { Message } from '../../../core/messages/message.ts';
import { whyNoAgent } from '../../agents/why-no-agent.ts';
import * as say from '../../messages.ts';
import { queueOf } from '../../names.ts';
import type { WorkerCard } from '../../protocol.ts';
import type { FleetModelOptions } from '../fleet-parts.ts';
import { servedBy } from './served.ts';

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
  of(models: readonly FleetModelOptions[], workers: readonly WorkerCard[]): readonly FleetModelOptions[] {
    return models.filter(({ name, origin }) => servedBy(workers, queueOf(name, origin), undefined).slots === 0);
  }

  /**
   * Tells what has changed.
   * @param isSure whether one look is enough: after a time without the database, workers have to show themselves again
   */
  tell(models: readonly FleetModelOptions[], workers: readonly WorkerCard[], isSure = false): void {
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
