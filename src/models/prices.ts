import type { Price, Rates } from '../core/ports/model.ts';

/**
 * When the prices below were last looked up: US dollars per million tokens, standard tier, from the providers' price
 * pages (platform.claude.com/docs/en/about-claude/pricing, developers.openai.com/api/docs/pricing,
 * ai.google.dev/gemini-api/docs/pricing; read in stored copies of September to November 2026). If a page announces a
 * later price, the higher one is used. Not found on the provider's own page, but reported by several who quote it: the
 * gpt-6 family, gpt-5.6, and what Gemini charges for cached tokens (a tenth of the prompt).
 */
export const PRICES_AS_OF = '2026-11-22';

const CLAUDE_WRITE = 1.25;
const LONG_GPT = 272_000;
const LONG_GEMINI = 200_000;

function rates(prompt: number, cached: number, completion: number): Rates {
  return { prompt, cached, completion };
}

/** Claude: caching for five minutes costs a quarter more. */
function claude(prompt: number, cached: number, completion: number): Rates {
  return { ...rates(prompt, cached, completion), cacheWrite: CLAUDE_WRITE * prompt };
}

/** GPT: long prompts cost twice as much, their answers half as much again; the sixth family charges for caching. */
function gpt(prompt: number, cached: number, completion: number, write?: number): Price {
  const kept = (times: number): Partial<Rates> => (write === undefined ? {} : { cacheWrite: times * write * prompt });
  const long = { above: LONG_GPT, ...rates(2 * prompt, 2 * cached, 1.5 * completion), ...kept(2) };
  return { ...rates(prompt, cached, completion), ...kept(1), long };
}

/** Gemini Pro: long prompts cost twice as much, their answers half as much again. */
function geminiPro(prompt: number, completion: number): Price {
  const cached = prompt / 10;
  const long = { above: LONG_GEMINI, ...rates(2 * prompt, 2 * cached, 1.5 * completion) };
  return { ...rates(prompt, cached, completion), long };
}

/** Prices by provider and the beginning of a model's name; a date or a word such as `-latest` after it changes nothing. */
export type PriceTable = Readonly<Record<string, Readonly<Record<string, Price>>>>;

const PRICES: PriceTable = {
  anthropic: {
    'claude-fable-5-1': claude(10, 0.25, 50),
    'claude-fable-5': claude(10, 1, 50),
    'claude-opus-5-5': claude(4, 0.2, 20),
    'claude-opus-5': claude(5, 0.5, 25),
    'claude-opus-4-8': claude(5, 0.5, 25),
    'claude-opus-4-7': claude(5, 0.5, 25),
    'claude-opus-4-6': claude(5, 0.5, 25),
    'claude-opus-4-5': claude(5, 0.5, 25),
    'claude-opus-4-1': claude(15, 1.5, 75),
    'claude-sonnet-5-5': claude(2, 0.1, 10),
    'claude-sonnet-5': claude(2, 0.2, 10),
    'claude-sonnet-4-6': claude(3, 0.3, 15),
    'claude-sonnet-4-5': claude(3, 0.3, 15),
    'claude-haiku-5-5': { ...claude(0.1, 0.01, 0.5), long: { above: 100_000, ...claude(0.5, 0.05, 2.5) } },
    'claude-haiku-4-5': claude(1, 0.1, 5),
  },
  openai: {
    'gpt-6.1-sol': gpt(2, 0.1, 10, 1.25),
    'gpt-6.1-terra': gpt(1, 0.05, 5, 1.25),
    'gpt-6-astra': gpt(10, 1, 50, 1.25),
    'gpt-6-sol': gpt(2, 0.2, 10, 1.25),
    'gpt-6-luna': gpt(0.1, 0.01, 0.5, 1.25),
    'gpt-5.6-sol': gpt(5, 0.5, 30),
    'gpt-5.6-terra': gpt(2, 0.2, 12),
    'gpt-5.6-luna': gpt(0.2, 0.02, 1.2),
    'gpt-5.5': gpt(5, 0.5, 30),
    'gpt-5.4-mini': gpt(0.75, 0.075, 4.5),
    'gpt-5.4-nano': gpt(0.2, 0.02, 1.25),
    'gpt-5.4': gpt(2.5, 0.25, 15),
    'gpt-5.2': rates(1.75, 0.175, 14),
    'gpt-5.1': rates(1.25, 0.125, 10),
    'gpt-5-mini': rates(0.25, 0.025, 2),
    'gpt-5-nano': rates(0.05, 0.005, 0.4),
    'gpt-5': rates(1.25, 0.125, 10),
    'gpt-4.1-mini': rates(0.4, 0.1, 1.6),
    'gpt-4.1-nano': rates(0.1, 0.025, 0.4),
    'gpt-4.1': rates(2, 0.5, 8),
    'gpt-4o-mini': rates(0.15, 0.075, 0.6),
    'gpt-4o': rates(2.5, 1.25, 10),
  },
  google: {
    'gemini-3.8-flash': rates(1.5, 0.15, 7.5),
    'gemini-3.6-flash': rates(1.5, 0.15, 7.5),
    'gemini-3.5-flash-lite': rates(0.3, 0.03, 2.5),
    'gemini-3.5-flash': rates(1.5, 0.15, 9),
    'gemini-3.1-pro': geminiPro(2, 12),
    'gemini-3.1-flash-lite': rates(0.25, 0.025, 1.5),
    'gemini-3-flash': rates(0.5, 0.05, 3),
    'gemini-2.5-pro': geminiPro(1.25, 10),
    'gemini-2.5-flash-lite': rates(0.1, 0.01, 0.4),
    'gemini-2.5-flash': rates(0.3, 0.03, 2.5),
  },
};

/** The endings that may follow a known name without making it another model: a date, `latest`, `preview`, a number. */
const SAME_MODEL = /[-@]?(?:latest|preview|exp|\d{4}-\d{2}-\d{2}|\d{2}-\d{4}|\d{2}-\d{2}|\d{3,8})(?!\d)/y;
/** Longer names are not looked up: they may come from anywhere. */
const LONGEST_NAME = 200;

/**
 * Returns the price of a model, by its `provider/model` name; undefined if it is not in the table. A variant whose name
 * continues with other words (`-pro`, `-fast`, `:free`) is another model, and unknown.
 * @param table by default our own
 */
export function priceIn(name: string, table: PriceTable = PRICES): Price | undefined {
  const slash = name.indexOf('/');
  const provider = name.slice(0, slash);
  const model = name.slice(slash + 1).toLowerCase();
  if (name.length > LONGEST_NAME || !Object.hasOwn(table, provider)) return undefined;
  const known = Object.entries(table[provider] ?? {});
  const same =
    known.find(([begin]) => begin === model) ??
    known.find(([begin]) => model.startsWith(begin) && isSameModel(model.slice(begin.length)));
  return same?.[1];
}

/** Part after part, and never back: one pattern for all of them would try each way to cut up a number. */
function isSameModel(rest: string): boolean {
  SAME_MODEL.lastIndex = 0;
  while (SAME_MODEL.lastIndex < rest.length) if (!SAME_MODEL.test(rest)) return false;
  return true;
}
