import type { Message } from '../messages/message.ts';
import type { ServerDoubt } from '../money/usage-doubt.ts';
import type { Delivery } from '../search/events.ts';
import type { LeafReason } from '../tree/node-file.ts';
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
  /** Which of several models is asked. */
  readonly by?: string;
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
  /** Which delivery of the call it is the answer of, where it may be made twice. */
  readonly making?: Delivery;
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
  readonly making?: Delivery;
}

/** The delivery of a call that nobody asked for. */
export interface UnaskedUse {
  readonly usage: Usage;
  readonly making: Delivery;
  /** Another model made it, which the search has no more: it cost what its usage says, whatever this one costs. */
  readonly isOfAnother?: true;
}

/** The calls of a search that ended before. */
export interface MadeBefore {
  /** Which deliveries ended them: with an answer, or without. */
  readonly makings: readonly Delivery[];
  /** Which were counted besides. */
  readonly further: readonly Delivery[];
  /** The most that any of them was booked with. */
  readonly most: { readonly tokens: number; readonly usd: number };
}

/** A language model, or what takes its place. Implementations are in src/models, the editor's own in src/extension. */
export interface Model {
  /** `provider/model`, as in `ollama/qwen3`. */
  readonly name: string;
  /** Its name on a screen. */
  readonly label: string;
  /** True where a call costs nothing at all, so that no default spend limit counts it. */
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
  /** What a person is told before a search begins with it. */
  readonly warning?: Message;
  /** The request with less room for its answer, as long as nothing shows how much the model holds; else as it is. */
  narrowed?(request: ModelRequest): ModelRequest;
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

/** The purpose of a request, such as `document`; defined by its kind. It is sent as `x-thought-tree-call` over HTTP. */
export type Purpose = string;

/** The properties of requests of one purpose. Each kind defines them for all of its purposes, in one table. */
export interface PurposeTraits {
  /** The judge answers it, if the search has one. */
  readonly judged?: true;
  /** Where several models share the work of a search, each question says which of them answers it. */
  readonly shared?: true;
  /**
   * Where its answers are kept: in the node's conversation, which is sent after those of the nodes above; in a separate
   * conversation, which is never sent; or each one separately.
   */
  readonly conversation: 'node' | 'own' | 'none';
  /** Its answer is the node's document. */
  readonly isDocument?: true;
  /** No other request begins like it or continues from its answer, so neither cache nor session keeps it. */
  readonly last?: true;
  /** Little reasoning is enough for it. */
  readonly effort?: 'low';
  /** It is asked by work in a slot, alongside that, or once all slots are empty. */
  readonly when: 'slot' | 'alongside' | 'end';
  /** The assumed size of an answer if none has been seen, in tokens; in a node's conversation, at depth 1. */
  readonly guess: { readonly prompt: number; readonly completion: number };
  /** The activity, in English: a key of its translation. */
  readonly doing: string;
  /** The activity in at most 17 characters. */
  readonly brief: string;
}

/** The purposes of a kind. */
export type Purposes = Readonly<Record<Purpose, PurposeTraits>>;

/** @throws RangeError if the kind has no such purpose: there are no defaults */
export function traitsOf(purposes: Purposes, purpose: Purpose): PurposeTraits {
  const traits = Object.hasOwn(purposes, purpose) ? purposes[purpose] : undefined;
  if (!traits) throw new RangeError(`no purpose ${purpose}, only ${Object.keys(purposes).join(', ')}`);
  return traits;
}

/** The purposes whose answers are nodes' documents; none where a kind has no such. */
export function documentPurposes(purposes: Purposes): Purpose[] {
  return Object.keys(purposes).filter((purpose) => purposes[purpose]?.isDocument);
}

/** One topic on the way from the first level down to a node. */
export interface Topic {
  readonly title: string;
  /** The titles of the whole list that contains the topic, in order, its own included. */
  readonly siblings: readonly string[];
  /** Its place in that list, from 0. */
  readonly index: number;
}

/** An open leaf that may be worked on next. */
export interface Candidate {
  /** Slug path. */
  readonly path: string;
  readonly title: string;
  /** The score that is expected of it, 0 to 10, where known. */
  readonly score?: number;
}

/** Quotes what the workspace says of the last topic of `lineage` (never empty), as a document. */
export interface QuoteRule {
  readonly by: 'quotations';
  /** The folder of the node, relative to the workspace folder, with `/`; may begin with `..`. */
  readonly folder: string;
  readonly lineage: readonly Topic[];
  /** Also says in a field of the front matter how much it found, and names its sources in a section of references. */
  readonly grade?: Grade;
}

/** A word for how many places were found: the first one whose least number is reached. */
export interface Grade {
  readonly field: string;
  readonly values: readonly { readonly value: string; readonly least: number }[];
}

/**
 * Lists what the workspace has below the last topic of `lineage`, or of the question where that is empty: then the answer
 * also says how it was looked up, see `Lookup`.
 */
export interface SubtopicsRule {
  readonly by: 'passages';
  /** Of the node, as for quotations: links of the lookup start there; by default the workspace's own. */
  readonly folder?: string;
  readonly lineage: readonly Topic[];
  readonly most: number;
}

/** Ranks open leaves by what is expected of them and what they share with the question. */
export interface RankRule {
  readonly by: 'expectation';
  readonly candidates: readonly Candidate[];
  /** The most that are wanted. */
  readonly limit: number;
}

/** The rule by which a model that writes no words of its own answers, with the workspace's text, as the kind says. */
type Rule = QuoteRule | SubtopicsRule | RankRule;

/** A request as typed data, for models that read no prose; a kind may add data of its own. */
export interface PromptData {
  readonly question: string;
  /** Undefined where it takes a model that writes. */
  readonly rule?: Rule;
}

/** One thing that an answer says. */
export interface SaidOf {
  /** What it is about, by a name that follows from that alone. */
  readonly about: string;
  readonly said: string;
}

/** Answers by what they are about, whatever the words were that asked for them. */
export interface AnswersByData {
  /** Returns what an answer says; nothing where only the words that asked tell what it is about. */
  says(data: PromptData, answer: string): readonly SaidOf[];
  /**
   * Makes an answer of what was said, oldest first, by the names of what it is about.
   * @returns a message that names what nobody was asked; undefined where only words tell
   */
  answer(data: PromptData, said: (about: string) => readonly string[]): string | Message | undefined;
}

/** The tags around a part of a request that says how things are just now: two requests that differ in it alone ask the same. */
export interface VaryingPart {
  readonly begin: string;
  readonly end: string;
}

/** The overview of the workspace, at the end of a system text: its files change. */
export const WORKSPACE: VaryingPart = { begin: '<workspace>', end: '</workspace>' };
/** The findings of the rest of a search by then, at the end of a prompt: they depend on timing. */
export const MEANWHILE: VaryingPart = { begin: '<meanwhile>', end: '</meanwhile>' };

/** Puts a text between the tags. */
export function varying({ begin, end }: VaryingPart, text: string): string {
  return `${begin}\n${text}\n${end}`;
}

/** Returns a text without the last such part; takes linear time. */
export function withoutVarying(text: string, { begin, end }: VaryingPart): string {
  const from = text.lastIndexOf(`\n${begin}\n`);
  const to = from < 0 ? -1 : text.indexOf(`\n${end}`, from);
  return to < 0 ? text : text.slice(0, from) + text.slice(to + end.length + 1);
}

/** Returns a model with some parts replaced; properties that it learns later still come through. */
export function wrappedModel(model: Model, replaced: Partial<Model>): Model {
  return new Proxy(model, {
    get(target, key) {
      const value: unknown = Object.hasOwn(replaced, key)
        ? Reflect.get(replaced, key)
        : Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
    has: (target, key) => key in replaced || key in target,
  });
}
