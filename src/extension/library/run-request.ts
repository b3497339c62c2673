import type { SearchFile } from '../../core/search/search-file.ts';
import type { Outcome } from '../../engine/loop.ts';
import type { SearchParts } from '../../engine-parts/opening/open-held-search.ts';
import type { Place } from '../../searches/place.ts';

export interface RunRequest {
  readonly place: Place;
  readonly model: string;
  /** The model that picks and scores, if different. */
  readonly judge?: string | undefined;
  /** The new file that gets every request and answer. */
  readonly record?: string | undefined;
  readonly limits?: SearchParts['limits'];
  readonly concurrency?: number;
  readonly timeoutMs?: number;
  /** The search to create first; undefined if it exists. */
  readonly create?: SearchFile | undefined;
  /** The plan that a new search begins with, as its kind checked it. */
  readonly plan?: string | undefined;
  /** Its model and its forecast, to be said with the question about its commands. */
  readonly expected?: string | undefined;
  /** True if a person reviews the decomposition of the problem before the search begins. */
  readonly showsPlan?: boolean;
  /** True if they were shown its forecast, and agreed. */
  readonly isAgreed?: boolean;
  /** Slug paths of documents that this run writes anew, and nothing else; `slotsFor` says with how many slots. */
  readonly anew?: readonly string[];
}

export interface RunEnd {
  readonly place: Place;
  readonly title: string;
  readonly kind: string;
  readonly outcome?: Outcome;
  /** Set if it could not run, or another process took over. */
  readonly error?: unknown;
}
