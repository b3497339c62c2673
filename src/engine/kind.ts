import type * as z from 'zod';
import type { KindDescriptor } from '../core/kind/kind-descriptor.ts';
import type { Format } from '../core/kind/kind-format.ts';
import type { FindHooks, KindHooks } from '../core/kind/kind-hooks.ts';
import type { Strategy } from '../core/kind/strategy.ts';
import { type Message, plain } from '../core/messages/message.ts';
import { wrongField } from '../core/messages/wrong-field.ts';
import type { KindForecast } from '../core/money/forecast.ts';
import type { Model } from '../core/ports/model.ts';
import type { ReadStore } from '../core/ports/store.ts';
import type { WorkspaceText } from '../core/ports/workspace-text.ts';
import { ThoughtTreeError } from '../core/search/errors.ts';
import type { KeptFold, Receipt, Results, WorstCase } from '../core/search/events.ts';
import type { SearchRecord } from '../core/search/record/search-record.ts';
import type { SearchFile } from '../core/search/search-file.ts';
import type { Tree, TreeNode } from '../core/tree/tree.ts';
import type { Actions, Executors, OfferProtocol, SearchContext } from './context.ts';
import { proseNeeded, tiedToWorkspace, unknownKind, wrongOptions } from './messages.ts';

/** The request for a new search. */
export interface Asked {
  readonly prompt: string;
  /** The given options; they are checked. */
  readonly options: SearchFile['options'];
  readonly strategy: string | undefined;
  readonly findHooks: FindHooks | undefined;
}

/** The facts that have to be known before a search begins, for a person to review and change. */
export interface Plan {
  /** In lines, for people. */
  readonly lines: readonly Message[];
  /** The file in the search's folder that a person edits to change it. */
  readonly file: string;
  /**
   * The command lines that it runs, exactly; a person is shown them, too, and has to agree. Undefined if the plan is about
   * something else than work.
   */
  readonly commands: readonly string[] | undefined;
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
  /** The number of nodes that it makes. */
  readonly nodes: number;
}

/** The reader of plans that people give new searches. */
interface PlanReader {
  /** @param file its name, for errors: ThoughtTreeError `damaged` saying what is wrong with it, and where */
  read(text: string, file: string): GivenPlan;
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
  readonly workspaceText: WorkspaceText | undefined;
  /** Those of clients about the node, as `OfferProtocol.check` had them kept, oldest first. */
  readonly answers: readonly unknown[];
}

/** The abilities that only some kinds have; each is a small contract of its own, for the part of a host that knows it. */
interface KindExtras {
  /** Reads plans that people give new searches. */
  readonly plans?: PlanReader;
  /** Tells what the kind adds to the status of a search. */
  readonly status?: (tree: Tree, record: SearchRecord) => KindStatus;
  /** Draws the tree as lines of text, in another way than usual. */
  readonly textTree?: (file: SearchFile, tree: Tree) => string[];
  /** Tells how far a search is that somebody outside leads, as its options say. */
  readonly ledStanding?: (file: SearchFile, tree: Tree, record: SearchRecord) => LedStanding;
  readonly hooks?: KindHooks;
  /**
   * Tells how a node came about. Returns undefined for a node that has no receipt of that yet.
   * @param record what the journal tells, if it has to tell the same; by default the claim of the node's files
   */
  readonly receiptOf?: (node: TreeNode, record?: SearchRecord) => Receipt | undefined;
}

/** Everything specific to the searches of one kind; the rest of the engine is the same for all of them. */
export interface Kind {
  readonly descriptor: KindDescriptor;
  /** Checks this kind's options in search.json. */
  readonly options: z.ZodType<object>;
  /** Checks what it keeps of a node in addition to what all kinds do: `own` in node.json. */
  readonly own?: z.ZodType<object>;
  /**
   * The contents of search.json of a new search, by this kind's rules.
   * @throws ThoughtTreeError `bad-input` if this kind rejects the question or its options
   */
  begin(asked: Asked): Pick<SearchFile, 'strategy' | 'options'>;
  /** Returns the default depth of a search. */
  usualDepth(options: object, findHooks?: FindHooks): number;
  /** The forecast of its calls. */
  readonly forecast: KindForecast;
  /** Returns the system text of a search; empty for kinds that ask no models. */
  system(question: string, file: Pick<SearchFile, 'strategy'>): string;
  /** Returns the folds by which it derives more from the journal than all kinds do: parts of the search's record. */
  folds(): readonly KeptFold[];
  /** The formats for exchanging its searches with other programs. */
  readonly formats: readonly Format[];
  /**
   * A node's document as it was made from kept answers, after a loss of power; undefined if there are none.
   * @param node according to the journal
   */
  documentAgain(node: TreeNode, kept: KeptAnswers): Promise<string | undefined>;
  readonly extras: KindExtras;
  /**
   * Opens a search of this kind, whose tree and journal have been read.
   * @throws ThoughtTreeError `bad-input` if its files name something that does not exist
   */
  open(search: SearchContext): KindRun | Promise<KindRun>;
}

