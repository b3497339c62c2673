import { actionsOf } from '../../core/actions/actions.ts';
import type { FindHooks } from '../../core/kind/kind-hooks.ts';
import { type Translation, textOf } from '../../core/messages/message.ts';
import type { SpendFloor } from '../../core/money/ledger.ts';
import { ModelSpend } from '../../core/money/several-models.ts';
import { answersByNode } from '../../core/offers/offer-book.ts';
import { type Model, type Purpose, traitsOf, varying, WORKSPACE } from '../../core/ports/model.ts';
import type { Clock, Random } from '../../core/ports/ports.ts';
import type { Purse } from '../../core/ports/purse.ts';
import type { Store } from '../../core/ports/store.ts';
import type { Toolbox } from '../../core/ports/tool.ts';
import type { ToolsIn, Workshop } from '../../core/ports/workshop.ts';
import type { WorkspaceText } from '../../core/ports/workspace-text.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { FOUND, type SearchEvent, type WorstCase } from '../../core/search/events.ts';
import type { Limits, Size, SpendLimits } from '../../core/search/limits.ts';
import { FORMER_READ, type Reading, readingOf } from '../../core/search/reading.ts';
import { NodesSeen } from '../../core/search/record/nodes-seen.ts';
import { AdoptableCalls, AnsweredCalls } from '../../core/search/record/runs.ts';
import { type Folds, SearchRecord } from '../../core/search/record/search-record.ts';
import { wishesThatLead } from '../../core/search/record/steering.ts';
import type { SearchFile } from '../../core/search/search-file.ts';
import { nodeAt, pathOf, type Tree, walk } from '../../core/tree/tree.ts';
import type { NodeId } from '../../core/tree/tree-node.ts';
import { TreeRecord } from '../../core/tree/tree-record.ts';
import { Asks } from '../../engine/asks.ts';
import { Closing, type SearchContext, type Slots } from '../../engine/context.ts';
import { Attempts, History, type Listener } from '../../engine/history.ts';
import { checkModel, type Kind, type KindRun, type Kinds, loadKind, optionsOf } from '../../engine/kind.ts';
import { LimitsInForce, lastLimits, limitsBefore, type OwnUse } from '../../engine/limits.ts';
import { limitOfModel, usedAndNextUsd } from '../../engine/messages.ts';
import { ModelCaller } from '../../engine/model-caller.ts';
import { CommitGate, Nodes } from '../../engine/nodes.ts';
import { Patience } from '../../engine/patience.ts';
import { type OpenedKind, Search } from '../../engine/search.ts';
import { TOOL_ROUNDS } from '../../engine/tools.ts';
import { acting } from '../actions/act.ts';
import { openDepthLimited } from '../actions/engine-actions.ts';
import { Rechecks } from '../citations/cite-document.ts';
import { workspaceOverview } from '../citations/workspace-context.ts';
import { SearchOffers } from '../offers/offers.ts';
import { ReportWriting } from '../report/report-writing.ts';
import { ForeignDocuments } from '../transcripts/edited-document.ts';
import { openNodes } from './open-tree.ts';
import { JournalStates, recover } from './recover.ts';

/**
 * Opens a search that this process holds: reads its files, repairs what a kill left, adds up its spend.
 * @throws ThoughtTreeError `not-found`, `damaged`, `newer-version` if search.json is unusable
 */
export function openHeldSearch(parts: SearchParts): Promise<Search> {
  return Search.open({
    openKind: (onStoreFailure) => openKind(parts, onStoreFailure),
    takeUp,
    offers: ({ ctx, run }, failed) =>
      new SearchOffers(ctx, {
        protocol: run.offers,
        tell: (move, result) => run.strategy.tell(move, result),
        apart: (work) => ctx.gate.alone(work),
        failed,
      }),
    rechecks: (ctx, apart) => new Rechecks(ctx, apart),
    reports: ({ ctx, run }, recheck, results) =>
      new ReportWriting({ closing: ctx.closing, store: ctx.store, recheck, write: () => run.writeReport(results()) }),
    acting,
    foldsOf,
  });
}

/**
 * Reads a search's files, repairs what a kill left, adds up its spend, and lets its kind open it.
 * @param onStoreFailure called if the journal cannot be written
 * @throws ThoughtTreeError `not-found`, `damaged`, `newer-version` if search.json is unusable
 */
