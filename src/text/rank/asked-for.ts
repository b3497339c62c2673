import type { FileStanding } from './file-standing.ts';

/**
 * The kinds of file that a question asks for by itself, in words such as "which test …" or "is it documented". A
 * question about code may say "test" as well ("test whether", "tested for null"), so that the word alone is not enough.
 */
const ASKS: Partial<Record<FileStanding, readonly RegExp[]>> = {
  test: [
    /\b(?:which|what) (?:[\w-]+ ){0,2}tests?\b(?! (?:is|are|was|were|get|gets|runs?|fails?|files?)\b)/i,
    /\b(?:by|in|is there|are there|do we have) (?:an?|any|the|our)? ?(?:unit )?tests?\b(?! (?:whether|files?|runs?)\b)/i,
    /\bhow (?:do|does) (?:the|our) (?:[\w-]+ ){0,3}tests? (?:show|prove|make|check|verify|assert|simulate|cover|avoid)/i,
    /\b(?:unit|regression|integration|fuzz) tests?\b|\btested\b(?! (?:for|against|first|before|if|with)\b)/i,
  ],
  docs: [
    /\bdocumented\b|\bdocumentation\b|\b(?:the|our|in|its) docs\b|\bread ?me\b|\bchange ?log\b|\brelease notes?\b/i,
    /\b(?:the|our|user|in a) (?:manual|faq)\b|\bguides?\b|\btutorials?\b|\bmigration notes?\b|\bsecurity policy\b/i,
    /\b(?:are|is) (?:people|users|readers|we|one) (?:told|advised|warned|recommended)\b/i,
  ],
  config: [
    /\bwhere (?:is|are) (?:that|this|it|they) (?:configured|declared|set|pinned)\b|\bcontinuous integration\b|\b(?:in|on|by|our) ci\b/i,
    /\b(?:which|what|oldest|minimum|lowest|least) (?:\w+ )?versions? of (?!the (?:protocol|format|file|index|pack))/i,
    /\b(?:which|what|oldest|minimum|lowest) (?:is the )?(?:oldest |minimum |lowest )?(?:node(?:\.?js)?|python|go|rust|ruby|java|php|typescript|compiler|toolchain)\b/i,
    /\b(?:which|what|how many|any|third-party|runtime|optional|its|our) (?:\w+ )?dependenc(?:y|ies)\b/i,
    /\bpackage\.json\b|\bgo\.mod\b|\bcargo\.toml\b|\bpyproject\b|\bsetup\.(?:py|cfg)\b|\bcoverage threshold\b/i,
    /\blint(?:er|ing)? (?:rules?|config\w*|settings?)\b|\bcompiler options?\b|\bbuild (?:script|settings?|configuration)s?\b/i,
  ],
  example: [/\bexamples?\b|\bbenchmark(?:s|ed)?\b|\bdemos?\b|\bsample (?:app|program|code|script)s?\b/i],
  declaration: [/\btype (?:declaration|definition)s?\b|\bdeclaration files?\b|\btypings?\b/i],
};

/** The standings that a question asks for; usually none, which means code. */
export function askedFor(question: string): ReadonlySet<FileStanding> {
  const asked = new Set<FileStanding>();
  for (const [standing, patterns] of Object.entries(ASKS))
    if (patterns.some((pattern) => pattern.test(question))) asked.add(standing as FileStanding);
  return asked;
}
