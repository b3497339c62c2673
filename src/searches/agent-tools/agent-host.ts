import type { ActionCall } from '../../core/actions/action-call.ts';
import type { Model } from '../../core/ports/model.ts';
import type { SearchFile } from '../../core/search/search-file.ts';
import type { Kinds } from '../../engine/kind.ts';
import type { SearchParts } from '../../engine-parts/opening/open-held-search.ts';
import type { ActionOutcome } from '../act-on-search.ts';
import type { Place } from '../place.ts';

// The tools for agents need these of the program that offers them: an MCP server, or an editor.

/** A folder whose searches agents may see. */
export interface AgentFolder {
  /** The folder that is searched. */
  readonly workspace: string;
  /** The folder in it, or elsewhere, that holds its searches. */
  readonly searches: string;
}

/** The facts about a model that a forecast needs, before it is opened. */
type ModelFacts = Pick<Model, 'name' | 'free' | 'price' | 'prose'>;

/** The question for a person before money is spent, or something is removed. */
export interface Wanted {
  /** It may cost money; it removes something. */
  readonly spends: boolean;
  readonly removes: boolean;
  /** The search, by its title. */
  readonly title: string;
  /** The question in one line: what is about to happen. */
  readonly question: string;
  /** The forecast, the limit and the model, one line each. */
  readonly details: readonly string[];
  /** The most that it may spend from now on, in US dollars; undefined if no amount limits it. */
  readonly mostUsd?: number | undefined;
  /** The price of every model is known, so a limit in dollars holds. */
  readonly isPriced?: boolean | undefined;
  /** Its models cost nothing. */
  readonly isFree?: boolean | undefined;
  /** The models that would be used. */
  readonly models?: readonly string[] | undefined;
  /** A person chose these models themselves, for this host or for this search. */
  readonly areModelsOwn?: boolean | undefined;
  /** Another program, which runs the search, would spend the money. */
  readonly isElsewhere?: boolean | undefined;
}

/** A permission. */
export interface Permit {
  /** The most that may be spent, in US dollars, never more than was asked for; undefined if no amount limits it. */
  readonly mostUsd?: number | undefined;
  /** To be called once it is over, with what was spent; then nothing more is spent on it. */
  readonly settle?: ((usd: number) => void) | undefined;
}

/** A search to be begun or continued. */
export interface AgentRun {
  readonly place: Place;
  /** The search to create first; undefined if it exists. */
  readonly create?: SearchFile | undefined;
  readonly model: string;
  readonly judge?: string | undefined;
  /** The plan that a new search begins with, as its kind checked it. */
  readonly plan?: string | undefined;
  readonly limits?: SearchParts['limits'];
  readonly permit: Permit;
  /** Aborted before it runs, it does not: it rests as it was opened. */
  readonly signal?: AbortSignal | undefined;
}

/** The models and the money that an action may use where nobody runs the search. */
export interface ActWithin {
  readonly model: string;
  /** The most that it may spend, in US dollars; undefined if no amount limits it. */
  readonly mostUsd?: number | undefined;
}

/** One call of a tool. */
export interface ToolCall {
  readonly signal: AbortSignal;
  /** Called as work goes on. @param total undefined if nobody knows */
  readonly progress?: ((done: number, total: number | undefined, message: string) => void) | undefined;
  /** Called with the name of a search that the call has made, as soon as it is on disk, whatever becomes of the call. */
  readonly made?: ((search: string) => void) | undefined;
}

/** The program that offers the tools. */
export interface AgentHost {
  readonly kinds: Kinds;
  readonly folders: readonly AgentFolder[];
  readonly models: {
    /** Returns the person's choice for new searches, if any. */
    usual(): { readonly model?: string | undefined; readonly judge?: string | undefined };
    facts(name: string): ModelFacts;
  };
  /** Options that the person set for new searches of a kind; no caller can change them. */
  readonly newSearches?: ((kind: string) => Readonly<Record<string, string | number | boolean>>) | undefined;
  /**
   * Asked before a search is made whose plan runs commands; where it is missing, a person is asked once it is there.
   * @throws ThoughtTreeError `declined` saying what would allow it
   */
  readonly mayRun?: ((commands: readonly string[]) => void) | undefined;
  readonly runs: {
    /** Tells whether this program works on the search in a folder. */
    isHere(folder: string): boolean;
    /** Begins or continues a search in the background; resolves once it runs. Calls `settle` of its permit at its end. */
    start(run: AgentRun): Promise<void>;
    /** Pauses a search that runs here, at once; resolves when nothing writes it any more. */
    pause(folder: string): Promise<void>;
    /**
     * Carries out an action of the engine, here or through the program that runs the search.
     * @param within what was permitted if nobody runs the search: the folder may name another model by now
     */
    act(place: Place, call: ActionCall, signal: AbortSignal, within: ActWithin): Promise<ActionOutcome>;
  };
  /**
   * Asks for permission; nothing has been written or spent before it resolves. It may throw whatever makes its host ask
   * and call the tool again.
   * @throws ThoughtTreeError `declined` saying why not, and what would allow it
   */
  permit(wanted: Wanted, call: ToolCall): Promise<Permit>;
}

/** The answer of a tool: as text for reading, and as data. */
export interface ToolAnswer {
  readonly text: string;
  readonly data: Record<string, unknown>;
  /** Files of the search that the answer is about. */
  readonly files?: readonly { readonly search: string; readonly path: string; readonly title: string }[];
}

/** The plan of a tool's call: nothing has been written or spent yet. */
export interface Plan {
  /** The permission that a person has to give; undefined if nobody has to. */
  readonly wanted?: Wanted | undefined;
  readonly carryOut: (permit: Permit) => Promise<ToolAnswer>;
}
