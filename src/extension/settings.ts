import * as vscode from 'vscode';
import type { Forecast } from '../core/money/forecast.ts';
import type { Rates } from '../core/ports/model.ts';
import type { Size, SpendLimits } from '../core/search/limits.ts';
import { READS, readingOf, readNamed, type SaidReading, saysReading, USUAL_READ } from '../core/search/reading.ts';
import { isFreeModel } from '../searches/models/choose-model.ts';
import { SEARCHES } from '../searches/place.ts';

/** The provider part of the names of the editor's own models. */
export const EDITOR_PROVIDER = 'vscode';

/** The settings for new searches in a folder. */
export interface Settings {
  readonly folder: string;
  readonly size: Size;
  readonly maxDepth: number;
  readonly concurrency: number;
  /** The access of models to the workspace, as far as somebody says it; the workspace's own settings only take away. */
  readonly reading: SaidReading;
  /** Files that models may be shown as they are; only the person's own settings count. */
  readonly allowedFiles: readonly string[];
  readonly model: string;
  /** The model that picks and scores; empty for the same one. */
  readonly judgeModel: string;
  /** The addresses of providers, by name, if not their own. */
  readonly servers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Room for reasoning besides each answer, in tokens; undefined for what is known of a model. */
  readonly thinking: number | undefined;
  readonly guards: SpendLimits;
  /** Prices of models, by name: US dollars per million tokens. */
  readonly prices: Readonly<Record<string, Rates>>;
  /** Forecasts above this amount, in US dollars, need confirmation; undefined for never. */
  readonly askAbove: number | undefined;
  /** The program and its arguments that decide what a solution is; empty for none. */
  readonly checkCommand: readonly string[];
  /** The file with a person's own hooks, as an absolute path; empty for none. */
  readonly hooks: string;
}

/** Users of the editor's models pay by the call, so these searches have a spend limit of their own. */
const EDITOR_CALLS = 50;
/** The most that it becomes for a size that is likely to fit into it: a search that was chosen as small is to finish. */
const EDITOR_ROOM = 100;

/** The provider whose address has no default: any server that speaks as OpenAI's does. */
export const OWN_SERVER = 'openai-compatible';

/** Knows the providers of models; every other name in the setting of addresses is that of a server of the person's own. */
interface KnowsProviders {
  readonly isProvider: (name: string) => boolean;
}

/** Tells whether a person may give a server of their own this name. */
export function isServerName(name: string, { isProvider }: KnowsProviders): boolean {
  return /^[a-z][a-z0-9_-]{0,39}$/.test(name) && name !== EDITOR_PROVIDER && !isProvider(name);
}

/** Tells whether models of this provider are on a server that the person's settings name. */
export function isOwnServer(provider: string, servers: Settings['servers'], known: KnowsProviders): boolean {
  return isServerName(provider, known) && Object.hasOwn(servers, provider);
}

/** A workspace can contain this setting, so it counts only if it names a folder below the workspace folder. */
function folderBelow(setting: unknown): string {
  if (typeof setting !== 'string') return SEARCHES;
  const parts = setting.split(/[\\/]/).filter((part) => part !== '' && part !== '.');
  return parts.length === 0 || parts.some((part) => part === '..' || part.includes(':')) ? SEARCHES : parts.join('/');
}

/** Reads the settings for a folder. */
export function settingsFor(scope: vscode.Uri | undefined): Settings {
  const config = vscode.workspace.getConfiguration('thoughtTree', scope);
  const get = <T>(key: string, otherwise: T): T => config.get<T>(key) ?? otherwise;
  const minutes = get('maxMinutes', 0);
  return {
    folder: folderBelow(get<unknown>('folder', SEARCHES)),
    size: get<Size>('size', 'medium'),
    maxDepth: get('maxDepth', 4),
    concurrency: get('concurrency', 4),
    reading: readingFor(config),
    allowedFiles: [get<unknown>('allowedFiles', [])].flat().filter((path) => typeof path === 'string'),
    model: get('model', ''),
    judgeModel: get('judgeModel', ''),
    // It was a setting of its own, whose address holds where the other one names none.
    servers: texts({ [OWN_SERVER]: get('baseUrl', ''), ...get('servers', {}) }),
    timeoutMs: get('timeout', 300) * 1000,
    thinking: get<number | undefined>('thinking', undefined),
    guards: {
      calls: get('maxCalls', 1000),
      tokens: get('maxTokens', 2_000_000),
      usd: get('maxUsd', 5),
      ...(minutes > 0 ? { minutes } : {}),
    },
    prices: ratesIn(get<Record<string, unknown>>('prices', {})),
    askAbove: get<number | undefined>('askAbove', undefined),
    hooks: get('hooks', ''),
    checkCommand: get<unknown[]>('checkCommand', []).filter((word) => typeof word === 'string'),
  };
}

/** Tells whether the drawing of a search opens beside when a person begins it. */
export function opensDrawing(): boolean {
  return vscode.workspace.getConfiguration('thoughtTree').get<string>('openDrawing', 'beside') !== 'never';
}

