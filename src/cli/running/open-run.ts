import { basename, resolve } from 'node:path';
import type { FindHooks } from '../../core/kind/kind-hooks.ts';
import type { Message } from '../../core/messages/message.ts';
import { formatUsd, highestUsd } from '../../core/money/figures.ts';
import type { AnswersByData, Model, Price } from '../../core/ports/model.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import type { SearchFile } from '../../core/search/search-file.ts';
import { oneLine } from '../../core/text/text.ts';
import { type GivenPlan, type Kinds, loadKind } from '../../engine/kind.ts';
import { Recorder } from '../../models/replay/recorder.ts';
import { slotsFor } from '../../searches/history/write-anew.ts';
import { agentReads } from '../../searches/messages.ts';
import { type Environment, openWithEnvironment } from '../../searches/models/environment.ts';
import { type OpenedSearch, openSearch } from '../../searches/open-search.ts';
import type { Place } from '../../searches/place.ts';
import { forecastFor } from '../../searches/search-forecast.ts';
import { rememberedAddress } from '../../searches/trust/search-use.ts';
import { type FleetRun, fleetFor } from '../fleet/fleet-run.ts';
import * as say from '../messages.ts';
import type { TaskFlags, WorkFlags } from '../options/kind-options.ts';
import { givenPriceOf, limitsFrom, type SearchFlags } from '../options/options.ts';
import { forecastText, modelForecasts } from '../rows/texts.ts';
import { terminalOf } from '../terminal/terminal.ts';
import { inWords, ownTranslation } from '../terminal/translation.ts';
import { askYes, type CommandConsent, canAsk, mayLoad, mayStart } from './consent.ts';

export interface RunRequest {
  /** The kinds that this program knows. */
  readonly kinds: Kinds;
  readonly place: Place;
  readonly flags: SearchFlags & TaskFlags & WorkFlags;
  readonly env: Environment;
  readonly model: string;
  /** The model that picks and evaluates; by default the main one. */
  readonly judge?: string | undefined;
  /** Those that share the work, if they are several. */
  readonly several?: readonly string[] | undefined;
  /** The command that continues it, if there is a shorter one than usual. */
  readonly resume?: (...more: string[]) => string;
  /** The search to create first; undefined if it exists. */
  readonly create?: SearchFile;
  /** Of one that exists. */
  readonly title?: string;
  /** The options of its kind that this run sets. */
  readonly options?: object;
  /** Finds hooks, including this person's own; by default the built-in ones. */
  readonly findHooks?: FindHooks;
  /** Number of slots, as this person says; by default as the search says. */
  readonly concurrency?: number | undefined;
  /** The plan that a new search begins with. */
  readonly plan?: GivenPlan | undefined;
  /** Slug paths of documents that this run writes anew, and nothing else. */
  readonly anew?: readonly string[];
}

