import { isDeepStrictEqual } from 'node:util';
import { mapTexts } from '../../core/messages/message.ts';
import type { Model, ModelAnswer, Price } from '../../core/ports/model.ts';
import type { ToolCall } from '../../core/ports/tool.ts';
import { wrappedModel } from '../../core/ports/wrapped-model.ts';
import { ThoughtTreeError, toThoughtTreeError } from '../../core/search/errors.ts';
import { isKeyLike, redactor } from '../../core/text/redact.ts';
import { priceOf } from '../../models/prices.ts';
import type { Recorder } from '../../models/replay/recorder.ts';
import { knowsItsLimits } from './learnt-limits.ts';
import { sentNoSecrets } from './without-secrets.ts';

/** The changes that every host makes to a model before a search may use it. */
export interface Preparation {
  /** The price that this person gave for it, instead of the known one. */
  readonly price?: Price | undefined;
  /** The room for its reasoning that this person gave it, in tokens, instead of the known one. */
  readonly thinking?: number | undefined;
  /** Keys and passwords that must not appear in its output: not in an answer, an error or a recording. */
  readonly secrets?: readonly (string | undefined)[];
  /** Files that models may be shown as they are, secrets and all: documents quote them, so that nothing is left out then. */
  readonly allowedFiles?: readonly string[] | undefined;
  /** Records requests and answers. */
  readonly recorder?: Pick<Recorder, 'wrap'> | undefined;
}

/** Gives a model its price, keeps secrets out of what it is sent and of its output, and records it if requested. */
export function prepareModel(
  model: Model,
  { price, thinking, secrets = [], recorder, allowedFiles = [] }: Preparation,
): Model {
  // One that the model has itself may change while a search runs.
  const known = price ?? (model.price ? undefined : priceOf(model.name));
  const given = {
    ...(known && !model.free && { price: known }),
    ...(thinking !== undefined && { thinking: { usual: thinking, low: thinking } }),
  };
  const safe = withoutSecrets(Object.keys(given).length > 0 ? wrappedModel(model, given) : model, secrets);
  // Recorded as what it turned out to be.
  const able = knowsItsLimits(safe);
  const recorded = recorder ? recorder.wrap(able) : able;
  return allowedFiles.length > 0 ? recorded : sentNoSecrets(recorded);
}

/** A server may echo what it was sent: the key must not get into a file, a log or a recording that way. */
function withoutSecrets(model: Model, secrets: readonly (string | undefined)[]): Model {
  const redact = redactor(secrets);
  const redactAnswer = redactor(secrets.filter(isKeyLike));
  const generate: Model['generate'] = async (request, call) => {
    try {
      const answer = await model.generate(request, call);
      return withoutKeys(answer, redactAnswer);
    } catch (error) {
      const { reason, say, details } = toThoughtTreeError(error);
      const safe = mapTexts(say, redact);
      throw isDeepStrictEqual(safe, say) ? error : new ThoughtTreeError(reason, safe, details);
    }
  };
  const late: NonNullable<Model['late']> = async (calls, request, signal) => {
    const found = await model.late?.(calls, request, signal);
    return found && { ...found, answer: withoutKeys(found.answer, redactAnswer) };
  };
  return wrappedModel(model, { label: redact(model.label), generate, ...(model.late && { late }) });
}

function withoutKeys(answer: ModelAnswer, redact: (text: string) => string): ModelAnswer {
  const toolCalls = answer.toolCalls?.map((asked) => safeCall(asked, redact));
  return { ...answer, text: redact(answer.text), ...(toolCalls && { toolCalls }) };
}

/** Everything in a use that its server wrote, including its id and the provider's own data. */
function safeCall({ id, name, input, provider }: ToolCall, redact: (text: string) => string): ToolCall {
  return {
    id: redact(id),
    name: redact(name),
    input: redactWithin(input, redact),
    ...(provider && { provider: redactWithin(provider, redact) as Record<string, unknown> }),
  };
}

/** Data with all its texts redacted, including names; anything nested too deeply for JSON is cut off. */
function redactWithin(data: unknown, redact: (text: string) => string, depth = 0): unknown {
  if (typeof data === 'string') return redact(data);
  if (typeof data !== 'object' || data === null) return data;
  if (depth === DEEPEST) return '…';
  if (Array.isArray(data)) return data.map((each) => redactWithin(each, redact, depth + 1));
  return Object.fromEntries(
    Object.entries(data).map(([name, each]) => [redact(name), redactWithin(each, redact, depth + 1)]),
  );
}

const DEEPEST = 50;
