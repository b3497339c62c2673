// This file says which key a server gets, which variables an agent gets, and how no key gets into an answer or an error.
import { mapTexts } from '../core/messages/message.ts';
import type { ModelAnswer } from '../core/ports/model.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../core/search/errors.ts';
import { isKeyLike } from '../core/text/redact.ts';
import { decodeAddress } from '../core/text/text.ts';

/** The properties of a provider that decide which key is sent. */
export interface KeyRules {
  /** The environment variables for its key, the usual one first. */
  readonly keyVariables: readonly string[];
  /** The provider's own address; undefined if it has none. */
  readonly defaultBaseUrl?: string;
  readonly needsKey: boolean;
}

export interface KeySources {
  readonly baseUrl?: string | undefined;
  readonly apiKey?: string | undefined;
  /** Where to look up keys that were not given; empty by default. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Our own variable: it belongs to our own base URL, whatever host that is. */
const OUR_VARIABLE = 'THOUGHT_TREE_API_KEY';

/**
 * The key for a server, and the variable to name if it is missing or wrong. A given key takes precedence. At the
 * provider's own address only its own variables count: ours may hold the key of another server. At any other address
 * ours comes first, then the provider's.
 */
export function findKey(rules: KeyRules, sources: KeySources): { apiKey: string | undefined; keyVariable: string } {
  const { keyVariables, needsKey } = rules;
  const { apiKey, environment = {} } = sources;
  const atHome = isAtHome(rules, sources);
  const variables = atHome ? (needsKey ? keyVariables : []) : [...new Set([OUR_VARIABLE, ...keyVariables])];
  const found = variables.find((variable) => (environment[variable] ?? '').trim() !== '');
  return {
    apiKey: apiKey?.trim() ? apiKey : found && environment[found],
    keyVariable: found ?? (atHome ? (keyVariables[0] ?? OUR_VARIABLE) : OUR_VARIABLE),
  };
}

/** Tells whether requests go to the host that the provider's keys are for. */
export function isAtHome({ defaultBaseUrl }: KeyRules, { baseUrl }: KeySources): boolean {
  if (defaultBaseUrl === undefined) return false;
  if (!baseUrl?.trim()) return true;
  return URL.parse(baseUrl.trim())?.origin === URL.parse(defaultBaseUrl)?.origin;
}

/** Returns the parts of an address that are secret: user, password, and what looks like a key among its parameters. */
export function secretsIn(address: string | undefined): string[] {
  const url = address === undefined ? null : URL.parse(address);
  if (!url) return [];
  const parameters = [...url.searchParams].flatMap(([name, value]) => (NO_SECRET.test(name) ? [] : [value]));
  return [url.password, decodeAddress(url.password), ...parameters].filter((text) => text !== '');
}

const NO_SECRET = /^(api-)?version$/i;

/** The variables that any program needs to find its files, its home folder and the network. */
const COMMON_VARIABLES = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'XDG_CONFIG_HOME'],
  ...['TEMP', 'TMP', 'USERPROFILE', 'HOMEDRIVE', 'HOMEPATH', 'APPDATA', 'LOCALAPPDATA', 'PROGRAMDATA'],
  ...['SYSTEMROOT', 'COMSPEC', 'PATHEXT'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'],
];

/** Tells whether every program gets a variable, so that it holds no key of a service. */
function isCommon(name: string): boolean {
  return COMMON_VARIABLES.includes(name.toUpperCase());
}

/** Names further variables, separated by commas, that an agent is to get. */
const MORE_VARIABLES = 'THOUGHT_TREE_AGENT_ENV';

/**
 * The environment of an agent's process: listed variables only, since ours may hold the keys of other services.
 * @param own the names of its own variables, in upper case
 */
export function agentEnvironment(env: NodeJS.ProcessEnv, own: readonly string[]): Record<string, string> {
  const more = (env[MORE_VARIABLES] ?? '').split(',').map((name) => name.trim().toUpperCase());
  const names = new Set([...COMMON_VARIABLES, ...own, ...more.filter((name) => name !== '')]);
  // In upper case: Windows ignores case, and proxy variables are written either way.
  const given = Object.entries(env).filter(([name, value]) => value !== undefined && names.has(name.toUpperCase()));
  return Object.fromEntries(given) as Record<string, string>;
}