/** Opens everything for a run, with the options and the environment of this command. */
export async function openRun(request: RunRequest, consent: CommandConsent): Promise<OpenedSearch> {
  const { kinds, place, flags, env, model, judge, create, options: given, findHooks } = request;
  refuseStrayPrices(request);
  const { read, tools, allowFile } = flags;
  const timeoutMs = timeoutOf(flags);
  const { byData } = (create && (await loadKind(kinds, create)).extras.hooks) ?? {};
  const recorder = flags.record === undefined ? undefined : await Recorder.open(resolve(flags.record), byData);
  const title = create?.title ?? request.title ?? basename(place.folder);
  const baseUrl = (): Promise<string | undefined> => addressOf(model, { place, flags, env });
  const { several = [] } = request;
  const fleet = await fleetFor({ place, flags, env, title, model, judge, several, baseUrl });
  const asked = flags.concurrency === 'fleet' ? undefined : flags.concurrency;
  const concurrency = request.anew ? slotsFor(request.anew) : (fleet?.concurrency ?? asked);
  const options = { place, flags, env, recorder, byData, fleet };
  let forecast: string | undefined;
  const opening = openSearch({
    kinds,
    place,
    openModel: () => openNamedModel(model, options),
    openJudge: judge === undefined || judge === model ? undefined : () => openNamedJudge(judge, model, options),
    openMember: (name) => openNamedMember(name, model, options),
    approve: async (writing, judging, several) => {
      sayAgents([writing, judging, ...several]);
      // The cost of documents that are written anew was said before.
      if (!request.anew) forecast = await approveForecast({ ...request, concurrency }, writing, judging, several);
    },
    address: flags.baseUrl ?? env.baseUrl,
    create,
    plan: request.plan?.text,
    work: { consent: (lines, says) => consent.allows(lines, says), network: flags.allowNetwork },
    allowsExperiment: flags.allowExperiments ? async () => true : undefined,
    findHooks,
    limits: limitsFrom(flags),
    concurrency,
    slots: fleet?.slots,
    options: given,
    context: flags.context === false ? false : undefined,
    timeoutMs,
    read,
    tools,
    mayRead: async (why) => read !== undefined || tools === true || (await askToRead(why)),
    translation: ownTranslation(),
    allowedFiles: allowFile,
  });
  const opened = await opening.catch(async (error: unknown) => {
    await fleet?.close();
    throw error;
  });
  opened.search.listen((event) => fleet?.hear(event));
  const { err } = terminalOf(process);
  for (const what of opened.heldBack) err.line(inWords(what));
  if (opened.sent) err.line(inWords(LESS[opened.sent.read]({ what: opened.sent.text })));
  if (forecast !== undefined) sayForecast(forecast, flags.json);
  return opened;
}

/** @throws ThoughtTreeError `bad-input` if a price names a model that the run does not have, so that it would count for nothing */
function refuseStrayPrices({ flags, model, judge = model, several = [] }: RunRequest): void {
  const models = [...new Set([model, judge, ...several])];
  const stray = Object.keys(flags.price?.of ?? {}).find((name) => !models.includes(name));
  if (stray === undefined) return;
  const said = { model: oneLine(stray, 200), models: oneLine(models.join(', '), 1000) };
  throw new ThoughtTreeError('bad-input', say.priceOfNone(said));
}

/** The advice to a person on changing what is sent. */
const LESS = { nothing: say.sentAndMore, quotes: say.sentAndNothing, tools: say.sentAndLess } as const;

/** @throws ThoughtTreeError `declined` naming the option if there is nobody to ask */
async function askToRead(why: Message): Promise<boolean> {
  if (!canAsk()) throw new ThoughtTreeError('declined', say.sayRead({ why }));
  return await askYes(inWords(say.mayRead({ why })));
}

export interface NamedModelOptions {
  readonly place: Place;
  readonly flags: SearchFlags;
  readonly env: Environment;
  readonly recorder?: Recorder | undefined;
  /** The way of the search's kind to find answers in a recording. */
  readonly byData?: AnswersByData | undefined;
  /** Whose workers carry out its calls. */
  readonly fleet?: FleetRun | undefined;
}

/** Opens a model by name, according to the options and the environment. */
export async function openNamedModel(name: string, options: NamedModelOptions): Promise<Model> {
  return open(name, options, await addressOf(name, options), givenPriceOf(name, name, options.flags.price));
}

/** Opens a judge. The given address is the model's; the judge uses it too if the same provider serves both. */
export async function openNamedJudge(name: string, model: string, options: NamedModelOptions): Promise<Model> {
  const isSame = name.split('/')[0] === model.split('/')[0];
  const { judgePrice = givenPriceOf(name, model, options.flags.price) } = options.flags;
  return open(name, options, isSame ? await addressOf(model, options) : undefined, judgePrice);
}

/** Opens one of several models that share the work; as for a judge, the given address may be its own, too. */
export async function openNamedMember(name: string, model: string, options: NamedModelOptions): Promise<Model> {
  const isSame = name.split('/')[0] === model.split('/')[0];
  const price = givenPriceOf(name, model, options.flags.price);
  return open(name, options, isSame ? await addressOf(model, options) : undefined, price);
}

