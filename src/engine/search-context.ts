import type { Message } from '../core/messages/message.ts';
import type { Model } from '../core/ports/model.ts';
import type { Clock, Random } from '../core/ports/ports.ts';
import type { Purpose } from '../core/ports/purpose.ts';
import type { Store } from '../core/ports/store.ts';
import type { WorkspaceText } from '../core/ports/workspace-text.ts';
import type { KindFace } from '../core/search/kind-face.ts';
import type { SearchFile } from '../core/search/search-file.ts';
import type { NodeId, Tree } from '../core/tree/tree.ts';
import type { Asks } from './calls/asks.ts';
import type { Closing } from './calls/closing.ts';
import type { CommitGate } from './commit-gate.ts';
import type { History } from './history.ts';
import type { FindHooks } from './kind/kind-hooks.ts';
import type { LimitsInForce } from './limits/limits-in-force.ts';
import type { Nodes } from './nodes/nodes.ts';

/**
 * The parts of one open search that searches of every kind have. What one kind keeps besides is in what its `open` gives
 * back. Nothing here is ever replaced, so that a kind may spread it into an object of its own.
 */
export interface SearchContext {
  readonly face: KindFace;
  readonly file: SearchFile;
  /** The options in force, checked by the kind: those of search.json, and above them those of this run. */
  readonly options: SearchFile['options'];
  /** Number of slots. */
  readonly concurrency: number;
  readonly tree: Tree;
  readonly store: Store;
  readonly history: History;
  /** The model that writes. */
  readonly model: Model;
  /** The model that judges, where that is another one. */
  readonly judge: Model | undefined;
  /** The model that is asked for a purpose. */
  readonly modelFor: (purpose: Purpose) => Model;
  readonly asks: Asks;
  readonly clock: Clock;
  readonly random: Random;
  /** The one system text of the search. */
  readonly system: string;
  /** The search's folder relative to the workspace folder, with `/`. */
  readonly folder: string;
  /** Finds a person's own hooks by name; by default those that ship with the kind. */
  readonly findHooks?: FindHooks | undefined;
  /** The text of the workspace, where there is one: quoted to models, and what they quote is checked against it. */
  readonly workspaceText?: WorkspaceText | undefined;
  /** Whether prompts carry quotations of the workspace. */
  readonly quotesContext: boolean;
  readonly gate: CommitGate;
  /** Through which every change of a node goes. */
  readonly nodes: Nodes;
  /** Tells the strategy that nodes changed otherwise than by a move. */
  readonly changed: (nodes: readonly NodeId[]) => void;
  /** A message in the language of who reads the report. */
  readonly show: (message: Message) => string;
  readonly limits: LimitsInForce;
  readonly closing: Closing;
}
