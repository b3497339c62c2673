import type { KindDescriptor } from '../../core/kind/kind-descriptor.ts';
import { type Member, MODELS_OPTION, membersIn, memberText } from '../../core/money/several-models.ts';
import type { SearchRecord } from '../../core/search/record/search-record.ts';
import type { SearchFile } from '../../core/search/search-file.ts';
import { descriptorOf, type Kinds } from '../../engine/kind.ts';
import type { Recalled } from '../trust/search-use.ts';

/** The model that needs no consent: it contacts no server and costs nothing. */
export const FREE_MODEL = 'workspace/quotes';

/** Tells whether a model of this name costs nothing, whoever opens it. */
export function isFreeModel(name: string): boolean {
  return name === FREE_MODEL || name.startsWith('replay/');
}

/** Returns the models that share the work of a search, as its search.json names them; none of a kind whose work is not shared. */
export function sharedBy(
  { options: known }: Pick<KindDescriptor, 'options'>,
  { options }: Pick<SearchFile, 'options'>,
): readonly Member[] {
  return known.some(({ name }) => name === MODELS_OPTION) ? (membersIn(options[MODELS_OPTION]) ?? []) : [];
}

/** Returns the names of the models that share the work of a search; none if this program knows no such kind. */
export function memberNames(kinds: Kinds, file: Pick<SearchFile, 'kind' | 'options'> | undefined): string[] {
  const descriptor = file && descriptorOf(kinds, file.kind);
  return descriptor ? sharedBy(descriptor, file).map(({ name }) => name) : [];
}

/** The models that this person names now. */
export interface NamedModels {
  readonly model?: string | undefined;
  /** The one that picks and evaluates. */
  readonly judge?: string | undefined;
  /** Several that share its work. */
  readonly several?: readonly string[] | undefined;
}

/**
 * The models of an existing search. If they came with its folder and this person has not used them here, they are not
 * trusted: they could send the workspace's text somewhere, and spend money.
 */
export interface ModelChoice {
  readonly name: string;
  readonly judge: string | undefined;
  /** Several that share its work, as search.json names them; missing if one does it. */
  readonly models?: readonly string[];
  readonly trusted: boolean;
}

/**
 * Returns the models that this person names now, else those they used here last, else those that the search's folder
 * asks for.
 */
export function chooseModels(
  named: NamedModels,
  { here }: Pick<Recalled, 'here'>,
  record: Pick<SearchRecord, 'model' | 'judge'>,
  file: Pick<SearchFile, 'model'> & Partial<Pick<SearchFile, 'options'>>,
): ModelChoice {
  const members = membersIn(file.options?.[MODELS_OPTION]) ?? [];
  const models = named.several ?? members.map((each) => each.name);
  const several = models.length > 0 ? { models } : {};
  const areAgreed = named.several !== undefined || members.every((each) => isAgreed(each, here?.models));
  if (named.model !== undefined)
    return { name: named.model, judge: named.judge ?? here?.judge, ...several, trusted: areAgreed };
  if (here?.model !== undefined)
    return { name: here.model, judge: named.judge ?? here.judge, ...several, trusted: areAgreed };
  const name = record.model ?? file.model ?? FREE_MODEL;
  const judge = named.judge ?? record.judge;
  const isFree = name === FREE_MODEL && (judge === undefined || judge === named.judge);
  return { name, judge, ...several, trusted: isFree && areAgreed };
}

/** Tells whether this person used a model here, with no lower limit than search.json gives it now. */
function isAgreed({ name, most = Number.POSITIVE_INFINITY }: Member, used: readonly string[] = []): boolean {
  if (name === FREE_MODEL) return true;
  const known = used.flatMap((text) => membersIn(text) ?? []).find((each) => each.name === name);
  return known !== undefined && most <= (known.most ?? Number.POSITIVE_INFINITY);
}

/** Returns all models that a person used for a search, each with the highest limit that it had, as an option names them. */
export function allUsed(before: readonly string[], now: readonly string[]): string[] {
  const most = new Map<string, number>();
  for (const { name, most: limit = Number.POSITIVE_INFINITY } of [...before, ...now].flatMap(
    (each) => membersIn(each) ?? [],
  ))
    most.set(name, Math.max(limit, most.get(name) ?? 0));
  return [...most].map(([name, limit]) => memberText({ name, ...(Number.isFinite(limit) && { most: limit }) }));
}
