import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { isThoughtTreeError, ThoughtTreeError } from '../../core/search/errors.ts';
import { raisedLimits, raisedTo } from '../../core/search/record/search-state.ts';
import { oneLine } from '../../core/text/text.ts';
import type { Kinds } from '../../engine/kind.ts';
import { interimEdited } from '../../engine-parts/actions/messages.ts';
import { isInterim } from '../../engine-parts/report/report-writing.ts';
import { chooseModels } from '../../searches/models/choose-model.ts';
import { limitOf } from '../../searches/reader/action-facts.ts';
import { openDocument, showText } from '../documents/open-document.ts';
import { PLAN_FILES } from '../documents/plan-lenses.ts';
import type { FollowedSearch } from '../library/followed-search.ts';
import type { RunRequest } from '../library/run-request.ts';
import type { SearchLibrary } from '../library/search-library.ts';
import type { SearchRunner } from '../library/search-runner.ts';
import { loadSearches } from '../load-searches.ts';
import { messageText, withoutLinks } from '../message-text.ts';
import { noReportRestricted } from '../messages.ts';
import type { ModelChooser } from '../models/model-chooser.ts';
import { agreesTo } from '../models/model-opener.ts';
import { opensDrawing, settingsFor } from '../settings.ts';
import { waitsForStart } from '../sidebar/search-item.ts';
import type { SearchesView } from '../sidebar/searches-view.ts';
import { guardWords, spentOf } from '../start/sizes.ts';
import { tellBriefly } from '../tell-error.ts';
import { askWhich, DAYS_KEPT, type Deleted, SearchBin } from '../workspace/search-bin.ts';
import type { FileTarget, NodeTarget, SearchTarget } from './command-table.ts';
import type { Targets } from './targets.ts';

/** Documents that are named in a question, at most. */
const MOST_OLD = 20;

/** The share of a limit that has to be left for another model to continue within it. */
const LEAST_ROOM = 0.1;

/** Commands on a whole search. */
export class SearchCommands {
  readonly #runner: SearchRunner;
  readonly #targets: Targets;
  readonly #library: SearchLibrary;
  readonly #bin: SearchBin;

  /** @param bin a folder for deleted searches, where the computer has none */
  constructor(runner: SearchRunner, targets: Targets, library: SearchLibrary, bin: string) {
    this.#runner = runner;
    this.#targets = targets;
    this.#library = library;
    this.#bin = new SearchBin(bin);
  }

  /**
   * Continues a search with a model that the person chooses now: within the limit that stopped it where there is room, else
   * with a higher one, after saying so.
   */
  async resumeWith(
    search: FollowedSearch,
    chooser: Pick<ModelChooser, 'chooseFor'>,
    needsProse: boolean,
  ): Promise<void> {
    const limitReached = limitOf(search);
    const { guard = 'calls', limit = 0 } = limitReached ?? {};
    const raised = limitReached && limit - spentOf(search)[guard] < LEAST_ROOM * limit ? limitReached : undefined;
    const placeholder = raised
      ? vscode.l10n.t('Which model should continue? The limit is raised to {0}.', guardWords(guard, raisedTo(raised)))
      : limitReached
        ? vscode.l10n.t(
            'Which model should continue? Limit: {0}, used: {1}.',
            guardWords(guard, limit),
            guardWords(guard, spentOf(search)[guard]),
          )
        : vscode.l10n.t('Which model should continue?');
    const title = vscode.l10n.t('Resume "{0}" with another model', oneLine(search.title, 100));
    const asked = { title, placeholder, current: search.model ?? '' };
    const model = await chooser.chooseFor(asked, vscode.Uri.file(search.workspace), needsProse);
    if (model === undefined || search.isActive) return;
    const go = await this.toContinue(search, model);
    if (!go) return;
    if (raised) await this.#runner.act(this.#targets.placeOf(search), { action: 'grow', guards: raisedLimits(raised) });
    await go();
  }

  /** @param draw opens the drawing of one that never began, as it is where a search begins with its question */
  async resume(search: FollowedSearch, draw: (folder: string) => Promise<void>): Promise<void> {
    const go = await this.toContinue(search);
    if (!go) return;
    const isFirst = waitsForStart(search);
    await go();
    if (isFirst && opensDrawing()) await draw(search.folder);
  }

