import { resolve } from 'node:path';
import type { AnswersByData, Model } from '../core/ports/model.ts';
import { ThoughtTreeError } from '../core/search/errors.ts';
import type { AgentOptions } from './agents/agent.ts';
import type { HttpModelOptions } from './http/server.ts';
import { findKey, isAtHome, type KeyRules, type KeySources } from './keys.ts';
import { ANTHROPIC, GOOGLE, type Listing, OLLAMA, OPENAI } from './listings.ts';
import * as say from './messages.ts';

export interface OpenModelOptions extends KeySources {
  /** The folder whose text the quotes model searches. */
  readonly workspace: string;
  /** The folder in which a recording was named: it is looked for here if the workspace does not have it. */
  readonly cwd?: string;
  /** Files of it that a model may see unfiltered, because this person said so. */
  readonly allowedFiles?: readonly string[];
  /** The folder of its searches, relative to it, with `/`, if it is not the usual one: they are no text of it. */
  readonly searches?: string;
  /** The address of an HTTP provider's server, such as `http://127.0.0.1:8080/v1`, if it is not the provider's own. */
  readonly baseUrl?: string;
  /** Takes precedence over `environment`. */
  readonly apiKey?: string;
  /**
   * Where to look up the providers' usual key variables. Leave it out if `baseUrl` comes from somewhere that the person
   * who set these variables may not know about.
   */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The longest that one call may take, in milliseconds; by default a suitable limit for the provider. */
  readonly timeoutMs?: number;
  /** The way to find answers in a recording for a kind of search; without it, only those to the same words are found. */
  readonly byData?: AnswersByData | undefined;
  /** The rights of agents, and who answers their questions. */
  readonly agent?: AgentOptions;
}

/** A provider that needs no server. */
interface LocalProvider {
  readonly example: string;
  open(model: string, options: OpenModelOptions): Promise<Model>;
}

/** A provider behind HTTP. */
export interface HttpProvider extends KeyRules {
  /** A name that comes after the provider's, for people. */
  readonly example: string;
  /** The way to list its models. */
  readonly listing: Listing;
  open(model: string, options: HttpModelOptions): Promise<Model> | Model;
}

// Each provider's code is loaded on first use: most people need one of them.
const LOCAL_PROVIDERS: ReadonlyMap<string, LocalProvider> = new Map<string, LocalProvider>([
  [
    'workspace',
    {
      example: 'workspace/quotes',
      async open(model, { workspace, allowedFiles, searches }) {
        if (model !== 'quotes') throw new ThoughtTreeError('bad-input', say.noWorkspaceModel({ model }));
        const { openQuotesModel } = await import('./quotes/quotes-model.ts');
        return openQuotesModel({ workspace, allowedFiles, searches });
      },
    },
  ],
  [
    'replay',
    {
      example: 'replay/FILE',
      async open(file, { workspace, cwd = workspace, byData }) {
        const { openReplayModel } = await import('./replay/replay-model.ts');
        return openReplayModel([resolve(workspace, file), resolve(cwd, file)], file, byData);
      },
    },
  ],
  [
    'claude',
    {
      example: 'claude/sonnet',
      async open(model, { workspace, environment, agent }) {
        const { openClaudeModel } = await import('./agents/claude-model.ts');
        return openClaudeModel(model, workspace, agent, environment);
      },
    },
  ],
  [
    'acp',
    {
      example: 'acp/gemini',
      async open(model, { workspace, environment, agent }) {
        const { openAcpModel } = await import('./acp/acp-model.ts');
        return openAcpModel(model, workspace, agent, environment);
      },
    },
  ],
]);

export const HTTP_PROVIDERS: ReadonlyMap<string, HttpProvider> = new Map<string, HttpProvider>([
  [
    'anthropic',
    {
      example: 'anthropic/claude-sonnet-5-5',
      keyVariables: ['ANTHROPIC_API_KEY'],
      defaultBaseUrl: 'https://api.anthropic.com/v1',
      needsKey: true,
      listing: ANTHROPIC,
      open: async (model, options) => (await import('./sdk-models.ts')).sdkModels.openAnthropicModel(model, options),
    },
  ],
  [
    'openai',
    {
      example: 'openai/gpt-6-sol',
      keyVariables: ['OPENAI_API_KEY'],
      defaultBaseUrl: 'https://api.openai.com/v1',
      needsKey: true,
      listing: OPENAI,
      open: async (model, options) => (await import('./sdk-models.ts')).sdkModels.openOpenAIModel(model, options),
    },
  ],
  [
    'google',
    {
      example: 'google/gemini-3.5-flash',
      keyVariables: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'],
      defaultBaseUrl: 'https://generativelanguage.googleapis.com/v1beta',
      needsKey: true,
      listing: GOOGLE,
      open: async (model, options) => (await import('./sdk-models.ts')).sdkModels.openGoogleModel(model, options),
    },
  ],
  [
    'ollama',
    {
      example: 'ollama/qwen3',
      keyVariables: ['OLLAMA_API_KEY'],
      defaultBaseUrl: 'http://127.0.0.1:11434',
      needsKey: false,
      listing: OLLAMA,
      open: async (model, options) => (await import('./ollama-model.ts')).openOllamaModel(model, options),
    },
  ],
  [
    'openai-compatible',
    {
      example: 'openai-compatible/NAME',
      keyVariables: ['THOUGHT_TREE_API_KEY'],
      needsKey: false,
      listing: OPENAI,
      open: async (model, options) =>
        (await import('./sdk-models.ts')).sdkModels.openOpenAICompatibleModel(model, options),
    },
  ],
]);

/**
 * Opens the model with the name `provider/model` (the model's part may contain further slashes). Asks it nothing yet.
 *
 * @throws ThoughtTreeError `bad-input`: no such provider, or an option that it needs is missing or wrong.
 */
export async function openModel(name: string, options: OpenModelOptions): Promise<Model> {
  const { provider, model } = providerOf(name);
  const local = LOCAL_PROVIDERS.get(provider);
  if (local) return await local.open(model, options);
  const http = HTTP_PROVIDERS.get(provider) as HttpProvider;
  return await http.open(model, httpOptions(provider, http, options));
}

/**
 * The two parts of a model's name; nothing is opened.
 * @throws ThoughtTreeError `bad-input` if there is no such provider
 */
export function providerOf(name: string): { readonly provider: string; readonly model: string } {
  const [, provider = '', model = ''] = /^([^/]*)\/(.*)$/s.exec(name.trim()) ?? [];
  if (model !== '' && isProvider(provider)) return { provider, model };
  const examples = [...LOCAL_PROVIDERS.values(), ...HTTP_PROVIDERS.values()].map(({ example }) => example).join(', ');
  throw new ThoughtTreeError('bad-input', say.noModel({ name: name.slice(0, 100), examples }));
}

/** Tells whether there is a provider with this name. */
export function isProvider(name: string): boolean {
  return LOCAL_PROVIDERS.has(name) || HTTP_PROVIDERS.has(name);
}

/** Returns the address and key for a provider. */
function httpOptions(name: string, provider: HttpProvider, options: OpenModelOptions): HttpModelOptions {
  const { apiKey, keyVariable } = findKey(provider, options);
  if (provider.needsKey && apiKey === undefined && isAtHome(provider, options))
    throw new ThoughtTreeError('bad-input', say.keyNeeded({ provider: name, variable: keyVariable }));
  const baseUrl = options.baseUrl?.trim() || provider.defaultBaseUrl;
  return { baseUrl, apiKey, keyVariable, timeoutMs: options.timeoutMs };
}
