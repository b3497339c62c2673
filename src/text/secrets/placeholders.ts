import { wordiness, wordsOf } from './wordiness.ts';

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
export const EXAMPLE =
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

/** A text without the numbers that belong to names of algorithms. */
export function withoutAlgorithms(value: string): string {
  return value.replace(ALGORITHM, '');
}
