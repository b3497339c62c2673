/** The number of letters that must be left of a word. */
const LEAST = 3;
const GERMAN_NOUNS = /(?:ung|ungen|heit|heiten|keit|keiten|schaft|schaften)$/;
const GERMAN_VERBS = /(?:ierungen|ierung|ieren|ierten|ierter|iertes|iertem|ierte|iert)$/;
const GERMAN_ENDINGS = /(?:ern|em|en|er|es|e|n|s)$/;
const FRENCH_ENDINGS = /(?:ements?|euses?|eurs?|antes?|ants?|ées?|és?|er|ez|ent)$/;
const KOREAN_ENDINGS =
  /(?:에서는|으로는|에서|으로|까지|부터|에게|하는|되는|하면|되면|합니다|됩니다|하나요|되나요|할|될|한|된|은|는|이|가|을|를|의|에|로|와|과|도|만)$/;

/** The stem of a German word in lower case: without the marks of its vowels, its plural, case and verb endings. */
export function stemGerman(word: string): string {
  const plain = word.replaceAll('ä', 'a').replaceAll('ö', 'o').replaceAll('ü', 'u').replaceAll('ß', 'ss');
  const verb = cut(plain, GERMAN_VERBS);
  if (verb !== plain) return verb;
  const noun = cut(plain, GERMAN_NOUNS);
  if (noun !== plain) return cut(noun, /(?:lich|ig|er)$/);
  return cut(cut(plain, GERMAN_ENDINGS), /(?:lich|t)$/);
}

/** A French word in lower case without accents and endings, as an English word of the same root may be written. */
export function stemFrench(word: string): string {
  const plain = cut(cut(word, /(?<=[^sè])s$/), FRENCH_ENDINGS);
  return plain.replaceAll('œ', 'oe').replaceAll('æ', 'ae').normalize('NFD').replaceAll(/\p{M}/gu, '');
}

/** A Korean word without its particle. */
export function stemKorean(word: string): string {
  return cut(word, KOREAN_ENDINGS, 2);
}

function cut(word: string, ending: RegExp, least = LEAST): string {
  const base = word.replace(ending, '');
  return base.length >= least ? base : word;
}
