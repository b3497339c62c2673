import type { Thinking } from '../core/ports/model.ts';

/**
 * The longest prompt plus answer of common models, in tokens, by the beginning of their names; the longest match counts,
 * so that a dated name (`gpt-5.2-2026-01-15`) is found. Models not listed are unknown. As of 2026-11-22, from the
 * providers' own pages (in stored copies); the gpt-6 family from others that serve it.
 */
const CONTEXT_LENGTHS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  anthropic: {
    'claude-fable-5': 1_000_000,
    'claude-opus-5': 1_000_000,
    'claude-sonnet-5': 1_000_000,
    'claude-haiku-5': 1_000_000,
    'claude-opus-4-8': 1_000_000,
    'claude-opus-4-7': 1_000_000,
    'claude-opus-4-6': 1_000_000,
    'claude-sonnet-4-6': 1_000_000,
    'claude-opus-4': 200_000,
    'claude-sonnet-4': 200_000,
    'claude-haiku-4': 200_000,
    'claude-3': 200_000,
  },
  openai: {
    'gpt-6': 1_050_000,
    'gpt-5.6': 1_050_000,
    'gpt-5.5': 1_050_000,
    'gpt-5': 400_000,
    'gpt-5-chat': 128_000,
    'gpt-5.1-chat': 128_000,
    'gpt-5.2-chat': 128_000,
    'gpt-4.1': 1_047_576,
    'gpt-4o': 128_000,
    o3: 200_000,
    'o4-mini': 200_000,
  },
  google: {
    'gemini-2.0': 1_048_576,
    'gemini-2.5': 1_048_576,
    'gemini-3': 1_048_576,
  },
};

/** The longest prompt plus answer that a model accepts, in tokens; undefined if unknown. */
export function contextLength(provider: string, model: string): number | undefined {
  const lengths = Object.entries(CONTEXT_LENGTHS[provider] ?? {}).filter(([beginning]) => model.startsWith(beginning));
  return lengths.sort(([a], [b]) => b.length - a.length)[0]?.[1];
}

/** Room for reasoning, in tokens besides the answer: what most answers of such models need, and with little effort. */
const ROOM: Thinking = { usual: 12_000, low: 4000 };

/** Models that reason before they answer, unless they are told not to, by words in their names. */
const FAMILIES: readonly RegExp[] = [
  /(^|\/)gpt-[56]/,
  /(^|\/)o[134](-|$)/,
  /gpt-oss/,
  /gemini-(2\.5|3)/,
  /deepseek-r|reasoner/,
  /qwq|qwen3/,
  /magistral/,
  /glm-(4\.[5-9]|5)/,
  /grok-(3-mini|4)/,
  /minimax-m/,
  /thinking/,
];
/** Their kin that answer at once. */
const AT_ONCE = /-chat|-instruct|-coder|non-reasoning|flash-lite|-image|-tts/;
/** Those that reason by default and whose effort can be asked for; others refuse the word, or would reason more by it. */
const EFFORT = /(^|\/)(gpt-5(-mini|-nano)?(-\d|$)|gpt-5\.[5-9]|gpt-[6-9]|o[134](-|$)|gemini-(2\.5|3))|gpt-oss/;
const ONE_EFFORT = /-pro(-\d|$)/;

/**
 * Returns the room that a model needs to reason besides its answers, by its name; undefined if it is not known to
 * reason.
 */
export function thinkingOf(model: string): Thinking | undefined {
  const name = model.toLowerCase();
  return FAMILIES.some((family) => family.test(name)) && !AT_ONCE.test(name) ? ROOM : undefined;
}

/** Tells whether a model that reasons can be asked to do it with little effort. */
export function takesEffort(model: string): boolean {
  const name = model.toLowerCase();
  if (!thinkingOf(model) || !EFFORT.test(name)) return false;
  return name.startsWith('gemini') || !ONE_EFFORT.test(name);
}