/** As this person says now, else as they said when they used the model for this search. */
async function addressOf(model: string, { place, flags, env }: NamedModelOptions): Promise<string | undefined> {
  return flags.baseUrl ?? env.baseUrl ?? (await rememberedAddress(place.folder, model));
}

async function open(
  name: string,
  { place, flags, env, recorder, byData, fleet }: NamedModelOptions,
  baseUrl: string | undefined,
  price: Price | undefined,
): Promise<Model> {
  const { thinking, allowFile: allowedFiles } = flags;
  const { workspace } = place;
  const agent = { mayLoad, mayStart, ...(flags.allowTool && { allowedTools: flags.allowTool }) };
  const timeoutMs = timeoutOf(flags);
  const request = { workspace, env, baseUrl, price, thinking, timeoutMs, allowedFiles, agent, recorder, byData };
  const model = fleet?.model(name);
  return await openWithEnvironment(name, { ...request, ...(model && { model, secrets: fleet?.secrets }) });
}

function timeoutOf({ timeout }: SearchFlags): number | undefined {
  return timeout === undefined ? undefined : timeout * 1000;
}

/**
 * Asks, before anything is written, whether to begin a search that may cost more than the person's limit, or than their limits
 * over everything leave: if the upper end of the forecast does, or the price is unknown.
 * @returns the forecast if it still has to be shown once the search is open; undefined if it was shown
 * @throws ThoughtTreeError `declined` if the answer is no, or there is nobody to ask
 */
async function approveForecast(
  request: RunRequest,
  model: Model,
  judge: Model | undefined,
  several: readonly Model[],
): Promise<string | undefined> {
  const { kinds, place, flags, create, options } = request;
  const limit = flags.askAbove;
  if ([model, judge, ...several].every((each) => each?.free !== false)) return undefined;
  const concurrency = request.concurrency;
  const limits = limitsFrom(flags);
  const { left, each } = await forecastFor({
    kinds,
    place,
    create,
    limits,
    concurrency,
    options,
    model,
    judge,
    several,
    plan: request.plan?.text,
  });
  const highest = highestUsd(left);
  const { purseLeft } = await import('../../searches/purse/purse.ts');
  const inPurse = await purseLeft(place.workspace);
  const isOverPurse = inPurse !== undefined && highest !== undefined && highest > inPurse;
  const isOver = limit !== undefined && !(highest !== undefined && highest <= limit);
  const text = [forecastText(left), ...modelForecasts(each)].join('\n');
  if (!isOver && !isOverPurse) return text;
  sayForecast(text, flags.json);
  const why = isOver
    ? whyAsked(highest, limit)
    : say.moreThanLeft({ most: formatUsd(highest ?? 0), left: formatUsd(inPurse ?? 0) });
  // The purse holds by itself: a search that nobody watches may use what is left.
  if (!isOver && !canAsk()) {
    terminalOf(process).err.line(inWords(why));
    return undefined;
  }
  if (!canAsk()) throw new ThoughtTreeError('declined', say.raiseAskAbove({ why }));
  if (!(await askYes(inWords(say.beginAsked({ why }))))) throw new ThoughtTreeError('declined', say.notBegun());
  return undefined;
}

/** Shows it where it does not come between events. */
function sayForecast(text: string, json = false): void {
  const { err, out } = terminalOf(process);
  for (const line of text.split('\n')) (json ? err : out).line(line);
}

function whyAsked(highest: number | undefined, above: number): Message {
  const limit = formatUsd(above);
  return highest === undefined ? say.unknownCost({ limit }) : say.mayCost({ most: formatUsd(highest), limit });
}

/** An agent reads files by itself: what is left out of all other models' prompts, it sees. */
export function sayAgents(models: readonly (Model | undefined)[]): void {
  const names = new Set(models.flatMap((model) => (model?.most ? [model.name] : [])));
  for (const name of names) terminalOf(process).err.line(inWords(agentReads({ model: name })));
  for (const warning of new Set(models.flatMap((model) => (model?.warning ? [inWords(model.warning)] : []))))
    terminalOf(process).err.line(warning);
}
