import type { Thinking } from '../core/ports/model.ts';

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

/** The room that a model needs to reason besides its answers, by its name; undefined if it is not known to reason. */
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
