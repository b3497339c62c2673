import type { ChildProcess } from 'node:child_process';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import { sdkNotLoaded } from '../../messages.ts';
import type { SdkServer } from './claude-tools.ts';

/** The options of a query that are used, as in the SDK's types. */
export interface QueryOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly model?: string;
  readonly systemPrompt: string;
  readonly tools: readonly string[];
  readonly allowedTools: readonly string[];
  readonly permissionMode: 'default';
  readonly settingSources: readonly 'user'[];
  readonly strictMcpConfig: true;
  /** Servers in this process, by name. */
  readonly mcpServers?: Readonly<Record<string, SdkServer>>;
  readonly maxTurns: number;
  readonly maxBudgetUsd: number;
  readonly includePartialMessages: true;
  readonly persistSession: boolean;
  readonly resume?: string;
  readonly forkSession?: true;
  /** A UUID for the new session. */
  readonly sessionId?: string;
  readonly canUseTool: (
    tool: string,
    input: Readonly<Record<string, unknown>>,
    how: { signal: AbortSignal },
  ) => Promise<Permission>;
  readonly spawnClaudeCodeProcess: (how: SpawnOptions) => ChildProcess;
}

export type Permission =
  | { readonly behavior: 'allow'; readonly updatedInput: Readonly<Record<string, unknown>> }
  | { readonly behavior: 'deny'; readonly message: string };

export interface SpawnOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The part of the SDK that is used. Its types are not: it is installed by the user, not with us. */
export interface ClaudeSdk {
  query(question: { readonly prompt: string; readonly options: QueryOptions }): AsyncIterable<unknown>;
}

/** @throws ThoughtTreeError `bad-input` if it is not such a module */
export async function loadSdk(url: string): Promise<ClaudeSdk> {
  try {
    const loaded: unknown = await import(url);
    if (typeof loaded === 'object' && loaded !== null && 'query' in loaded && typeof loaded.query === 'function')
      return loaded as ClaudeSdk;
    throw new Error('it has no function "query"');
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new ThoughtTreeError('bad-input', sdkNotLoaded({ why: said.slice(0, 300) }), {
      cause: error,
    });
  }
}
