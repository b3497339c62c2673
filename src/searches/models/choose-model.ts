import type { SearchRecord } from '../../core/search/record/search-record.ts';
import type { SearchFile } from '../../core/search/search-file.ts';

/** The model that needs no consent: it contacts no server and costs nothing. */
export const FREE_MODEL = 'workspace/quotes';

/** Whether a model of this name costs nothing, whoever opens it. */
export function isFreeModel(name: string): boolean {
  return name === FREE_MODEL || name.startsWith('replay/');
}

/**
 * The model of an existing search. If it came with a clone and this person has not used it here, it is not trusted: it
 * could send the workspace's text somewhere, and spend money.
 */
export interface ModelChoice {
  readonly name: string;
  readonly trusted: boolean;
}

/** @param named the model that this person names now */
export function chooseModel(
  named: string | undefined,
  record: Pick<SearchRecord, 'model'>,
  file: SearchFile,
): ModelChoice {
  const name = named ?? record.model;
  if (name !== undefined) return { name, trusted: true };
  const brought = file.model ?? FREE_MODEL;
  return { name: brought, trusted: brought === FREE_MODEL };
}

/**
 * The model that picks and evaluates in an existing search: the one named now, else the last one used here. A clone
 * cannot choose one.
 */
export function chooseJudge(named: string | undefined, record: Pick<SearchRecord, 'judge'>): string | undefined {
  return named ?? record.judge;
}
