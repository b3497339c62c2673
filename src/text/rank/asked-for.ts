import type { FileStanding } from './file-standing.ts';

/** What a question asks for by itself, in words such as "which test …" or "is it documented". */
const ASKS: readonly (readonly [FileStanding, RegExp])[] = [
  [
    'test',
    /\b(?:which|what|any|a|the|our|unit|by|is there an?|are there) (?:\w+ )?tests?\b|\b(?:is|are|was|how|where|it)\b.{0,60}\btested\b|\bcovered by (?:a )?tests?\b|\btest (?:suite|cases?|files?)\b/i,
  ],
  [
    'docs',
    /\bdocument(?:ed|ation|s)?\b|\b(?:the|our|in) docs\b|\breadme\b|\bguides?\b|\bmanual\b|\bmigrat(?:ion|e) (?:guide|notes?)\b/i,
  ],
  [
    'config',
    /\bconfigured\b|\bin (?:the )?(?:manifest|package\.json|pyproject|cargo\.toml|go\.mod)\b|\bcontinuous integration\b|\bwhich version of\b|\bdepend(?:s|ency|encies)\b|\blicen[cs]e\b|\bfeature flags?\b/i,
  ],
  ['example', /\bexamples?\b|\bbenchmarks?\b|\bdemo\b/i],
  ['declaration', /\btype (?:declaration|definition)s?\b|\bdeclaration files?\b|\bd\.ts\b/i],
];

/** The standings that a question asks for; usually none, which means code. */
export function askedFor(question: string): ReadonlySet<FileStanding> {
  return new Set(ASKS.flatMap(([standing, words]) => (words.test(question) ? [standing] : [])));
}
