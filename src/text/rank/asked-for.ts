import type { FileStanding } from './file-standing.ts';

/** What a question asks for by itself, in words such as "which test …" or "is it documented". */
const ASKS: readonly (readonly [FileStanding, RegExp])[] = [
  [
    'test',
    /\b(?:which|what) (?:\w+ )?tests?\b(?! (?:is|are|was|were|get|gets)\b)|\b(?:by|in|is there|are there) (?:an?|any|the|our)? ?(?:unit )?tests?\b|\btested\b/i,
  ],
  [
    'docs',
    /\bdocumented\b|\bdocumentation\b|\b(?:the|our|in) docs\b|\breadme\b|\bchange ?log\b|\brelease notes\b|\bmanual\b|\bguides?\b/i,
  ],
  [
    'config',
    /\bwhere (?:is|are) (?:that|this|it|they) (?:configured|declared|set)\b|\bcontinuous integration\b|\b(?:which|oldest|minimum|lowest) versions?\b|\bpackage\.json\b|\bgo\.mod\b|\bcargo\.toml\b|\bpyproject\b/i,
  ],
  ['example', /\bexamples?\b|\bbenchmarks?\b|\bdemo\b/i],
  ['declaration', /\btype (?:declaration|definition)s?\b|\bdeclaration files?\b/i],
];

/** The standings that a question asks for; usually none, which means code. */
export function askedFor(question: string): ReadonlySet<FileStanding> {
  return new Set(ASKS.flatMap(([standing, words]) => (words.test(question) ? [standing] : [])));
}
