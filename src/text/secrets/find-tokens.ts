import { lintSource } from '@secretlint/core';
import { secretLintProfiler } from '@secretlint/profiler';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';
import { matchEnd, type Span } from './spans.ts';
import { isHex, isRandom } from './value-strength.ts';

/** A form that identifies a secret, and a substring of all texts that contain it. */
interface TokenShape {
  readonly signs: readonly string[];
  readonly pattern: RegExp;
}

function shape(signs: string, pattern: RegExp): TokenShape {
  return { signs: signs.split(' '), pattern };
}

/** Tokens that the library does not know, or in fewer forms. The group, if there is one, is the secret. */
const SHAPES: readonly TokenShape[] = [
  // OpenAI and others that copied its form: sk-…, sk-proj-…, sk-ant-…, sk-or-v1-…
  shape('sk-', /\bsk-(?:[a-z]{2,10}-)?(?:v\d-|api\d\d-)?[A-Za-z0-9_-]{20,250}/g),
  // Google: API keys, OAuth secrets and tokens
  shape('AIza', /\bAIza[\w-]{35}/g),
  shape('GOCSPX-', /\bGOCSPX-[\w-]{20,40}/g),
  shape('ya29.', /\bya29\.[\w.-]{20,2000}/g),
  // JSON web tokens
  shape('eyJ', /(?<![\w-])eyJ[\w-]{8,4000}\.eyJ[\w-]{8,8000}(?:\.[\w-]{0,4000})?/g),
  shape('eyJ', /(?<![\w-])eyJ[\w-]{8,2000}\.[\w-]{0,2000}\.[\w-]{8,2000}\.[\w-]{8,8000}\.[\w-]{8,2000}/g),
  // private keys without the lines around them
  shape('MII', /\bMII[A-Za-z0-9+/]{1,3}(?:IBAA|gIBADAN)[A-Za-z0-9+/]{20,4000}={0,2}/g),
  shape('b3BlbnNzaC1rZXktdjE', /\bb3BlbnNzaC1rZXktdjE[A-Za-z0-9+/]{20,4000}={0,2}/g),
  shape('MHcCAQEE MIGHAgEA', /\b(?:MHcCAQEE|MIGHAgEA)[A-Za-z0-9+/]{20,400}={0,2}/g),
  // code hosts
  shape('gh', /\bgh[pousr]_\w{36,250}/g),
  shape('github_pat_', /\bgithub_pat_\w{22,250}/g),
  shape('gl', /\bgl(?:pat|oas|ft|rt|cbt|dt|imt|ptt|soat|agent)-[\w-]{20,300}/g),
  shape('ATATT3x ATCTT3x ATBB', /\b(?:AT[AC]TT3x|ATBB)[\w=-]{24,250}/g),
  shape('npm_', /\bnpm_[A-Za-z0-9]{36}/g),
  shape('pypi-', /\bpypi-AgE[\w-]{50,1000}/g),
  shape('rubygems_', /\brubygems_[0-9a-f]{48}/g),
  // clouds
  shape('AKIA ASIA', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g),
  shape('AccountKey SharedAccessKey', /\b(?:AccountKey|SharedAccessKey)\s{0,2}=\s{0,2}([A-Za-z0-9+/]{40,90}={0,2})/g),
  shape('8Q~', /\b[\w.~-]{3}8Q~[\w.~-]{31,34}/g),
  shape('do', /\bdo[opr]_v1_[0-9a-f]{64}/g),
  shape('dapi', /\bdapi[0-9a-f]{32}(?:-\d)?\b/g),
  shape('hv', /\bhv[sbr]\.[\w-]{24,300}/g),
  shape('.atlasv1.', /\b[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,70}/g),
  shape('pul-', /\bpul-[0-9a-f]{40}\b/g),
  shape('LTAI', /\bLTAI[A-Za-z0-9]{16,24}\b/g),
  shape('tskey-', /\btskey-[a-z]{2,12}-[\w-]{16,90}/g),
  // chats, mail, telephones
  shape('xox xapp-', /\b(?:xox[a-z]-|xapp-\d-|xoxe\.xox[bp]-)[\w-]{10,250}/g),
  shape('hooks.slack.com', /hooks\.slack\.com\/(?:services|workflows|triggers)\/([\w/+-]{20,120})/g),
  shape('discord', /discord(?:app)?\.com\/api\/webhooks\/\d{15,22}\/([\w-]{30,120})/g),
  // The number of a robot in base64, a time, and a signature.
  shape('M N O', /(?<![\w-])(?:[MNO][DTjz][AEIMQUYcgk][w-z0-5]){5,7}[\w-]{0,3}\.[\w-]{6}\.[\w-]{27,40}(?![\w-])/g),
  shape('webhook.office.com', /webhook\.office\.com\/webhookb2\/([\w@/-]{60,250})/g),
  shape(':AA', /(?<!\d)\d{8,12}:AA[\w-]{32,36}/g),
  shape('SG.', /\bSG\.[\w-]{16,32}\.[\w-]{30,60}/g),
  shape('key-', /\bkey-[0-9a-f]{32}\b/g),
  shape('-us', /\b[0-9a-f]{32}-us\d{1,2}\b/g),
  shape('SK', /\bSK[0-9a-f]{32}\b/g),
  shape('xkeysib-', /\bxkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}/g),
  // money and shops
  shape('_live_ _test_', /\b(?:sk|rk|whsec|pk)_(?:live|test)_[A-Za-z0-9]{16,250}/g),
  shape('whsec_', /\bwhsec_[A-Za-z0-9+/=]{24,100}/g),
  shape('shp', /\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32,64}/g),
  shape('sq0', /\bsq0(?:atp|csp|idp)-[\w-]{22,50}/g),
  shape('EAAA', /\bEAAA[\w-]{56,100}/g),
  shape('access_token$', /\baccess_token\$production\$[a-z0-9]{16}\$[0-9a-f]{32}/g),
  // models
  shape('hf_', /\bhf_[A-Za-z0-9]{30,60}\b/g),
  shape('gsk_ xai- pplx- r8_ nvapi- fw_', /\b(?:gsk_|xai-|pplx-|r8_|nvapi-|fw_)[\w-]{20,120}/g),
  // tools
  shape('lin_', /\blin_(?:api|oauth)_[A-Za-z0-9]{32,64}/g),
  shape('ntn_ secret_', /\b(?:ntn_|secret_)[A-Za-z0-9]{40,60}\b/g),
  shape('figd_', /\bfigd_[\w-]{36,200}/g),
  shape('PMAK-', /\bPMAK-[0-9a-f]{24}-[0-9a-f]{34}/g),
  shape('dp.', /\bdp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}/g),
  shape('gl', /\bgl(?:sa|c)_[A-Za-z0-9+/_]{32,400}={0,2}/g),
  shape('NRAK- NRII- NRJS-', /\bNR(?:AK|II|JS)-[A-Za-z0-9]{19,42}/g),
  shape('sbp_ pscale_', /\b(?:sbp_[0-9a-f]{40}|pscale_(?:tkn|pw|oauth)_[\w.=-]{32,64})/g),
  shape('dckr_', /\bdckr_(?:pat|oat)_[\w-]{27,40}/g),
  shape('ops_eyJ', /\bops_eyJ[\w+/=-]{100,2000}/g),
  shape('AGE-SECRET-KEY', /\bAGE-SECRET-KEY-1[0-9A-Z]{50,70}/g),
];
/** Password hashes, which contain marks that no token has. */
const HASHES: readonly TokenShape[] = [
  shape('$2', /\$2[abxy]\$\d\d\$[./A-Za-z0-9]{53}/g),
  shape(
    '$1$ $5$ $6$ $y$ $7$ apr1$',
    /\$(?:apr1|1|5|6|y|7)\${1,2}(?:rounds=\d{1,9}\$)?[./A-Za-z0-9]{1,64}\${1,2}[./A-Za-z0-9]{16,100}/g,
  ),
  shape('$argon2', /\$argon2(?:id|i|d)\$v=\d\d\$[\w=,]{1,60}\$[\w+/]{8,100}\$[\w+/]{16,200}/g),
  shape('pbkdf2_sha', /\bpbkdf2_sha\d{1,3}\$\d{1,8}\$[\w+/=]{1,100}\$[\w+/=]{16,200}/g),
  shape('{', /\{S{0,2}(?:SHA|MD5|CRYPT)\d{0,3}\}([A-Za-z0-9+/=$.]{20,120})/g),
];
/** Example tokens in documents. */
const EXAMPLE = /EXAMPLE|xxxx|XXXX|0000000|eyJzdWIiOiIxMjM0NTY3ODkw/;
/** Prefixes that services put before their tokens: a few letters, a mark, maybe more, and then random characters. */
const PREFIXED =
  /(?<![A-Za-z0-9+/_-])([a-zA-Z][a-zA-Z0-9]{1,11}(?:[_-][a-zA-Z0-9]{1,8}){0,2})[_-]([A-Za-z0-9]{20,120}(?:[_-][\w-]{6,200})?)(?![\w/+=.-])/g;
