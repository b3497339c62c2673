import type { KindDescriptor } from '../../core/kind/kind-descriptor.ts';
import type { FindHooks } from '../../core/kind/kind-hooks.ts';
import type { Forecast } from '../../core/money/forecast.ts';
import type { Model } from '../../core/ports/model.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import type { Size } from '../../core/search/limits.ts';
import type { SearchFile } from '../../core/search/search-file.ts';
import { type Kinds, loadKind } from '../../engine/kind.ts';
import { type Place, placeFor, titleFrom } from '../../searches/place.ts';
import { COMMAND_TASK, hooksFor } from '../commands/task-hooks.ts';
import { loadSearches } from '../load-searches.ts';
import { notAgreedYet } from '../messages.ts';
import type { Settings } from '../settings.ts';
import { UNLIMITED } from './sizes.ts';
import type { Choices } from './start-questions.ts';

export interface Beginning {
  readonly workspace: string;
  readonly descriptor: KindDescriptor;
  readonly prompt: string;
  /** By default, made from the prompt. */
  readonly title?: string;
  readonly model: string;
  /** The model that picks and scores, if different. */
  readonly judge?: string;
  readonly settings: Settings;
  readonly choices: Choices;
  /** The plan that it begins with, as its kind checked it. */
  readonly plan?: string;
  /** Its model and its forecast, if nobody saw them yet. */
  readonly expected?: string | undefined;
  /** The file that gets every request and answer. */
  readonly record?: string;
  /** The calls it may make, if its size allows others than the settings. */
  readonly calls?: number;
}

/**
 * search.json of a new search.
 * @param number distinguishes searches for one question; 1 for the first
 * @throws ThoughtTreeError `bad-input` if its kind rejects the question, saying what one looks like
 */
export async function newSearch(kinds: Kinds, beginning: Beginning, number = 1): Promise<SearchFile> {
  const { workspace, descriptor, prompt, model, settings, choices } = beginning;
  const { title: first = titleFrom(prompt) } = beginning;
  const title = number === 1 ? first : `${first} (${number})`;
  const { size, maxDepth, concurrency, reading } = settings;
  const common = { size, concurrency, ...reading };
  const depth = descriptor.traits.depthFollows ? {} : { maxDepth };
  const strategy = descriptor.options.find(({ field }) => field === 'strategy')?.name;
  const kept = Object.fromEntries(Object.entries(choices).filter(([name]) => name !== strategy));
  const options = { ...common, ...depth, ...kept };
  const searches = await loadSearches();
  return searches.newSearch(kinds, {
    kind: descriptor.name,
    title,
    prompt,
    model,
    options,
    strategy: strategy === undefined ? undefined : (choices[strategy] as string | undefined),
    findHooks: await hooksBefore(kinds, { kind: descriptor.name, options }, workspace),
  });
}

/** Returns where it will be. @param taken names that are not free */
export function placeOf(
  { workspace, prompt, title = titleFrom(prompt), settings }: Beginning,
  taken?: ReadonlySet<string>,
): Place {
  return placeFor(workspace, title, undefined, settings.folder, taken);
}

/** The facts about a model that a forecast needs. */
type Described = Pick<Model, 'name' | 'free' | 'price' | 'prose'>;

/** Returns the forecast of a search as if nothing limited it; undefined if it has no foreseeable end. */
export async function forecastOf(
  kinds: Kinds,
  beginning: Beginning,
  describe: (name: string) => Described | Promise<Described>,
): Promise<Forecast | undefined> {
  const { model, judge, descriptor, settings, plan } = beginning;
  if (descriptor.traits.isUnforeseeable && settings.size === 'all') return undefined;
  const searches = await loadSearches();
  const described = await describe(model);
  const judging = judge === undefined ? undefined : await describe(judge);
  const create = await newSearch(kinds, beginning);
  const place = placeOf(beginning);
  const limits = { guards: UNLIMITED };
  return (await searches.forecast({ kinds, place, create, limits, model: described, judge: judging, plan })).left;
}

export function withSize(beginning: Beginning, size: Size): Beginning {
  return { ...beginning, settings: { ...beginning.settings, size } };
}

/** The person is asked about a command when it is about to run. */
async function hooksBefore(
  kinds: Kinds,
  file: Pick<SearchFile, 'kind' | 'options'>,
  workspace: string,
): Promise<FindHooks | undefined> {
  const { hooks } = (await loadKind(kinds, file)).extras;
  return hooks?.named(file.options) === COMMAND_TASK
    ? hooks.with({ runCheck: notYet, exported: undefined }).find
    : await hooksFor(kinds, file, workspace);
}

function notYet(): Promise<never> {
  return Promise.reject(new ThoughtTreeError('bad-input', notAgreedYet()));
}
