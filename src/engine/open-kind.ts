import { textOf } from '../core/messages/message.ts';
import type { SpendFloor } from '../core/money/ledger.ts';
import { answersByNode } from '../core/offers/offer-book.ts';
import type { Model } from '../core/ports/model.ts';
import { type Purpose, traitsOf } from '../core/ports/purpose.ts';
import { FOUND, type SearchEvent, type WorstCase } from '../core/search/events.ts';
import type { Guards } from '../core/search/limits.ts';
import { FORMER_READ, type Reading, readingOf } from '../core/search/reading.ts';
import type { Folds } from '../core/search/record/folds.ts';
import { NodesSeen } from '../core/search/record/nodes-seen.ts';
import { SearchRecord } from '../core/search/record/search-record.ts';
import type { SearchFile } from '../core/search/search-file.ts';
import { varying, WORKSPACE } from '../core/text/varying-parts.ts';
import { type NodeId, nodeAt, pathOf, type Tree } from '../core/tree/tree.ts';
import { TreeRecord } from '../core/tree/tree-record.ts';
import { LimitsInForce } from './budget/limits-in-force.ts';
import { lastLimits, limitsBefore } from './budget/limits-of.ts';
import { ModelCaller } from './budget/model-caller.ts';
import { AdoptableCalls } from './calls/adoptable-calls.ts';
import { AnsweredCalls } from './calls/answered-calls.ts';
import { Asks } from './calls/asks.ts';
import { Attempts } from './calls/attempts.ts';
import { Closing } from './calls/closing.ts';
import { ForeignDocuments } from './calls/edited-document.ts';
import { Patience } from './calls/patience.ts';
import { TOOL_ROUNDS } from './calls/tool-rounds.ts';
import { workspaceOverview } from './grounding/workspace-overview.ts';
import { History } from './history.ts';
import { JournalStates } from './journal-states.ts';
import { checkModel } from './kind/check-model.ts';
import type { Kind, KindRun } from './kind/kind.ts';
import { optionsOf } from './kind/kind-options.ts';
import { loadKind } from './kind/kinds.ts';
import { CommitGate } from './loop/commit-gate.ts';
import { mend } from './mend.ts';
import { Nodes } from './nodes/nodes.ts';
import { openNodes } from './nodes/open-nodes.ts';
import type { SearchContext } from './search-context.ts';
import type { SearchParts } from './search-parts.ts';

/** A search that its kind has opened. */
export interface OpenedKind {
  readonly kind: Kind;
  readonly ctx: SearchContext;
  readonly run: KindRun;
}

/**
 * Reads a search's files, repairs what a kill left, adds up its spend, and lets its kind open it.
 * @param onStoreFailure called if the journal cannot be written
 * @throws ThoughtTreeError `not-found`, `damaged`, `newer-version` if search.json is unusable
 */
export async function openKind(parts: SearchParts, onStoreFailure: (error: unknown) => void): Promise<OpenedKind> {
  const file = await parts.store.readSearch();
  // Reports what is wrong before anything is read or repaired.
  const kind = await loadKind(parts.kinds, file);
  const options = optionsOf(kind, file, parts.options);
  checkModel(kind.face, parts.model, parts.judge);
  const { record: past, told } = await parts.store.readRecord(() => ({
    record: new SearchRecord(
      new Attempts(),
      new AdoptableCalls(),
      new AnsweredCalls(),
      new ForeignDocuments(),
      ...(kind.folds?.() ?? []),
    ),
    told: new TreeRecord(file.title),
  }));
  const hasHistory = past.seq > 0;
  const time = past.ledger.time.lastTime;
  past.settle();
  if (parts.store.lastEnd !== 'closed') await mendFor(parts, kind, file);
  const { tree, found } = await openNodes(parts, file.title, told, time);
  // Calls and changes are reported to the kind's run, which is created from the parts that report them.
  const late: { run?: KindRun } = {};
  const ctx = makeContext(parts, {
    kind,
    file,
    options,
    tree,
    past,
    system: await systemTextOf(parts, kind, file, past),
    keptForReport: () => late.run?.keptForReport?.(),
    changed: (nodes) => late.run?.strategy.changed(nodes),
    onStoreFailure,
  });
  takeOver(ctx, parts, hasHistory);
  for (const event of found) ctx.history.note({ ...event, by: FOUND.onOpening } as SearchEvent);
  const run = await kind.open(ctx);
  late.run = run;
  run.strategy.open(
    tree,
    past.ranking.flatMap((path) => nodeAt(tree, path)?.id ?? []),
  );
  return { kind, ctx, run };
}