/** Prefixes of hashes, and of ids that services assign. */
const NUMBERED =
  /^(?:sha\d{0,3}|md\d|rev|commit|git|hash|chunk|index|main|vendor|asset|id|uuid|font|img|image|css|js|v\d*|build|file|msg|req|resp|run|thread|toolu|call|fc|asst|chatcmpl|evt|cus|sub|price|prod|acct|ch|in|org|proj|batch|step|vs)$/i;

/** A run of characters without spaces, which any of these are part of. Most texts have few with a digit. */
const RUN = /[\w+/=.~:$@%-]{20,20000}/g;

/** Tokens identified by their form. */
export function findTokens(text: string): Span[] {
  const runs = runsIn(text);
  const joined = runs.map(({ run }) => run).join('\n');
  const tokens = [...matchesOf(SHAPES, joined), ...prefixedIn(joined)].map((span) => placed(span, runs));
  return [...matchesOf(HASHES, text), ...tokens.flatMap((token) => [token, ...moreRows(text, token)])];
}

/** A run of characters, its place in the text, and its place in the list of all runs. */
interface Run {
  readonly run: string;
  readonly index: number;
  readonly at: number;
}

function runsIn(text: string): Run[] {
  const runs: Run[] = [];
  let at = 0;
  for (const { 0: run, index } of text.matchAll(RUN)) {
    if (!/\d|[a-z][A-Z]|[A-Z]{4}/.test(run)) continue;
    runs.push({ run, index, at });
    at += run.length + 1;
  }
  return runs;
}

