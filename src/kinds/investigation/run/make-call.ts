import type { Acting } from '../../../engine/actions/action.ts';
import type { OfferingExecutor } from '../../../engine/offers/offer-protocol.ts';
import type { Call } from '../calls.ts';
import type { Reply } from '../protocol/replies.ts';
import { callExecutors } from './call-offers.ts';
import { outcomeOf } from './carry-out.ts';
import { readFindings } from './findings.ts';
import { nextCall } from './investigation-strategy.ts';
import { CALL } from './kept-change.ts';
import { investigationIn } from './read-investigation.ts';

/**
 * Makes a call: if the protocol accepts it, it is kept as a whole, then the files are made from it.
 * @returns what the caller gets to read
 * @throws ProtocolFault where the original fails itself
 */
export async function makeCall({ ctx, loop, by }: Acting, call: Call): Promise<Reply> {
  const { tree, history, store, clock, file } = ctx;
  const at = investigationIn(file, tree, history.past);
  const isAboutFindings = call.do === 'end' || call.do === 'reclassify';
  const findings = isAboutFindings ? await readFindings(store, tree, history.past) : undefined;
  const { change, reply } = outcomeOf(at, call, clock.now(), findings);
  if (!change) return reply;
  await loop.offers.answer([{ offer: await offerOf({ ctx, loop }), result: call }], by);
  // The end is a report: it can be made again, and the investigation can be continued.
  if (change.do === 'end') await loop.finish();
  return reply;
}

/** The offer of the next call; made here where nobody runs the investigation. */
async function offerOf({ ctx, loop: { offers } }: Pick<Acting, 'ctx' | 'loop'>): Promise<string> {
  const find = (): string | undefined => offers.pending.find(({ kind }) => kind === CALL)?.id;
  const existing = find();
  if (existing !== undefined) return existing;
  const executor = callExecutors(ctx)[CALL] as OfferingExecutor;
  await offers.make(nextCall(ctx.tree), executor, new AbortController().signal);
  return find() ?? '';
}
