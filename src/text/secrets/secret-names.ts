import { wordiness, wordsOf } from './value-strength.ts';

/**
 * The meaning of a name for its value: `password`, made up by a person; `secret`, made by a program; `key`, a secret or
 * the key of a table; `named-key`, such as `github-key`, more likely a secret; `near`, nothing about the value, but
 * there is a secret nearby.
 */
export type NameKind = 'password' | 'secret' | 'named-key' | 'key' | 'near';

/** A name in a text that is about secrets. */
export interface SecretName {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly kind: NameKind;
}

/** A part of all of these names, which is searched for first. */
const SIGN =
  /pass|pasw|pwd|psw|psk|\bpw\b|[a-z_-]pw\b|[_-]pat\b|[_-]api\b|crumb|dockerc|secret|token|key|auth|cred|bearer|jwt|hmac|sign|\bsig\b|identified by(?=[ \t]{1,4}["'])|session|cookie|webhook|dsn|salt|login|logon|connect|mnemonic|phrase|secure|contrase|senha|mot[ _-]de[ _-]passe|wachtwoord|kennwort|parola|has[lł]o|парол|密码|密碼|口令|パスワード|비밀번호|암호|lösenord|adgangskode|salasana/gi;

const PASSWORD =
  /(?:password|pasword|passwort|passwrd|passwd|passphrase|passcode|passwort|kennwort|contraseña|contrasena|senha|wachtwoord|parola|hasło|haslo|пароль|密码|密碼|口令|パスワード|비밀번호|암호|lösenord|adgangskode|salasana|pwd|mnemonic|[a-z]{2}pw|(?<!^(?:by|com|tres|encom|sur))(?<=[a-z]{2})pass)$/u;
const PASSWORD_WORDS = words('pass pw psk psw pswd cred creds credential credentials login logon');
const SECRET =
  /(?:secret|secrets|token|tokens|apikey|apikeys|authkey|secretkey|privatekey|accesskey|authtoken|accesstoken|dockerconfigjson|dockercfg|pkey|privkey|seckey)$/;
const SECRET_WORDS = words('auth oauth authorization authentication sig bearer jwt hmac salt dsn pat crumb');
const KEY_OF = words(
  `api access private secret signing sign encryption encrypt decryption master auth storage shared license app application consumer
  session cookie cookies webhook ssh rsa deploy service admin client server crypt hash jwt hmac account authentication
  authorization root user dev prod live write ingest integration publish personal function functions host x preshared pre
  subscription instrumentation rest secretkey`,
);
/** Keys of tables, of caches, of keyboards; and public ones. */
const ANY_KEY = words(
  `cache hash primary foreign sort partition content map object file etag chunk index row idempotency dedupe query props group
  unique composite fips lookup dictionary dict property field column public gpg pgp recv send arrow enter escape shift hot short release the a
  this that each any by of storage metadata label message translation`,
);
/** After such a word, a name refers to something about a secret, or to a public one. */
const ABOUT = words(
  `field label name names type types length len size regex regexp pattern url uri path file filename dir id ids reset prompt
  placeholder error errors message hint min max count format policy rule rules strength input form button page screen view modal
  dialog visible visibility show toggle expired expires expiry expiration ttl age index provider service manager store storage
  factory class interface list map kind schema validator validation algorithm alg header param parameter prefix suffix option
  options event changed change changes required enabled disabled valid invalid status state mode scope scopes endpoint issuer
  audience usage limit char chars character characters stream position pos start end line column kinds value equal equals match
  color colour shadow text style with pair pairs press code codes down up board binding bindings word words stroke`,
);
const PUBLIC = words('public pub no without forgot reset is has get on use create make parse read');

/** Methods called on a name, which are not part of it. */
const METHOD = /\.(?:equals|equalsIgnoreCase|compareTo|compare|matches|is|eql|getBytes)$/;
/** The longest part of a name that is read on each side of its sign. */
const REACH = 60;

/** Returns the next name in a text from a place on; undefined if there is none. */
export function nextName(text: string, from: number): SecretName | undefined {
  SIGN.lastIndex = from;
  for (let sign = SIGN.exec(text); sign; sign = SIGN.exec(text)) {
    const at = sign.index;
    let start = at;
    while (start > from && at - start < REACH && isNamePart(text, start - 1)) start--;
    let end = at + sign[0].length;
    while (end < text.length && end - at < REACH && isNamePart(text, end)) end++;
    end -= METHOD.exec(text.slice(start, end))?.[0].length ?? 0;
    const name = text.slice(start, end);
    const kind = kindOf(`${wordBefore(text, start)} ${name}`);
    if (kind && !isByChance(name)) return { text: name, start, end, kind };
    SIGN.lastIndex = Math.max(end, at + sign[0].length);
  }
  return undefined;
}

/** `pw` and the like occur in random characters now and then. */
function isByChance(name: string): boolean {
  return (
    /\d|[a-z][A-Z].*[a-z][A-Z]/.test(name) &&
    (name.length > 16 || /[A-Za-z]\d[A-Za-z]/.test(name)) &&
    wordiness(name) < 0.45
  );
}

/** Returns the word before the name `key`: an *API key* is not a key of a table. */
function wordBefore(text: string, start: number): string {
  return /([A-Za-z]{2,20})[ -]$/.exec(text.slice(Math.max(0, start - 22), start))?.[1] ?? '';
}

function isNamePart(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 128)
    return (
      (code >= 97 && code <= 122) ||
      (code >= 65 && code <= 90) ||
      (code >= 48 && code <= 57) ||
      code === 95 ||
      code === 45 ||
      code === 46
    );
  return /\p{L}/u.test(text.charAt(at));
}

/** Tells what a name says of its value; undefined if it is not about secrets. */
export function kindOf(name: string): NameKind | undefined {
  const words = wordsOf(name);
  const kinds = words.map((word, at) => kindOfWord(word, words[at - 1]));
  const place = kinds.includes('password')
    ? kinds.lastIndexOf('password')
    : kinds.findLastIndex((kind) => kind !== undefined);
  const kind = kinds[place];
  if (kind === undefined) return undefined;
  const after = words.slice(place + 1);
  if (after.some((one) => ABOUT.has(one)) || PUBLIC.has(place > 0 ? (words[0] ?? '') : '')) return 'near';
  return kind;
}

function kindOfWord(word: string, before = ''): NameKind | undefined {
  if (word === 'by' && before === 'identified') return 'password';
  if (word === 'string' && before === 'secure') return 'password';
  if (PASSWORD.test(word) || PASSWORD_WORDS.has(word) || (word === 'passe' && before === 'de')) return 'password';
  if (word === 'phrase' && /^(?:pass|seed|recovery|secret)$/.test(before)) return 'password';
  if (word === 'api') return 'key';
  if (SECRET.test(word) || SECRET_WORDS.has(word)) return 'secret';
  if (/^keys?$/.test(word))
    return KEY_OF.has(before) ? 'secret' : before === '' || ANY_KEY.has(before) ? 'key' : 'named-key';
  return /^(?:sign|signed|signing|signature|session|cookies?|webhooks?|connect|connection|authenticate|signin|secured?|encrypt|decrypt)$/.test(
    word,
  )
    ? 'near'
    : undefined;
}

function words(all: string): ReadonlySet<string> {
  return new Set(all.trim().split(/\s+/));
}
