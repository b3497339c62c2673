const WORD = /[\p{L}\p{M}\p{N}]+/gu;
// The boundaries inside identifiers: timeoutError, XMLParser, utf8, 2fa. Combining marks stay with their letter.
const SEAM = /(?<=[\p{Ll}\p{M}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const PLAIN = /^[a-z]+$/;

let segmenter: Intl.Segmenter | undefined;

/**
 * The words of a text in lower case, in order. Identifiers are split into words (`timeoutError` → timeout, error);
 * scripts without spaces between words are segmented by `Intl.Segmenter`.
 */
export function splitWords(text: string): string[] {
  const words: string[] = [];
  for (const run of text.match(WORD) ?? []) {
    if (PLAIN.test(run)) words.push(run);
    else if (UNSPACED.test(run)) words.push(...segment(run));
    else for (const part of run.split(SEAM)) words.push(part.toLowerCase().normalize('NFC'));
  }
  return words;
}

function segment(run: string): string[] {
  segmenter ??= new Intl.Segmenter('zh', { granularity: 'word' });
  const words: string[] = [];
  let single = '';
  for (const { segment: word } of segmenter.segment(run.toLowerCase().normalize('NFC'))) {
    const alone = [...word].length === 1;
    // Words missing from its dictionary fall apart into characters: 超时 is found by its pairs of neighbours.
    if (alone && single !== '') words.push(`${[...single].at(-1)}${word}`);
    else if (!alone) words.push(...lonely(single), word);
    single = alone ? single + word : '';
  }
  words.push(...lonely(single));
  return words;
}

/** A character without a neighbour is a word after all. */
function lonely(single: string): string[] {
  return [...single].length === 1 ? [single] : [];
}
