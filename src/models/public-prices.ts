import * as z from 'zod';
import { KnownPrice } from '../core/money/known-price.ts';
import type { Price } from '../core/ports/model.ts';

/** A price as a public table has it: of a provider and a model of ours. */
export interface PublicPrice {
  /** `provider/model`. */
  readonly name: string;
  /** Undefined if it has a rate that no price can have. */
  readonly price: Price | undefined;
  /** It says what cached tokens cost; else `cached` is what others cost. */
  readonly saysCached: boolean;
}

const PER = 1_000_000;
/** The providers of ours, by their names in the tables. */
const PROVIDERS = new Map([
  ['anthropic', 'anthropic'],
  ['openai', 'openai'],
  ['google', 'google'],
  ['gemini', 'google'],
]);
const ABOVE = /^input_cost_per_token_above_(\d{1,4})k_tokens$/;
const NAME = /^[\w.:-]{1,150}$/;

const amount = z.number().optional().catch(undefined);

/** An entry of LiteLLM's table, in US dollars per token. */
const LiteLlm = z.looseObject({
  litellm_provider: z.string(),
  input_cost_per_token: z.number(),
  output_cost_per_token: z.number(),
  cache_read_input_token_cost: amount,
  cache_creation_input_token_cost: amount,
});

const Cost = z.object({ input: z.number(), output: z.number(), cache_read: amount, cache_write: amount });
/** An entry of the table of models.dev, in US dollars per million tokens. */
const ModelsDev = z.object({ cost: Cost.extend({ context_over_200k: Cost.optional().catch(undefined) }) });
const ModelsDevProvider = z.object({ models: z.record(z.string(), z.unknown()) });

/**
 * Reads a public table of prices: LiteLLM's, or that of models.dev. What it does not know, and other providers, are left out.
 * @param table as JSON
 * @returns undefined if it is neither
 */
export function readPublicPrices(table: unknown): PublicPrice[] | undefined {
  const entries = z.record(z.string(), z.unknown()).safeParse(table).data;
  if (!entries) return undefined;
  const found = Object.entries(entries).flatMap(
    ([name, entry]) => fromLiteLlm(name, entry) ?? fromModelsDev(name, entry),
  );
  return found.length === 0 ? undefined : found;
}

function fromLiteLlm(key: string, entry: unknown): PublicPrice[] | undefined {
  const { data } = LiteLlm.safeParse(entry);
  if (!data) return undefined;
  const long = Object.keys(data).find((name) => ABOVE.test(name));
  const above = Number(ABOVE.exec(long ?? '')?.[1]);
  const at = (name: string, more = ''): number | undefined => amount.parse(data[`${name}${more}`]);
  const rates = (more: string): Raw => ({
    input: at('input_cost_per_token', more),
    output: at('output_cost_per_token', more),
    read: at('cache_read_input_token_cost', more),
    write: at('cache_creation_input_token_cost', more),
  });
  const perMillion = (raw: Raw): Raw =>
    Object.fromEntries(Object.entries(raw).map(([name, rate]) => [name, rate && Number((rate * PER).toPrecision(12))]));
  const longer = long ? { above: above * 1000, ...perMillion(rates(`_above_${above}k_tokens`)) } : undefined;
  return priced(data.litellm_provider, key.slice(key.lastIndexOf('/') + 1), perMillion(rates('')), longer);
}

function fromModelsDev(provider: string, entry: unknown): PublicPrice[] {
  const models = ModelsDevProvider.safeParse(entry).data?.models ?? {};
  return Object.entries(models).flatMap(([name, model]) => {
    const cost = ModelsDev.safeParse(model).data?.cost;
    if (!cost) return [];
    const { context_over_200k: long } = cost;
    return priced(provider, name, rawOf(cost), long && { above: 200_000, ...rawOf(long) });
  });
}

function rawOf({ input, output, cache_read: read, cache_write: write }: z.infer<typeof Cost>): Raw {
  return { input, output, read, write };
}

interface Raw {
  readonly input?: number | undefined;
  readonly output?: number | undefined;
  readonly read?: number | undefined;
  readonly write?: number | undefined;
}

function priced(
  from: string,
  model: string,
  raw: Raw,
  long: (Raw & { readonly above: number }) | undefined,
): PublicPrice[] {
  const provider = PROVIDERS.get(from);
  if (provider === undefined || !NAME.test(model)) return [];
  const rates = ratesOf(raw);
  const price = KnownPrice.safeParse({
    ...rates,
    ...(long?.input !== undefined && { long: { ...rates, ...ratesOf({ ...raw, ...given(long) }), above: long.above } }),
  });
  return [
    {
      name: `${provider}/${model.toLowerCase()}`,
      price: price.data as Price | undefined,
      saysCached: raw.read !== undefined,
    },
  ];
}

function given(raw: Raw): Raw {
  return Object.fromEntries(Object.entries(raw).filter(([name, rate]) => name !== 'above' && rate !== undefined));
}

/** Cached tokens cost as much as others where nothing is said: a price is never too low. */
function ratesOf({ input, output, read, write }: Raw): object {
  return {
    prompt: input,
    cached: read ?? input,
    completion: output,
    ...(write !== undefined && { cacheWrite: write }),
  };
}
