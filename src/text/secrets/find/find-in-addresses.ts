import { isPlaceholder } from '../placeholders.ts';
import type { Span } from '../span.ts';
import { isRandom } from '../value-strength.ts';

const ADDRESS = /:\/\/([^\s:@/"'`<>?#]{0,100}):([^\s@"'`<>/]{4,200})@(?=[^\s@"'`<>])/g;
const USER_ALONE = /:\/\/([\w-]{20,200})@(?=[^\s@"'`<>])/g;
const HEADER = /\b(?:[Bb]asic|BASIC|GenieKey|SSWS)[ \t]{1,4}([A-Za-z0-9+/=_.~:-]{8,4000})/g;
/** The user option of a command that contacts a server. */
const USER = /(?:\s-u|--user|--proxy-user|--basic|--creds?)[ =]{0,2}["']?([\w.@+-]{1,80}):([^\s"'`]{3,200})/g;
const ATTACHED =
  /\b(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump|sshpass|7z|7za|zip)\b[^\n|;&]{0,200}?\s-[pP] {0,1}["']?([^\s"'`|;&]{4,100})/g;
const OPTIONS = /\s[-/]u(?:ser)?[ =:]{1,4}\S{1,80}\s{1,4}[-/]p(?:ass(?:word)?)?[ =:]{1,4}["']?([^\s"'`]{4,100})/gi;
const SHARE = /\bnet use\b[^\n]{0,200}?\/user:\S{1,80}\s{1,4}["']?([^\s"'`]{4,100})/gi;

/** Passwords and tokens in addresses, in headers, and in the arguments of commands. */
export function findInAddresses(text: string): Span[] {
  const found: Span[] = [];
  const add = (match: RegExpExecArray, value: string | undefined): void => {
    if (value === undefined || isPlaceholder(value)) return;
    const start = match.index + match[0].lastIndexOf(value);
    found.push({ start, end: start + value.length });
  };
  if (text.includes('://')) for (const match of text.matchAll(ADDRESS)) add(match, match[2]);
  if (text.includes('@'))
    for (const match of text.matchAll(USER_ALONE)) if (isRandom(match[1] ?? '', 20)) add(match, match[1]);
  for (const match of text.matchAll(HEADER)) if (isRandom(match[1] ?? '', 12)) add(match, match[1]);
  if (text.includes('-u') || text.includes('--')) for (const match of text.matchAll(USER)) add(match, match[2]);
  for (const match of text.matchAll(ATTACHED)) add(match, match[1]);
  for (const match of text.matchAll(OPTIONS)) add(match, match[1]);
  if (text.includes('/user:')) for (const match of text.matchAll(SHARE)) add(match, match[1]);
  return found;
}
