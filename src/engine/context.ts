import type * as z from 'zod';
import type { KindDescriptor } from '../core/kind/kind-descriptor.ts';
import type { FindHooks } from '../core/kind/kind-hooks.ts';
import type { Move, MoveResult } from '../core/kind/strategy.ts';
import type { Message } from '../core/messages/message.ts';
import type { Offer, OfferAnswer, OfferDraft } from '../core/offers/offer.ts';
import type { OpenOffer } from '../core/offers/offer-book.ts';
import type { Verdict } from '../core/offers/verdict.ts';
import type { Model, Purpose } from '../core/ports/model.ts';
import type { Clock, Random } from '../core/ports/ports.ts';
import type { Purse } from '../core/ports/purse.ts';
import type { Store } from '../core/ports/store.ts';
import type { ToolsIn, Workshop } from '../core/ports/workshop.ts';
import type { WorkspaceText } from '../core/ports/workspace-text.ts';
import type { Size } from '../core/search/limits.ts';
import { plannedSlots, type SearchFile } from '../core/search/search-file.ts';
import type { Tree, TreeNode } from '../core/tree/tree.ts';
import type { NodeId } from '../core/tree/tree-node.ts';
import type { Asks } from './asks.ts';
import type { History } from './history.ts';
import type { LimitsInForce } from './limits.ts';
import type { CommitGate, Nodes } from './nodes.ts';

/** The slots that exist at the moment, somewhere else. */
export interface Slots {
  readonly count: number;
  /** True if the search takes all of them, however many; otherwise at most its `concurrency`. */
  readonly areAllTaken: boolean;
  onChange(listener: () => void): void;
  /** The search begins nothing more until it is resumed: calls that nobody has begun are not to be made. */
  takeBack(): void;
}

/**
 * The parts of one open search that are the same for every kind. A kind's own state is in the result of its `open`.
 * Nothing here is ever replaced, so that a kind may spread it into its own object.
 */
export interface SearchContext {
  readonly descriptor: KindDescriptor;
  readonly file: SearchFile;
  /** The options in force, checked by the kind: those of this run take precedence over search.json. */
  readonly options: SearchFile['options'];
  /** Number of slots as the search was opened; the loop and plans follow `slots`, if there are some. */
  readonly concurrency: number;
  readonly slots?: Slots | undefined;
  readonly tree: Tree;
  readonly store: Store;
  readonly history: History;
  /** The model that writes. */
  readonly model: Model;
  /** The model that judges, if different. */
  readonly judge: Model | undefined;
  /** Several models that share its work; empty where one does it. */
  readonly models: readonly Model[];
  /** The model for a purpose. @param by which of several */
  readonly modelFor: (purpose: Purpose, by?: string) => Model;
  readonly asks: Asks;
  readonly clock: Clock;
  readonly random: Random;
  /** The system text of the search. */
  readonly system: string;
  /** The search's folder relative to the workspace folder, with `/`. */
  readonly folder: string;
  /** Finds a person's own hooks by name; by default those that ship with the kind. */
  readonly findHooks?: FindHooks | undefined;
  /** The text of the workspace, if there is one: quoted to models, and used to check their quotations. */
  readonly workspaceText?: WorkspaceText | undefined;
  /** A node's document as it would be made from the model's answer now; undefined if there is none. */
  readonly documentAgain: (node: TreeNode) => Promise<string | undefined>;
  /** Where files are changed and commands run, for kinds whose descriptor has `work`; missing where nobody allowed that. */
  readonly workshop?: Workshop | undefined;
  /** The tools with which models work there; there are some wherever there is a workshop. */
  readonly toolsIn?: ToolsIn | undefined;
  /** True if prompts include quotations of the workspace. */
  readonly quotesContext: boolean;
  readonly gate: CommitGate;
  /** Every change to a node goes through it. */
  readonly nodes: Nodes;
  /** Tells the strategy that nodes changed other than by a move. */
  readonly changed: (nodes: readonly NodeId[]) => void;
  /** A message in the language of the report. */
  readonly show: (message: Message) => string;
  readonly limits: LimitsInForce;
  readonly purse?: Purse | undefined;
  readonly closing: Closing;
}

/** Stops the call of the report that is being written; each report has its own signal. */
export class Closing {
  #current = new AbortController();

  /** True if the report that is being written is about a search that is not finished, which the report says. */
  isInterim = false;
  /** True if a search that is paused leaves a report behind. */
  reportsOnPause = false;
  /** True if no call is made for it. */
  isSilent = false;

  /** Writes an interim report, as soon as there is something to say; nothing for a search that writes none. */
  writeInterim: () => Promise<unknown> = async () => undefined;

  get signal(): AbortSignal {
    return this.#current.signal;
  }

  /** Stops it; the report is then written without the call. */
  stop(): void {
    this.#current.abort();
  }

  /** Stopping one report does not stop later ones. */
  renew(): void {
    this.#current = new AbortController();
  }
}

/** Counts the slots to plan with now: workers may come and go while a search runs. */
export function slotsToPlan({ slots, concurrency }: Pick<SearchContext, 'slots' | 'concurrency'>): number {
  return slots?.areAllTaken ? plannedSlots(slots.count) : concurrency;
}

