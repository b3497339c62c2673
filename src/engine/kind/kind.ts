import type * as z from 'zod';
import type { KindFace } from '../../core/kind/kind-face.ts';
import type { Strategy } from '../../core/kind/strategy.ts';
import type { Message } from '../../core/messages/message.ts';
import type { KindForecast } from '../../core/money/forecast.ts';
import type { ReadStore } from '../../core/ports/store.ts';
import type { WorkspaceText } from '../../core/ports/workspace-text.ts';
import type { Results, WorstCase } from '../../core/search/events.ts';
import type { Receipt } from '../../core/search/receipt.ts';
import type { KeptFold } from '../../core/search/record/fold.ts';
import type { SearchRecord } from '../../core/search/record/search-record.ts';
import type { SearchFile } from '../../core/search/search-file.ts';
import type { Tree, TreeNode } from '../../core/tree/tree.ts';
import type { Actions } from '../actions/action.ts';
import type { Executors } from '../loop/executor.ts';
import type { OfferProtocol } from '../offers/offer-protocol.ts';
import type { SearchContext } from '../search-context.ts';
import type { Format } from './kind-format.ts';
import type { FindHooks, KindHooks } from './kind-hooks.ts';

/** The request for a new search. */
export interface Asked {
  readonly prompt: string;
  /** The given options; they are checked. */
  readonly options: SearchFile['options'];
  readonly strategy?: string | undefined;
  readonly findHooks?: FindHooks | undefined;
}

/** The facts that have to be known before a search begins, for a person to review and change. */
export interface Plan {
  /** In lines, for people. */
  readonly lines: readonly Message[];
  /** The file in the search's folder that a person edits to change it. */
  readonly file: string;
  /** The command lines that it runs, exactly; a person is shown them, too, and has to agree. */
  readonly commands?: readonly string[];
  /**
   * Reads that file again.
   * @throws ThoughtTreeError saying what is wrong with it
   */
  readonly check: () => Promise<void>;
}

/** A plan that a person gives a new search. */
export interface GivenPlan {
  /** The aim of the search, as the plan states it. */
  readonly prompt: string;
  /** The plan as it is kept in the search's folder. */
  readonly text: string;
  /** The plan in lines, for people. */
  readonly lines: readonly Message[];
  /** The command lines in it, each once, exactly as they would run. */
  readonly commands: readonly string[];
}

/** The lines that a kind adds to the status of its search. */
export interface KindStatus {
  /** For people, in their order. */
  readonly rows: readonly { readonly label: Message; readonly lines: readonly Message[] }[];
  /** For programs: fields of a node besides those of every node. */
  readonly ofNode: (node: TreeNode) => object | undefined;
}

/** The progress of a search that somebody outside leads. */
export interface LedStanding {
  /** True if it has ended by its own rules. */
  readonly hasEnded: boolean;
  /** Who leads it, how far it is, and what it needs next. */
  readonly say: Message;
}

/** The kept answers, and all else that documents are made from a second time. */
export interface KeptAnswers {
  readonly store: ReadStore;
  /** The search's folder relative to the workspace folder, with `/`. */
  readonly folder: string;
  readonly workspaceText?: WorkspaceText | undefined;
  /** Those of clients about the node, as `OfferProtocol.check` had them kept, oldest first. */
  readonly answers: readonly unknown[];
}

/** Everything specific to the searches of one kind; the rest of the engine is the same for all of them. */
export interface Kind {
  readonly face: KindFace;
  /** Checks this kind's options in search.json. */
  readonly options: z.ZodType<object>;
  /** Checks what it keeps of a node in addition to what all kinds do: `own` in node.json. */
  readonly own?: z.ZodType<object>;
  /**
   * The contents of search.json of a new search, by this kind's rules.
   * @throws ThoughtTreeError `bad-input` if this kind rejects the question or its options
   */
  begin(asked: Asked): Pick<SearchFile, 'strategy' | 'options'>;
  /**
   * Checks a plan that a person gives a new search, for kinds that take one.
   * @param file the name of the file, for messages
   * @throws ThoughtTreeError `damaged` saying what is wrong with it, and where
   */
  planFrom?(text: string, file: string): GivenPlan;
  /** Tells what this kind adds to the status of a search. */
  statusOf?(tree: Tree, record: SearchRecord): KindStatus;
  /** Tells how far a search is that somebody outside leads, as its options say. */
  ledStanding?(file: SearchFile, tree: Tree, record: SearchRecord): LedStanding;
  /** The default depth of a search, if it differs from others. */
  usualDepth?(options: object, findHooks?: FindHooks): number;
  /** The forecast of its calls. */
  readonly forecast: KindForecast;
  /** The system text of a search; for kinds that ask models. */
  readonly system?: (question: string) => string;
  /** Its hooks; undefined if it has none. */
  readonly hooks?: KindHooks;
  /** The folds by which it derives more from the journal than all kinds do: parts of the search's record. */
  readonly folds?: () => readonly KeptFold[];
  /** The formats for exchanging its searches with other programs. */
  readonly formats?: readonly Format[];
  /** The tree as lines of text, if the kind draws it differently. */
  textTree?(file: SearchFile, tree: Tree): string[];
  /**
   * A node's document as it was made from kept answers, after a loss of power; undefined if there are none.
   * @param node according to the journal
   */
  documentAgain?(node: TreeNode, kept: KeptAnswers): Promise<string | undefined>;
  /**
   * Tells how a node came about, for kinds that keep receipts of that. Returns undefined for a node that has none yet.
   * @param record what the journal tells, if it has to tell the same; by default the claim of the node's files
   */
  receiptOf?(node: TreeNode, record?: SearchRecord): Receipt | undefined;
  /**
   * Opens a search of this kind, whose tree and journal have been read.
   * @throws ThoughtTreeError `bad-input` if its files name something that does not exist
   */
  open(search: SearchContext): KindRun | Promise<KindRun>;
}

/** One open search of a kind: its behaviour, and the kind's state for as long as the search is open. */
export interface KindRun {
  /** The strategy, which decides what comes next; the engine opens it. */
  readonly strategy: Strategy;
  /** The executors of the strategy's moves, by their kind. */
  readonly executors: Executors;
  /** The handling of answers to the moves that its executors offer. */
  readonly offers?: OfferProtocol;
  /** The actions that its face adds, or that it implements differently. */
  readonly actions?: Actions;
  /** Takes up what an earlier run left, once the strategy knows the tree. */
  takeUp?(): Promise<void>;
  /**
   * Called when a person wants a finished node worked on once more.
   * @param before the result for an earlier run, for a wish that is still open
   * @returns how often it was worked on so far, if that matters later; kept with the wish
   */
  again?(node: TreeNode, before?: number): Promise<number>;
  /**
   * Makes the plan of a search that has none yet.
   * @param show resolves once a person agrees; throws if they do not
   * @param making called before a model is asked for it
   */
  prepare?(show: (plan: Plan) => Promise<void>, making?: () => void): Promise<void>;
  /** Returns the amount that is reserved for the report's call. */
  keptForReport?(): WorstCase | undefined;
  /** Writes report.md, with at most one call; never called concurrently. */
  writeReport(results: Results): Promise<void>;
  /** The result of a search as a message for programs. */
  message?(): Promise<object>;
  /** Why it has come to an end without anything to show; undefined if there is something. */
  whyNothing?(): Message | undefined;
  /** Its results in addition to those of all kinds; kept under its name. */
  results?(): object;
}
