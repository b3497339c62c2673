import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatUsd } from '../../core/money/figures.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../../core/search/errors.ts';
import { expansionsOf, type Limits } from '../../core/search/limits.ts';
import { oneLine } from '../../core/text/text.ts';
import { childSlug } from '../../core/tree/slug.ts';
import { descriptorOf, loadKind } from '../../engine/kind.ts';
import { readSearchId } from '../../store/open-store.ts';
import { FREE_MODEL, isFreeModel } from '../models/choose-model.ts';
import { newSearch } from '../new-search.ts';
import { type Place, titleFrom } from '../place.ts';
import { SearchReader } from '../reader/search-reader.ts';
import type { AgentFolder, AgentHost, AgentRun, Permit, Plan, ToolAnswer, ToolCall } from './agent-host.ts';
import { askMoney, limitsWith, needsNoPermission } from './ask-money.ts';
import { nameOf } from './find-place.ts';
import { needsPlan, noFolderOpen, noSuchOption, nothing, stopped, stoppedAndPaused, takesNoPlan } from './messages.ts';
import { meantValues, shownTitle } from './safe-text.ts';
import { statusAnswer } from './status-of.ts';
import type { StartArgs } from './tool-descriptors.ts';

/** Searches of the same name that may begin at once. */
const ATTEMPTS = 20;

/** `tree_start`: a new search in the first of the host's folders. */
export async function planStart(host: AgentHost, args: StartArgs, call: ToolCall): Promise<Plan> {
  const usual = host.models.usual();
  const model = args.model ?? usual.model ?? FREE_MODEL;
  const judge = args.judge ?? (args.model === undefined ? usual.judge : undefined);
  const kind = args.kind ?? host.kinds[0]?.descriptor.name ?? '';
  const prompt = args.question.trim();
  const title = args.title === undefined ? titleFrom(prompt) : oneLine(args.title, 200) || titleFrom(prompt);
  const { strategy, ...own } = optionsFor(host, kind, args.options);
  const options = {
    ...own,
    ...host.newSearches?.(kind),
    ...(args.size && { size: args.size }),
    ...(args.max_depth !== undefined && { maxDepth: args.max_depth }),
  };
  const asked = { kind, title, prompt, model, options, ...(strategy !== undefined && { strategy: String(strategy) }) };
  const create = await newSearch(host.kinds, asked);
  const plan = await planFor(host, kind, args.plan, model);
  const place = await freePlace(firstFolder(host), title);
  const limits: Partial<Limits> = {
    ...(args.size && { size: args.size }),
    ...(args.max_depth !== undefined && { maxDepth: args.max_depth }),
  };
  const run = { place, create, model, judge, ...(plan !== undefined && { plan }) };
  const carryOut = async (permit: Permit): Promise<ToolAnswer> => {
    if (call.signal.aborted) {
      permit.settle?.(0);
      throw call.signal.reason;
    }
    const { signal, made } = call;
    const begun = await startAt(host, { ...run, limits: limitsWith(limits, 0, permit), permit, signal }, title, made);
    await waitFor(host, begun, args.wait_seconds, call);
    return await statusAnswer(host, begun);
  };
  if (needsNoPermission(model, judge)) return { carryOut };
  const areModelsOwn = isChosen(model, usual) && (judge === undefined || isChosen(judge, usual));
  const question = `Start the search "${shownTitle(title)}"?`;
  const money = { host, ...run, title, question, limits, maxUsd: args.max_usd, areModelsOwn };
  const wanted = await askMoney(money);
  // The title is the caller's: a person sees what is asked, too.
  const asks = prompt === title ? [] : [`Question: ${shownTitle(prompt)}`];
  return { wanted: { ...wanted, details: [...asks, ...wanted.details] }, carryOut };
}

/**
 * The plan that a search begins with, as its kind checked it; undefined if it begins with none.
 * @throws ThoughtTreeError `bad-input` or `damaged` if it cannot begin so, `declined` if its commands may not run
 */
async function planFor(
  { kinds, mayRun }: AgentHost,
  name: string,
  given: string | undefined,
  model: string,
): Promise<string | undefined> {
  const kind = await loadKind(kinds, { kind: name });
  if (given === undefined) {
    if (kind.extras.plans && isFreeModel(model)) throw new ThoughtTreeError('bad-input', needsPlan({ kind: name }));
    return undefined;
  }
  const { plans } = kind.extras;
  if (!plans) throw new ThoughtTreeError('bad-input', takesNoPlan({ kind: name }));
  const { text, commands } = plans.read(given, 'plan');
  if (commands.length > 0) mayRun?.(commands);
  return text;
}

