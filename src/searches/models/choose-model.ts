import type { SearchRecord } from '../../core/search/record/search-record.ts';
import type { SearchFile } from '../../core/search/search-file.ts';
import type { Recalled } from '../trust/search-use.ts';

/** The model that needs no consent: it contacts no server and costs nothing. */
export const FREE_MODEL = 'workspace/quotes';

/** Tells whether a model of this name costs nothing, whoever opens it. */
export function isFreeModel(name: string): boolean {
  return name === FREE_MODEL || name.startsWith('replay/');
}

/** The models that this person names now. */
export interface NamedModels {
  readonly model?: string | undefined;
  /** The one that picks and evaluates. */
  readonly judge?: string | undefined;
}

/**
 * The models of an existing search. If they came with its folder and this person has not used them here, they are not
 * trusted: they could send the workspace's text somewhere, and spend money.
 */
export interface ModelChoice {
  readonly name: string;
  readonly judge: string | undefined;
  readonly trusted: boolean;
}

/** The models that this person names now, else those they used here last, else those that the search's folder asks for. */
export function chooseModels(
  named: NamedModels,
  { here }: Pick<Recalled, 'here'>,
  record: Pick<SearchRecord, 'model' | 'judge'>,
  file: Pick<SearchFile, 'model'>,
): ModelChoice {
  if (named.model !== undefined) return { name: named.model, judge: named.judge ?? here?.judge, trusted: true };
  if (here?.model !== undefined) return { name: here.model, judge: named.judge ?? here.judge, trusted: true };
  const name = record.model ?? file.model ?? FREE_MODEL;
  const judge = named.judge ?? record.judge;
  return { name, judge, trusted: name === FREE_MODEL && (judge === undefined || judge === named.judge) };
}
