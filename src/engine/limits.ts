import { kept, type Message } from '../core/messages/message.ts';
import type { SpendFloor } from '../core/money/ledger.ts';
import { costOf, TOKENS_A_MESSAGE, worstCostOf } from '../core/money/price.ts';
import { BYTES_A_TOKEN, type ServerDoubt, type UsageDoubt } from '../core/money/usage-doubt.ts';
import type { Model, ModelRequest, Usage } from '../core/ports/model.ts';
import type { WorstCase } from '../core/search/events.ts';
import {
  DEFAULT_SPEND_LIMITS,
  type Limits,
  lowerLimits,
  type SpendLimit,
  type SpendLimits,
  USUAL_DEPTH,
} from '../core/search/limits.ts';
import type { SearchFile } from '../core/search/search-file.ts';
import { utf8Length } from '../core/text/text.ts';
import type { History } from './history.ts';
import * as say from './messages.ts';

/** The limits of a search: its size, its depth, and the budget. New values apply to everybody from then on. */
export class LimitsInForce {
  #now: Limits;

  constructor(now: Limits) {
    this.#now = now;
  }

  get now(): Limits {
    return this.#now;
  }

  set(limits: Limits): void {
    this.#now = limits;
  }
}

/**
 * The limits in force: those that this person gives now, else the last ones given, else the search's own size and depth,
 * or its usual ones, and the default spend limits. A free model has no default spend limits.
 * @param before the last ones given, see `limitsBefore`
 * @param usualDepth the default depth of searches of its kind
 */
export function lastLimits(
  before: Limits | undefined,
  file: SearchFile,
  given: { size?: Limits['size']; maxDepth?: number; guards?: Limits['guards'] } | undefined,
  model: Pick<Model, 'free'>,
  usualDepth: number = USUAL_DEPTH,
): Limits {
  // Defaults apply to whatever is left open: a search begun with a free model may continue with a paid one.
  const guards = model.free ? withoutDefaults(before?.guards ?? {}) : { ...DEFAULT_SPEND_LIMITS, ...before?.guards };
  return {
    size: given?.size ?? before?.size ?? file.options.size ?? 'medium',
    maxDepth: given?.maxDepth ?? before?.maxDepth ?? file.options.maxDepth ?? usualDepth,
    guards: { ...guards, ...given?.guards },
  };
}

/**
 * The last limits given to a search: those that this user gave it, or that apply where they gave none. Its journal can only
 * lower them.
 * @param own what this user did with it; undefined if the journal is all there is
 */
export function limitsBefore(
  journal: Limits | undefined,
  own: OwnUse | undefined,
  file: SearchFile,
  usualDepth: number = USUAL_DEPTH,
): Limits | undefined {
  if (!own) return journal;
  const { size = 'medium', maxDepth = usualDepth } = file.options;
  const guards = { ...DEFAULT_SPEND_LIMITS, ...own.guards };
  const allowed = own.limits
    ? { ...own.limits, guards: { ...own.guards, ...own.limits.guards } }
    : { size, maxDepth, guards };
  return journal ? lowerLimits(allowed, journal) : allowed;
}

/** Returns the spend limits that a person set: the defaults for an earlier paid model do not apply to a free one. */
function withoutDefaults(guards: SpendLimits): SpendLimits {
  return Object.fromEntries(
    Object.entries(guards).filter(([name, limit]) => limit !== DEFAULT_SPEND_LIMITS[name as SpendLimit]),
  );
}

/**
 * This user's earlier use of this search, from their own state folder. The search's folder may have come from anywhere:
 * where the two differ, its journal can only make us more careful.
 */
export interface OwnUse {
  /** True if this user opened the search here before: if not, its journal is history, and decides nothing. */
  readonly isKnown: boolean;
  /** The limits that this user last gave it. */
  readonly limits?: Limits | undefined;
  /** The spend limits of searches for which this user gave none. */
  readonly guards?: SpendLimits | undefined;
  /** The least that it is known to have spent. */
  readonly spend?: SpendFloor | undefined;
  /** Tells whether the beginning of its requests, as its journal has it, was written by a program of this user. */
  readonly isOwnSystemText?: ((text: string) => boolean) | undefined;
}

