import { textOf } from '../core/messages/message.ts';
import type { Model } from '../core/ports/model.ts';
import { type Purpose, traitsOf } from '../core/ports/purpose.ts';
import type { WorstCase } from '../core/search/events.ts';
import type { Guards } from '../core/search/limits.ts';
import type { SearchRecord } from '../core/search/record/search-record.ts';
import type { SearchFile } from '../core/search/search-file.ts';
import type { NodeId, Tree } from '../core/tree/tree.ts';
import { LimitsInForce } from './budget/limits-in-force.ts';
import { lastLimits, limitsBefore } from './budget/limits-of.ts';
import { ModelCaller } from './budget/model-caller.ts';
import { Asks } from './calls/asks.ts';
import { Closing } from './calls/closing.ts';
import { Patience } from './calls/patience.ts';
import { TOOL_ROUNDS } from './calls/tool-rounds.ts';
import { History } from './history.ts';
import type { Kind } from './kind/kind.ts';
import { CommitGate } from './loop/commit-gate.ts';
import { Nodes } from './nodes/nodes.ts';
import type { SearchContext } from './search-context.ts';
import type { SearchParts } from './search-parts.ts';
import { readingIn } from './system-text.ts';

/** The parts of a context that only its search has. */
export interface OpenedParts {
  readonly kind: Kind;
  readonly file: SearchFile;
  /** Those of its kind, checked. */
  readonly options: SearchFile['options'];
  readonly tree: Tree;
  /** The record of earlier runs. */
  readonly past: SearchRecord;
  /** The system text. */
  readonly system: string;
  /** Returns the amount that is reserved for the report's call, as the kind says once it is open. */
  readonly keptForReport: () => WorstCase | undefined;
  /** Tells the strategy, once there is one. */
  readonly changed: (nodes: readonly NodeId[]) => void;
  readonly onStoreFailure: (error: unknown) => void;
}

/** Assembles the parts of a search. */
export function makeContext(parts: SearchParts, opened: OpenedParts): SearchContext {
  const { store, model, judge, clock, random } = parts;
  const { kind, file, options, tree, past, system, changed } = opened;
  const history = new History(store, clock, opened.onStoreFailure, past);
  if (parts.listener) history.listen(parts.listener);
  const patience = new Patience(clock, random, history, parts.retryMs ?? 1000);
  const { purposes } = kind.face;
  const modelFor = (purpose: Purpose): Model => (judge && traitsOf(purposes, purpose).judged ? judge : model);
  const free = model.free && judge?.free !== false;
  const usualDepth = kind.usualDepth?.(options, parts.findHooks);
  const limits = new LimitsInForce(
    lastLimits(limitsBefore(past.limits, parts.own, file, usualDepth), file, parts.limits, { free }, usualDepth),
  );
  const guards = (): Guards => limits.now.guards;
  const timeoutMs = parts.timeoutMs ?? 300_000;
  const ports = { purposes, modelFor, store, history, clock, random, guards, timeoutMs };
  const caller = new ModelCaller({ ...ports, keptForReport: opened.keptForReport });
  for (const each of new Set([model, judge])) if (each) caller.countUnasked(each);
  const reading = readingIn(parts, file);
  const tools = parts.toolbox && reading.tools ? { toolbox: parts.toolbox, rounds: TOOL_ROUNDS, history } : undefined;
  const gate = new CommitGate();
  return {
    face: kind.face,
    file,
    options,
    concurrency: parts.concurrency ?? file.options.concurrency ?? 4,
    slots: parts.slots,
    tree,
    store,
    history,
    model,
    judge,
    modelFor,
    clock,
    random,
    limits,
    asks: new Asks({ ...ports, caller, patience, system, tools }),
    system,
    folder: parts.folder,
    findHooks: parts.findHooks,
    workspaceText: parts.workspaceText,
    documentAgain: async (node) => {
      const { folder, workspaceText } = parts;
      return await kind.documentAgain?.(node, { store, folder, workspaceText, answers: [] });
    },
    workshop: parts.workshop,
    toolsIn: parts.toolsIn,
    quotesContext: reading.context,
    gate,
    nodes: new Nodes({ tree, store, history, gate, random, changed, own: kind.own }),
    show: (message) => textOf(message, parts.translation),
    closing: new Closing(),
    changed,
  };
}
