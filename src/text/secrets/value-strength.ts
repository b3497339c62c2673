const DIGIT = /\d/g;
const MARK = /[!#$%^*+?~&@]/g;
/** The characters of passwords: no other script, no control characters. */
const TYPED = /^[\x21-\x7e\u00a1-\u024f]+$/;

/**
 * Tells whether a text looks like a password that a person made up: no spaces, more than letters, or letters in no
 * order; not a path, version or number.
 */
export function isPasswordLike(value: string): boolean {
  if (value.length < 5 || value.length > 200 || !TYPED.test(value)) return false;
  if (!/[A-Za-z]/.test(value) || isPlaceholder(value)) return false;
  const own = withoutAlgorithms(value);
  const digits = countOf(own, DIGIT);
  const marks = countOf(own, MARK);
  if (marks > 0) return true;
  return digits > 0 ? value.length >= 6 : isShuffled(value);
}

/** Tells whether a text looks like a password where something else may be: letters, digits and marks, or no name. */
export function isStrongPassword(value: string): boolean {
  if (value.length < 8 || !isPasswordLike(value)) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[!#$%^*+?~&]/].filter((kind) => kind.test(value)).length;
  return /\d/.test(value) && (kinds >= 4 || (kinds === 3 && !isName(value)));
}

/** Words with a number before, after or between them: the name of something. */
export function isName(value: string): boolean {
  const own = withoutAlgorithms(value);
  return /^[A-Za-z_.:/@-]*(?:\d[A-Za-z_.:/@-]*)?$/.test(own) && wordiness(own) > 0.55;
}

/** A long text of anything but words, with any marks: not an expression or a sentence. */
export function isGibberish(value: string): boolean {
  if (value.length < 16 || value.length > 200 || !TYPED.test(value) || /\$\{|[{<]{2}|:\/\//.test(value)) return false;
  const letters = value.match(/[a-z]/gi)?.length ?? 0;
  return (
    letters >= value.length / 4 &&
    (wordiness(value) < 0.4 || isFullOfMarks(value)) &&
    new Set(value).size >= 10 &&
    !EXAMPLE.test(value) &&
    !isAlphabet(value)
  );
}

function isFullOfMarks(value: string): boolean {
  return value.replace(/[\w.\-/:=&]/g, '').length >= 4 && countOf(value, DIGIT) >= 2;
}

/** Only letters, mixing upper and lower case, that do not form words. */
function isShuffled(value: string): boolean {
  return value.length >= 10 && changes(value) >= 2 && wordiness(value) < 0.5;
}

/**
 * Tells whether a text consists of characters that nobody would write by hand: long, without words, mixing kinds of
 * characters. That is also true of hashes and ids: the context has to decide.
 * @param least the minimum number of characters
 */
export function isRandom(value: string, least: number): boolean {
  if (value.length < least || value.length > 4000 || !/^[\w+/=.~:@%!-]+$/.test(value)) return false;
  if (isPlaceholder(value) || isAlphabet(value)) return false;
  if (new Set(value.toLowerCase()).size < Math.min(8, least / 2)) return false;
  const digits = value.replace(/[_-]/g, '');
  if (isHex(digits)) return /\d/.test(digits) && /[a-f]/i.test(digits) && changes(digits) >= digits.length / 6;
  const most = value.length < 20 ? 0.4 : 0.5;
  return wordiness(value) < most && changes(value) >= value.length * (/\d/.test(value) ? 0.15 : 0.2);
}

export function isHex(value: string): boolean {
  return /^(?:0x)?[0-9a-f]+$/i.test(value);
}

export function isUuid(value: string): boolean {
  return /^\{?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\}?$/i.test(value);
}

/** Counts how often a text changes from one kind of character to another; a capitalized word counts as one kind. */
function changes(value: string): number {
  let count = 0;
  for (let at = 1; at < value.length; at++) {
    const [a, b] = [kindAt(value, at - 1), kindAt(value, at)];
    if (a !== b && !(a === 'upper' && b === 'lower') && a !== 'mark' && b !== 'mark') count++;
  }
  return count;
}

function kindAt(value: string, at: number): 'lower' | 'upper' | 'digit' | 'mark' {
  const code = value.charCodeAt(at);
  if (code >= 97 && code <= 122) return 'lower';
  if (code >= 65 && code <= 90) return 'upper';
  return code >= 48 && code <= 57 ? 'digit' : 'mark';
}

function isAlphabet(value: string): boolean {
  return /abcdefgh|ijklmnop|qrstuv|23456789|98765432/i.test(value);
}

function countOf(value: string, kind: RegExp): number {
  return value.match(kind)?.length ?? 0;
}

/** Words used in place of secrets, or known to everybody. Compared without digits and marks. */
const PLACEHOLDERS = new Set(
  `password passwd pass pwd passphrase passcode secret secrets token tokens key keys apikey auth credentials credential user username
  admin root login test testing tests tester example examples sample demo dummy fake mock placeholder changeme change changeit
  replaceme replace todo fixme tbd none null nil undefined true false empty unset default optional required string str text
  number integer boolean bool object array any unknown void type hidden redacted removed masked censored filtered secretleftout
  foo bar baz foobar qux quux hello world abc abcd abcdef abcdefg abcdefgh xyz xxx qwerty asdf lorem ipsum here insert enter your my
  the new old current confirm value name basic bearer digest oauth jwt hmac utf ascii base hex binary latin sha md rsa aes des ec
  ecdsa ecdh ed curve x es rs ps hs argon scrypt bcrypt pbkdf pkcs spki der pem gcm cbc ctr ecb ccm ocb siv poly chacha blake
  keccak ripemd crc adler http https tls ssl ssh ftp smtp imap ldap saml oidc mfa otp totp hotp u2f fido webauthn`
    .trim()
    .split(/\s+/),
);
/** Forms that refer to a value, or show that there is none. */
const REFERENCE =
  /^[$%@#]?[{(<[]|^\$\w{1,80}(?:$|[/.:}\s-])|^%\w{1,80}%|[{<]{2}|\$\{|\$\(|^<[^>]{0,200}>|^\*{3,}|^\.{3}|^x{4,}|\[secret left out\]|…|•|\w\(|\\[sdwbSDW]|=>|^process\.env|^os\.environ|^ENV\[|^secrets\.|^vault:|^ref[+:]|^arn:|^![A-Z]|^%[sdvr]$/i;
const EXAMPLE =
  /example|sample|placeholder|your[-_ ]|[-_ ]here$|change[-_]?me|dummy|redacted|fake|not[-_ ]?a?[-_ ]?(?:real|secret)|xxxx|\.\.\.|1234567|abcdef|eyJzdWIiOiIxMjM0NTY3ODkw/i;
/** Ordinary values: addresses, versions, dates, colours, numbers, packages. */
const PLAIN =
  /^[a-z][a-z0-9+.-]{1,20}:\/\/|\]\(|^[a-z]:\\|^#[0-9a-f]{3,8}$|^v?\d{1,4}(?:\.\d{1,6}){1,3}(?:[-+][\w.-]{1,40})?$|^\d{4}-\d\d-\d\d|^[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,64}$|^[+-]?[\d.,:%_]+(?:px|em|rem|ms|s|m|h|d|kb|mb|gb|k|n)?$|^0x[0-9a-f]{1,16}$|^@[a-z0-9._-]{1,60}\/[a-z0-9._-]{1,60}(?:@[\w.^~-]{1,40})?$|^data:|^urn:/i;
/** A file with lines, as citations name them, and what stands in code where a value would: a decorator, arguments passed on. */
const CODE =
  /^[\w@./+-]{1,120}\.[a-z]\w{0,9}:L?\d{1,7}(?:[-–]L?\d{1,7})?$|^(?:@[a-z_][a-z_.]{1,60}|\*{1,2}[a-z_]{1,40})$/i;
const PATH = /^(?:\.{0,2}|~|[\w@.-]{1,60})\//;
/** Names of encodings, hashes and ciphers; their numbers mean nothing. */
const ALGORITHM =
  /(?:SHA|AES|RSA|DES|RC|MD|CRC|PKCS|UTF|TLS)[-_]?\d{1,4}(?:[-_]\d{1,4})?|(?<![A-Za-z])(?:sha|md|aes|des|rsa|ec|ed|rs|hs|ps|es|utf|iso|base|x|u|uint|int|float|p|secp|crc|rc|pkcs|tls|ssl|http|oauth|ipv|win|arm|s|k|g|h|v)[-_]?\d{1,4}/gi;

/** Tells whether a text is a placeholder, or plainly something else: a variable, address, version, document's word. */
export function isPlaceholder(value: string): boolean {
  if (REFERENCE.test(value) || EXAMPLE.test(value) || PLAIN.test(value) || CODE.test(value) || /^(.)\1*$/s.test(value))
    return true;
  if (PATH.test(value) && wordiness(value) > 0.45) return true;
  const words = wordsOf(value);
  return words.length > 0 && words.every((word) => PLACEHOLDERS.has(word)) && !/[!#%^*+?]/.test(value);
}

/** Returns a text without the numbers that belong to names of algorithms. */
function withoutAlgorithms(value: string): string {
  return value.replace(ALGORITHM, '');
}

/** The pairs of letters that make up five of six in words and names of programs; by chance it would be one of five. */
const PAIRS = new Set(
  `re er in th on en ti st es te de or he at nt co se ar ed io ng al an ro ns le tr it ra li ri pe om et nd ec pa ea me nc 
  ce po is ch pr rt ct ne ta ma ge op ac ur ll ex ve am si un il fi ca ha lo od ic tt as pt id to fo na ut no ty ue ou ss 
  ad us el ol la ts ul ht ke em di tp rr hi rs cl im so ef ie mp wi mi be cr va yp gi fa ps ow ap au pl ai qu ep sp vi ig 
  ry ho lu su um da ot bl ag ia mo ev ck bu xp ls ab lt ov eq rn oo fr ub sc do nu oc`.split(/\s+/),
);

/** Returns the words of a text that is written like a name: `newPassword2` has `new` and `password`. In lower case. */
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
