import * as z from 'zod';

/** A model in a server's list. */
export interface ListedModel {
  /** The part after `provider/`. */
  readonly id: string;
  /** The provider's name for it. */
  readonly label?: string;
  /** The longest prompt plus answer, in tokens, if the server reports it. */
  readonly contextTokens?: number;
  /** Whom a compatible server names as its owner: often itself. */
  readonly owner?: string;
}

/** The way to list a provider's models. */
export interface Listing {
  /** The part that follows the base URL. */
  readonly path: string;
  readonly headers: (apiKey: string | undefined) => Record<string, string>;
  /** The models that write text; undefined if the body is not a list. */
  readonly read: (body: unknown) => ListedModel[] | undefined;
}

const MOST = 1000;
/** An id becomes part of requests, files and screens. */
const Id = z.string().regex(/^[\x21-\x7e]{1,200}$/);
const Text = z.string().max(200).optional().catch(undefined);
const Count = z.int().positive().optional().catch(undefined);

const bearer = (apiKey: string | undefined): Record<string, string> =>
  apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };

/** Returns the entries of a list that have the expected form; one odd entry does not spoil the others. */
function entries<T>(list: readonly unknown[] | undefined, schema: z.ZodType<T>): T[] | undefined {
  return list?.slice(0, MOST).flatMap((entry) => {
    const { data } = schema.safeParse(entry);
    return data === undefined ? [] : [data];
  });
}

function listed(id: string, label?: string, contextTokens?: number): ListedModel {
  return { id, ...(label && label !== id ? { label } : {}), ...(contextTokens ? { contextTokens } : {}) };
}

const Data = z.object({ data: z.array(z.unknown()) });
const Models = z.object({ models: z.array(z.unknown()) });

const AnthropicModel = z.object({ id: Id, display_name: Text, max_input_tokens: Count });

export const ANTHROPIC: Listing = {
  path: '/models?limit=1000',
  headers: (apiKey) => ({
    'anthropic-version': '2023-06-01',
    ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }),
  }),
  read: (body) =>
    entries(Data.safeParse(body).data?.data, AnthropicModel)?.map(({ id, display_name, max_input_tokens }) =>
      listed(id, display_name, max_input_tokens),
    ),
};

/** The names under which servers say how much a model holds; what is loaded before what could be. */
const LENGTHS = ['loaded_context_length', 'max_model_len', 'context_length', 'context_window', 'max_context_length'];
const OpenAIModel = z.looseObject({ id: Id, owned_by: Text });
/** The list does not say which models do not turn text into text. */
const NO_CHAT =
  /embed|whisper|\btts\b|dall-e|moderation|transcribe|translate|realtime|\baudio|image|sora|davinci|babbage|rerank/i;

/** Also for compatible servers, some of which report the context length under a name of their own. */
export const OPENAI: Listing = {
  path: '/models',
  headers: bearer,
  read: (body) =>
    entries(Data.safeParse(body).data?.data, OpenAIModel)
      ?.filter(({ id }) => !NO_CHAT.test(id))
      .map((model) => ({
        ...listed(model.id, undefined, LENGTHS.map((name) => Count.parse(model[name])).find(Boolean)),
        ...(model.owned_by !== undefined && { owner: model.owned_by }),
      })),
};

const GoogleModel = z.object({
  name: Id.transform((name) => name.replace(/^models\//, '')),
  displayName: Text,
  inputTokenLimit: Count,
  supportedGenerationMethods: z.array(z.string()),
});

export const GOOGLE: Listing = {
  path: '/models?pageSize=1000',
  headers: (apiKey) => (apiKey === undefined ? {} : { 'x-goog-api-key': apiKey }),
  read: (body) =>
    entries(Models.safeParse(body).data?.models, GoogleModel)
      ?.filter(
        ({ name, supportedGenerationMethods }) =>
          supportedGenerationMethods.includes('generateContent') && !NO_CHAT.test(name),
      )
      .map(({ name, displayName, inputTokenLimit }) => listed(name, displayName, inputTokenLimit)),
};

const OllamaModel = z.object({
  name: Id,
  details: z.object({ parameter_size: Text, quantization_level: Text }).partial().optional().catch(undefined),
});

export const OLLAMA: Listing = {
  path: '/api/tags',
  headers: bearer,
  read: (body) =>
    entries(Models.safeParse(body).data?.models, OllamaModel)
      ?.filter(({ name }) => !NO_CHAT.test(name))
      .map(({ name, details }) => {
        const label = [name, details?.parameter_size, details?.quantization_level].filter(Boolean).join(' ');
        return listed(name, label);
      }),
};
