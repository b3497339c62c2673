import { type ActionFaces, actionTexts } from '../actions/action-face.ts';
import type { Purposes } from '../ports/purpose.ts';
import type { LeafReason, NodeStatus, PrunedBy } from '../tree/node-status.ts';

// The light half of a kind: plain data and pure functions without libraries, so that every host may load it at its start.

/** What an option may be set to. */
export type OptionValue = string | number | boolean;

/** One answer to a question that the editor asks at the start of a search. */
export interface EditorAnswer {
  readonly label: string;
  readonly detail: string;
  /** What it sets; empty where everything stays as it is by default. */
  readonly sets: Readonly<Record<string, OptionValue>>;
}

/** One option of a kind, written down here alone: command line, editor, search.json and its schema are made from it. */
export interface OptionFace {
  /** Its key among the options of search.json. */
  readonly name: string;
  /** `name` is a short word in lower case, such as the name of a task. */
  readonly type: 'integer' | 'number' | 'boolean' | 'choice' | 'name' | 'text';
  /** Range of a number, both ends included; for a `text`, the most characters. */
  readonly least?: number;
  readonly most?: number;
  /** What a `choice` is among. */
  readonly choices?: readonly string[];
  /** What holds where nobody says anything and nothing else suits the search better. */
  readonly default?: OptionValue;
  /** Its flag on the command line, where that is not its name: `judge-by` for `judge`. */
  readonly flag?: string;
  /** What its value is called in the help: `k` in `--candidates <k>`. */
  readonly value?: string;
  /** One line for people, in English. */
  readonly help: string;
  /** The field of search.json that keeps it, where it is not one of the options. */
  readonly field?: 'strategy';
  /** Whether it may also be set for one run of a search that exists. */
  readonly perRun?: true;
  /** Whether only search.json has it, and no flag. */
  readonly hidden?: true;
  /** What the editor asks before the start; by default it asks nothing, and search.json can still be edited. */
  readonly question?: string;
}

/** A question of the editor's whose answers set several options at once. */
interface StartQuestion {
  readonly title: string;
  readonly answers: readonly EditorAnswer[];
}

/** What search.json may say of options, as a type. */
export type OptionsOf<F extends readonly OptionFace[]> = {
  readonly [O in Exclude<F[number], { readonly field: string }> as O['name']]?: ValueOf<O> | undefined;
};

type ValueOf<O extends OptionFace> = O extends { readonly choices: readonly (infer C)[] }
  ? C
  : O extends { readonly type: 'boolean' }
    ? boolean
    : O extends { readonly type: 'integer' | 'number' }
      ? number
      : string;

/** What a kind calls its things: whole phrases in English, each the key of its translation. */
export interface KindWords {
  /** What a search of this kind does, as a command: "Research a question". */
  readonly title: string;
  readonly detail: string;
  /** The name of a codicon. */
  readonly icon: string;
  /** One clause for the help of the command line: "research a question". */
  readonly about: string;
  /** Asks a person for what the search is about, with an example of an answer. */
  readonly question: string;
  readonly example: string;
  /** One node and several, in the middle of a sentence. */
  readonly node: string;
  readonly nodes: string;
  /** The same counted: one, and `{0}` of them. */
  readonly one: string;
  readonly several: string;
  /** The label of a figure. */
  readonly label: string;
  /** Asks a person for a node of their own. */
  readonly addNode: string;
  readonly addPrompt: string;
  readonly whichNode: string;
  readonly notOneNode: string;
  readonly findNodes: string;
  /** Said until the first nodes are there. */
  readonly beginning: string;
  /** Said while the plan of a search is made, and above it. */
  readonly planning?: string;
  readonly planned?: string;
  /** Said at the end, with the title and how many nodes were worked on. */
  readonly finished: string;
  /** The same where it was solved, with the title and how many nodes the solution has. */
  readonly solved?: string;
}

/** What the things of a search are called whose kind is not known here. */
export const UNKNOWN_WORDS: KindWords = {
  title: 'Search',
  detail: '',
  icon: 'question',
  about: 'search',
  question: 'What is the search for?',
  example: '',
  node: 'node',
  nodes: 'nodes',
  one: '1 node',
  several: '{0} nodes',
  label: 'Nodes',
  addNode: 'Add a node',
  addPrompt: 'What should be looked at?',
  whichNode: 'Which node?',
  notOneNode: 'This can be done with a node, not with a whole search.',
  findNodes: 'Find nodes',
  beginning: 'Looking for the first nodes',
  finished: '"{0}" is finished: {1} nodes.',
};

/** What looks need to know of a node. */
export interface NodeView {
  readonly status: NodeStatus;
  readonly leafReason?: LeafReason | undefined;
  readonly prunedBy?: PrunedBy | undefined;
  readonly selected?: boolean | undefined;
  readonly sameAs?: string | undefined;
  readonly unscored?: boolean | undefined;
}

/** A form and a colour by name; each host draws them in its own way. */
export interface Look {
  readonly glyph: 'open' | 'busy' | 'done' | 'end' | 'cut' | 'failed' | 'merged' | 'aside';
  readonly tone: 'plain' | 'busy' | 'good' | 'dim' | 'bad';
}

/** What every host may know of a kind of search without loading it. */
export interface KindFace {
  /** Its name in search.json. */
  readonly name: string;
  readonly words: KindWords;
  /** What its searches ask their models for. */
  readonly purposes: Purposes;
  readonly options: readonly OptionFace[];
  readonly questions?: readonly StartQuestion[];
  /** What can be done to its searches and nodes in addition to what can be done to all, or otherwise. */
  readonly actions?: ActionFaces;
  readonly look: (node: NodeView) => Look;
  /** Whether its model has to write words of its own, so that one that only quotes cannot serve. */
  readonly needsProse?: true;
  /** Whether a person's own command and hooks have a say in it. */
  readonly takesHooks?: true;
  /** Whether its searches end solved or not, so that strategies can be compared by them. */
  readonly isComparable?: true;
  /** Names of the formats in which its searches are exchanged with other programs. */
  readonly formats?: readonly string[];
  /** Whether how deep it goes follows from the problem, so that no setting decides it. */
  readonly depthFollows?: true;
  /** Whether nothing can be said of what it costs where no size bounds it. */
  readonly isUnforeseeable?: true;
}

/** All texts of faces that a host may show in another language. */
export function textsOf(faces: readonly KindFace[]): string[] {
  const texts = [...Object.values(UNKNOWN_WORDS), ...faces.flatMap(textsOfOne)];
  return [...new Set(texts.filter((text) => text !== ''))];
}

function textsOfOne({ words, purposes, questions = [], options, actions = {} }: KindFace): string[] {
  const asked = questions.flatMap(({ title, answers }) => [
    title,
    ...answers.flatMap(({ label, detail }) => [label, detail]),
  ]);
  return [
    ...Object.values(words),
    ...Object.values(purposes).map(({ doing }) => doing),
    ...asked,
    ...options.flatMap(({ question }) => question ?? []),
    ...Object.values(actions).flatMap(actionTexts),
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

/** How a status looks: each has a form of its own, so that colour is never all there is. */
export function lookOfStatus({ status }: NodeView): Look {
  return USUAL[status];
}