  /**
   * Asks about models that came with the search, before anything changes.
   * @param model by default the one that this person used for it last
   * @returns what continues it; undefined if the person declined
   */
  async toContinue(
    search: FollowedSearch,
    model?: string,
    more: Pick<RunRequest, 'anew' | 'concurrency' | 'isAgreed'> = {},
  ): Promise<(() => Promise<void>) | undefined> {
    if (!search.store || search.isActive || this.#runner.isRunning(search.folder)) return async () => undefined;
    const searches = await loadSearches();
    const recalled = await searches.recall(search.folder);
    const { name, judge, models, trusted } = chooseModels(
      model === undefined ? {} : { model },
      recalled,
      search.record,
      await search.store.readSearch(),
    );
    if (!trusted && !(await agreesTo(name, judge, models))) return undefined;
    if (model !== undefined && models)
      tellBriefly(
        search.title,
        vscode.l10n.t('Its thoughts are still shared among {0}.', oneLine(models.join(', '), 300)),
      );
    return async () => {
      await savePlan(search);
      // Another command may have continued it meanwhile, which is what this one is for too.
      if (this.#runner.isRunning(search.folder)) return;
      const { concurrency, timeoutMs } = settingsFor(vscode.Uri.file(search.workspace));
      await this.#runner.run({
        place: this.#targets.placeOf(search),
        model: name,
        ...(judge ? { judge } : {}),
        concurrency,
        timeoutMs,
        showsPlan: true,
        ...more,
      });
    };
  }

  /** Ends a search with its report, or rewrites its report; if nobody runs it, waits until that is done. */
  async report(search: FollowedSearch, action: 'finish' | 'report'): Promise<void> {
    const place = this.#targets.placeOf(search);
    const title = vscode.l10n.t('Writing the report of "{0}"', oneLine(search.title, 100));
    const location = vscode.ProgressLocation.Notification;
    await vscode.window.withProgress({ location, title, cancellable: true }, (_progress, token) => {
      const stop = new AbortController();
      token.onCancellationRequested(() => stop.abort());
      return this.#runner.act(place, { action }, stop.signal);
    });
    if (!search.isActive) await openDocument(reportOf(search), { preview: false });
  }

