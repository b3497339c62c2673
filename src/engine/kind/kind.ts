import type * as z from 'zod';
import type { Message } from '../../core/messages/message.ts';
import type { KindForecast } from '../../core/money/forecast.ts';
import type { Results, WorstCase } from '../../core/search/events.ts';
import type { KindFace } from '../../core/search/kind-face.ts';
import type { Fold } from '../../core/search/record/fold.ts';
import type { SearchFile } from '../../core/search/search-file.ts';
import type { Strategy } from '../../core/search/strategy.ts';
import type { Tree, TreeNode } from '../../core/tree/tree.ts';
import type { Actions } from '../actions/action.ts';
import type { Executors } from '../dispatcher.ts';
import type { OfferProtocol } from '../offers/offer-protocol.ts';
import type { SearchContext } from '../search-context.ts';
import type { Format } from './kind-format.ts';
import type { FindHooks, KindHooks } from './kind-hooks.ts';

/** What a new search was asked for. */
export interface Asked {
  readonly prompt: string;
  /** What was said of options; they are checked. */
  readonly options: SearchFile['options'];
  readonly strategy?: string | undefined;
  readonly findHooks?: FindHooks | undefined;
}

/** What has to be known before a search begins, for a person to look at and to change. */
export interface Plan {
  /** In lines, for people. */
  readonly lines: readonly Message[];
  /** The file in the search's folder that a person edits to change it. */
  readonly file: string;
  /**
   * Reads that file again.
   * @throws ThoughtTreeError saying what is wrong with it
   */
  readonly check: () => Promise<void>;
}

/** What makes the searches of one kind what they are; everything else of the engine holds for all of them. */
export interface Kind {
  readonly face: KindFace;
  /** Checks what search.json says of this kind's options. */
  readonly options: z.ZodType<object>;
  /**
   * What search.json of a new search says by this kind's rules.
   * @throws ThoughtTreeError `bad-input` where the question or its options are none of this kind
   */
  begin(asked: Asked): Pick<SearchFile, 'strategy' | 'options'>;
  /** How deep a search goes where nobody says so, if not as deep as others. */
  usualDepth?(options: object, findHooks?: FindHooks): number;
  /** What its calls will come to. */
  readonly forecast: KindForecast;
  /** The one system text of a search; for kinds that ask models. */
  readonly system?: (question: string) => string;
  /** The one that version 0.1 sent, for searches that it began. */
  readonly system01?: (question: string) => string;
  /** How it uses hooks; undefined where it has none. */
  readonly hooks?: KindHooks;
  /** What it works out from the journal besides what all kinds do: parts of the search's record. */
  readonly folds?: () => readonly Fold[];
  /** How its searches are exchanged with other programs. */
  readonly formats?: readonly Format[];
  /** The tree as lines of text, where it has a way of its own to draw it. */
  textTree?(file: SearchFile, tree: Tree): string[];
  /**
   * Opens a search of this kind, whose tree and journal are read.
   * @throws ThoughtTreeError `bad-input` where its files name what does not exist
   */
  open(search: SearchContext): KindRun | Promise<KindRun>;
}

/** One open search of a kind: what it does, and whatever the kind keeps for as long as the search is open. */
export interface KindRun {
  /** What comes next; the engine opens it. */
  readonly strategy: Strategy;
  /** Who carries out the strategy's moves, by their kind. */
  readonly executors: Executors;
  /** What it does with answers to the moves that its executors offer. */
  readonly offers?: OfferProtocol;
  /** What carries out the actions that its face adds, or that it carries out otherwise than all kinds do. */
  readonly actions?: Actions;
  /** Takes up what an earlier run left, once the strategy knows the tree. */
  takeUp?(): Promise<void>;
  /**
   * Told that a person wants a finished node worked on once more.
   * @param before what it gave back when an earlier run was told, for a wish that is still open
   * @returns how often it was worked on so far, if that matters later; kept with the wish
   */
  again?(node: TreeNode, before?: number): Promise<number>;
  /**
   * Makes the plan of a search that has none yet.
   * @param show resolves once a person agrees; throws where they do not
   */
  prepare?(show: (plan: Plan) => Promise<void>): Promise<void>;
  /** What stays free of the budget for the report's call. */
  keptForReport?(): WorstCase | undefined;
  /** Writes report.md, with at most one call; asked for once at a time. */
  writeReport(results: Results): Promise<void>;
  /** The result of a search as a message for programs. */
  message?(): Promise<object>;
  /** What it has to say of a search's results in addition to what all kinds do; kept under its name. */
  results?(): object;
}
