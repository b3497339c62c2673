import type { Message } from '../messages/message.ts';
import type { ServerDoubt } from '../money/usage-doubt.ts';
import type { Making } from '../search/events.ts';
import type { LeafReason } from '../tree/node-status.ts';
import type { PromptData } from './prompt-data.ts';
import type { Purpose } from './purpose.ts';
import type { Tool, Toolbox, ToolCall, ToolResult } from './tool.ts';
import type { Rights } from './workshop.ts';

/** One turn of a conversation. */
export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  /** Of an agent's answer: the id of the agent's session, which contains everything up to here. */
  readonly session?: string;
  /** Of an intermediate answer: the tools it asks for. Only for models with `tools`. */
  readonly toolCalls?: readonly ToolCall[];
  /** The results of the tools that the previous turn asked for. */
  readonly toolResults?: readonly ToolResult[];
}

/** The use of one request. Tokens are whole numbers; `prompt` includes `cached`; `usd` only if known. */
export interface Usage {
  readonly prompt: number;
  readonly cached: number;
  readonly completion: number;
  /** Of the tokens of `prompt`, those newly written to the cache, if the provider reports them; excludes `cached`. */
  readonly written?: number;
  readonly usd?: number;
}

/** US dollars per million tokens. */
export interface Rates {
  readonly prompt: number;
  readonly cached: number;
  readonly completion: number;
  /** For prompt tokens that are newly written to the cache, if that costs more than `prompt`. */
  readonly cacheWrite?: number;
}

/** The rates of a model; a prompt of more than `long.above` tokens pays the rates of `long` for the whole request. */
export interface Price extends Rates {
  readonly long?: Rates & { readonly above: number };
}

/**
 * Room for a model's reasoning, in tokens besides its answer, since providers count both against one limit: usually, and
 * where it is asked for little effort.
 */
export interface Thinking {
  readonly usual: number;
  readonly low: number;
}

/** Where an agent works on one request, and what it may do there with tools of its own. */
export interface Workplace {
  /** Absolute; by default the workspace, where nothing can be written. */
  readonly folder?: string;
  readonly rights: Rights;
}

/** One request to a model: plain data, so that it can travel to another machine. */
export interface ModelRequest {
  readonly purpose: Purpose;
  /** The slug path of the node it is for; empty for the root. */
  readonly node: string;
  readonly system: string;
  readonly turns: readonly Turn[];
  /** The number of inherited turns, which siblings send too; providers with cache marks set one there. */
  readonly shared?: number;
  /** Empty if there are `toolResults` instead. */
  readonly prompt: string;
  /** The results of the tools that the last turn asked for. */
  readonly toolResults?: readonly ToolResult[];
  /** The tools that the model may use; only for models with `tools`. */
  readonly tools?: readonly Tool[];
  /** True if it has used them enough: it now has to answer in words. */
  readonly toolsAreOver?: boolean;
  /** The JSON schema of its answer: only for models with `takesSchemas`, and never beside tools. */
  readonly schema?: object;
  /** Only for models that work by themselves. */
  readonly workplace?: Workplace;
  /** The request as typed data, for models that read no prose. */
  readonly data: PromptData;
  /** No other request begins like it or continues from its answer: neither a cache nor a session has to keep it. */
  readonly isLast?: boolean;
  /** Of everything that the model writes, including its reasoning. */
  readonly maxOutputTokens: number;
  /** A model that reasons should do it with little effort. */
  readonly effort?: 'low';
}

/**
 * The answer. `length` means that a limit cut it off, `refused` that the model would not answer, `tools` that it asks for
 * tools first.
 */
export interface ModelAnswer {
  readonly text: string;
  readonly finish: 'stop' | 'length' | 'refused' | 'tools' | 'other';
  /** Never empty if `finish` is `tools`. */
  readonly toolCalls?: readonly ToolCall[];
  /** Missing if the server did not report it; the call then counts at its worst case. */
  readonly usage?: Usage;
  /** Errors of its server about its usage: what could not be right is not in `usage`. */
  readonly doubts?: readonly ServerDoubt[];
  /** Which making of the call it is the answer of, where it may be made twice. */
  readonly making?: Making;
  /** The id of the model's session, for agents. */
  readonly session?: string;
  /** Why a list of children is empty, if the model gives a better reason than `model`. */
  readonly leafReason?: LeafReason;
}

