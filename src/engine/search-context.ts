import type * as z from 'zod';
import type { Message } from '../core/messages/message.ts';
import type { Model } from '../core/ports/model.ts';
import type { Clock, Random } from '../core/ports/ports.ts';
import type { Purpose } from '../core/ports/purpose.ts';
import type { Store } from '../core/ports/store.ts';
import type { WorkspaceText } from '../core/ports/workspace-text.ts';
import type { Limits } from '../core/search/limits.ts';
import type { ChildrenData, DocumentData, PickData, Topic } from '../core/search/prompt-data.ts';
import type { SearchFile } from '../core/search/search-file.ts';
import { lineageOf, type NodeId, pathOf, type Tree, type TreeNode } from '../core/tree/tree.ts';
import type { Asks } from './calls/asks.ts';
import type { CommitGate } from './commit-gate.ts';
import type { History } from './history.ts';
import type { Kind } from './kind.ts';
import type { FindHooks } from './kind-hooks.ts';
import type { Nodes } from './nodes/nodes.ts';

/** What turns typed data into the words of a prompt; all of them pure. */
export interface Prompts {
  readonly system: (question: string) => string;
  readonly document: (data: DocumentData) => string;
  readonly children: (data: ChildrenData) => string;
  readonly pick: (data: PickData) => string;
}

/** The parts of one open search, as its executors need them. */
export interface SearchContext {
  readonly kind: Kind;
  readonly file: SearchFile;
  /** The options in force, checked by the kind: those of search.json, and above them those of this run. */
  readonly options: SearchFile['options'];
  readonly tree: Tree;
  readonly store: Store;
  readonly history: History;
  /** The model that writes. */
  readonly model: Model;
  /** The model that picks and evaluates, where that is another one. */
  readonly judge: Model | undefined;
  /** The model that is asked for a purpose. */
  readonly modelFor: (purpose: Purpose) => Model;
  readonly asks: Asks;
  readonly clock: Clock;
  readonly random: Random;
  readonly prompts: Prompts;
  /** The one system text of the search. */
  readonly system: string;
  readonly maxChildren: number;
  /** How many leaves a picker ranks at most. */
  readonly rankingLength: number;
  /** The search's folder relative to the workspace folder, with `/`. */
  readonly folder: string;
  /** What the front matter of documents has to satisfy beside title and summary. */
  readonly frontMatter?: z.ZodType | undefined;
  /** Finds a person's own hooks by name; by default those that ship with the kind. */
  readonly findTask?: FindHooks | undefined;
  /** The text of the workspace, where there is one: quoted to models, and what they quote is checked against it. */
  readonly workspaceText?: WorkspaceText | undefined;
  /** Whether prompts carry quotations of the workspace. */
  readonly quotesContext: boolean;
  readonly gate: CommitGate;
  /** Through which every change of a node goes. */
  readonly nodes: Nodes;
  /**
   * Leaves that a person wants expanded, whatever the depth limit: they are asked for children again unless the model
   * has given more lists than this since.
   */
  readonly askAgain: Map<NodeId, number>;
  /** Tells the strategy that nodes changed otherwise than by a move. */
  readonly changed: (nodes: readonly NodeId[]) => void;
  /** A message in the language of who reads the report. */
  readonly show: (message: Message) => string;
  /** Changed by `grow` only. */
  limits: Limits;
  /** Stops the call of the report that is being written; each has its own. */
  closing: AbortController;
}

/** The longest answer asked for, in tokens. */
export const MAX_OUTPUT_TOKENS = { document: 8000, children: 4000 } as const;

/** The topics from the first level down to a node, as models see them. */
function topicsOf(node: TreeNode): Topic[] {
  return lineageOf(node).map((each) => ({
    title: each.title,
    siblings: (each.parent?.children ?? []).map((sibling) => sibling.title),
    index: each.index,
  }));
}

/** The data of a document's or a children's prompt. */
function topicData(ctx: SearchContext, node: TreeNode): { question: string; folder: string; lineage: Topic[] } {
  const path = pathOf(node);
  const folder = [ctx.folder, path].filter((part) => part !== '').join('/');
  return { question: ctx.file.prompt, folder, lineage: topicsOf(node) };
}

export function documentData(ctx: SearchContext, node: TreeNode): DocumentData {
  return { purpose: 'document', ...topicData(ctx, node) };
}

export function childrenData(ctx: SearchContext, node: TreeNode): ChildrenData {
  return { purpose: 'children', maxChildren: ctx.maxChildren, ...topicData(ctx, node) };
}
