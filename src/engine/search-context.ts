import type { KindFace } from '../core/kind/kind-face.ts';
import type { Message } from '../core/messages/message.ts';
import type { Model } from '../core/ports/model.ts';
import type { Clock, Random } from '../core/ports/ports.ts';
import type { Purpose } from '../core/ports/purpose.ts';
import type { Store } from '../core/ports/store.ts';
import type { ToolsIn } from '../core/ports/tool-place.ts';
import type { Workshop } from '../core/ports/workshop.ts';
import type { WorkspaceText } from '../core/ports/workspace-text.ts';
import type { SearchFile } from '../core/search/search-file.ts';
import type { NodeId, Tree, TreeNode } from '../core/tree/tree.ts';
import type { LimitsInForce } from './budget/limits-in-force.ts';
import type { Asks } from './calls/asks.ts';
import type { Closing } from './calls/closing.ts';
import type { History } from './history.ts';
import type { FindHooks } from './kind/kind-hooks.ts';
import type { CommitGate } from './loop/commit-gate.ts';
import type { Nodes } from './nodes/nodes.ts';

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
  readonly face: KindFace;
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
  /** The model for a purpose. */
  readonly modelFor: (purpose: Purpose) => Model;
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
  /** Where files are changed and commands run, for kinds whose face says `takesWork`; missing where nobody allowed that. */
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
  readonly closing: Closing;
}