/** A reported cost may be lower than by its price by this factor without being doubted: prices are rounded. */
const ROUNDING = 0.99;

/** Prices calls: at most, before they are made, and really, by their usage. Learns from every usage. */
export class ModelCosts {
  readonly #history: History;
  /** The factors by which models' servers turned out to be more expensive than their known prices. */
  readonly #dearer = new Map<string, number>();

  constructor(history: History) {
    this.#history = history;
  }

  /** The most that a request can cost with this model, as far as its server is to be trusted. */
  worst(request: ModelRequest, model: Model): WorstCase {
    const { tokens, usd } = this.#atMost(request, model);
    const factor = this.#history.past.doubted.factor(model.name);
    return { tokens: Math.ceil(tokens * factor), ...(usd === undefined ? {} : { usd: usd * factor }) };
  }

  /**
   * Returns the cost at which a call without a usage is booked, if more arrived than it was asked for.
   * @param received bytes
   */
  arrived(request: ModelRequest, model: Model, received: number): WorstCase | undefined {
    const maxOutputTokens = Math.ceil(received / BYTES_A_TOKEN);
    if (maxOutputTokens <= request.maxOutputTokens || model.free || model.most) return undefined;
    return this.#atMost({ ...request, maxOutputTokens }, model);
  }

  /** Tells whether only the first answer will show whether there is any bound to what this model costs. */
  isUnknown(model: Model): boolean {
    return !model.free && !model.price && this.#history.past.costs.isUnheard(model.name);
  }

  /**
   * Returns a usage with its cost: by the model's price if that is known, or as reported by the server, whichever is
   * higher.
   */
  priced(usage: Usage, model: Model): Usage {
    const { name, price, free } = model;
    if (free) return { ...usage, usd: usage.usd ?? 0 };
    if (!price) return usage;
    const usd = costOf(usage, price);
    if (usage.usd === undefined) return { ...usage, usd };
    if (usage.usd < usd * ROUNDING) tellDoubts(this.#history, name, ['cost']);
    if (usage.usd > usd && usd > 0) this.#dearer.set(name, Math.max(this.#dearer.get(name) ?? 1, usage.usd / usd));
    return { ...usage, usd: Math.max(usage.usd, usd) };
  }

  /** For a server that keeps to what it was asked for, with what its tokens turned out to cost. */
  #atMost(request: ModelRequest, model: Model): WorstCase {
    const { tokens, usd: priced } = worstCase(request, model);
    const usd =
      priced === undefined
        ? this.#history.past.costs.worstUsd(model.name, tokens - request.maxOutputTokens, request.maxOutputTokens)
        : priced * (this.#dearer.get(model.name) ?? 1);
    return { tokens, ...(usd === undefined ? {} : { usd }) };
  }
}

/**
 * The most a request can cost. With every tokenizer in use a token represents at least one byte of UTF-8, so the number
 * of bytes is an upper bound for the tokens.
 */
export function worstCase(request: ModelRequest, model: Model): WorstCase {
  if (model.free) return { tokens: 0, usd: 0 };
  if (model.most) return model.most;
  const prompt = bytesOf(request) + TOKENS_A_MESSAGE * (request.turns.length + 2);
  const tokens = prompt + request.maxOutputTokens;
  return model.price ? { tokens, usd: worstCostOf(prompt, request.maxOutputTokens, model.price) } : { tokens };
}

/** Tokens per byte of a prompt as long as nothing is known: dense code, or Chinese. English has 0.25. */
const UNKNOWN = 0.4;
/** The learned value is an average: a prompt of other words may have this much more. */
const MARGIN = 1.15;
/** Bytes that must have been counted before an average is used. */
const ENOUGH_BYTES = 4000;
/** With every tokenizer in use a token represents at least one byte; few represent more than ten. */
const RANGE = { least: 0.1, most: 1 };

/**
 * Estimates the tokens of a prompt from its bytes: `tokens = bytes × 1.15 × (reported tokens ÷ sent bytes)`, from what a
 * model's server reported in this run; `bytes × 0.4` before 4,000 bytes were reported. Never above one token per byte.
 */
export class TokenEstimate {
  readonly #told = new Map<string, { bytes: number; tokens: number }>();

