import { type Phrase, spokenPhrases, stemsOf } from './thesaurus.ts';

// Phrases of people's questions, and the words of code for them.
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:too|so|very|how) (?:long|late)\b|\btakes? (?:too )?long(?:er)?\b/g, 'timeout limit deadline duration elapsed'],
  [/\b(?:too|how) (?:slow|fast)(?:ly)?\b/g, 'timeout rate duration throttle'],
  [/\b(?:too|how) (?:big|large|much|high|deep|wide)\b/g, 'limit max size length exceed bound'],
  [/\b(?:too|how) (?:small|short|low|few|little)\b/g, 'min minimum length least'],
  [/\btoo many\b/g, 'limit max exceed count'],
  [/\bhow many\b|\bthe (?:number|amount) of\b/g, 'count limit max number length size'],
  [/\bhow (?:often|frequently)\b/g, 'interval count rate period retry'],
  [/\bhow soon\b/g, 'delay interval timeout'],
  [/\bat (?:the same time|once)\b|\bin parallel\b|\bsimultaneously\b/g, 'concurrent concurrency parallel limit'],
  [/\bone (?:after another|by one|at a time)\b|\bin turn\b/g, 'sequential serial queue lock'],
  [/\b(?:at most|no more than|not more than|up to)\b/g, 'limit max maximum'],
  [/\b(?:at least|no fewer than|no less than)\b/g, 'min minimum'],
  [/\b(?:more|longer|larger|bigger|greater) than\b/g, 'exceed max limit over'],
  [/\b(?:less|fewer|shorter|smaller) than\b/g, 'min minimum least'],
  [/\bgives? up\b|\bgiving up\b/g, 'fail abort retry limit'],
  [/\b(?:again and again|over and over|once more|another time)\b|\bagain\b/g, 'retry repeat attempt'],
  [/\b(?:goes|go|went) wrong\b/g, 'error fail exception'],
  [/\btimed out\b|\btimes out\b|\btiming out\b/g, 'timeout deadline expire'],
  [/\b(?:runs?|ran|running) out\b/g, 'exhaust empty limit exceed'],
  [/\b(?:gets?|is|are|got) stuck\b|\bhangs?\b/g, 'timeout deadlock block wait'],
  [/\b(?:never|not) (?:ends?|finish(?:es)?|returns?)\b/g, 'timeout deadlock infinite'],
  [/\b(?:if nothing is (?:set|given)|unless (?:set|told))\b/g, 'default fallback'],
  [/\bno longer\b/g, 'remove stale expire'],
  [/\b(?:not there|is missing|cannot be found|not found|does not exist|is absent)\b/g, 'missing exist undefined null'],
  [/\bout of date\b/g, 'stale expire outdated'],
  [/\bin (?:which|what) order\b/g, 'order sort priority sequence'],
  [/\b(?:cleaned|tidied) up\b/g, 'cleanup clear dispose'],
  [/\bthrown away\b|\bthrows? away\b/g, 'discard drop ignore'],
  [/\bleft out\b|\bleaves? out\b/g, 'skip ignore exclude omit'],
  [/\b(?:set|put) aside\b/g, 'reserve queue'],
  [/\b(?:shuts?|shutting) down\b/g, 'shutdown close stop'],
  [/\b(?:let|lets|letting) go\b/g, 'release free'],
  [/\b(?:broken|cut|torn) off\b/g, 'abort truncate disconnect'],
  [/\bcuts? off\b/g, 'truncate limit'],
  [/\bkeeps? track\b/g, 'track record count'],
  [/\b(?:hold|holds|held) back\b/g, 'buffer queue delay throttle'],
  [/\b(?:looks?|looked) up\b/g, 'lookup find resolve'],
  [/\bon the fly\b/g, 'dynamic stream lazy'],
  [/\bahead of time\b|\bin advance\b/g, 'early prepare preload'],
];

/** The phrases of a question in lower case that stand for something in code; what two sources say of one is joined. */
export function phrasesIn(question: string): Phrase[] {
  const asked = PHRASES.flatMap(([pattern, words]) => {
    const found = question.match(pattern)?.[0];
    return found === undefined ? [] : [{ text: found, words: words.split(' ') }];
  });
  const found = new Map<string, Phrase>();
  for (const { text, words } of [...asked, ...spokenPhrases(question)]) {
    const key = stemsOf(text).join(' ');
    const known = found.get(key);
    found.set(key, { text: known?.text ?? text, words: [...(known?.words ?? []), ...words] });
  }
  return [...found.values()];
}
