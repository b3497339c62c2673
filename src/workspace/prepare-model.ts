import { ThoughtTreeError, toThoughtTreeError } from '../core/errors.ts';
import type { Model, Price } from '../core/model.ts';
import { isKeyLike, redactor } from '../core/redact.ts';
import { wrappedModel } from '../core/wrapped-model.ts';
import { priceOf } from '../models/prices.ts';
import type { Recorder } from '../models/replay/recorder.ts';

/** What every host does to a model before a search may use it. */
export interface Preparation {
  /** The price that this person gave for it, instead of the one that is known. */
  readonly price?: Price | undefined;
  /** Keys and passwords that must not come out of it: not in an answer, an error or a recording. */
  readonly secrets?: readonly (string | undefined)[];
  /** Writes down what is asked and answered. */
  readonly recorder?: Pick<Recorder, 'wrap'> | undefined;
}

/** The same model, with its price, without the secrets in what it says, recorded where that is wanted. */
export function prepareModel(model: Model, { price, secrets = [], recorder }: Preparation): Model {
  const known = price ?? model.price ?? priceOf(model.name);
  const safe = withoutSecrets(known && !model.free ? wrappedModel(model, { price: known }) : model, secrets);
  return recorder ? recorder.wrap(safe) : safe;
}

/** A server may send back what it was sent: the key must not come into a file, a log or a recording that way. */
function withoutSecrets(model: Model, secrets: readonly (string | undefined)[]): Model {
  const redact = redactor(secrets);
  const redactAnswer = redactor(secrets.filter(isKeyLike));
  const generate: Model['generate'] = async (request, call) => {
    try {
      const answer = await model.generate(request, call);
      return { ...answer, text: redactAnswer(answer.text) };
    } catch (error) {
      const { reason, message, details } = toThoughtTreeError(error);
      const safe = redact(message);
      throw safe === message ? error : new ThoughtTreeError(reason, safe, details);
    }
  };
  return wrappedModel(model, { label: redact(model.label), generate });
}

/** The parts of an address that are secret: user, password, and what looks like a key among its parameters. */
export function secretsIn(address: string | undefined): string[] {
  const url = address === undefined ? null : URL.parse(address);
  if (!url) return [];
  const parameters = [...url.searchParams].flatMap(([name, value]) => (NO_SECRET.test(name) ? [] : [value]));
  return [url.password, decoded(url.password), ...parameters].filter((text) => text !== '');
}

const NO_SECRET = /^(api-)?version$/i;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