/** Carries out the moves of one kind itself. */
interface RunningExecutor {
  readonly needsSlot: boolean;
  /** True if it works on its nodes although it takes no slot, so that it is stopped where they are released. */
  readonly isWork?: boolean;
  /** True if it works on its node until that has children or is a leaf; a success ends a row of failures. */
  readonly expands?: true;
  readonly run: (move: Move, signal: AbortSignal) => Promise<MoveResult>;
}

/** Carries out the moves of one kind, or lets somebody outside do so. */
export type Executor = RunningExecutor | OfferingExecutor;

/** The executors of moves, by their kind. */
export type Executors = Readonly<Record<string, Executor>>;

/** The effects on the loop that an action can have. */
export interface ActingLoop {
  /** Stops the moves that work on these nodes; resolves when the last one has let go. */
  readonly release: (nodes: ReadonlySet<NodeId>) => Promise<void>;
  /** Puts a node next, whatever ranking and size say. */
  readonly wish: (node: NodeId) => void;
  /** Tells the kind that a finished node is wanted once more; its result is kept with the wish. */
  readonly again: (node: TreeNode) => Promise<number | undefined>;
  /** Sets how far the strategy may go. */
  readonly setSize: (size: Size) => void;
  readonly pause: (now: boolean) => void;
  readonly finish: () => Promise<void>;
  readonly writeReport: () => Promise<void>;
  /** Writes the report of what there is so far, without a call; tells what it did not replace. */
  readonly writeInterim: () => Promise<InterimWritten>;
  /** The offers that somebody outside may take and answer. */
  readonly offers: Offers;
}

export interface Acting {
  readonly ctx: SearchContext;
  readonly loop: ActingLoop;
  /** The target node; the root for the search as a whole. */
  readonly node: TreeNode;
  /** Who asks, for the journal. */
  readonly by: string;
}

/** The implementation of an action on a search: data in, data out. `ActionDescriptor` is what hosts show of it. */
export interface Action<Args = unknown, Result = unknown> {
  readonly args: z.ZodType<Args>;
  readonly result: z.ZodType<Result>;
  /** It only concerns the loop, and does not wait for pending commits. */
  readonly isLoops?: true;
  /** It records its own events, which say what it did, and who asked. */
  readonly tellsItself?: true;
  /**
   * Carries it out.
   * @throws ThoughtTreeError saying what to do; then nothing has changed
   */
  run(at: Acting, args: Args): Promise<Result>;
  /** Returns the result in words, for the person who asked. */
  say(result: Result, node: TreeNode): Message;
}

/** The actions of a kind, by name. */
export type Actions = Readonly<Record<string, Action>>;

/** The moves of an open search that somebody outside may take and answer. */
export interface Offers {
  /** The offers that the search waits for, oldest first. */
  readonly pending: readonly Offer[];
  /** Takes up what earlier runs left. */
  takeUp(): Promise<void>;
  /** Offers a move, or finds the offer that an earlier run made of it. */
  make(move: Move, executor: OfferingExecutor, signal: AbortSignal): Promise<MoveResult | 'offered'>;
  /** Assigns an offer; if it is already assigned to the same taker, its time starts again. */
  take(id: string, taker: Taker): Promise<OpenOffer>;
  /** Makes an offer available to others. */
  giveBack(id: string, by: string): Promise<void>;
  /** Accepts answers that belong together: all of them, or none. */
  answer(answers: readonly OfferAnswer[], by: string): Promise<Applied>;
  /** Withdraws the offers about released nodes. */
  release(nodes: ReadonlySet<NodeId>): void;
  /** Withdraws the offers whose nodes are gone or pruned; returns whether there were any. */
  sweep(): boolean;
  /** Stops watching offers. */
  close(): void;
}

/** Who takes an offer. */
export interface Taker {
  readonly by: string;
  /** A person, for whom it does not expire. */
  readonly isPerson?: boolean | undefined;
}

/** The result of answers. */
export interface Applied {
  /** The offers that they answered. */
  readonly offers: readonly string[];
  /** Their kind's reply. */
  readonly value: unknown;
}

/** The result of writing an interim report: one that a person changed stays, and so does a better one. */
export type InterimWritten = 'written' | 'edited' | 'better';

/** Carries out the moves of one kind by offering them: they need no slot, and end when somebody outside has answered. */
export interface OfferingExecutor {
  /** Describes the move for whoever takes it. Its nodes were checked just before, and none of them is pruned. */
  readonly offer: (move: Move, signal: AbortSignal) => OfferDraft | Promise<OfferDraft>;
}

/** An answer to an offer, and the nodes that the offer is about, in its order. */
export interface AnsweredOffer {
  readonly offer: Offer;
  readonly nodes: readonly TreeNode[];
  readonly result: unknown;
}

/** The handling by a kind of answers to its offers. Nothing else happens to the tree between the two. */
export interface OfferProtocol {
  /**
   * Checks answers as a whole: all of them are accepted, or none. Its result for each is kept in the journal and passed to
   * `apply`, so it has to settle whatever depends on the current tree, such as the slugs of new nodes.
   */
  check(answers: readonly AnsweredOffer[]): Verdict | Promise<Verdict>;
  /**
   * Creates nodes and files from kept answers, through the search's `nodes` (without `commit`, as it has the tree to
   * itself). If the process dies meanwhile, the next one repeats it with the same answers: it must add what is missing and
   * change nothing else.
   * @param by who answered
   * @returns the reply to whoever answered, as plain data
   */
  apply(answers: readonly AnsweredOffer[], by: string): Promise<unknown>;
}
