import { termsOf } from '../../words/terms.ts';

/** Mixed into every hash: of this user alone, so that a kept index tells nobody else which words it has. */
export interface Salt {
  readonly first: number;
  readonly second: number;
}

/** The hash of a term, 32 bits. */
export function termHash(term: string, { first, second }: Salt): number {
  let hash = first;
  for (let at = 0; at < term.length; at++) hash = Math.imul(hash ^ term.charCodeAt(at), 0x01000193);
  hash ^= second;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

// Words whose terms change whenever the rules of splitting, stopping or stemming do; not those that only ICU can split,
// which takes a while to get ready for it: its version tells as much.
const SAMPLE = `getHTTPResponse2 utf8 IPv4 WebSocket the new back done get return undefined import value retried retries execution
  executes enforced queueing databases analyses réglages Übergänge größer naïve 超时 キャンセル 중단하다 2fa x y snake_case_name
  SCREAMING_CASE don't e-mail foo.bar #private $scope happily movement darkness importance ties classes boxes running stopped`;

/** Tells apart the rules by which words become terms: what was counted by others is worth nothing. */
export function wordsVersion(): number {
  return termHash(`${termsOf(SAMPLE).join(' ')} ${process.versions['icu']}`, { first: 0x811c9dc5, second: 0 });
}