  /** Learns from the tokens that a model's server reported for a prompt. */
  learn(model: string, bytes: number, tokens: number): void {
    const told = this.#told.get(model) ?? { bytes: 0, tokens: 0 };
    this.#told.set(model, { bytes: told.bytes + bytes, tokens: told.tokens + tokens });
  }

  /** The tokens for so many bytes with a model, near the upper end. */
  tokens(model: string, bytes: number): number {
    const told = this.#told.get(model);
    const ratio = told && told.bytes >= ENOUGH_BYTES ? (MARGIN * told.tokens) / told.bytes : UNKNOWN;
    return Math.ceil(bytes * Math.min(RANGE.most, Math.max(RANGE.least, ratio)));
  }
}

/** Returns the bytes of everything that a request sends as text, including tools and their results. */
export function bytesOf(sent: Sent): number {
  const known = COUNTED.get(sent);
  if (known !== undefined) return known;
  const { system, turns, prompt, tools, toolResults, schema } = sent;
  const said = turns.reduce((sum, turn) => sum + utf8Length(turn.text) + bytesOfTools(turn), 0);
  const bytes =
    utf8Length(system) + utf8Length(prompt) + said + bytesOfTools({ tools, toolResults }) + bytesOfSchema(schema);
  COUNTED.set(sent, bytes);
  return bytes;
}

/** Requests never change, and each is counted several times. */
const COUNTED = new WeakMap<Sent, number>();

type Sent = Pick<ModelRequest, 'system' | 'turns' | 'prompt' | 'tools' | 'toolResults' | 'schema'>;

/** The overhead of a provider's own JSON around a tool, a call or a result, beyond ours, in bytes. */
const AROUND_ONE = 200;

/** Providers put it into the prompt. */
function bytesOfSchema(schema: object | undefined): number {
  return schema ? utf8Length(JSON.stringify(schema)) + AROUND_ONE : 0;
}

function bytesOfTools(parts: { [K in 'tools' | 'toolCalls' | 'toolResults']?: readonly object[] | undefined }): number {
  const { tools = [], toolCalls = [], toolResults = [] } = parts;
  const count = tools.length + toolCalls.length + toolResults.length;
  return count === 0 ? 0 : utf8Length(JSON.stringify({ tools, toolCalls, toolResults })) + AROUND_ONE * count;
}

const WORDS: Record<ServerDoubt, typeof say.noFigures> = {
  nothing: say.noFigures,
  prompt: say.promptCut,
  reasoning: say.reasoningLeftOut,
  sums: say.sumsDoNotAddUp,
  length: say.longerThanAsked,
  endless: say.endlessAnswers,
  cost: say.costBelowPrice,
};

/** Journals what a model's server gets wrong, once a search. */
export function tellDoubts(history: History, model: string, doubts: readonly ServerDoubt[] = []): void {
  for (const doubt of doubts) tellOnce(history, model, doubt, () => WORDS[doubt]({ model }));
}

/** Journals, once a search, that a limit of money cannot hold for a model, and what does. */
export function tellUnpriced(history: History, model: string, { usd = 0, tokens, calls }: SpendLimits): void {
  tellOnce(history, model, 'unpriced', () => {
    const held = [
      ...(tokens === undefined ? [] : [say.heldTokens({ count: tokens })]),
      ...(calls === undefined ? [] : [say.heldCalls({ count: calls })]),
    ];
    const about = { model, limit: usd };
    return held.length > 0 ? say.priceUnknown({ ...about, held }) : say.nothingHolds(about);
  });
}

/** @param what makes the message; called only if it is written, since every answer comes here */
function tellOnce(history: History, model: string, doubt: UsageDoubt, what: () => Message): void {
  if (history.past.doubted.isKnown(model, doubt)) return;
  history.note({ type: 'usage-doubted', model, doubt, ...kept(what()) });
}
