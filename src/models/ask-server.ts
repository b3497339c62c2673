import * as z from 'zod';
import { askJson } from './http/ask-json.ts';
import type { Server } from './http/server.ts';
import { type ListedModel, OPENAI } from './listings.ts';

const SHORT_MS = 2000;
/** Servers that hold answers to a schema: by their hosts, and by whom their lists name as the owner of their models. */
const SCHEMA_HOSTS = new Set(['api.openai.com']);
const SCHEMA_SERVERS = new Set(['vllm', 'llamacpp', 'sglang']);

/** The facts that a server states about itself before it is asked anything. */
export interface AskedServer {
  /** Its base URL: the given one, or the one below it where the list of its models is. */
  readonly url: string;
  /** The longest prompt plus answer of the model, in tokens, if it says so. */
  readonly contextTokens: number | undefined;
  /** True if it is known to hold answers to a schema. */
  readonly takesSchemas: boolean;
}

/**
 * Asks a compatible server for its models: how much the model holds, and whether its address lacks the usual `/v1`. Never
 * throws: whatever is wrong, the first request will report it better.
 */
export async function askServer(server: Server, model: string): Promise<AskedServer> {
  const { url } = server;
  for (const at of url.endsWith('/v1') ? [url] : [url, `${url}/v1`]) {
    const models = await modelsAt({ ...server, url: at });
    if (!models) continue;
    const listed = models.find(({ id }) => id === model) ?? (models.length === 1 ? models[0] : undefined);
    const takesSchemas = SCHEMA_HOSTS.has(new URL(at).hostname) || SCHEMA_SERVERS.has(listed?.owner ?? '');
    return { url: at, contextTokens: listed?.contextTokens ?? (await sizeAt(server)), takesSchemas };
  }
  return { url, contextTokens: undefined, takesSchemas: false };
}

async function modelsAt(server: Server): Promise<ListedModel[] | undefined> {
  return OPENAI.read(await jsonAt(server, OPENAI.path));
}

const Props = z.object({ default_generation_settings: z.object({ n_ctx: z.int().positive() }) });

/** Asks a llama.cpp server how many tokens it holds; it says so beside the compatible endpoints. */
async function sizeAt(server: Server): Promise<number | undefined> {
  const said = await jsonAt({ ...server, url: server.url.replace(/\/v1$/, '') }, '/props');
  return Props.safeParse(said).data?.default_generation_settings.n_ctx;
}

async function jsonAt(server: Server, path: string): Promise<unknown> {
  const question = { path, headers: OPENAI.headers(server.apiKey), timeoutMs: SHORT_MS };
  return await askJson(server, question).catch(() => undefined);
}
