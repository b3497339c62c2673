import type { SpendFloor } from '../core/money/ledger.ts';
import { answersByNode } from '../core/offers/offer-book.ts';
import { FOUND, type SearchEvent } from '../core/search/events.ts';
import type { Folds } from '../core/search/record/folds.ts';
import { NodesSeen } from '../core/search/record/nodes-seen.ts';
import { SearchRecord } from '../core/search/record/search-record.ts';
import type { SearchFile } from '../core/search/search-file.ts';
import { nodeAt, pathOf } from '../core/tree/tree.ts';
import { TreeRecord } from '../core/tree/tree-record.ts';
import { AdoptableCalls } from './calls/adoptable-calls.ts';
import { AnsweredCalls } from './calls/answered-calls.ts';
import { Attempts } from './calls/attempts.ts';
import { ForeignDocuments } from './calls/edited-document.ts';
import { checkModel } from './kind/check-model.ts';
import type { Kind, KindRun } from './kind/kind.ts';
import { optionsOf } from './kind/kind-options.ts';
import { loadKind } from './kind/kinds.ts';
import { makeContext } from './make-context.ts';
import { JournalStates } from './mending/journal-states.ts';
import { mend } from './mending/mend.ts';
import { openNodes } from './nodes/open-nodes.ts';
import type { SearchContext } from './search-context.ts';
import type { SearchParts } from './search-parts.ts';
import { systemTextOf } from './system-text.ts';

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
