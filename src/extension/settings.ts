import * as vscode from 'vscode';
import type { Rates } from '../core/ports/model.ts';
import type { Guards, Size } from '../core/search/limits.ts';
import { SEARCHES } from '../searches/place.ts';

/** What the settings say about new searches in a folder. */
export interface Settings {
  readonly folder: string;
  readonly size: Size;
  readonly maxDepth: number;
  readonly concurrency: number;
  /** Whether models may read the workspace's files with tools. */
  readonly tools: boolean;
  /** Whether prompts carry quotations of the workspace. */
  readonly context: boolean;
  /** Files that models may be shown as they are; only the person's own settings count. */
  readonly allowedFiles: readonly string[];
  readonly model: string;
  /** The model that picks and scores; empty where it is the same one. */
  readonly judgeModel: string;
  /** Where providers answer, by their name, if not at an address of their own. */
  readonly servers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly guards: Guards;
  /** What models cost, by their name: US dollars for a million tokens. */
  readonly prices: Readonly<Record<string, Rates>>;
  /** US dollars of a forecast above which the person is asked; undefined for never. */
  readonly askAbove: number | undefined;
  /** The program and its words that decide what a solution is; empty where there is none. */
  readonly checkCommand: readonly string[];
  /** The file with hooks of the person's own, as a whole path; empty where there are none. */
  readonly hooks: string;
}

/** A call is what users of the editor's models pay with, so these searches get a guard of their own. */
export const EDITOR_CALLS = 50;

/** The provider whose address has a setting of its own, as nobody knows another one. */
export const OWN_SERVER = 'openai-compatible';

/** A workspace can bring this setting along, so it names a folder below the workspace folder or it does not count. */
function folderBelow(setting: unknown): string {
  if (typeof setting !== 'string') return SEARCHES;
  const parts = setting.split(/[\\/]/).filter((part) => part !== '' && part !== '.');
  return parts.length === 0 || parts.some((part) => part === '..' || part.includes(':')) ? SEARCHES : parts.join('/');
}

/** Reads the settings that hold for a folder. */
export function settingsFor(scope: vscode.Uri | undefined): Settings {
  const config = vscode.workspace.getConfiguration('thoughtTree', scope);
  const get = <T>(key: string, otherwise: T): T => config.get<T>(key) ?? otherwise;
  const minutes = get('maxMinutes', 0);
  return {
    folder: folderBelow(get<unknown>('folder', SEARCHES)),
    size: get<Size>('size', 'medium'),
    maxDepth: get('maxDepth', 4),
    concurrency: get('concurrency', 4),
    tools: get('tools', false),
    context: get('context', true),
    allowedFiles: [get<unknown>('allowedFiles', [])].flat().filter((path) => typeof path === 'string'),
    model: get('model', ''),
    judgeModel: get('judgeModel', ''),
    servers: texts({ ...get('servers', {}), [OWN_SERVER]: get('baseUrl', '') }),
    timeoutMs: get('timeout', 300) * 1000,
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

/** Addresses that are there; the editor checks no types. */
function texts(given: Record<string, unknown>): Record<string, string> {
  const entries = Object.entries(given).flatMap(([name, value]) =>
    typeof value === 'string' && value.trim() !== '' ? [[name, value.trim()] as const] : [],
  );
  return Object.fromEntries(entries);
}

/** Prices that are whole; one that is not counts as unknown rather than as nothing. */
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