function placed({ start, end }: Span, runs: readonly Run[]): Span {
  let [low, high] = [0, runs.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((runs[middle]?.at ?? 0) <= start) low = middle;
    else high = middle - 1;
  }
  const { index = 0, at = 0 } = runs[low] ?? {};
  return { start: index + start - at, end: index + end - at };
}

function matchesOf(shapes: readonly TokenShape[], text: string): Span[] {
  const found: Span[] = [];
  for (const { signs, pattern } of shapes) {
    if (!signs.some((sign) => text.includes(sign))) continue;
    for (const match of text.matchAll(pattern)) if (!EXAMPLE.test(match[0])) found.push(spanOf(match));
  }
  return found;
}

function prefixedIn(text: string): Span[] {
  return Array.from(text.matchAll(PREFIXED)).flatMap(({ 0: whole, 1: prefix = '', 2: body = '', index }) => {
    return isService(prefix, body) && isRandom(body, 20) ? [{ start: index, end: index + whole.length }] : [];
  });
}

function isService(prefix: string, body: string): boolean {
  if (!/^(?:[a-z][a-z0-9]*|[A-Z][A-Z0-9]*)(?:[_-]|$)/.test(prefix)) return false;
  if (prefix.split(/[_-]/).some((part) => NUMBERED.test(part))) return false;
  return !isHex(body) || prefix !== prefix.toUpperCase();
}

function spanOf(match: RegExpExecArray): Span {
  const [whole, group] = match;
  const start = match.index + (group === undefined ? 0 : whole.lastIndexOf(group));
  return { start, end: start + (group ?? whole).length };
}