async function openKind(parts: SearchParts, onStoreFailure: (error: unknown) => void): Promise<OpenedKind> {
  const file = await parts.store.readSearch();
  // Reports what is wrong before anything is read or repaired.
  const kind = await loadKind(parts.kinds, file);
  const options = optionsOf(kind, file, parts.options);
  checkModel(kind.descriptor, parts.model, parts.judge);
  const { record: past, told } = await parts.store.readRecord(() => ({
    record: new SearchRecord(
      new Attempts(),
      new AdoptableCalls(),
      new AnsweredCalls(),
      new ForeignDocuments(),
      ...kind.folds(),
    ),
    told: new TreeRecord(file.title),
  }));
  const hasHistory = past.seq > 0;
  const time = past.ledger.time.lastTime;
  past.settle();
  if (parts.store.lastEnd !== 'closed') await recoverFrom(parts, kind, file);
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
    keptForReport: () => late.run?.keptForReport(),
    changed: (nodes) => late.run?.strategy.changed(nodes),
    onStoreFailure,
  });
  takeOver(ctx, parts, hasHistory);
  for (const event of found) ctx.history.note({ ...event, by: FOUND.onOpening } as SearchEvent);
  await followTexts(ctx);
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

/** Journals each version of the texts of the search as a whole, so that none is lost. */
async function followTexts({ store, history, tree }: SearchContext): Promise<void> {
  const documents = new Map<string, string>();
  for (const node of walk(tree.root)) if (node.document !== undefined) documents.set(pathOf(node), node.document);
  await store.followTexts(history.past.texts, documents, (file, text, by) =>
    history.note({ type: 'text-written', file, ...(text !== undefined && { text }), ...(by !== undefined && { by }) }),
  );
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
    ...kind.folds(),
    new NodesSeen(),
  ];
  return { record: new SearchRecord(...parts), told: new TreeRecord(title) };
}

