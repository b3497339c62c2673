import type { Message } from '../../../core/messages/message.ts';
import * as say from '../../messages.ts';
import { queueOf } from '../../names.ts';
import { PROTOCOL } from '../../protocol.ts';
import type { SeenCard } from '../../queue.ts';
import type { FleetModelOptions } from '../fleet-parts.ts';
import { doubtOf, isDisputed } from './believed.ts';

/** Of how many workers a person is told that are of other versions or say what cannot be. */
const MOST_TOLD = 20;

/** Tells the person what is wrong with a fleet, each thing once. */
export class Doubts {
  readonly #notice: (what: Message) => void;
  readonly #told = new Set<string>();

  constructor(notice: (what: Message) => void) {
    this.#notice = notice;
  }

  /** Workers of other versions, and what workers say of our models and is not believed. */
  tell(cards: readonly SeenCard[], models: readonly FleetModelOptions[]): void {
    for (const card of cards)
      if (card.kind === 'other' && card.of === 'worker') {
        const { id, host = '?', protocol } = card;
        this.#tellOfWorker(id, say.otherProtocol({ host, theirs: protocol, ours: PROTOCOL }));
      }
    for (const model of models) if (!model.agents) this.#tellOfModel(cards, model);
  }

  /** @param key of what is the same, however it is said */
  tellOnce(key: string, what: Message): void {
    if (this.#told.has(key)) return;
    this.#told.add(key);
    this.#notice(what);
  }

  #tellOfModel(cards: readonly SeenCard[], { name, origin, price }: FleetModelOptions): void {
    const queue = queueOf(name, origin);
    const workers = cards.filter((each) => each.kind === 'worker');
    const serving = workers.flatMap(({ id, host, models }) =>
      models.filter((model) => model.queue === queue).map((model) => ({ id, host, model })),
    );
    for (const { id, host, model } of serving) {
      const doubt = doubtOf(model, host, { name, price });
      if (doubt) this.#tellOfWorker(`${id} ${name}`, doubt);
    }
    if (!price && isDisputed(serving.map(({ model }) => model)))
      this.tellOnce(`price ${name}`, say.unknownPrice({ model: name }));
  }

  #tellOfWorker(key: string, what: Message): void {
    if (this.#told.size <= MOST_TOLD) this.tellOnce(key, what);
  }
}
