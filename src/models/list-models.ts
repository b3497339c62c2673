import type { Message } from '../core/messages/message.ts';
import type { Model, ModelRequest, Usage } from '../core/ports/model.ts';
import { isThoughtTreeError, type ThoughtTreeError, toThoughtTreeError } from '../core/search/errors.ts';
import { askJson } from './http/call.ts';
import { readServer } from './http/server.ts';
import { findKey, isAtHome, type KeySources } from './keys.ts';
import { contextLength } from './known-models.ts';
import type { ListedModel } from './listings.ts';
import { noList } from './messages.ts';
import { HTTP_PROVIDERS, type HttpProvider } from './open-model.ts';

/** A model that can be chosen. */
interface AvailableModel {
  /** `provider/model`, as for `openModel`. */
  readonly name: string;
  readonly label: string;
  /** The longest prompt plus answer, in tokens, if known. */
  readonly contextTokens?: number;
}

/** The current models of a provider. */
export type ProviderModels = { readonly provider: string; readonly host: string } & (
  | { readonly state: 'ready'; readonly models: readonly AvailableModel[] }
  /** `refused`: there was a key, and the server did not accept it. */
  | { readonly state: 'needs-key'; readonly variable: string; readonly refused: boolean }
  | { readonly state: 'unreachable'; readonly why: Message }
);

export interface ListModelsOptions {
  /**
   * The settings of a person, by provider; `openai-compatible` is asked only if it has a base URL. Any other name is
   * that of a server of their own, which is compatible with OpenAI's and gets no key but the given one.
   */
  readonly servers?: Readonly<Record<string, Pick<KeySources, 'baseUrl' | 'apiKey'>>>;
  /** Where to look up keys that were not given. */
  readonly environment?: KeySources['environment'];
  /** Milliseconds for each provider; 4,000 by default. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** The only one to ask; by default all. */
  readonly only?: string;
}

const TIMEOUT_MS = 4000;

/** Asks all providers for their models at once; never rejects. The quotes model and the editor's are not included. */
export async function listModels(options: ListModelsOptions = {}): Promise<ProviderModels[]> {
  const { servers = {}, only } = options;
  const known = [...HTTP_PROVIDERS].filter(
    ([name, { defaultBaseUrl }]) => defaultBaseUrl !== undefined || servers[name]?.baseUrl?.trim(),
  );
  const compatible = HTTP_PROVIDERS.get('openai-compatible') as HttpProvider;
  const own = Object.keys(servers).filter((name) => !HTTP_PROVIDERS.has(name));
  const asked = [
    ...known.map(([name, provider]) => [name, provider, options] as const),
    ...own.map((name) => [name, compatible, { ...options, environment: {} }] as const),
  ];
  return await Promise.all(
    asked
      .filter(([name]) => only === undefined || name === only)
      .map(([name, provider, how]) => listOne(name, provider, how)),
  );
}

async function listOne(name: string, provider: HttpProvider, options: ListModelsOptions): Promise<ProviderModels> {
  const sources = { ...options.servers?.[name], environment: options.environment };
  const baseUrl = sources.baseUrl?.trim() || provider.defaultBaseUrl;
  const { apiKey, keyVariable: variable } = findKey(provider, sources);
  const who = { provider: name, host: URL.parse(baseUrl ?? '')?.host ?? '' };
  if (provider.needsKey && apiKey === undefined && isAtHome(provider, sources))
    return { ...who, state: 'needs-key', variable, refused: false };
  const { path, headers, read } = provider.listing;
  const { timeoutMs = TIMEOUT_MS, signal } = options;
  const listAt = async (at: string | undefined): Promise<ProviderModels> => {
    try {
      const server = readServer(`The list of models`, { baseUrl: at, apiKey, keyVariable: variable });
      const models = read(await askJson(server, { path, headers: headers(server.apiKey), timeoutMs, signal }));
      if (models) return { ...who, state: 'ready', models: models.map((model) => available(name, model)) };
      return { ...who, state: 'unreachable', why: noList({ url: server.url.slice(0, 120) }) };
    } catch (error) {
      if (isThoughtTreeError(error, 'key-refused'))
        return { ...who, state: 'needs-key', variable, refused: apiKey !== undefined };
      return { ...who, state: 'unreachable', why: toThoughtTreeError(error).say };
    }
  };
  const found = await listAt(baseUrl);
  // As where such a server is asked a question: many people give its host alone.
  if (found.state !== 'unreachable' || provider.defaultBaseUrl !== undefined || /\/v1\/?$/.test(baseUrl ?? ''))
    return found;
  const below = await listAt(`${(baseUrl ?? '').replace(/\/$/, '')}/v1`);
  return below.state === 'unreachable' ? found : below;
}

function available(provider: string, { id, label = id, contextTokens }: ListedModel): AvailableModel {
  const tokens = contextTokens ?? contextLength(provider, id);
  return { name: `${provider}/${id}`, label, ...(tokens === undefined ? {} : { contextTokens: tokens }) };
}

/** The result of a test: whether a model answers, and how long that took in milliseconds. */
export type ModelTest =
  | { readonly works: true; readonly ms: number; readonly usage?: Usage }
  | { readonly works: false; readonly ms: number; readonly error: ThoughtTreeError };

// Room for a model that thinks before it answers; a truncated answer is an answer all the same.
const TEST_REQUEST: ModelRequest = {
  purpose: 'document',
  node: '',
  system: '',
  turns: [],
  prompt: 'Answer with the one word "yes".',
  data: { question: 'Does it answer?', rule: { by: 'quotations', folder: '', lineage: [] } },
  maxOutputTokens: 64,
};

/** Makes one tiny real call. It costs a few tokens, and counts in no search's budget; never rejects. */
export async function testModel(model: Model, signal = new AbortController().signal): Promise<ModelTest> {
  const started = performance.now();
  const since = () => Math.round(performance.now() - started);
  const ask = () => model.generate(TEST_REQUEST, { question: 'test', call: 'test', signal });
  try {
    const { usage } = await ask().catch((error: unknown) => {
      if (toThoughtTreeError(error).details.asksOtherwise) return ask();
      throw error;
    });
    return { works: true, ms: since(), ...(usage ? { usage } : {}) };
  } catch (error) {
    return { works: false, ms: since(), error: toThoughtTreeError(error) };
  }
}
