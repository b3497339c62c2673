import { type Entry, message } from '../messages/message.ts';
import type { CitationMark } from './citation.ts';

/** The result of checking a quotation, wherever it is shown. */
export const markWords: Readonly<Record<CitationMark, Entry<object>>> = {
  verified: message('citation.verified', 'verified'),
  moved: message('citation.moved', 'moved'),
  stale: message('citation.stale', 'stale'),
  not_found: message('citation.not_found', 'not found'),
};

/** The number of quotations that have each result. */
export const markCounts = {
  verified: message('citation.verified-count', '{count:number} verified'),
  moved: message('citation.moved-count', '{count:number} moved'),
  stale: message('citation.stale-count', '{count:number} stale'),
  not_found: message('citation.not-found-count', '{count:number} not found'),
};
