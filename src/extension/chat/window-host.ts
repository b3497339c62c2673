import { basename } from 'node:path';
import * as vscode from 'vscode';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import type { Kinds } from '../../engine/kind.ts';
import type { AgentFolder, AgentHost, AgentRun } from '../../searches/agent-tools/agent-host.ts';
import { nameOf } from '../../searches/agent-tools/find-place.ts';
import { isFreeModel, memberNames } from '../../searches/models/choose-model.ts';
import { priceOf } from '../../searches/models/own-prices.ts';
import { searchesIn } from '../../searches/place.ts';
import type { FollowedSearch } from '../library/followed-search.ts';
import type { SearchLibrary } from '../library/search-library.ts';
import type { SearchRunner } from '../library/search-runner.ts';
import { noSearchYet } from '../messages.ts';
import { broughtModels, EDITOR_PROVIDER, limitsFor, type Settings, settingsFor } from '../settings.ts';

/** Who asks, in journals. */
const BY = 'chat';

export interface HostParts {
  readonly kinds: Kinds;
  readonly library: SearchLibrary;
  readonly runner: SearchRunner;
}

/**
 * This window as the program that offers the tools over searches: it runs what they begin, with its own models and keys,
 * as if a person had begun it here.
 * @param permit says what a person was asked before
 * @param chosen the model that a person picked for this call, if not that of the settings
 */
export function windowHost(
  { kinds, library, runner }: HostParts,
  permit: AgentHost['permit'],
  chosen?: string,
): AgentHost {
  const scope = vscode.workspace.workspaceFolders?.[0]?.uri;
  return {
    kinds,
    folders: agentFolders(),
    models: {
      usual: () => (chosen === undefined ? usualModels(settingsFor(scope), broughtModels(scope)) : { model: chosen }),
      facts: (name) => ({ name, free: isFreeModel(name), ...priceFor(name, settingsFor(scope)) }),
    },
    newSearches: () => settingsFor(scope).reading as Readonly<Record<string, string | boolean>>,
    runs: {
      isHere: (folder) => runner.isRunning(folder),
      start: async (run) => void (await runner.run({ ...run, ...settingsOf(run, kinds), isAgreed: true })),
      pause: async (folder) => {
        const search = library.search(folder);
        if (search) await runner.stop({ folder, workspace: search.workspace });
      },
      act: (place, call, signal, { model: named, mostUsd }) =>
        runner.outcome(place, call, { by: BY, signal, named, mostUsd }),
    },
    permit,
  };
}

/**
 * The folders of the window whose searches agents may see.
 * @throws ThoughtTreeError `bad-input` if one of them is a link to elsewhere
 */
function agentFolders(): AgentFolder[] {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  return folders.map(({ uri }) => ({
    workspace: uri.fsPath,
    searches: searchesIn(uri.fsPath, settingsFor(uri).folder),
  }));
}

/** Returns the models that the person chose; those that only the workspace names are not theirs. */
function usualModels(
  { model, judgeModel }: Settings,
  brought: readonly string[],
): { readonly model?: string; readonly judge?: string } {
  if (model === '' || brought.includes(model)) return {};
  const hasJudge = judgeModel !== '' && judgeModel !== model && !brought.includes(judgeModel);
  return { model, ...(hasJudge && !isFreeModel(model) ? { judge: judgeModel } : {}) };
}

function priceFor(name: string, { prices }: Settings): Pick<ReturnType<AgentHost['models']['facts']>, 'price'> {
  const price = prices[name] ?? (name.startsWith(`${EDITOR_PROVIDER}/`) ? undefined : priceOf(name));
  return price ? { price } : {};
}

/** A new search has the spend limits of the window's settings too, the lower one of each. */
function settingsOf({ place, create, model, judge, limits }: AgentRun, kinds: Kinds) {
  const settings = settingsFor(vscode.Uri.file(place.workspace));
  const { concurrency, timeoutMs } = settings;
  const common = { concurrency, timeoutMs, ...(limits ? { limits } : {}) };
  if (!create) return common;
  const own = limitsFor(settings, model, judge, ...memberNames(kinds, create));
  const usd = Math.min(own.usd ?? Number.POSITIVE_INFINITY, limits?.guards?.usd ?? Number.POSITIVE_INFINITY);
  const guards = { ...own, ...(Number.isFinite(usd) ? { usd } : {}) };
  return { ...common, limits: { ...limits, guards } };
}

/** The search that a person's words are about. */
export interface Named {
  readonly search: FollowedSearch;
  /** Their words apart from its name. */
  readonly rest: string;
}

/**
 * The search that some words are about: one whose folder or title they name, else the last one that was spoken of, else the
 * one at work, else the latest.
 * @param last the folder of the search that was spoken of last
 */
export async function namedSearch(
  library: SearchLibrary,
  words: string,
  last: string | undefined,
): Promise<Named | undefined> {
  await library.read;
  const searches = library.searches.filter(({ problem }) => problem === undefined);
  const text = words.trim();
  // The longest name first: one may be a part of another.
  const names = searches.flatMap((search) => [basename(search.folder), search.title].map((name) => ({ search, name })));
  for (const { search, name } of names.sort((a, b) => b.name.length - a.name.length)) {
    const at = text.toLowerCase().indexOf(name.toLowerCase());
    if (at < 0 || !isApart(text, at, name.length)) continue;
    const rest = `${text.slice(0, at).trimEnd()} ${text.slice(at + name.length).trimStart()}`.trim();
    return { search, rest: rest.replace(/^["',]|["',]$/g, '').trim() };
  }
  const search =
    searches.find(({ folder }) => folder === last) ?? searches.find(({ isActive }) => isActive) ?? searches[0];
  return search && { search, rest: text };
}

/** A name that is only a part of a path or a word does not count. */
function isApart(text: string, at: number, length: number): boolean {
  return !/[\w/-]/.test(text.charAt(at - 1)) && !/[\w/-]/.test(text.charAt(at + length));
}

/** @throws ThoughtTreeError `not-found` */
export function needSearch<T>(named: T | undefined): T {
  if (named === undefined) throw new ThoughtTreeError('not-found', noSearchYet());
  return named;
}

/** Returns the name by which the tools know a search. */
export function nameFor({ folder }: FollowedSearch): string {
  return nameOf({ folders: agentFolders() }, { folder });
}
