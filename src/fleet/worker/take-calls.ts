import { type RefusedCall, refusedCall } from '../agents/refused-call.ts';
import { unpack } from '../payload.ts';
import { Call } from '../protocol.ts';
import type { FleetQueue, TakenCall } from '../queue.ts';
import type { ModelCap } from '../rules.ts';
import type { AdmittedCall } from './call-under-way.ts';
import { worstOf } from './carry-out.ts';
import type { OwnModel } from './served-models.ts';
import type { Amount, SpentToday } from './spent-today.ts';

export interface TakeRequest {
  readonly queue: FleetQueue;
  /** The name of the model's queue. */
  readonly name: string;
  readonly own: OwnModel;
  readonly most: number;
  readonly spent: SpentToday;
  /** The fleet's, for this model. */
  readonly cap: ModelCap | undefined;
  /** Told what a call needs that this worker's own caps have no room for. */
  readonly onRefused: (worst: Amount) => void;
}

/** Takes calls as far as the caps allow it; what they do not allow stays where it is. */
export async function takeCalls(request: TakeRequest): Promise<readonly AdmittedCall[]> {
  const { queue, name, most, spent, cap, onRefused } = request;
  // Looking at each call before it is taken costs statements: only where that may matter.
  if (!cap && spent.isAmple(most)) {
    const all = await Promise.all((await queue.take(name, most)).map((taken) => ownCall(taken, request)));
    return all.flatMap((found) => {
      if (!found) return [];
      return { ...found, settle: found.refused ? undefined : spent.book(found.worst), capped: undefined };
    });
  }
  const admitted = new Map<string, AdmittedCall>();
  let taken: readonly TakenCall[] = [];
  try {
    const admit = async (each: TakenCall, dollars: number | undefined): Promise<number | undefined> => {
      const found = await ownCall(each, request);
      // Nobody waits for it, or somebody who cannot be helped.
      if (!found) return 0;
      if (found.refused) {
        admitted.set(each.id, { ...found, settle: undefined, capped: cap && 0 });
        return 0;
      }
      if (found.worst.usd > (dollars ?? Number.POSITIVE_INFINITY)) return undefined;
      const settle = spent.book(found.worst);
      if (!settle) {
        // Where others were admitted just now, there may be room once they have ended.
        if (admitted.size === 0) onRefused(found.worst);
        return undefined;
      }
      admitted.set(each.id, { ...found, settle, capped: cap && found.worst.usd });
      return found.worst.usd;
    };
    taken = await queue.take(name, most, { cap, admit });
  } finally {
    const ids = new Set(taken.map(({ id }) => id));
    for (const [id, { settle }] of admitted) if (!ids.has(id)) settle?.('unmade');
  }
  return taken.flatMap(({ id }) => admitted.get(id) ?? []);
}

interface OwnCall {
  readonly taken: TakenCall;
  readonly call: Call;
  readonly worst: Amount;
  readonly refused: RefusedCall | undefined;
}

/** Returns the call if it is one for a model of ours: anybody may have put it into the queue. */
async function ownCall(taken: TakenCall, { own }: TakeRequest): Promise<OwnCall | undefined> {
  const call = await unpack(Call, taken.payload);
  if (!call || call.id !== taken.id || call.model !== own.model.name || call.origin !== own.origin) return undefined;
  const refused = own.agents && (await refusedCall(call, own.agents));
  return { taken, call, worst: worstOf(own.model, call.request), refused };
}
