import * as z from 'zod';
import type { ReadStore } from '../../core/ports/store.ts';
import type { Conversation } from '../../core/search/conversation.ts';
import { isAnswer } from '../../core/search/conversation.ts';
import { type JournalEvent, UsageRecord } from '../../core/search/events.ts';
import type { EngineReceipt, Receipt } from '../../core/search/receipt.ts';
import type { KeptFold } from '../../core/search/record/fold.ts';
import type { SearchRecord } from '../../core/search/record/search-record.ts';
import type { TreeNode } from '../../core/tree/tree.ts';
import { investigationPurposes } from './purposes.ts';
import { ownFieldsOf } from './run/own-fields.ts';

const KnownCall = z.object({ model: z.string(), node: z.string(), usage: UsageRecord.optional() });
type KnownCall = z.infer<typeof KnownCall>;

/** The calls about nodes that this user's journal tells of. */
export class KnownCalls implements KeptFold {
  static readonly part = 'investigation-known-calls';
  readonly name = KnownCalls.part;
  readonly #begun = new Map<string, string>();
  #ended = new Map<string, KnownCall>();

  apply(event: JournalEvent): void {
    // Calls that came with the folder may have been written by anybody.
    if (event.type === 'adopted') {
      this.#ended.clear();
      this.#begun.clear();
    }
    if (event.type === 'call-started' && event.purpose in investigationPurposes)
      this.#begun.set(event.call, event.model);
    if (event.type !== 'call-ended') return;
    const model = this.#begun.get(event.call);
    this.#begun.delete(event.call);
    const { call, node, outcome, usage } = event;
    if (model !== undefined && outcome === 'ok') this.#ended.set(call, { model, node, ...(usage && { usage }) });
  }

  /** A call by its id; undefined if the journal does not tell of it. */
  find(call: string): KnownCall | undefined {
    return this.#ended.get(call);
  }

  get state(): { begun: [string, string][]; ended: [string, KnownCall][] } {
    return { begun: [...this.#begun], ended: [...this.#ended] };
  }

  restore(state: unknown): void {
    const kept = z
      .object({ begun: z.array(z.tuple([z.string(), z.string()])), ended: z.array(z.tuple([z.string(), KnownCall])) })
      .parse(state);
    for (const [call, model] of kept.begun) this.#begun.set(call, model);
    this.#ended = new Map(kept.ended);
  }
}

/** The receipt of an answer that a conversation ends with; undefined if its call is not kept. */
export function receiptFor(
  { turns }: Conversation,
  text: string,
  calls: KnownCalls | undefined,
  { hashOf }: Pick<ReadStore, 'hashOf'>,
): EngineReceipt | undefined {
  const at = turns.findLastIndex((turn) => isAnswer(turn) && turn.text === text);
  const answer = turns[at];
  const question = turns.slice(0, Math.max(0, at)).findLast(({ role, toolResults }) => role === 'user' && !toolResults);
  if (!answer?.call || !question) return undefined;
  const known = calls?.find(answer.call);
  if (!known) return undefined;
  const { model, usage } = known;
  const hashes = { prompt: hashOf(question.text), answer: hashOf(answer.text) };
  return { by: 'engine', call: answer.call, model, ...hashes, ...(usage && { usage }) };
}

/** Returns a committed node's origin; undefined for others. An engine's receipt counts if the journal has its call. */
export function receiptOf({ file }: TreeNode, record?: SearchRecord): Receipt | undefined {
  const own = ownFieldsOf(file?.own);
  if (own?.state === undefined) return undefined;
  const { receipt, agentId: agent, isVerified } = own;
  if (receipt && (!record || record.part(KnownCalls)?.find(receipt.call))) return receipt;
  if (isVerified && agent !== undefined) return { by: 'agent', agent };
  return { by: 'unverified', ...(agent !== undefined && { agent }) };
}