/** The findings of a search besides its tree. */
interface Findings {
  /** Returns the results in addition to those of all kinds; kept under the kind's name. */
  results(): object;
  /** Returns them, and the whole search, as a message for programs. */
  message(): Promise<object>;
}

/** One open search of a kind: its behaviour, and the kind's state for as long as the search is open. */
export interface KindRun {
  /** The strategy, which decides what comes next; the engine opens it. */
  readonly strategy: Strategy;
  /** The executors of the strategy's moves, by their kind. */
  readonly executors: Executors;
  /** The actions that its descriptor adds, or that it implements differently. */
  readonly actions: Actions;
  /** Takes up what an earlier run left, once the strategy knows the tree. */
  takeUp(): Promise<void>;
  /**
   * Called when a person wants a finished node worked on once more.
   * @param before the result for an earlier run, for a wish that is still open
   * @returns how often it was worked on so far, if that matters later; kept with the wish
   */
  again(node: TreeNode, before?: number): Promise<number | undefined>;
  /** Returns the amount that is reserved for the report's call; undefined if it is made without one. */
  keptForReport(): WorstCase | undefined;
  /** Writes report.md, with at most one call; never called concurrently. */
  writeReport(results: Results): Promise<void>;
  /** Says why it has come to an end without anything to show; undefined if there is something. */
  whyNothing(): Message | undefined;
  /** The handling of answers to the moves that its executors offer. */
  readonly offers?: OfferProtocol;
  /**
   * Makes the plan of a search that has none yet.
   * @param show resolves once a person agrees; throws if they do not
   * @param making called before a model is asked for it
   */
  prepare?(show: (plan: Plan) => Promise<void>, making?: () => void): Promise<void>;
  readonly findings?: Findings;
}

/** The behaviour of a run with nothing of its own to do: a kind spreads it, and replaces what differs. */
export const PLAIN_RUN = {
  actions: {},
  takeUp: async () => undefined,
  again: async () => undefined,
  keptForReport: () => undefined,
  whyNothing: () => undefined,
} as const satisfies Partial<KindRun>;

/** A kind that a host offers: its descriptor, and a loader for the rest, used when a search of it is opened. */
interface ListedKind {
  readonly descriptor: KindDescriptor;
  readonly load: () => Promise<Kind>;
}

/** The kinds that a host offers, in the order in which people see them; the first one is the default. */
export type Kinds = readonly ListedKind[];

/** Returns the descriptor of a kind; undefined if this program does not know it. */
export function descriptorOf(kinds: Kinds, name: string): KindDescriptor | undefined {
  return kinds.find(({ descriptor }) => descriptor.name === name)?.descriptor;
}

/** @throws ThoughtTreeError `bad-input` if this program does not know the kind */
export async function loadKind(kinds: Kinds, { kind }: Pick<SearchFile, 'kind'>): Promise<Kind> {
  const found = kinds.find(({ descriptor }) => descriptor.name === kind);
  if (found) return await found.load();
  const known = kinds.map(({ descriptor }) => `"${descriptor.name}"`).join(' and ');
  throw new ThoughtTreeError('bad-input', unknownKind({ kind, known }));
}

/**
 * The options of a search, checked by its kind.
 * @param given the options that this run sets; they take precedence over search.json
 * @throws ThoughtTreeError `damaged` saying which one is invalid
 */
export function optionsOf(
  { options: schema }: Pick<Kind, 'options'>,
  { options }: Pick<SearchFile, 'options'>,
  given: object = {},
): SearchFile['options'] {
  const checked = schema.safeParse({ ...options, ...given });
  if (checked.success) return checked.data as SearchFile['options'];
  throw new ThoughtTreeError('damaged', wrongOptions({ why: wrongField(checked.error) }), { file: 'search.json' });
}

/** @throws ThoughtTreeError `bad-input` if the model does not support what searches of this kind need */
export function checkModel(
  { traits, work, words }: Pick<KindDescriptor, 'traits' | 'work' | 'words'>,
  model: Pick<Model, 'label' | 'prose' | 'isTiedToWorkspace'>,
  judge?: Pick<Model, 'label' | 'isTiedToWorkspace'>,
): void {
  if (traits.needsProse && model.prose === false)
    throw new ThoughtTreeError('bad-input', proseNeeded({ model: model.label, nodes: plain(words.nodes) }));
  const tied = work && [model, judge].find((each) => each?.isTiedToWorkspace);
  if (tied) throw new ThoughtTreeError('bad-input', tiedToWorkspace({ model: tied.label }));
}