  /** Writes those documents anew that rest on what changed, after saying which these are and what they cost before. */
  async update(search: FollowedSearch): Promise<void> {
    const { citationsNow: old } = await import('../../searches/citations-now.ts');
    const citations = old.open();
    const location = vscode.ProgressLocation.Window;
    const title = vscode.l10n.t('Reading "{0}"', oneLine(search.title, 60));
    const { nodes, paths, spent } = await vscode.window.withProgress({ location, title }, () =>
      old.outOfDate(search, citations).finally(() => citations.dispose()),
    );
    if (nodes.length === 0) return tellBriefly(search.title, messageText(old.nothingOld()));
    const yes = vscode.l10n.t('Write Anew');
    const lines = nodes
      .slice(0, MOST_OLD)
      .map(({ title, ...why }) => `${oneLine(title, 80)}: ${old.whyOld(why).map(messageText).join(', ')}`);
    const detail = [...lines, ...(nodes.length > lines.length ? ['…'] : [])].join('\n');
    const { length: count } = paths;
    if (count === 0) return tellBriefly(search.title, lines.join('; '));
    const question = `"${oneLine(search.title, 100)}": ${messageText(old.priceOfOld(count, spent))}`;
    if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, yes)) !== yes) return;
    const { anew } = await loadSearches();
    const go = await this.toContinue(search, undefined, {
      anew: paths,
      concurrency: anew.slotsFor(paths),
      isAgreed: true,
    });
    // One that runs writes them besides its other work.
    if (search.isActive || this.#runner.isRunning(search.folder)) return await this.#redo(search, paths);
    await go?.();
  }

  /** Says how many receipts and citations hold, and lists the others on demand; changes nothing. */
  async verify({ folder, workspace, title }: FollowedSearch, kinds: Kinds): Promise<void> {
    const { verify } = await loadSearches();
    const location = vscode.ProgressLocation.Notification;
    const heading = vscode.l10n.t('Reading "{0}"', oneLine(title, 60));
    const { checks } = await vscode.window.withProgress({ location, title: heading }, () =>
      verify.search(kinds, { folder, workspace }),
    );
    const counted = verify.countTexts(checks).map(messageText);
    const others = checks
      .filter(({ result }) => result !== 'holds')
      .map((check) => verify.checkText(check, messageText));
    const said = withoutLinks(`"${oneLine(title, 100)}": ${counted.join('. ')}.`);
    const show = vscode.l10n.t('Show Them');
    const hasFailed = checks.some(({ result }) => result === 'fails');
    const tell = hasFailed ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
    if ((await tell(said, ...(others.length > 0 ? [show] : []))) !== show) return;
    const document = await vscode.workspace.openTextDocument({
      content: `${[...counted, '', ...others].join('\n')}\n`,
    });
    await showText(document);
  }

  async #redo(search: FollowedSearch, paths: readonly string[]): Promise<void> {
    for (const node of paths)
      try {
        await this.#runner.act(this.#targets.placeOf(search), { action: 'redo', node });
      } catch (error) {
        // A document that a person edited stays as it is.
        if (!isThoughtTreeError(error, 'edited')) throw error;
        tellBriefly(search.title, messageText(error.say));
      }
  }

  async pauseNow(search: FollowedSearch): Promise<void> {
    const message = await this.#runner.act(this.#targets.placeOf(search), { action: 'pause', now: true });
    tellBriefly(search.title, messageText(message));
  }

  /** The report of a search; of one that is not finished, what there is now. */
  async openReport(search: FollowedSearch): Promise<void> {
    await search.refresh();
    const { record, state, hasReport } = search;
    const { isTrusted } = vscode.workspace;
    if (!isTrusted && !hasReport) throw new ThoughtTreeError('declined', noReportRestricted());
    const isCovered = record.turn === undefined ? state === 'finished' : record.isReportCurrent;
    let isEdited = false;
    if (isTrusted && !(isCovered && hasReport))
      try {
        const { key } = await this.#runner.act(this.#targets.placeOf(search), { action: 'interim' });
        isEdited = key === interimEdited.key;
      } catch (error) {
        if (!hasReport) throw error;
      }
    const file = reportOf(search);
    await openDocument(file, { preview: false });
    const title = oneLine(search.title, 100);
    if (isEdited)
      await this.#tellKept(
        search,
        vscode.l10n.t('The interim report of "{0}" was changed by hand, so it was kept as it is.', title),
      );
    else if (!isCovered && !isInterim(await readFile(file.fsPath, 'utf8')))
      await this.#tellKept(search, vscode.l10n.t('The report of "{0}" is older than its tree.', title));
  }

  /** Tells that a model's or a person's report is kept: not replaced without a word, nor shown as if it were of now. */
  async #tellKept({ isActive, folder }: FollowedSearch, text: string): Promise<void> {
    const yes = vscode.l10n.t('Rewrite Report');
    const buttons = isActive ? [] : [yes];
    if ((await vscode.window.showInformationMessage(withoutLinks(text), ...buttons)) === yes)
      await vscode.commands.executeCommand('thoughtTree.report', { folder });
  }

  async delete(target: SearchTarget | undefined): Promise<void> {
    const search = await this.#targets.search(target, { what: vscode.l10n.t('Delete Search'), isSure: true });
    if (!search) return;
    const yes = vscode.l10n.t('Move to Bin');
    const question = vscode.l10n.t('Delete the search "{0}" with all its documents?', oneLine(search.title, 200));
    if ((await vscode.window.showWarningMessage(question, { modal: true }, yes)) !== yes) return;
    if (search.isActive) await this.#runner.stop(this.#targets.placeOf(search));
    const deleted = await this.#bin.take(search.folder, search.title);
    await this.#library.scan();
    if (!deleted) return;
    const undo = vscode.l10n.t('Undo');
    const said = vscode.l10n.t(
      '"{0}" is deleted. This computer has no bin, so it is kept for {1} days: Import or Restore Search… brings it back.',
      oneLine(search.title, 100),
      DAYS_KEPT,
    );
    if ((await vscode.window.showInformationMessage(withoutLinks(said), undo)) === undo) await this.#giveBack(deleted);
  }

  /** Restores a search that was deleted, where there is one to restore; else, or if the person wants that, imports one. */
  async bringBack(importFile: () => Promise<void>): Promise<void> {
    const deleted = await this.#bin.ofThisWindow();
    const which = deleted.length === 0 ? 'file' : await askWhich(deleted);
    if (which === 'file') await importFile();
    else if (which) await this.#giveBack(which);
  }

  async #giveBack(deleted: Deleted): Promise<void> {
    const folder = await this.#bin.giveBack(deleted);
    await this.#library.scan();
    await vscode.commands.executeCommand('thoughtTree.reveal', { folder, path: '' });
  }
}

function reportOf({ folder }: FollowedSearch): vscode.Uri {
  return vscode.Uri.file(join(folder, 'report.md'));
}

/** Saves the plan of a search: what a person typed into it counts. */
async function savePlan({ folder }: FollowedSearch): Promise<void> {
  const plans = PLAN_FILES.map((name) => join(folder, name));
  for (const document of vscode.workspace.textDocuments)
    if (document.isDirty && plans.includes(document.uri.fsPath)) await document.save();
}

/** Commands that show a node. */
export class NodeCommands {
  readonly #targets: Targets;
  readonly #view: SearchesView;

  constructor(targets: Targets, view: SearchesView) {
    this.#targets = targets;
    this.#view = view;
  }

  async openDocument({ folder }: FollowedSearch, path: string): Promise<void> {
    await openDocument(vscode.Uri.file(join(folder, ...path.split('/'), 'document.md')));
  }

  async reveal(target: NodeTarget | FileTarget | undefined): Promise<void> {
    const named = target && 'fsPath' in target ? await this.#targets.nodeOf(target) : target;
    const found = await this.#targets.node(named);
    if (found) await this.#view.reveal(found.search.folder, found.path);
  }
}