/** Journals what this user's own memory says against the search's journal: where that came from elsewhere, or says less. */
function takeOver({ history }: SearchContext, { own }: SearchParts, hasHistory: boolean): void {
  if (own && !own.isKnown && hasHistory) history.note({ type: 'adopted' });
  const more = own?.spend && missing(own.spend, history.ledger.spent);
  if (more) history.note({ type: 'spend-remembered', ...more });
}

/** Returns what is spent, but not told; undefined if that is nothing. */
function missing(spent: SpendFloor, told: SpendFloor): SpendFloor | undefined {
  const beyond = (name: keyof SpendFloor, least: number): number => {
    const more = spent[name] - told[name];
    return more > least ? more : 0;
  };
  // Sums of fractions drift.
  const more = {
    calls: beyond('calls', 0),
    tokens: beyond('tokens', 0),
    usd: beyond('usd', 1e-6),
    minutes: beyond('minutes', 0.01),
  };
  return Object.values(more).some((amount) => amount > 0) ? more : undefined;
}

/** Returns the folds of the journal that the next opening needs: those of the engine and of readers. */
export function foldsOf(kind: Kind, title: string): Folds {
  const parts = [
    new Attempts(),
    new AdoptableCalls(),
    new AnsweredCalls(),
    new ForeignDocuments(),
    ...(kind.folds?.() ?? []),
    new NodesSeen(),
  ];
  return { record: new SearchRecord(...parts), told: new TreeRecord(title) };
}

/** Makes again what a loss of power may have taken. */
async function mendFor(parts: SearchParts, kind: Kind, { title }: SearchFile): Promise<void> {
  const { store, folder, workspaceText } = parts;
  const journal = await store.readJournal();
  let byNode: Map<string, unknown[]> | undefined;
  await mend({
    store,
    states: new JournalStates(title, journal),
    documentAgain: async (node) => {
      byNode ??= answersByNode(journal);
      const answers = byNode.get(pathOf(node)) ?? [];
      return await kind.documentAgain?.(node, { store, folder, workspaceText, answers });
    },
  });
  store.mended();
}

/** The parts of a context that only its search has. */
interface OpenedParts {
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
function makeContext(parts: SearchParts, opened: OpenedParts): SearchContext {
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

const UNSEEN = `Nothing of the workspace is shown to you: the person who asks wants none of it sent. Answer from what you know, and say where an answer would take a look at its files.`;

/**
 * Returns the system text of a search: the one that it began with, or else that of its kind and what the workspace is. The
 * same bytes for every request, so that prompt caches serve it.
 */
async function systemTextOf(parts: SearchParts, kind: Kind, file: SearchFile, past: SearchRecord): Promise<string> {
  const { own, workspaceText, model, judge, clock } = parts;
  const brought = past.system ?? past.broughtSystem;
  // It steers every answer: one that came with the folder is not used.
  const isOurs = brought !== undefined && (!own || (own.isKnown && own.isOwnSystemText?.(brought)));
  if (isOurs) return brought;
  if (!kind.system) return '';
  const rules = kind.system(file.prompt);
  const reading = readingIn(parts, file);
  const surveying = { workspaceText, quotesContext: reading.context, model, judge, clock, file };
  if (!reading.context && !reading.tools && workspaceText && model.prose !== false)
    return `${rules}\n${varying(WORKSPACE, UNSEEN)}`;
  const overview = await workspaceOverview(surveying, new AbortController().signal);
  return overview === '' ? rules : `${rules}\n${varying(WORKSPACE, overview.trimEnd())}`;
}

/** Returns what this run may read, else what the search says. */
function readingIn({ context, tools }: Pick<SearchParts, 'context' | 'tools'>, { options }: SearchFile): Reading {
  const said = readingOf(options, FORMER_READ);
  return { context: context ?? said.context, tools: tools ?? said.tools };
}
