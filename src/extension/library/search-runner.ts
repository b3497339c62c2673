import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ActionCall } from '../../core/actions/action-call.ts';
import { kept, type Message } from '../../core/messages/message.ts';
import { type Reason, ThoughtTreeError, toThoughtTreeError } from '../../core/search/errors.ts';
import type { JournalEvent } from '../../core/search/events.ts';
import { oneLine } from '../../core/text/text.ts';
import type { Kinds } from '../../engine/kind.ts';
import type { Search } from '../../engine/search.ts';
import type { ActionOutcome, Actor } from '../../searches/act-on-search.ts';
import type { OpenedSearch } from '../../searches/open-search.ts';
import type { Place } from '../../searches/place.ts';
import type { OpenFleet, WindowFleet } from '../fleet/open-fleet.ts';
import { loadSearches } from '../load-searches.ts';
import { editorTranslation, keptText, withoutLinks, wordsOf } from '../message-text.ts';
import { folderGone, notBegun, resumeBegins, runElsewhere, runningAlready, windowClosed } from '../messages.ts';
import type { ModelOpener } from '../models/model-opener.ts';
import { limitsFor, settingsFor } from '../settings.ts';
import { BY } from '../work/offers-by-hand.ts';
import { Beginning, PlanToEdit, tellBeginning } from './beginning.ts';
import { followForecast } from './followed-search.ts';
import { openRun, type RunOpening } from './open-run.ts';
import type { RunEnd, RunRequest } from './run-request.ts';
import type { SearchLibrary } from './search-library.ts';

/** A search that this process holds and serves. */
interface Held {
  readonly place: Place;
  readonly search: Search;
  readonly stopServing: () => Promise<void>;
}

interface Run {
  readonly search: Search;
  readonly over: Promise<void>;
}

/** The time that another process may take to finish its current work, and the interval of checks, in milliseconds. */
const STOPS_WITHIN_MS = 10_000;
const STOP_LOOK_MS = 100;

/** Runs searches in this window, and steers those that run anywhere. */
export class SearchRunner implements vscode.Disposable {
  readonly #library: SearchLibrary;
  readonly #models: ModelOpener;
  readonly #log: vscode.LogOutputChannel;
  readonly #kinds: Kinds;
  readonly #opening: RunOpening;
  readonly #runs = new Map<string, Run>();
  /** By the folders of searches that are being opened, or whose plan is shown. */
  readonly #beginnings = new Map<string, Beginning>();
  /** The models of searches to whose forecasts a person agreed, and which begin later, by folder. */
  readonly #agreed = new Map<string, string>();
  readonly #subscription: vscode.Disposable;
  readonly #begins = new vscode.EventEmitter<Place>();
  readonly #ends = new vscode.EventEmitter<RunEnd>();

  readonly onDidBegin = this.#begins.event;
  readonly onDidEnd = this.#ends.event;