/** Makes again what a loss of power may have taken. */
async function recoverFrom(parts: SearchParts, kind: Kind, { title }: SearchFile): Promise<void> {
  const { store, folder, workspaceText } = parts;
  const journal = await store.readJournal();
  let byNode: Map<string, unknown[]> | undefined;
  await recover({
    store,
    states: new JournalStates(title, journal),
    documentAgain: async (node) => {
      byNode ??= answersByNode(journal);
      const answers = byNode.get(pathOf(node)) ?? [];
      return await kind.documentAgain(node, { store, folder, workspaceText, answers });
    },
  });
  store.recovered();
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
  const { store, model, judge, clock, random, members = [] } = parts;
  const { kind, file, options, tree, past, system, changed } = opened;
  const history = new History(store, clock, opened.onStoreFailure, past);
  if (parts.listener) history.listen(parts.listener);
  const patience = new Patience(clock, random, history, parts.retryMs ?? 1000);
  const { purposes } = kind.descriptor;
  const models = members.map((each) => each.model);
  const modelFor = (purpose: Purpose, by?: string): Model => {
    const { judged, shared } = traitsOf(purposes, purpose);
    const chosen = shared && by !== undefined ? models.find(({ name }) => name === by) : undefined;
    return chosen ?? (judged && judge ? judge : model);
  };
  const free = areFree(parts);
  const usualDepth = kind.usualDepth(options, parts.findHooks);
  const limits = new LimitsInForce(
    lastLimits(limitsBefore(past.limits, parts.own, file, usualDepth), file, parts.limits, { free }, usualDepth),
  );
  const guards = (): SpendLimits => limits.now.guards;
  const timeoutMs = parts.timeoutMs ?? 300_000;
  const { purse } = parts;
  const isCapped = capsOf(parts, past);
  const ports = { purposes, modelFor, isCapped, store, history, clock, random, guards, timeoutMs, purse };
  const caller = new ModelCaller({ ...ports, keptForReport: opened.keptForReport });
  for (const each of new Set([model, ...models, judge])) if (each) caller.countUnasked(each);
  const reading = readingIn(parts, file);
  const tools = parts.toolbox && reading.tools ? { toolbox: parts.toolbox, rounds: TOOL_ROUNDS, history } : undefined;
  const gate = new CommitGate();
  return {
    descriptor: kind.descriptor,
    file,
    options,
    concurrency: parts.concurrency ?? file.options.concurrency ?? 4,
    slots: parts.slots,
    tree,
    store,
    history,
    model,
    judge,
    models,
    modelFor,
    clock,
    random,
    limits,
    purse,
    asks: new Asks({ ...ports, caller, patience, system, tools }),
    system,
    folder: parts.folder,
    findHooks: parts.findHooks,
    workspaceText: parts.workspaceText,
    documentAgain: async (node) => {
      const { folder, workspaceText } = parts;
      return await kind.documentAgain(node, { store, folder, workspaceText, answers: [] });
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
  const rules = kind.system(file.prompt, file);
  if (rules === '') return '';
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

export interface SearchParts {
  /** The kinds that this program knows. */
  readonly kinds: Kinds;
  /** Opened for writing: this process holds the lease. */
  readonly store: Store;
  readonly model: Model;
  /** The model that picks and evaluates, if different. */
  readonly judge?: Model;
  /** Several models that share its work, each with the most that it may spend in dollars, if that is limited. */
  readonly members?: readonly { readonly model: Model; readonly most?: number | undefined }[] | undefined;
  readonly clock: Clock;
  readonly random: Random;
  /** The limits over everything that this person runs. */
  readonly purse?: Purse | undefined;
  /** The search's folder relative to the workspace folder, with `/`. */
  readonly folder: string;
  /** The limits that this person gives now; the others come from the journal, else from the search, else by default. */
  readonly limits?: { size?: Size; maxDepth?: number; guards?: Limits['guards'] };
  /** This user's earlier use of the search; without it, where nothing is remembered, its journal counts as theirs. */
  readonly own?: OwnUse;
  /** Number of slots; by default 4. */
  readonly concurrency?: number;
  /** Room for calls that may change while the search runs. */
  readonly slots?: Slots;
  /** The options of its kind that this run sets; they take precedence over search.json. */
  readonly options?: object;
  /** Time limit for a call, in milliseconds; by default 5 minutes. */
  readonly timeoutMs?: number;
  /** The first wait after a failure, in milliseconds; each further one is twice as long. */
  readonly retryMs?: number;
  /** Finds a person's own hooks by name; by default the built-in ones. */
  readonly findHooks?: FindHooks;
  /** The text of the workspace, to quote to the model and to check its quotations against; closed with the search. */
  readonly workspaceText?: WorkspaceText;
  /** Where files are changed and commands run, for kinds that do so; closed with the search. */
  readonly workshop?: Workshop;
  /** Makes the tools with which models work there. */
  readonly toolsIn?: ToolsIn;
  /** False if prompts are to contain no quotations of the workspace. */
  readonly context?: boolean;
  /** The tools that models may use while they write. */
  readonly toolbox?: Toolbox;
  /** True if models may use them; by default as the search says, else not at all. */
  readonly tools?: boolean;
  /** The language of reports; English without one. */
  readonly translation?: Translation;
  /** Receives every event, including those of the opening; `listen` adds others later. */
  readonly listener?: Listener;
}

/** Returns what holds single models to what they may spend. */
function capsOf({ members = [] }: SearchParts, past: SearchRecord): (model: string, worst: WorstCase) => boolean {
  const limits = new Map(members.map(({ model, most }) => [model.name, most]));
  return (model, { usd: next = 0 }) => {
    const limit = limits.get(model);
    const spend = limit === undefined ? undefined : past.part(ModelSpend);
    if (limit === undefined || !spend) return false;
    const room = spend.roomIn(limit, model, next);
    if (room) return room === 'later';
    const why = usedAndNextUsd({ limit: limitOfModel({ model, limit }), used: spend.of(model).usd, next });
    throw new ThoughtTreeError('budget', why, { guard: 'usd', model });
  };
}

/** Tells whether none of its models costs anything. */
function areFree({
  model,
  judge,
  members = [],
}: Pick<SearchParts, 'model' | 'members'> & { judge?: Model | undefined }) {
  return [model, judge, ...members.map((each) => each.model)].every((each) => each?.free !== false);
}

/** Takes up what earlier runs left open: changed limits, leaves that a deeper limit opens, a person's wishes. */
async function takeUp({ ctx, kind, run }: OpenedKind): Promise<void> {
  const { history, findHooks, file, options, tree } = ctx;
  const limits = ctx.limits.now;
  const free = areFree({ ...ctx, members: ctx.models.map((each) => ({ model: each })) });
  const { wishes, hasBegun } = history.past;
  const before = lastLimits(history.past.limits, file, undefined, { free }, kind.usualDepth(options, findHooks));
  if (hasBegun && JSON.stringify(before) !== JSON.stringify(limits))
    await history.record({ type: 'budget-changed', by: 'user', limits }, true);
  await openDepthLimited(ctx);
  await run.takeUp();
  for (const { node: path, listsBefore } of wishesThatLead(wishes, actionsOf(kind.descriptor))) {
    const node = nodeAt(tree, path);
    if (!node) continue;
    if (listsBefore !== undefined) await run.again(node, listsBefore);
    run.strategy.wish(node.id);
  }
}
