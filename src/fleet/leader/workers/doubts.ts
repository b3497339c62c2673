import type { Message } from '../../../core/messages/message.ts';
import * as say from '../../messages.ts';
import { queueOf } from '../../names.ts';
import { PROTOCOL, type ServedModel } from '../../protocol.ts';
import type { SeenCard } from '../../queue.ts';
import type { FleetModelOptions } from '../fleet-parts.ts';

/** The most workers of other versions of which a person is told. */
const MOST_TOLD = 20;
/** The ratio of two workers' prices from which on one of them is probably wrong: providers differ by less. */
const DISPUTED = 4;

/** Tells the person what is wrong with a fleet, each thing once. */
export class Doubts {
  readonly #notice: (what: Message) => void;
  readonly #told = new Set<string>();

  constructor(notice: (what: Message) => void) {
    this.#notice = notice;
  }

  /** Tells of workers of other versions, and of prices that differ where none is known. */
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
    const serving = workers.flatMap(({ models }) => models.filter((model) => model.queue === queue));
    if (!price && isDisputed(serving)) this.tellOnce(`price ${name}`, say.unknownPrice({ model: name }));
  }

  #tellOfWorker(key: string, what: Message): void {
    if (this.#told.size <= MOST_TOLD) this.tellOnce(key, what);
  }
}

/** Tells whether the prices of workers differ so much that one of them is wrong. */
function isDisputed(models: readonly ServedModel[]): boolean {
  const answers = models.flatMap(({ price }) => price?.completion ?? []);
  return Math.max(...answers) > DISPUTED * Math.min(...answers);
}