  /** @param openFleet the fleet that makes a run's calls, if the settings name one */
  constructor(
    library: SearchLibrary,
    models: ModelOpener,
    log: vscode.LogOutputChannel,
    kinds: Kinds,
    openFleet: OpenFleet = async () => undefined,
  ) {
    this.#opening = { kinds, models, openFleet, wasAgreed: (request) => this.#wasAgreed(request) };
    this.#library = library;
    this.#models = models;
    this.#log = log;
    this.#kinds = kinds;
    this.#subscription = library.onDidChange(({ search, touched }) => {
      if (!search) this.#stopDeleted();
      else if (touched) void this.#takeIn(search.folder, touched);
    });
  }

  /** Passes changes on disk to the search if it runs here; it already knows its own. */
  async #takeIn(folder: string, touched: readonly string[]): Promise<void> {
    const search = this.#runs.get(folder)?.search;
    if (!search) return;
    try {
      for (const path of touched) if (this.isRunning(folder)) await search.reconcile(path);
    } catch (error) {
      this.#log.warn(toThoughtTreeError(error).message); // it is read again before it is worked on
    }
  }

  /** A search whose folder is gone has nothing to write to: its current work is not worth waiting for. */
  #stopDeleted(): void {
    for (const [folder, { search }] of this.#runs) if (!this.#library.search(folder)) search.pause(true);
  }

  /** Those that run in this window. */
  get searches(): readonly Search[] {
    return [...this.#runs.values()].map(({ search }) => search);
  }

  isRunning(folder: string): boolean {
    return this.#runs.has(folder) || this.#beginnings.has(folder);
  }

  /**
   * Opens a search and runs it; resolves once it runs. `onDidEnd` reports how it ends.
   * @throws ThoughtTreeError `held`, `key-refused`, `unknown-model`, `not-writable` and other errors of opening
   */
  async run(request: RunRequest): Promise<Search> {
    const { folder } = request.place;
    if (this.isRunning(folder)) throw new ThoughtTreeError('held', runningAlready());
    const beginning = new Beginning();
    this.#beginnings.set(folder, beginning);
    try {
      return await this.#open(request, beginning);
    } finally {
      this.#beginnings.delete(folder);
      beginning.end();
    }
  }

  async #open(request: RunRequest, beginning: Beginning): Promise<Search> {
    const { place, create } = request;
    // The engine is loaded on first use, not when the editor starts.
    const searches = await loadSearches();
    const file = create ?? this.#library.search(place.folder)?.file;
    const { opened, fleet } = await openRun(this.#opening, request, file);
    const { search, store } = opened;
    if (!create && !request.anew) await search.closeIfDone();
    for (const { text } of opened.heldBack) this.#log.warn(text);
    const stopServing = await searches.serve(place.folder, beginning.steered(search), store, ({ text }) =>
      this.#log.warn(text),
    );
    try {
      if (request.anew) await this.#writeAnew(search, request.anew);
      if (create) await this.#library.scan();
      await this.#follow(opened, place, fleet);
      if (request.showsPlan && !search.record.hasBegun) {
        const planning = { search, beginning, words: wordsOf(this.#kinds, search) };
        const toEdit = await (await loadPlans()).prepare(planning, create !== undefined, request.plan !== undefined);
        if (toEdit !== undefined) throw new PlanToEdit(toEdit);
      }
    } catch (error) {
      throw await this.#giveUp({ place, search, stopServing }, request, error);
    }
    const over = this.#finish({ place, search, stopServing });
    this.#runs.set(place.folder, { search, over });
    this.#begins.fire(place);
    if (create) tellBeginning(search, over, wordsOf(this.#kinds, search));
    return search;
  }

  /** Documents that a person edited stay as they are; where nothing else is left, the search is given back. */
  async #writeAnew(search: Search, paths: readonly string[]): Promise<void> {
    const { anew } = await loadSearches();
    const { count, refused } = await anew.writeAnew(search, paths, BY);
    for (const why of refused) this.#log.warn(why.text);
    const [first] = refused;
    if (count === 0 && first) throw new ThoughtTreeError('declined', first);
  }

  /**
   * Gives back a search that is not begun now, saying why in its journal.
   * @returns the error for whoever wanted it run; what a person has to know was told
   */
  async #giveUp({ place, search, stopServing }: Held, request: RunRequest, error: unknown): Promise<unknown> {
    const { reason, say } = toThoughtTreeError(error);
    const isDeclined = reason === 'declined';
    const why = isDeclined
      ? ({ kind: 'paused', reason: 'user', ...kept(say) } as const)
      : ({ kind: 'paused', reason: 'person', cause: reason, ...kept(say) } as const);
    const outcome = await search.putOff(why).catch(() => undefined);
    await stopServing().catch((failure: unknown) => this.#log.error(String(failure)));
    await search.close();
    this.#forget(place);
    const { title, kind } = search.file;
    if (error instanceof PlanToEdit) {
      this.#agreed.set(place.folder, modelsOf(request));
      void (await loadPlans()).open(place.folder, error.file, title);
    }
    if (isDeclined) return error;
    this.#log.error(`${title}: ${say.text}`);
    this.#ends.fire({ place, title, kind, ...(outcome ? { outcome } : { error }) });
    return new ThoughtTreeError('declined', notBegun());
  }

  /** It no longer runs here. */
  #forget({ folder }: Place): void {
    const followed = this.#library.search(folder);
    if (!followed) return;
    followed.forecast = undefined;
    this.#library.tell(followed);
  }

  /** Another model may cost many times as much, and so may another search in the same place. */
  #wasAgreed(request: RunRequest): boolean {
    const agreed = this.#agreed.get(request.place.folder);
    this.#agreed.delete(request.place.folder);
    return agreed === modelsOf(request);
  }

  /** Passes its events to the fleet, the views and the log. */
  async #follow({ search, model, judge }: OpenedSearch, place: Place, fleet?: WindowFleet): Promise<void> {
    const forecast = await followForecast(this.#kinds, place, search, { model, judge });
    const followed = this.#library.search(place.folder);
    if (followed) followed.forecast = forecast;
    search.listen((event) => {
      fleet?.hear(event);
      logEvent(search, event, this.#log);
      const told = this.#library.search(place.folder);
      if (told) this.#library.tell(told);
    });
  }

  async #finish({ place, search, stopServing }: Held): Promise<void> {
    const { title, kind } = search.file;
    let end: RunEnd;
    // The lease is kept while all remaining work is outside: an answer then continues the search at once, with the model
    // that the person chose, and waiting costs nothing.
    try {
      end = { place, title, kind, outcome: await search.run({ wait: true }) };
    } catch (error) {
      end = { place, title, kind, error };
    }
    if (!existsSync(join(place.folder, 'search.json')))
      end = { place, title, kind, error: new ThoughtTreeError('not-found', folderGone()) };
    if (end.error) this.#log.error(`${title}: ${toThoughtTreeError(end.error).message}`);
    await stopServing().catch((error: unknown) => this.#log.error(String(error)));
    await search.close().catch((error: unknown) => this.#log.error(String(error)));
    this.#runs.delete(place.folder);
    this.#forget(place);
    this.#ends.fire(end);
  }

  /**
   * Carries out an action, here or through the process that runs the search.
   * @param signal ends the wait for a report's call: the report is then written without it
   * @returns what to tell the person
   * @throws ThoughtTreeError saying why not
   */
  async act(place: Place, call: ActionCall, signal?: AbortSignal): Promise<Message> {
    const { ok, say, reason, problems } = await this.outcome(place, call, { by: BY, signal });
    if (!ok) throw new ThoughtTreeError((reason as Reason | undefined) ?? 'bad-input', say, problems && { problems });
    return say;
  }

  /**
   * Has an action done, and returns all that is known of its result.
   * @param how who asks, in journals; and if nobody runs the search, with which model and what it may spend, in US dollars
   * @throws ThoughtTreeError if it is refused here
   */
  async outcome(
    place: Place,
    call: ActionCall,
    how: Pick<Actor, 'by' | 'named' | 'signal' | 'mostUsd'>,
  ): Promise<ActionOutcome> {
    const beginning = this.#beginnings.get(place.folder);
    if (beginning && call.action === 'pause') {
      await beginning.stop();
      return { ok: true, say: resumeBegins(), isResting: true };
    }
    const run = this.#runs.get(place.folder);
    // Does not wait for a report: the search writes it at its end.
    if (run) return { ok: true, ...(await run.search.act(call, how.by)), isResting: false };
    const searches = await loadSearches();
    const outcome = await searches.act(place, call, {
      kinds: this.#kinds,
      ...how,
      translation: editorTranslation(),
      openModel: (name, trusted) => this.#models.open(name, place.workspace, trusted),
      limitsFor: (name) => limitsFor(settingsFor(vscode.Uri.file(place.workspace)), name),
    });
    this.#library.touch(`${place.folder}/.search/journal.jsonl`);
    return outcome;
  }

  /**
   * Stops a search wherever it runs; resolves when nobody writes it any more.
   * @throws ThoughtTreeError `held` if another process continues it
   */
  async stop(place: Place): Promise<void> {
    const here = this.#runs.get(place.folder);
    await this.act(place, { action: 'pause', now: true });
    if (here) return here.over;
    const searches = await loadSearches();
    for (let waited = 0; await searches.isHeld(place.folder); waited += STOP_LOOK_MS) {
      if (waited > STOPS_WITHIN_MS) throw new ThoughtTreeError('held', runElsewhere());
      await new Promise((resolve) => setTimeout(resolve, STOP_LOOK_MS));
    }
  }

  /** Stops everything that runs here and releases it, for when the window closes. */
  async stopAll(): Promise<void> {
    const runs = [...this.#runs.values()];
    for (const { search } of runs) search.pause(true, windowClosed());
    const beginnings = [...this.#beginnings.values()].map((beginning) => beginning.stop());
    await Promise.all([...runs.map(({ over }) => over), ...beginnings]);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#begins.dispose();
    this.#ends.dispose();
  }
}

function modelsOf({ model, judge }: RunRequest): string {
  return JSON.stringify([model, judge ?? model]);
}

async function loadPlans(): Promise<typeof import('../start/show-plan.ts')['plans']> {
  return (await import('../start/show-plan.ts')).plans;
}

type UsageDoubted = Extract<JournalEvent, { type: 'usage-doubted' }>;

/** Passes what happened in a search to the log, and tells the person what they have to know of it at once. */
function logEvent(
  search: Pick<Search, 'file'>,
  event: JournalEvent,
  log: Pick<vscode.LogOutputChannel, 'info' | 'warn' | 'debug'>,
): void {
  const { title } = search.file;
  if (event.type === 'usage-doubted') tellDoubt(title, event, log);
  if (event.type === 'progress') log.info(`${title}: ${event.text}`);
  else if (event.type === 'call-ended' && event.outcome !== 'ok')
    log.warn(`${title}: ${event.purpose} ${event.node}: ${event.outcome} ${event.message ?? ''}`);
  else log.debug(JSON.stringify(event));
}

/** That nobody knows a price was said with the forecast, before the search began. */
function tellDoubt(
  title: string,
  { doubt, message, say }: UsageDoubted,
  log: Pick<vscode.LogOutputChannel, 'warn'>,
): void {
  const text = `"${oneLine(title, 100)}": ${keptText(message, say)}`;
  if (doubt === 'unpriced') log.warn(text);
  else void vscode.window.showWarningMessage(withoutLinks(text));
}
