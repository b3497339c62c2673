import { kept } from '../../core/messages/kept.ts';
import * as say from '../messages.ts';
import { pack } from '../payload.ts';
import { PROTOCOL, type Result } from '../protocol.ts';
import type { FleetQueue } from '../queue.ts';
import type { CallUnderWay } from './call-under-way.ts';
import type { QueueContact } from './queue-contact.ts';
import type { ServedModels } from './served-models.ts';

const AGAIN_MS = 500;
/** For an answer that the queue has no room for: it was paid for all the same. */
const TOO_LONG: Result = { outcome: 'failure', reason: 'bad-answer', ...kept(say.beyondQueue()), charged: true };

export interface CallOutcome {
  readonly result: Result;
  /** The bytes that arrived from the server. */
  readonly received: number;
  /** Its cost in US dollars; undefined if nobody knows. */
  readonly usd?: number | undefined;
}

export class GiveBack {
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
