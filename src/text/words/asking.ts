// The words that a question has only because it is one.
const PHRASING =
  /\b(?:please explain|explain|(?:please )?(?:tell|show) me|walk me through|describe (?=how\b|what\b|why\b|where\b|when\b|the\b)|what (?:happens|happened|would happen)|(?:which|what) (?:parts?|pieces?|bits?|kinds?|sorts?|places?) of|in (?:which|what) (?:part|place)|(?:this|the|our|my) (?:code ?bases?|code|project|repo|repository|workspace)|responsible for|(?:does|did) (?:it|this) (?:say|complain|tell me)(?: that)?|works?(?= ?[?.!]| ?$))(?![\w`])/gim;
const ASKING: ReadonlySet<string> = new Set(
  `decide decides decided determine determines determined implemented explain explains describe tell use uses used using
  made gets got goes going take takes given meant still may`.split(/\s+/),
);
const QUOTED = /`([^`\n]{1,100})`/g;

/** Function words of German and French questions, which in English or in code may be words like any other. */
const FOREIGN: ReadonlySet<string> = new Set(
  `wie was wann warum wieso weshalb wo woher wohin wer wen wem welche welcher welches welchen welchem der die das den
  dem des ein eine einen einem einer eines und oder aber ist sind war waren wird werden wurde wurden worden kann können
  könnte muss müssen soll sollte darf hat haben hatte macht passiert geschieht funktioniert wenn falls ob dass weil als
  auch nur noch schon nicht kein keine keinen mit ohne von vom zu zum zur im in ins am an auf aus bei beim bis durch für
  gegen nach seit über um unter vor zwischen sich es er sie wir ihr ihre sein seine man dieser diese dieses diesem hier
  dort dann damit dabei dafür erkläre erklären entschieden wird gibt geben viel viele vielen man dürfen müssen sollen
  können sein mein meine meinen unser unsere euer alle alles etwas mehr sehr so doch denn als beide jede jeder jedes
  comment combien pourquoi quand où que quoi qui qu d l n j c quel quelle quels quelles est sont était être sera fait le la les un une des du
  de au aux et ou mais donc si se ce cet cette ces il elle ils elles on nous vous leur leurs son sa ses dans sur sous
  avec sans pour par chez vers entre ne pas lorsque après avant pendant depuis aussi peut peuvent doit doivent passe
  décidé déterminé explique expliquer`.split(/\s+/),
);
/** Those that no English question has: two of them tell the language. */
const TELLING: ReadonlySet<string> = new Set(
  `wie wann warum welche welcher welches welchen wo das dem den ein eine einen und wird werden wenn nicht macht ist für
  beim bei der funktioniert passiert gibt viel viele einem einer wer darf muss kann comment combien pourquoi quand où quel quelle quels quelles est sont les une dans avec
  lorsque que du le la un`.split(/\s+/),
);

/** Returns a question without what only makes it one; where that leaves nothing, nothing. */
export function withoutPhrasing(question: string): string {
  return question.replace(PHRASING, ' ; ');
}

/**
 * The words of a question that say little: they count only where nothing else does, or where they are quoted.
 */
export function isAsking(word: string): boolean {
  return ASKING.has(word);
}

/** Returns what a question has in backquotes, as text. */
export function quotedIn(question: string): string {
  return Array.from(question.matchAll(QUOTED), ([, quoted]) => quoted).join(' ');
}

/**
 * Returns the function words of a question that is neither English nor in a script of its own; none for an English one.
 */
export function foreignWords(words: Iterable<string>): ReadonlySet<string> {
  const telling = new Set<string>();
  for (const word of words) if (TELLING.has(word)) telling.add(word);
  return telling.size >= 2 ? FOREIGN : NONE;
}

const NONE: ReadonlySet<string> = new Set();
