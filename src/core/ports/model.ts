import type { LeafReason } from '../tree/node-status.ts';
import type { PromptData } from './prompt-data.ts';
import type { Purpose } from './purpose.ts';
import type { Tool, ToolCall, ToolResult } from './tool.ts';

/** One side's words in a conversation. */
export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  /** Of an agent's answer: the id of its own session, which holds everything up to here. */
  readonly session?: string;
  /** Of an answer that is none yet: the tools it asks for. Only for models with `tools`. */
  readonly toolCalls?: readonly ToolCall[];
  /** What the tools gave that the turn before asked for. */
  readonly toolResults?: readonly ToolResult[];
}

/** What one request used. Tokens are whole numbers; `prompt` includes `cached`; `usd` only where it is known. */
export interface Usage {
  readonly prompt: number;
  readonly cached: number;
  readonly completion: number;
  /** Of the tokens of `prompt`, those newly kept for later requests, where the provider says; none of `cached`. */
  readonly written?: number;
  readonly usd?: number;
}

/** US dollars for a million tokens. */
export interface Rates {
  readonly prompt: number;
  readonly cached: number;
  readonly completion: number;
  /** For prompt tokens that are newly kept for later requests, where that costs more than `prompt`. */
  readonly cacheWrite?: number;
}

/** What a model costs; a prompt of more than `long.above` tokens pays the rates of `long` for all of its request. */
export interface Price extends Rates {
  readonly long?: Rates & { readonly above: number };
}

/** One request to a model: plain data, so that it can travel to another machine. */
export interface ModelRequest {
  readonly purpose: Purpose;
  /** The slug path of the node it is for; empty for the root. */
  readonly node: string;
  readonly system: string;
  readonly turns: readonly Turn[];
  /** How many of the turns come from above: what siblings send as well; providers that want marks set one there. */
  readonly shared?: number;
  /** Empty where `toolResults` stand in its place. */
  readonly prompt: string;
  /** What came of the tools that the last turn asked for. */
  readonly toolResults?: readonly ToolResult[];
  /** What the model may use; only for models with `tools`. */
  readonly tools?: readonly Tool[];
  /** True where it has used them enough: it has to answer in words now. */
  readonly toolsAreOver?: boolean;
  /** The same request as typed data, for models that read no prose. */
  readonly data: PromptData;
  /** Whether no other request begins like it or continues from its answer: neither a cache nor a session has to keep it. */
  readonly isLast?: boolean;
  readonly maxOutputTokens: number;
}

/**
 * What came back. `length` means that the answer was cut by a limit, `refused` that the model would not answer, `tools`
 * that it asks for tools first.
 */
export interface ModelAnswer {
  readonly text: string;
  readonly finish: 'stop' | 'length' | 'refused' | 'tools' | 'other';
  /** Never empty where `finish` is `tools`. */
  readonly toolCalls?: readonly ToolCall[];
  /** Missing where the server did not say; the call then counts at its worst case. */
  readonly usage?: Usage;
  /** The id of the model's own session, for agents. */
  readonly session?: string;
  /** Why an empty list of children is empty, where the model knows better than `model`. */
  readonly leafReason?: LeafReason;
}

/** How a request is carried out. */
export interface ModelCall {
  /** The question that it is an attempt at: the same for retries and corrections, and after a restart. */
  readonly question: string;
  /** Its own id, in no other call. */
  readonly call: string;
  readonly signal: AbortSignal;
  /** Called with each piece of text as it arrives. */
  readonly onText?: (piece: string) => void;
}

/** What answers. Implementations live in src/models (and src/extension for the editor's own). */
export interface Model {
  /** `provider/model`, as in `ollama/qwen3`. */
  readonly name: string;
  /** What to call it on a screen. */
  readonly label: string;
  /** True where a call costs nothing at all, so that no default guard counts it. */
  readonly free: boolean;
  /** False where it cannot write words of its own, so that it is not asked to sum up; true unless told. */
  readonly prose?: boolean;
  readonly price?: Price;
  /** The longest prompt plus answer, in tokens, where it is known; some servers tell it with the first request. */
  readonly contextTokens?: number | undefined;
  /** True where it ends a call itself once the call's time is over; the engine ends those of others. */
  readonly keepsTime?: boolean;
  /** True where a prefix is served from the cache only after the first request with it was answered. */
  readonly warmsCache?: boolean;
  /** True where it can be given tools to use. */
  readonly tools?: boolean;
  /** The most that one call can use, where neither prompt nor answer bounds it: an agent makes many requests a call. */
  readonly most?: { readonly tokens: number; readonly usd?: number };
  /**
   * Answers one request, or throws a ThoughtTreeError whose reason says what kind of failure it was. Never retries by
   * itself: the engine does, since every attempt must pass the budget.
   */
  generate(request: ModelRequest, call: ModelCall): Promise<ModelAnswer>;
  /** Ends worker threads and connections. */
  close?(): Promise<void>;
}
