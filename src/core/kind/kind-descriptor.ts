import { type ActionDescriptors, actionTexts } from '../actions/action-descriptor.ts';
import type { Purposes } from '../ports/model.ts';
import type { Receipt } from '../search/events.ts';
import type { LeafReason, NodeStatus, PrunedBy } from '../tree/node-file.ts';

// A descriptor of a kind: plain data and pure functions without libraries, so that every host can load it at startup.

/** The value of an option. */
export type OptionValue = string | number | boolean;

/** One answer to a question that the editor asks when a search is started. */
export interface EditorAnswer {
  readonly label: string;
  readonly detail: string;
  /** The options that it sets; empty to keep the defaults. */
  readonly sets: Readonly<Record<string, OptionValue>>;
}

/** One option of a kind, defined only here: command line, editor, search.json and its schema are derived from it. */
export interface OptionDescriptor {
  /** Its key among the options of search.json. */
  readonly name: string;
  /** `name` is a short word in lower case, such as the name of a task. */
  readonly type: 'integer' | 'number' | 'boolean' | 'choice' | 'name' | 'text';
  /** Range of a number, both ends included; for a `text`, the most characters. */
  readonly least?: number;
  readonly most?: number;
  /** The values of a `choice`. */
  readonly choices?: readonly string[];
  /** The default, unless something else suits the search better. */
  readonly default?: OptionValue;
  /** Its flag on the command line, if different from its name: `judge-by` for `judge`. */
  readonly flag?: string;
  /** The name of its value in the help: `k` in `--candidates <k>`. */
  readonly value?: string;
  /** One line for people, in English. */
  readonly help: string;
  /** The field of search.json that holds it, if it is not among the options. */
  readonly field?: 'strategy';
  /** It can also be set for one run of an existing search. */
  readonly perRun?: true;
  /**
   * A larger number only costs more: a search that this user did not begin gets at most the default, which it has to
   * have.
   */
  readonly bounded?: true;
  /** Its name in earlier versions, still read in files and as a flag. */
  readonly formerly?: string;
  /** It can be set in search.json only, and has no flag. */
  readonly hidden?: true;
  /** It says that work begins with what is not committed: editors name that, and ask. */
  readonly isOfUncommitted?: true;
  /** Only people set it: agents that begin a search cannot. */
  readonly forPeople?: true;
  /** The question that the editor asks before the start; by default none, and search.json can still be edited. */
  readonly question?: string;
}

/** A question in the editor whose answers set several options at once. */
interface StartQuestion {
  readonly title: string;
  readonly answers: readonly EditorAnswer[];
}

/** The options in search.json, as a type. */
export type OptionsOf<F extends readonly OptionDescriptor[]> = {
  readonly [O in Exclude<F[number], { readonly field: string }> as O['name']]?: ValueOf<O> | undefined;
};

type ValueOf<O extends OptionDescriptor> = O extends { readonly choices: readonly (infer C)[] }
  ? C
  : O extends { readonly type: 'boolean' }
    ? boolean
    : O extends { readonly type: 'integer' | 'number' }
      ? number
      : string;

/** The terms of a kind: whole phrases in English, each the key of its translation. */
export interface KindTerms {
  /** A command that begins a search of this kind: "Research a question". */
  readonly title: string;
  readonly detail: string;
  /** The name of a codicon. */
  readonly icon: string;
  /** One clause for the help of the command line: "research a question". */
  readonly about: string;
  /** Asks a person what the search is about, with an example of an answer. */
  readonly question: string;
  readonly example: string;
  /** One node and several, within a sentence. */
  readonly node: string;
  readonly nodes: string;
  /** The counted nodes: one, and `{0}` of them. */
  readonly one: string;
  readonly several: string;
  /** The progress of a search: `{0}` the counted nodes that were looked into, `{1}` the number that were not. */
  readonly progress: string;
  /** The progress before any was looked into: `{0}` the counted nodes. */
  readonly untouched: string;
  /** The label of a figure. */
  readonly label: string;
  /** Asks a person for a node of their own. */
  readonly addNode: string;
  readonly addPrompt: string;
  readonly whichNode: string;
  readonly notOneNode: string;
  readonly findNodes: string;
  /** Shown until the first nodes exist. */
  readonly beginning: string;
  /** Shown while the plan of a search is made, and above it. */
  readonly planning?: string;
  readonly planned?: string;
  /** Shown at the end, with the title and the counted nodes that were worked on: "1 topic". */
  readonly finished: string;
  /** The progress of a solved search, with the title and the counted nodes of the solution. */
  readonly solved?: string;
  /** The state of a search that found what it was for, in a word. */
  readonly reached?: string;
}

/** The names that a kind has for one node and for several, also counted. */
export type NodeTerms = Pick<KindTerms, 'node' | 'nodes' | 'one' | 'several'>;