/** The signs that may come between the lines of a broken text, or between the values of a list. */
const BETWEEN_ROWS =
  /\\?["'`]{0,3}[ \t]{0,8}[+,.\\]?[ \t]{0,8}(?:\\n["'`]?[ \t]{0,4}\+?)?\r?\n[ \t>|#*]{0,40}(?:\/\/ ?)?[uUbBrR@]?["'`]{0,3}/y;
const RANDOM_ROW = /[\w+/=-]{4,400}/y;
const MOST_RANDOM_ROWS = 200;

/** Returns the lines below a secret that continue it, or are of its kind: random as well; the last one may be short. */
export function moreRows(text: string, { end }: Span): Span[] {
  const rows: Span[] = [];
  let at = end;
  while (rows.length < MOST_RANDOM_ROWS) {
    const start = matchEnd(BETWEEN_ROWS, text, at);
    const next = start === undefined ? undefined : matchEnd(RANDOM_ROW, text, start);
    if (start === undefined || next === undefined) break;
    const row = text.slice(start, next);
    if (!isRandom(row, 16) && !(row.endsWith('=') && rows.length > 0)) break;
    rows.push({ start, end: next });
    at = next;
  }
  return rows;
}

/** The first line of a private key, in any of the forms that programs write. */
const KEY_BEGIN =
  /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}(?:PRIVATE|SECRET) KEY(?: BLOCK)?-----|---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----|Private-Lines: \d{1,4}/g;
/** The signs that may come between the lines of a key in a string: indentation, quotes, comments or operators. */
const BETWEEN_KEY_ROWS = /(?:\\[nrt]|[\s"'`+,\\|>#*;()]){1,200}/y;
const KEY_HEADER = /[A-Za-z][A-Za-z-]{1,30}: [^\n\r\\]{0,200}/y;
const KEY_ROW = /[A-Za-z0-9+/=]{16,10000}/y;
const LAST_KEY_ROW = /[A-Za-z0-9+/=]{1,15}(?=(?:\\[nrt]|[\s"'`+,\\|>#*;()]){1,200}(?:-----END|---- END|Private-MAC))/y;
const KEY_MAC = /Private-MAC: {0,4}([0-9a-fA-F]{16,128})/y;
/** More lines than any key has. */
const MOST_KEY_ROWS = 1000;
const MOST_KEY_HEADERS = 10;

/** Returns the lines of private keys, grouped by key. */
export function findKeyBlocks(text: string): Span[][] {
  const blocks: Span[][] = [];
  KEY_BEGIN.lastIndex = 0;
  for (let begin = KEY_BEGIN.exec(text); begin; begin = KEY_BEGIN.exec(text)) {
    const rows = keyRowsFrom(text, KEY_BEGIN.lastIndex);
    const last = rows.at(-1);
    if (!last) continue;
    blocks.push(rows);
    KEY_BEGIN.lastIndex = last.end;
  }
  return blocks;
}

function keyRowsFrom(text: string, from: number): Span[] {
  const rows: Span[] = [];
  let at = matchEnd(BETWEEN_KEY_ROWS, text, from) ?? from;
  let headers = 0;
  while (rows.length < MOST_KEY_ROWS) {
    const header = rows.length === 0 && headers++ < MOST_KEY_HEADERS ? matchEnd(KEY_HEADER, text, at) : undefined;
    const end = header ?? matchEnd(KEY_ROW, text, at) ?? matchEnd(LAST_KEY_ROW, text, at);
    if (end === undefined) break;
    if (header === undefined) rows.push({ start: at, end });
    at = matchEnd(BETWEEN_KEY_ROWS, text, end) ?? end;
  }
  const mac = matchEnd(KEY_MAC, text, at);
  if (mac !== undefined && rows.length > 0) rows.push({ start: at, end: mac });
  return rows;
}

/** A token known to the library contains one of these: skipping other texts saves nearly all of its time. */
const SIGNS =
  /A3T|AKIA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|ASIA|[Ss](?:ecret|ECRET)_?(?:access|ACCESS|Access)|PRIVATE KEY|x-oauth-basic|_authToken|npm_|xox[bpaor]-|xapp-|hooks\.slack\.com|:\/\/[^\s/@]{1,400}@|T3BlbkFJ|sk-(?:ant|proj|svc|adm)|gsk_|hf_|lin_api_|ntn_|SG\.|shp[pcas]|[sr]k_(?:live|test)_|gh[pousr]_|github_pat_|glpat-|glc_|glsa_|ops_ey|(?:mongodb|mysqlx?|postgres)[^\s/]{0,8}:\/\/|hv[sbr]\.|vc[piark]_|dapi|dckr_pat_|figd_|cf(?:k|ut|at)_|tskey-/;

// It would record each use for as long as the process lives.
secretLintProfiler.setEnabled(false);

const PRESET = '@secretlint/secretlint-rule-preset-recommend';
const CONFIG = {
  rules: [
    {
      id: PRESET,
      rule: creator,
      // A file must not be able to declare itself readable.
      rules: [{ id: '@secretlint/secretlint-rule-filter-comments', disabled: true }],
    },
  ],
};

/**
 * The library gets so many characters at a time, since some of its patterns take quadratic time. No token is longer than
 * the overlap of two parts; keys of many lines are found by `findKeyBlocks`.
 */
const PART = 4096;
const SHARED = 1024;

/** Tokens of services, by a library that is kept up to date. */
export async function findByLibrary(text: string): Promise<Span[]> {
  if (!SIGNS.test(text)) return [];
  const found: Span[] = [];
  for (let from = 0; from === 0 || from + SHARED < text.length; from += PART - SHARED) {
    const part = text.slice(from, from + PART);
    if (SIGNS.test(part))
      for (const { start, end } of await findIn(part)) found.push({ start: from + start, end: from + end });
  }
  return found;
}

async function findIn(content: string): Promise<Span[]> {
  const source = { filePath: 'text', content, contentType: 'text', ext: '' } as const;
  const { messages } = await lintSource({ source, options: { config: CONFIG, noPhysicFilePath: true } });
  return messages.flatMap(({ range, type }) => (type === 'message' ? [{ start: range[0], end: range[1] }] : []));
}
