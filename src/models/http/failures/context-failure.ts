import { isFields } from '../lenient-events.ts';

/** The words of servers where prompt and answer are too long together. */
const TOO_LONG =
  /(?<!took )too (?:long|large)|(?:context|prompt).{0,3}(?:length|window|size|shift|limit|overflow)|maximum context|contextwindow|input token count|max_(?:completion_|output_|new_)?tokens.{0,40}(?:too (?:large|high)|must be)|exceed.{0,40}(?:tokens?\b|length|context|limit of \d)|longer than|reduce (?:the length|your)/i;
const CODES = /context_(?:length|size|window)|max_prompt_tokens|tokens_exceeded|string_above_max/i;
/** Statuses of a request that is refused as it is; a server that is busy says 429, and of a request that never fits as well. */
const REFUSED = new Set([400, 413, 422, 500]);

/** Tells whether a failure says that prompt and answer together are too long for a model. */
export function isTooLong(status: number | undefined, codes: readonly string[], message: string): boolean {
  if (status === 413 || (status === 429 && /request too large/i.test(message))) return true;
  if (status !== undefined && !REFUSED.has(status)) return false;
  return codes.some((code) => CODES.test(code)) || TOO_LONG.test(message);
}

/** Where a server says what its model holds, the surest first. */
const TOLD: readonly RegExp[] = [
  // A number alone in brackets is a code.
  /(?:context|prompt) (?:length|window|size)[^\d.]{0,25}(\d[\d,]{2,12})(?![\d,)])/i,
  /(?:>|<=|at most|allowed)[^\d.]{0,3}(\d[\d,]{2,12})/i,
  /\b(\d[\d,]{2,12}) (?:tokens? )?maximum/i,
  /limit[^\d.]{0,5}(\d[\d,]{2,12})(?![\d,)])/i,
];
const RANGE = { least: 256, most: 100_000_000 };

/** The longest prompt plus answer of which a refusal tells, in tokens; undefined if it tells of none. */
export function contextToldIn(body: unknown, message: string): number | undefined {
  if (/^\s*</.test(message)) return undefined; // a page of some gateway
  const numbers = [sizeIn(body), ...TOLD.map((told) => Number(told.exec(message)?.[1]?.replaceAll(',', '')))];
  return numbers.find((tokens) => tokens >= RANGE.least && tokens <= RANGE.most);
}

/** As llama.cpp tells it. */
function sizeIn(body: unknown): number {
  if (!isFields(body)) return Number.NaN;
  return body['n_ctx'] === undefined ? sizeIn(body['error']) : Number(body['n_ctx']);
}