/** The terms for a search of unknown kind. */
export const UNKNOWN_TERMS: KindTerms = {
  title: 'Search',
  detail: '',
  icon: 'question',
  about: 'search',
  question: 'What do you want to do?',
  example: '',
  node: 'node',
  nodes: 'nodes',
  one: '1 node',
  several: '{0} nodes',
  progress: '{0} done, {1} open',
  untouched: '{0} open',
  label: 'Nodes',
  addNode: 'Add a node',
  addPrompt: 'What should it cover?',
  whichNode: 'Which node?',
  notOneNode: 'This can be done with a node, not with a whole search.',
  findNodes: 'Find nodes',
  beginning: 'Looking for the first nodes',
  finished: '"{0}" is finished: {1}.',
};

/** The facts that the look of a node depends on. */
export interface NodeView {
  readonly status: NodeStatus;
  readonly leafReason?: LeafReason | undefined;
  readonly prunedBy?: PrunedBy | undefined;
  readonly selected?: boolean | undefined;
  readonly sameAs?: string | undefined;
  readonly unscored?: boolean | undefined;
  /** The fields that its kind keeps of it in addition, unchecked. */
  readonly own?: unknown;
  /** Those fields of its children, where they are known. */
  readonly below?: readonly unknown[] | undefined;
}

/** A short mark of a node in addition to its status. */
export interface NodeMark {
  /** In English; hosts translate those of `KindMarks.texts`, and show others as they are. */
  readonly text: string;
  readonly tone: Look['tone'];
  /** The round in which a node came about, where the mark says that: drawings have a column for each. */
  readonly round?: number;
}

/** The marks of a kind's nodes, in a word or two: a round, a state. */
export interface KindMarks {
  /** The texts of marks that hosts may translate. */
  readonly texts: readonly string[];
  /**
   * @param own what the kind keeps of a node, unchecked
   * @param below the same of its children, as far as they are known
   * @param receipt how it came about, where that was checked; by default what its files claim
   */
  readonly of: (own: unknown, below: readonly unknown[], receipt?: Receipt['by']) => readonly NodeMark[];
}

/** The facts about a kind of search that every host can know without loading it. */
export interface KindDescriptor {
  /** Its name in search.json. */
  readonly name: string;
  readonly words: KindTerms;
  /** The purposes of its requests to models. */
  readonly purposes: Purposes;
  /** The words for a slot's moves that need no model, by the moves' kinds: as short as `Purpose.brief`. */
  readonly moves: Readonly<Record<string, string>>;
  readonly options: readonly OptionDescriptor[];
  readonly questions: readonly StartQuestion[];
  /**
   * Tells by a person's question alone that it is for this kind, and returns the options that follow from it; undefined
   * where it may be for another one. A person is shown the kind, and can choose another one.
   */
  readonly guess: (question: string) => EditorAnswer['sets'] | undefined;
  /** Actions on its searches and nodes that are added to, or replace, those of all kinds. */
  readonly actions: ActionDescriptors;
  /** Names of the formats in which its searches are exchanged with other programs. */
  readonly formats: readonly string[];
  readonly look: (node: NodeView) => Look;
  /** The marks of its nodes besides their status; panels then show its looks, too. */
  readonly marks?: KindMarks;
  readonly graph?: KindGraph;
  readonly work?: KindWork;
  readonly traits: KindTraits;
  /** Tells whether somebody outside leads a search with these options, so that no engine can go on with it. */
  readonly isLedOutside: (options: Readonly<Record<string, unknown>>) => boolean;
}

/** The view of searches whose nodes are linked to each other; others are drawn as trees. */
interface KindGraph {
  /** The layout of its searches in panels, in layers. */
  readonly drawing: KindDrawing;
  /** The groups of its nodes in the editor's sidebar. */
  readonly groups: KindGroups;
  /** The details that panels show of one node; loaded when they are first shown. */
  readonly details: () => Promise<KindDetails>;
}

/** The work of searches that change files and run commands, apart from the workspace: they need a workshop. */
interface KindWork {
  /** The answer to one of its offers by a person, from what they say of what they did. */
  readonly byHand: (said: string) => unknown;
}

/** The ways in which searches of a kind differ from most. */
interface KindTraits {
  /** Its model has to write text of its own, so one that only quotes is unsuitable. */
  readonly needsProse: boolean;
  /** A person's own command and hooks affect it. */
  readonly takesHooks: boolean;
  /** Its models look nothing up with tools, and are only shown passages. */
  readonly quotesOnly: boolean;
  /** Its models may run small programs, where a person allows that, to see what reading cannot settle. */
  readonly mayTry: boolean;
  /** Its searches end solved or not, so strategies can be compared. */
  readonly isComparable: boolean;
  /** Its depth follows from the problem, so no setting determines it. */
  readonly depthFollows: boolean;
  /** Its cost cannot be forecast without a size limit. */
  readonly isUnforeseeable: boolean;
}

/** The descriptor of a kind without anything of its own: a kind spreads it, and adds what it has. */
export const PLAIN_DESCRIPTOR = {
  moves: {},
  questions: [],
  guess: () => undefined,
  actions: {},
  formats: [],
  traits: {
    needsProse: false,
    takesHooks: false,
    quotesOnly: false,
    mayTry: false,
    isComparable: false,
    depthFollows: false,
    isUnforeseeable: false,
  },
  isLedOutside: () => false,
} as const satisfies Partial<KindDescriptor>;

