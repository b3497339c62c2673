// The types of the package for programs. They are written by hand, so that they need nothing else; `library.ts` is checked
// against them.

/** A request to a model. */
export interface ModelRequest {
  /** What it is for, such as `document`, `children`, `pick`; each kind of search has its own. */
  readonly purpose: string;
  /** The node that it is about, as a path below the search's folder; empty for the root. */
  readonly node: string;
  readonly system: string;
  readonly turns: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[];
  readonly prompt: string;
  /** The JSON schema of the answer: only for models with `takesSchemas`. */
  readonly schema?: object;
  readonly maxOutputTokens: number;
}

/** What one request used, in tokens; `prompt` includes `cached`. */
export interface Usage {
  readonly prompt: number;
  readonly cached: number;
  readonly completion: number;
  /** In US dollars, if that is known. */
  readonly usd?: number;
}

export interface ModelAnswer {
  readonly text: string;
  /** `length`: it was cut off by its limit. `stop` by default. */
  readonly finish?: 'stop' | 'length' | 'refused';
  /** Without it, the call counts at its worst case. */
  readonly usage?: Usage;
}

/** US dollars per million tokens. */
export interface Price {
  readonly prompt: number;
  readonly cached: number;
  readonly completion: number;
}

/** A model of your own. It answers one request, and never retries: each attempt passes the limits. */
export interface OwnModel {
  /** `provider/model`, as it is journaled. */
  readonly name: string;
  /** Without one, limits of money hold only as far as answers say what they cost. */
  readonly price?: Price;
  /** True if a call costs nothing at all. */
  readonly free?: boolean;
  /** The longest prompt plus answer, in tokens. */
  readonly contextTokens?: number;
  /** True if its answers keep to the schema of a request. */
  readonly takesSchemas?: boolean;
  generate(request: ModelRequest, call: { readonly signal: AbortSignal }): Promise<ModelAnswer>;
}

/** A topic that may be worked on next. */
export interface Candidate {
  /** Its path below the search's folder. */
  readonly path: string;
  readonly title: string;
}

/** Chooses what a research search works on next: paths of candidates, the most important first. */
export type Picker = (
  candidates: readonly Candidate[],
  about: { readonly question: string; readonly limit: number; readonly signal: AbortSignal },
) => readonly string[] | Promise<readonly string[]>;

/** A step of a solution, and those before it. */
export interface ThoughtPath {
  readonly problem: string;
  /** In order; never empty. The last one is the step in question. What it says comes from a model. */
  readonly thoughts: readonly { readonly content: string }[];
}

/** What you know of a problem that a model does not: it checks steps of a search of kind `thoughts`. */
export interface Task {
  /** Lower-case letters, digits and hyphens. */
  readonly name: string;
  /** Returns the problem as its first step sees it. Throws if it is no problem of the task. */
  start?(problem: string): string;
  /** Returns how the problem is taken apart, so that no model is asked for it. */
  decomposition?(problem: string): {
    readonly thought_granularity: string;
    readonly intermediate_steps: readonly string[];
    readonly depth_estimate: number;
    readonly constraints: readonly string[];
    readonly success_criteria: string;
  };
  /** What the model is told of the form of a step, and of judging one. */
  readonly wording?: { readonly generate?: string; readonly evaluate?: string };
  /** Tells whether this step is right, given that those before it are. */
  verify?(path: ThoughtPath, signal: AbortSignal): Verdict | Promise<Verdict>;
  /** Returns the state after the steps: two paths with the same one become one node. */
  state?(path: ThoughtPath): string | undefined;
  /** Tells whether the path is a complete solution. */
  solved?(path: ThoughtPath, signal: AbortSignal): boolean | Promise<boolean>;
  /** The final answer, from a solved path. */
  compose?(path: ThoughtPath): string | undefined;
}

export type Verdict = { readonly ok: true } | { readonly ok: false; readonly why: string };

/** Prompts in place of ours, with their places in double braces, such as `{{title}}`. */
export interface Prompts {
  /** For the first level: `{{question}}`, `{{max}}`. */
  readonly root?: string;
  /** For a document: `{{title}}` (needed), `{{question}}`, `{{siblings}}`, `{{path}}`, `{{depth}}`. */
  readonly document?: string;
  /** For a list of topics: the same, and `{{max}}`. */
  readonly children?: string;
  /** For a choice: `{{candidates}}` (needed), `{{question}}`, `{{outline}}`, `{{limit}}`. */
  readonly pick?: string;
}

/** Something that happened to a search, as in its journal. */
export interface SearchEvent {
  readonly type: string;
  readonly seq: number;
  readonly time: string;
  readonly [field: string]: unknown;
}

export interface SearchRequest {
  readonly question: string;
  /** The folder that is searched; the current one by default. */
  readonly workspace?: string;
  /** The search's own folder, which must not be one yet; by default one in `thought-trees` of the workspace. */
  readonly folder?: string;
  /** Research by default. */
  readonly kind?: string;
  /** By default `workspace/quotes`, which costs nothing: it quotes what the folder says. */
  readonly model?: OwnModel;
  readonly pick?: Picker;
  /** For searches of kind `thoughts`. */
  readonly task?: Task;
  readonly prompts?: Prompts;
  /** What the front matter of documents must have besides title and summary: a schema of Zod 4, or a JSON schema. */
  readonly frontMatter?: object;
  /** Of its kind, by the names of the command line in camel case, such as `maxChildren`. */
  readonly options?: Readonly<Record<string, unknown>>;
  readonly limits?: {
    readonly size?: 'small' | 'medium' | 'large' | 'all';
    readonly maxDepth?: number;
    readonly calls?: number;
    readonly tokens?: number;
    readonly usd?: number;
    readonly minutes?: number;
  };
  /** What models may see of the workspace. */
  readonly read?: 'nothing' | 'quotes' | 'tools';
  readonly concurrency?: number;
  readonly onEvent?: (event: SearchEvent) => void;
  /** Pauses the search. */
  readonly signal?: AbortSignal;
}

export interface SearchResult {
  /** The search's folder: everything is in it, as plain files. */
  readonly folder: string;
  readonly state: 'finished' | 'paused' | 'waiting';
  /** Why it ended or paused, in words; empty if it is simply finished. */
  readonly message: string;
  readonly results: {
    readonly calls: number;
    readonly usd: number;
    readonly expanded: number;
    readonly failed: number;
  };
  /** report.md, if there is one. */
  readonly report: string | undefined;
}

/**
 * Begins a search and runs it to its end, or until it pauses; `thought-tree resume` goes on with it.
 * @throws Error whose `reason` says what is wrong, such as `bad-input`
 */
export function search(request: SearchRequest): Promise<SearchResult>;

/**
 * Splits a document into its front matter and its text.
 * @throws Error whose `reason` is `bad-answer`
 */
export function readDocument(text: string): { readonly data: Record<string, unknown>; readonly body: string };