/** Returns the options that a kind has. @throws ThoughtTreeError `bad-input` naming them if others are given */
function optionsFor(
  { kinds }: AgentHost,
  kind: string,
  given: NonNullable<StartArgs['options']> = {},
): Readonly<Record<string, string | number | boolean>> {
  const open = descriptorOf(kinds, kind)?.options.filter(({ hidden, forPeople }) => !hidden && !forPeople) ?? [];
  const names = open.map(({ name }) => name);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown === undefined) return meantValues(given, open);
  const known = names.join(', ') || nothing();
  throw new ThoughtTreeError('bad-input', noSuchOption({ name: oneLine(unknown, 60), kind: oneLine(kind, 60), known }));
}

/** Begins a search; in another folder if somebody else was faster with one of this name. */
async function startAt(host: AgentHost, run: AgentRun, title: string, made: ToolCall['made']): Promise<Place> {
  const { permit } = run;
  const tried: string[] = [];
  let hasBegun = false;
  // A start that failed leaves the permission to the next attempt.
  const settle = (usd: number): void => {
    if (hasBegun || usd > 0) permit.settle?.(usd);
  };
  for (let attempt = 1, { place } = run; ; attempt++)
    try {
      await host.runs.start({ ...run, place, permit: { ...permit, settle } });
      hasBegun = true;
      made?.(nameOf(host, place));
      return place;
    } catch (error) {
      if (!isThoughtTreeError(error, 'exists', 'held') || attempt >= ATTEMPTS) {
        permit.settle?.(0);
        // What failed after it was made, or was cancelled, is there to be continued.
        if (!isThoughtTreeError(error, 'exists', 'held') && (await readSearchId(place.folder).catch(() => undefined)))
          made?.(nameOf(host, place));
        throw error;
      }
      tried.push(basename(place.folder));
      place = await freePlace(firstFolder(host), title, tried);
    }
}

/** Tells whether a person chose a model for this host, or it is the free one. */
function isChosen(name: string, { model, judge }: ReturnType<AgentHost['models']['usual']>): boolean {
  return name === FREE_MODEL || name === model || name === judge;
}

/** @throws ThoughtTreeError `bad-input` where no folder is open */
function firstFolder({ folders: [first] }: AgentHost): AgentFolder {
  if (first) return first;
  throw new ThoughtTreeError('bad-input', noFolderOpen());
}

async function freePlace(
  { workspace, searches }: AgentFolder,
  title: string,
  tried: readonly string[] = [],
): Promise<Place> {
  const taken = new Set([...(await readdir(searches).catch(() => [])), ...tried]);
  return { workspace, folder: join(searches, childSlug(title, '', taken)) };
}

/** The time between two looks where no change is noticed, in milliseconds. */
const LOOK_MS = 500;

/**
 * Waits until a search has ended or paused, or the time is over, and tells its progress. Whoever cancels the call wants
 * nothing more to be spent: a search that runs here is paused then.
 * @throws ThoughtTreeError `aborted` if the call was cancelled
 */
export async function waitFor(host: AgentHost, place: Place, seconds: number, call: ToolCall): Promise<void> {
  const { folder } = place;
  const until = performance.now() + seconds * 1000;
  const reader = await SearchReader.read(place);
  let wake = Promise.withResolvers<void>();
  reader.follow(() => wake.resolve());
  let said = '';
  try {
    while (reader.isActive || host.runs.isHere(folder)) {
      said = tell(reader, call, said);
      const left = until - performance.now();
      if (left <= 0 || call.signal.aborted) break;
      await Promise.race([wake.promise, sleep(Math.min(left, LOOK_MS), undefined, { signal: call.signal })]).catch(
        () => undefined,
      );
      wake = Promise.withResolvers<void>();
      await reader.refresh();
    }
  } finally {
    reader.close();
  }
  if (!call.signal.aborted) return;
  if (!host.runs.isHere(folder)) throw new ThoughtTreeError('aborted', stopped());
  await host.runs.pause(folder);
  throw new ThoughtTreeError('aborted', stoppedAndPaused());
}

function tell(reader: SearchReader, { progress }: ToolCall, said: string): string {
  const done = reader.count('expanded', 'leaf');
  const { calls, usd } = reader.spend;
  const most = expansionsOf(reader.limits?.size ?? 'all');
  const text = `${done} nodes done, ${reader.count('unexpanded', 'in-progress')} open; ${calls} calls, ${formatUsd(usd)}`;
  // A text is not sent twice in a row: clients show every message.
  if (text !== said) progress?.(done, Number.isFinite(most) ? Math.max(most, done) : undefined, text);
  return text;
}