/** Returns all texts of descriptors that a host may translate, apart from those of their details. */
export function textsOf(descriptors: readonly KindDescriptor[]): string[] {
  const texts = [...Object.values(UNKNOWN_TERMS), ...descriptors.flatMap(textsOfOne)];
  return [...new Set(texts.filter((text) => text !== ''))];
}

function textsOfOne(descriptor: KindDescriptor): string[] {
  const { words, purposes, moves, questions, options, actions } = descriptor;
  const { marks, graph } = descriptor;
  const asked = questions.flatMap(({ title, answers }) => [
    title,
    ...answers.flatMap(({ label, detail }) => [label, detail]),
  ]);
  return [
    ...Object.values(words),
    ...Object.values(purposes).flatMap(({ doing, brief }) => [doing, brief]),
    ...Object.values(moves),
    ...asked,
    ...options.flatMap(({ question = '', help, hidden }) => (hidden ? question : [question, help])),
    ...Object.values(actions).flatMap(actionTexts),
    ...(marks?.texts ?? []),
    ...Object.values(graph?.drawing.links ?? {}).flatMap(({ text, incoming }) => [text, incoming]),
    ...(graph?.groups.all ?? []).map(({ title }) => title),
  ];
}

const USUAL: Readonly<Record<NodeStatus, Look>> = {
  unexpanded: { glyph: 'open', tone: 'plain' },
  'in-progress': { glyph: 'busy', tone: 'busy' },
  expanded: { glyph: 'done', tone: 'good' },
  leaf: { glyph: 'end', tone: 'good' },
  pruned: { glyph: 'cut', tone: 'dim' },
  failed: { glyph: 'failed', tone: 'bad' },
};

/** Returns the look of a status: each has its own shape, so that colour is never the only difference. */
export function lookOfStatus({ status }: NodeView): Look {
  return USUAL[status];
}

// Hosts need these to show the searches of a kind as more than a tree: pure functions over what files say,
// which is unchecked.

/** The look of links of one type. */
export interface LinkDescriptor {
  readonly line: 'solid' | 'dashed' | 'dotted';
  /** The relation from the node with the link, and from the other one, in English: "waits for", "needed by". */
  readonly text: string;
  readonly incoming: string;
  /** The node has to come in a later layer than the other one; others do where nothing is against it. */
  readonly isOrder?: true;
}

/**
 * The place of a node among its siblings: the alternative that was chosen, one that was not, or the end, which comes
 * after everything else.
 */
export type NodeRole = 'choice' | 'alternative' | 'end';

/** A node as far as its role depends on it. */
export interface RoleView {
  readonly status: NodeStatus;
  readonly own: unknown;
}

/** A drawing in layers, by the links between nodes, with a node's parts in a box. */
export interface KindDrawing {
  /** The links that are drawn, by their type. */
  readonly links: Readonly<Record<string, LinkDescriptor>>;
  /**
   * @param above what its parent keeps
   * @param siblings in their order, itself among them at its place
   */
  readonly roleOf: (
    own: unknown,
    above: unknown,
    place: { readonly index: number; readonly siblings: () => readonly RoleView[] },
  ) => NodeRole | undefined;
}

/** A node in its surroundings. */
export interface GroupedNode extends RoleView {
  readonly path: string;
  /** Links to nodes that exist. */
  readonly links: readonly { readonly type: string; readonly path: string }[];
}

/** The groups into which a list of nodes is divided. */
export interface KindGroups {
  /** In their order; the title in English, the icon one of the editor's. */
  readonly all: readonly { readonly name: string; readonly title: string; readonly icon: string }[];
  /**
   * The group of each node that is listed, by its path.
   * @param nodes all of a search, parents before their children
   */
  readonly of: (nodes: readonly GroupedNode[]) => ReadonlyMap<string, string>;
}

/** A shape and a colour by name; each host draws them in its own way. */
export interface Look {
  readonly glyph: 'open' | 'busy' | 'done' | 'end' | 'cut' | 'failed' | 'merged' | 'aside';
  readonly tone: 'plain' | 'busy' | 'good' | 'dim' | 'bad';
}

/** One cell of a table about a node. */
export interface DetailCell {
  readonly text: string;
  /** The text is one of `KindDetails.texts`, which hosts may translate. */
  readonly isOurs?: true;
  readonly tone?: Look['tone'];
  /** It is a hash, a command or a path. */
  readonly isCode?: true;
}

/** A table about a node; a row's first cell names it. */
export interface DetailTable {
  /** In English, like the columns; without columns, a list. */
  readonly title: string;
  readonly columns?: readonly string[];
  readonly rows: readonly (readonly DetailCell[])[];
}

/** The details of one node, as its kind shows them. */
export interface KindDetails {
  /** The texts that hosts may translate. */
  readonly texts: readonly string[];
  readonly of: (own: unknown) => readonly DetailTable[];
}