/** The circumstances in which a request is carried out. */
export interface ModelCall {
  /** The question that it is an attempt at: the same for retries and corrections, and after a restart. */
  readonly question: string;
  /** Unique to this call. */
  readonly call: string;
  readonly signal: AbortSignal;
  /** Called with each piece of text as it arrives. */
  readonly onText?: (piece: string) => void;
  /** Called with the bytes of everything that arrives, including reasoning that is shown and uses of tools. */
  readonly onReceived?: (bytes: number) => void;
  /** Called now and then with what a model does before it can answer, where that takes a while. */
  readonly onProgress?: (progress: Message) => void;
  /** The tools that a model that works by itself may use besides its own; each use is journaled. */
  readonly toolbox?: Toolbox;
}

/** The answer to a call of an earlier process. */
export interface LateAnswer {
  readonly call: string;
  readonly answer: ModelAnswer;
}

/** A call of an earlier process. */
export interface MadeCall {
  readonly call: string;
  /** Of its answer, if that process was given it: it is counted. */
  readonly making?: Making;
}

/** The making of a call that nobody asked for. */
export interface UnaskedUse {
  readonly usage: Usage;
  readonly making: Making;
  /** Another model made it, which the search has no more: it cost what its usage says, whatever this one costs. */
  readonly isOfAnother?: true;
}

/** The calls of a search that ended before. */
export interface MadeBefore {
  /** Which makings ended them: with an answer, or without. */
  readonly makings: readonly Making[];
  /** Which were counted besides. */
  readonly further: readonly Making[];
  /** The most that any of them was booked with. */
  readonly most: { readonly tokens: number; readonly usd: number };
}

/** A language model, or what takes its place. Implementations are in src/models, the editor's own in src/extension. */
export interface Model {
  /** `provider/model`, as in `ollama/qwen3`. */
  readonly name: string;
  /** Its name on a screen. */
  readonly label: string;
  /** True where a call costs nothing at all, so that no default guard counts it. */
  readonly free: boolean;
  /** False if it cannot write text of its own, so that it is not asked for summaries; true by default. */
  readonly prose?: boolean;
  /** True for a stand-in that is never asked: nothing is prepared for its prompts. */
  readonly isSilent?: boolean;
  readonly price?: Price;
  /** The longest prompt plus answer, in tokens, if known; some servers report it with the first request. */
  readonly contextTokens?: number | undefined;
  /** The room that it needs to reason; missing if it is not known to reason before it answers. */
  readonly thinking?: Thinking;
  /** True if it enforces a call's time limit itself; for others the engine does. */
  readonly keepsTime?: boolean;
  /** True if a call that is stopped ends by itself within two seconds, and says whether it cost anything. */
  readonly settlesStop?: boolean;
  /** True if a prefix is served from the cache only after the first request with it was answered. */
  readonly warmsCache?: boolean;
  /** True if a server counts what its calls use, and what it says is checked. */
  readonly metered?: boolean;
  /** True if it supports tools. */
  readonly tools?: boolean;
  /** True if its server is known to hold answers to a JSON schema. */
  readonly takesSchemas?: boolean;
  /** True if it works by itself in the workplace of a request: an agent that reads, writes and uses tools on its own. */
  readonly worksByItself?: boolean;
  /** True if it does that in the workspace alone: in no checkout, and with no tools of the search. */
  readonly isTiedToWorkspace?: boolean;
  /** True if the person let it change files of the workspace: outside of a workplace, one call is made at a time. */
  readonly changesWorkspace?: boolean;
  /** The most that one call can use, if neither prompt nor answer bounds it: an agent makes many requests per call. */
  readonly most?: { readonly tokens: number; readonly usd?: number };
  /**
   * Answers one request, or throws a ThoughtTreeError whose reason says what kind of failure it was. Never retries by
   * itself: the engine does, since every attempt must pass the budget.
   */
  generate(request: ModelRequest, call: ModelCall): Promise<ModelAnswer>;
  /**
   * The answer to one of the calls that an earlier process made of the same request, if it came or may still come: waits for
   * it. One that was given to that process is given again if it is still there. Undefined if none will come. Only for models
   * whose calls outlive the process.
   */
  late?(calls: readonly MadeCall[], request: ModelRequest, signal: AbortSignal): Promise<LateAnswer | undefined>;
  /**
   * Calls the listener with what was used that nobody asked for: a queue that lost its memory had a call made twice.
   * @param before what earlier processes knew of that
   */
  onUnasked?(listener: (used: UnaskedUse) => void, before: MadeBefore): void;
  /** Ends worker threads and connections. */
  close?(): Promise<void>;
}
