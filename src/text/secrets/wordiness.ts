/** The pairs of letters that make up five of six in words and names of programs; by chance it would be one of five. */
const PAIRS = new Set(
  `re er in th on en ti st es te de or he at nt co se ar ed io ng al an ro ns le tr it ra li ri pe om et nd ec pa ea me nc 
  ce po is ch pr rt ct ne ta ma ge op ac ur ll ex ve am si un il fi ca ha lo od ic tt as pt id to fo na ut no ty ue ou ss 
  ad us el ol la ts ul ht ke em di tp rr hi rs cl im so ef ie mp wi mi be cr va yp gi fa ps ow ap au pl ai qu ep sp vi ig 
  ry ho lu su um da ot bl ag ia mo ev ck bu xp ls ab lt ov eq rn oo fr ub sc do nu oc`.split(/\s+/),
);

/** The words of a text that is written like a name: `newPassword2` has `new` and `password`. In lower case. */
export function wordsOf(name: string): string[] {
  if (/^[a-z]*$/.test(name)) return name === '' ? [] : [name];
  const parted = name.replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2').replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2');
  return parted.split(/[^\p{L}]+/u).flatMap((word) => (word === '' ? [] : [word.toLowerCase()]));
}

/**
 * Returns how much of a text is words, from 0 to 1: the share of letter pairs that are common in words. A name has half
 * or more; a random text has a fifth. 1 if there are no letters.
 */
export function wordiness(value: string): number {
  const text = value.toLowerCase();
  let [pairs, known] = [0, 0];
  for (let at = 1; at < text.length; at++) {
    if (!isLetter(text, at - 1) || !isLetter(text, at)) continue;
    pairs++;
    if (PAIRS.has(text.slice(at - 1, at + 1))) known++;
  }
  return pairs === 0 ? 1 : known / pairs;
}

function isLetter(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 97 && code <= 122;
}
