const VOWEL = /[aeiouy]/;
const MARKED = /[äöüß]/;
const ACCENTED = /[àâæçèéêëîïôœùûÿ]/;
const GERMAN = /(?:ung|ungen|heit|heiten|keit|keiten|schaft|schaften|lich|liche[nrms]?|ieren|iert|ierte[nrms]?)$/;

/**
 * The stem of a word in lower case, lightly: "enforced" and "enforces", "retried" and "retries", "execution" and
 * "execute" match; "reporter" and "report" do not. German and French words, told by their letters and endings alone,
 * lose theirs, and Korean ones their particles. Words of other scripts are left unchanged.
 */
export function stem(word: string): string {
  if (/^[a-z]+$/.test(word)) {
    if (word.length < 4) return word;
    return word.length > 6 && GERMAN.test(word) ? stemGerman(word) : stemEnglish(word);
  }
  if (/^\p{Script=Hangul}+$/u.test(word)) return stemKorean(word);
  if (!/^\p{Script=Latin}+$/u.test(word)) return word;
  if (MARKED.test(word)) return stemGerman(word);
  return ACCENTED.test(word) ? stemEnglish(stemFrench(word)) : word;
}

function stemEnglish(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  let base = withoutPlural(word);
  base = withoutEnding(base, 'ing', 3) ?? withoutEnding(base, 'ied', 2, 'y') ?? withoutEnding(base, 'ed', 3) ?? base;
  base = withoutEnding(base, 'ment', 4) ?? withoutEnding(base, 'ness', 4) ?? withoutEnding(base, 'ly', 4) ?? base;
  if (/[st]ion$/.test(base) && base.length > 6) base = base.slice(0, -3);
  else base = withoutEnding(base, 'ance', 5) ?? withoutEnding(base, 'ence', 5) ?? base;
  if (base.length > 3 && base.endsWith('e')) base = base.slice(0, -1);
  if (base.length > 3 && base.at(-1) === base.at(-2)) base = base.slice(0, -1);
  return base.length > 2 && base.endsWith('y') ? `${base.slice(0, -1)}i` : base;
}

function withoutPlural(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(sses|shes|ches|xes|zes)$/.test(word)) return word.slice(0, -2);
  return /[^sui]s$/.test(word) ? word.slice(0, -1) : word;
}

/** The word without an ending, if enough is left to be a word. */
function withoutEnding(word: string, ending: string, least: number, instead = ''): string | undefined {
  if (!word.endsWith(ending)) return undefined;
  const base = word.slice(0, -ending.length);
  return base.length >= least && VOWEL.test(base) ? base + instead : undefined;
}

/** The number of letters that must be left of a word. */
const LEAST = 3;
const GERMAN_NOUNS = /(?:ung|ungen|heit|heiten|keit|keiten|schaft|schaften)$/;
const GERMAN_VERBS = /(?:ierungen|ierung|ieren|ierten|ierter|iertes|iertem|ierte|iert)$/;
const GERMAN_ENDINGS = /(?:ern|em|en|er|es|e|n|s)$/;
const FRENCH_ENDINGS = /(?:ements?|euses?|eurs?|antes?|ants?|ées?|és?|er|ez|ent)$/;
const KOREAN_ENDINGS =
  /(?:에서는|으로는|에서|으로|까지|부터|에게|하는|되는|하면|되면|합니다|됩니다|하나요|되나요|할|될|한|된|은|는|이|가|을|를|의|에|로|와|과|도|만)$/;

/** The stem of a German word in lower case: without the marks of its vowels, its plural, case and verb endings. */
function stemGerman(word: string): string {
  const plain = word.replaceAll('ä', 'a').replaceAll('ö', 'o').replaceAll('ü', 'u').replaceAll('ß', 'ss');
  const verb = cut(plain, GERMAN_VERBS);
  if (verb !== plain) return verb;
  const noun = cut(plain, GERMAN_NOUNS);
  if (noun !== plain) return cut(noun, /(?:lich|ig|er)$/);
  return cut(cut(plain, GERMAN_ENDINGS), /(?:lich|t)$/);
}

/** A French word in lower case without accents and endings, as an English word of the same root may be written. */
function stemFrench(word: string): string {
  const plain = cut(cut(word, /(?<=[^sè])s$/), FRENCH_ENDINGS);
  return plain.replaceAll('œ', 'oe').replaceAll('æ', 'ae').normalize('NFD').replaceAll(/\p{M}/gu, '');
}

/** A Korean word without its particle. */
function stemKorean(word: string): string {
  return cut(word, KOREAN_ENDINGS, 2);
}

function cut(word: string, ending: RegExp, least = LEAST): string {
  const base = word.replace(ending, '');
  return base.length >= least ? base : word;
}