/** Returns the models that the settings of the workspace itself name, the writing one first. */
export function broughtModels(scope: vscode.Uri | undefined): string[] {
  return (['model', 'judgeModel'] as const).flatMap((key) => {
    const name = inWorkspace(scope, key);
    return typeof name === 'string' && name !== '' ? [name] : [];
  });
}

/**
 * The address of the queue whose workers make the calls, by the person's own settings alone; undefined if they name none,
 * or nothing may be run here.
 */
export function queueAddress(): string | undefined {
  const found = vscode.workspace.getConfiguration('thoughtTree').inspect<unknown>('queue')?.globalValue;
  const address = typeof found === 'string' ? found.trim() : '';
  return address === '' || !vscode.workspace.isTrusted ? undefined : address;
}

/** Tells whether somebody set how many nodes are worked on at the same time. */
export function isConcurrencyGiven(scope: vscode.Uri): boolean {
  const found = vscode.workspace.getConfiguration('thoughtTree', scope).inspect('concurrency');
  return (found?.workspaceFolderValue ?? found?.workspaceValue ?? found?.globalValue) !== undefined;
}

/** Returns what the settings of the workspace say, which may have come with it; undefined if they say nothing. */
function inWorkspace(scope: vscode.Uri | undefined, key: string): unknown {
  const found = vscode.workspace.getConfiguration('thoughtTree', scope).inspect(key);
  return found?.workspaceFolderValue ?? found?.workspaceValue;
}

/** Returns what models may see by a person's own settings, in a search that somebody else may have sent as well. */
export function ownReading(scope: vscode.Uri | undefined): SaidReading {
  return saidReading(vscode.workspace.getConfiguration('thoughtTree', scope), 'globalValue');
}

type Level = 'globalValue' | 'workspaceValue' | 'workspaceFolderValue';

/** Returns the one setting, or else the two from before there was one. */
function saidReading(config: vscode.WorkspaceConfiguration, level: Level): SaidReading {
  const said = config.inspect<unknown>('modelsMayRead')?.[level];
  const read = READS.find((each) => each === said);
  if (read !== undefined) return { read };
  const [context, tools] = ['context', 'tools'].map((key) => config.inspect<unknown>(key)?.[level]);
  return {
    ...(typeof context === 'boolean' && { context }),
    ...(typeof tools === 'boolean' && { tools }),
  };
}

/** Returns what models may see: settings that came with a workspace allow no more than its person does. */
function readingFor(config: vscode.WorkspaceConfiguration): SaidReading {
  const own = saidReading(config, 'globalValue');
  const brought = (['workspaceValue', 'workspaceFolderValue'] as const).map((level) => saidReading(config, level));
  const said = brought.filter(saysReading).map((each) => readingOf(each, USUAL_READ));
  if (said.length === 0) return own;
  const most = readingOf(own, USUAL_READ);
  const context = most.context && said.every((each) => each.context);
  const tools = most.tools && said.every((each) => each.tools);
  if (!context && tools) return { context, tools };
  return { read: readNamed({ context, tools }) };
}

/** Returns the non-empty addresses; the editor checks no types. */
function texts(given: Record<string, unknown>): Record<string, string> {
  const entries = Object.entries(given).flatMap(([name, value]) =>
    typeof value === 'string' && value.trim() !== '' ? [[name, value.trim()] as const] : [],
  );
  return Object.fromEntries(entries);
}

/** Returns the complete prices; an incomplete one counts as unknown rather than as zero. */
function ratesIn(given: Record<string, unknown>): Record<string, Rates> {
  const entries = Object.entries(given).flatMap(([name, value]) => {
    const { prompt, cached, completion } = (value ?? {}) as Partial<Rates>;
    if (!isRate(prompt) || !isRate(completion)) return [];
    return [[name, { prompt, cached: isRate(cached) ? cached : prompt, completion }] as const];
  });
  return Object.fromEntries(entries);
}

function isRate(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1_000_000;
}

/** Returns the spend limits of a new search: none for free models, above all calls for the editor's. */
export function limitsFor({ guards }: Settings, ...models: readonly (string | undefined)[]): Settings['guards'] {
  const names = models.filter((name) => name !== undefined);
  if (names.every(isFreeModel)) return {};
  return names.some((name) => name.startsWith(`${EDITOR_PROVIDER}/`))
    ? { ...guards, calls: Math.min(guards.calls ?? EDITOR_CALLS, EDITOR_CALLS) }
    : guards;
}

/**
 * Returns the spend limits of a search of which a forecast is known: where it is likely to fit into the spend limit for the
 * editor's models, that spend limit has room for it to finish. What a person's own setting says is never exceeded.
 */
export function limitsWithRoom(
  settings: Settings,
  forecast: Forecast | undefined,
  ...models: readonly (string | undefined)[]
): SpendLimits {
  const guards = limitsFor(settings, ...models);
  if (!forecast || guards.calls === undefined || guards.calls >= (settings.guards.calls ?? 0)) return guards;
  const { likely, high } = forecast.calls;
  const most = Math.ceil(Math.max(high, forecast.atMost?.calls ?? 0) / 10) * 10;
  if (likely > guards.calls || most > EDITOR_ROOM) return guards;
  return { ...guards, calls: Math.min(settings.guards.calls ?? most, Math.max(guards.calls, most)) };
}
