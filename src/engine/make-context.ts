import { textOf } from '../core/messages/message.ts';
import type { Model } from '../core/ports/model.ts';
import { type Purpose, traitsOf } from '../core/ports/purpose.ts';
import type { Guards } from '../core/search/limits.ts';
import type { SearchRecord } from '../core/search/record/search-record.ts';
import type { SearchFile } from '../core/search/search-file.ts';
import type { Strategy } from '../core/search/strategy.ts';
import type { NodeId, Tree } from '../core/tree/tree.ts';
import { childrenPrompt } from '../kinds/research/prompts/children-prompt.ts';
import { documentPrompt } from '../kinds/research/prompts/document-prompt.ts';
import { pickPrompt } from '../kinds/research/prompts/pick-prompt.ts';
import { systemText } from '../kinds/research/prompts/system-text.ts';
import { rankingLength } from '../kinds/research/strategy/research.ts';
import { Asks } from './calls/asks.ts';
import { ModelCaller } from './calls/model-caller.ts';
import { Patience } from './calls/patience.ts';
import { TOOL_ROUNDS, type ToolUser } from './calls/tool-rounds.ts';
import { CommitGate } from './commit-gate.ts';
import { History } from './history.ts';
import type { Kind } from './kind.ts';
import { lastLimits } from './limits-of.ts';
import { Nodes } from './nodes/nodes.ts';
import type { Prompts, SearchContext } from './search-context.ts';
import type { SearchParts } from './search-parts.ts';

export const OUR_PROMPTS: Prompts = {
  system: systemText,
  document: documentPrompt,
  children: childrenPrompt,
  pick: pickPrompt,
};

/** What a context needs that only its search has. */
export interface OpenedParts {
  readonly kind: Kind;
  readonly file: SearchFile;
  /** Of its kind, checked. */
  readonly options: SearchFile['options'];
  readonly tree: Tree;
  /** What earlier runs journaled. */
  readonly past: SearchRecord;
  readonly concurrency: number;
  /** The search's own prompts, or ours. */
  readonly prompts: Prompts;
  readonly strategy: () => Strategy;
  readonly onStoreFailure: (error: unknown) => void;
}

/** Puts the parts of a search together. */
export function makeContext(parts: SearchParts, opened: OpenedParts): SearchContext {
  const { store, model, judge, clock, random } = parts;
  const { kind, file, options, tree, past, concurrency, strategy } = opened;
  const history = new History(store, clock, opened.onStoreFailure, past);
  if (parts.listener) history.listen(parts.listener);
  const patience = new Patience(clock, random, history, parts.retryMs ?? 1000);
  const { purposes } = kind.face;
  const modelFor = (purpose: Purpose): Model => (judge && traitsOf(purposes, purpose).judged ? judge : model);
  const guards = (): Guards => ctx.limits.guards;
  const timeoutMs = parts.timeoutMs ?? 300_000;
  const free = model.free && judge?.free !== false;
  const ports = { purposes, modelFor, store, history, clock, random, guards, timeoutMs };
  const caller = new ModelCaller({ ...ports, keptForReport: () => kind.keptForReport?.(ctx) });
  const prompts = { ...opened.prompts, ...parts.prompts };
  const system = systemTextOf(past, kind, prompts, file.prompt);
  const tools = toolsOf(parts, file, history);
  const gate = new CommitGate();
  const changed = (nodes: readonly NodeId[]): void => strategy().changed(nodes);
  const ctx: SearchContext = {
    kind,
    file,
    options,
    tree,
    store,
    history,
    model,
    judge,
    modelFor,
    clock,
    random,
    limits: lastLimits(past.limits, file, parts.limits, { free }, kind.usualDepth?.(options, parts.findTask)),
    asks: new Asks({ ...ports, caller, patience, system, tools }),
    prompts,
    system,
    maxChildren: (options as { readonly maxChildren?: number }).maxChildren ?? 50,
    rankingLength: rankingLength(concurrency),
    folder: parts.folder,
    frontMatter: parts.frontMatter,
    findTask: parts.findTask,
    workspaceText: parts.workspaceText,
    quotesContext: parts.context ?? file.options.context ?? true,
    gate,
    nodes: new Nodes({ tree, store, history, gate, random, changed }),
    show: (message) => textOf(message, parts.translation),
    closing: new AbortController(),
    askAgain: new Map(),
    changed,
  };
  return ctx;
}

/** The system text that a search began with, whatever ours says by now; version 0.1 did not write it into the journal. */
function systemTextOf(past: SearchRecord, { system01 }: Kind, { system }: Prompts, question: string): string {
  const isOld = past.spend.calls > 0;
  return past.system ?? (isOld && system01 ? system01 : system)(question);
}

function toolsOf({ toolbox, tools }: SearchParts, file: SearchFile, history: History): ToolUser | undefined {
  const isWanted = tools ?? file.options.tools ?? false;
  return toolbox && isWanted ? { toolbox, rounds: TOOL_ROUNDS, history } : undefined;
}