/** Matches the names of variables that hold a key. */
const KEY_NAME = /KEY|TOKEN|SECRET|PASS|PWD|AUTH|CREDENTIAL|SIGNATURE/i;

/**
 * Returns the texts that must not come back from an agent: its own keys, others that the person gave it, and the
 * passwords in addresses such as those of proxies.
 * @param env the environment of its process
 * @param own the names of the variables that hold its own keys
 */
export function agentSecrets(env: NodeJS.ProcessEnv, own: readonly string[]): string[] {
  return Object.entries(env).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const isSecret = own.includes(name.toUpperCase()) || (!isCommon(name) && holdsKey(name, value));
    return [...(isSecret ? [value.trim()] : []), ...secretsIn(value)];
  });
}

/** Not true of every variable: an account's region or a folder may well occur in a document. */
function holdsKey(name: string, value: string): boolean {
  const text = value.trim();
  if (!isKeyLike(text) || /^\d{1,12}$/.test(text) || /^[a-z]+:\/\//i.test(text)) return false;
  return KEY_NAME.test(name) ? !isFile(name, text) : looksRandom(text);
}

function isFile(name: string, text: string): boolean {
  return /^([a-z]:)?[/\\]/i.test(text) && /CREDENTIAL|FILE|PATH|SOCK|DIR/i.test(name);
}

/** Long, without spaces, mixing upper case, lower case and digits; or a long hexadecimal number. */
function looksRandom(text: string): boolean {
  if (/^[0-9a-f]{32,}$/i.test(text)) return true;
  return /^[\w+=.~-]{20,}$/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text);
}

/**
 * An agent's output, or its error, without the keys that it was given: a server that echoes one must not get it into a
 * file.
 * @throws the error of `say`, its message redacted
 */
export function hideKeys(keys: readonly (string | undefined)[], say: () => ModelAnswer): ModelAnswer {
  const clean = (text: string): string =>
    keys.reduce<string>((left, key) => (isKeyLike(key) ? withoutSecret(left, key) : left), text);
  try {
    const answer = say();
    return { ...answer, text: clean(answer.text) };
  } catch (error) {
    if (!isThoughtTreeError(error)) throw error;
    throw new ThoughtTreeError(error.reason, mapTexts(error.say, clean), error.details);
  }
}

const MAX_FOREIGN = 240;
/** The number of consecutive characters that reveals too much of a secret; some servers repeat both ends of a key. */
const TELLING_LENGTH = 8;

/** A server's text made fit for a message: one line, without the secret, markup and control characters, bounded. */
export function foreignText(text: string, secret: string | undefined): string {
  // Before anything is cut off, or part of the secret could remain.
  let safe = withoutSecret(text, secret);
  if (/<(!doctype|html|head|body)\b/i.test(safe)) return 'a web page';
  safe = safe.replace(/[\p{C}\s]+/gu, ' ').trim();
  return safe.length > MAX_FOREIGN ? `${safe.slice(0, MAX_FOREIGN).toWellFormed()}…` : safe;
}

/**
 * Returns a text with `[key]` in place of the secret and of any eight or more consecutive characters of it, also
 * URL-encoded.
 */
export function withoutSecret(text: string, secret: string | undefined): string {
  if (!secret) return text;
  const forms = [secret, encodeURIComponent(secret), encodeURIComponent(encodeURIComponent(secret))].map(lowerCase);
  const size = Math.min(TELLING_LENGTH, secret.length);
  const windows = new Set(forms.flatMap((form) => windowsOf(form, size)));
  const searched = lowerCase(text);
  let safe = '';
  let hidden = 0;
  for (let at = 0; at < text.length; at++) {
    const starts = windows.has(searched.slice(at, at + size));
    if (starts && at >= hidden) safe += '[key]';
    if (starts) hidden = at + size;
    if (at >= hidden) safe += text[at];
  }
  return safe;
}

function windowsOf(text: string, size: number): string[] {
  return Array.from({ length: text.length - size + 1 }, (_, at) => text.slice(at, at + size));
}

/** For ASCII letters only: others could change the length, and do not occur in keys. */
function lowerCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
