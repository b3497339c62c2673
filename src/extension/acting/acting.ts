import * as vscode from 'vscode';
import { toThoughtTreeError } from '../../core/search/errors.ts';
import type { Kinds } from '../../engine/kind.ts';
import { ActionCommands, type OwnActions, type ToContinue } from '../actions/action-commands.ts';
import type { AvailableActions } from '../actions/available-actions.ts';
import { NodeCommands, SearchCommands } from '../commands/search-commands.ts';
import type { Targets } from '../commands/targets.ts';
import type { FollowedSearch } from '../library/followed-search.ts';
import type { SearchLibrary } from '../library/search-library.ts';
import { SearchRunner } from '../library/search-runner.ts';
import { wordsOf } from '../message-text.ts';
import type { ApiKeys } from '../models/api-keys.ts';
import type { ModelChooser } from '../models/model-chooser.ts';
import { ModelOpener } from '../models/model-opener.ts';
import { queueAddress } from '../settings.ts';
import type { SharingParts } from '../sharing/comparison-documents.ts';
import { Sharing } from '../sharing/sharing-actions.ts';
import type { SearchesView } from '../sidebar/searches-view.ts';
import type { BegunViews } from '../start/start-command.ts';
import type { ByHand } from '../work/by-hand.ts';
import { ChangesView } from '../work/changes-view.ts';
import { EndNotices } from './end-notices.ts';
import { LeftRunning } from './left-running.ts';

/** As much of choosing a model as others use. */
export type Chooser = Pick<ModelChooser, 'choose' | 'chooseAt' | 'chooseJudgeAt' | 'chooseFor' | 'test' | 'atHand'>;

export interface ActingParts {
  readonly kinds: Kinds;
  readonly log: vscode.LogOutputChannel;
  readonly keys: ApiKeys;
  readonly secrets: vscode.SecretStorage;
  readonly library: SearchLibrary;
  readonly available: AvailableActions;
  readonly view: SearchesView;
  readonly targets: Targets;
  readonly chooser: Chooser;
  /** Of the workspace. */
  readonly memory: vscode.Memento;
  /** A folder for deleted searches, where the computer has none. */
  readonly bin: string;
  readonly paint: SharingParts['paint'];
  /** Tells whether the drawing of a search is in view. */
  readonly isDrawn: (folder: string) => boolean;
  readonly draw: BegunViews['draw'];
}

/**
 * Everything that runs, steers, shares and changes searches: a bundle of its own, loaded with the first thing that a person
 * does, as most windows only show what is there.
 */
export class Acting implements vscode.Disposable {
  readonly opener: ModelOpener;
  readonly runner: SearchRunner;
  readonly searches: SearchCommands;
  readonly nodes: NodeCommands;
  readonly changes: ChangesView;
  readonly sharing: Sharing;
  readonly actions: ActionCommands;
  readonly leftRunning: LeftRunning;
  readonly #subscriptions: readonly vscode.Disposable[];

  constructor(parts: ActingParts) {
    const { kinds, log, keys, secrets, library, available, view, targets, memory, paint, isDrawn } = parts;
    this.opener = new ModelOpener(keys);
    this.runner = new SearchRunner(library, this.opener, log, kinds, async (request) => {
      const address = queueAddress();
      if (address === undefined) return undefined;
      const { windowFleet } = await import('../fleet/window-fleet.ts');
      return await windowFleet.open(request, { address, log, password: windowFleet.password(secrets) });
    });
    this.searches = new SearchCommands(this.runner, targets, library, parts.bin);
    this.nodes = new NodeCommands(targets, view);
    this.changes = new ChangesView({ runner: this.runner, targets, library });
    const reveal = (folder: string, path: string): Promise<void> => view.reveal(folder, path);
    this.sharing = new Sharing({ kinds, library, reveal, paint });
    const { runner } = this;
    const toContinue: ToContinue = (search) => this.searches.toContinue(search);
    const isSeen = (folder: string): boolean => view.view.visible || isDrawn(folder);
    const needOf = async (search: FollowedSearch) =>
      (await import('../start/ask-how-far.ts')).growing.reachedNeeds({ kinds, opener: this.opener }, search);
    const acting = { kinds, available, runner, targets, toContinue, needOf, isSeen };
    const actions = new ActionCommands({ ...acting, tell: (search) => library.tell(search) }, this.#own(parts));
    this.actions = actions;
    this.leftRunning = new LeftRunning({ memory, runner, library, available, actions, log });
    this.#subscriptions = [
      runner,
      this.changes,
      this.leftRunning,
      new EndNotices({ kinds, runner, library, available, actions, changes: this.changes, log, isDrawn }),
      new CitationWatch(runner, log),
    ];
  }

  /** Returns the actions that the editor does in its own way. */
  #own({ kinds, available, chooser, draw }: ActingParts): OwnActions {
    const { searches, changes } = this;
    return {
      raise: (search) => this.actions.raise(search),
      grow: async (search) => {
        const { growing } = await import('../start/ask-how-far.ts');
        const words = wordsOf(kinds, search);
        const further = await growing.askHowFar({ kinds, opener: this.opener, words }, search);
        if (further) await this.actions.act(search, '', 'grow', further);
      },
      expandBelow: (search, path) => this.actions.expandBelow(search, path),
      resume: (search) => searches.resume(search, draw),
      resumeWith: (search) =>
        searches.resumeWith(search, chooser, available.descriptorFor(search)?.traits.needsProse ?? false),
      pauseNow: (search) => searches.pauseNow(search),
      finish: (search) => searches.report(search, 'finish'),
      report: (search) => searches.report(search, 'report'),
      update: (search) => searches.update(search),
      verify: (search) => searches.verify(search, kinds),
      openReport: (search) => searches.openReport(search),
      openDocument: (search, path) => this.nodes.openDocument(search, path),
      ...byHandActions(available, () => this.actions),
      diff: async (search, path) => void (await changes.show(search, path)),
      accept: (search) => changes.accept(search),
      'undo-accept': (search) => changes.undo(search),
      ...this.sharing.actions,
    };
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }
}

/** Returns the actions of what a person does themselves, on a node or by a list. */
function byHandActions(available: AvailableActions, actions: () => ActionCommands): OwnActions {
  let loading: Promise<ByHand> | undefined;
  const byHand = (): Promise<ByHand> => {
    loading ??= import('../work/by-hand.ts').then((loaded) => new loaded.ByHand(available, actions));
    return loading;
  };
  return {
    doByHand: async (search, path) => (await byHand()).take(search, path),
    doneByHand: async (search, path) => (await byHand()).done(search, path),
    openCheckout: async (search, path) => (await byHand()).openCheckout(search, path),
    giveBackByHand: async (search, path) => (await byHand()).giveBack(search, path),
    'do-myself': async (search, path) => (await byHand()).takeOver(search, path, 'do-myself'),
    take: async (search) => (await byHand()).take(search, ''),
    answer: async (search) => (await byHand()).done(search, ''),
    'give-back': async (search) => (await byHand()).giveBack(search, ''),
  };
}

/** People save several files in a row: the documents are checked once, this many milliseconds after the last one. */
const QUIET_MS = 2000;

/** Rechecks the quotations of running searches after files of the workspace were saved. */
class CitationWatch implements vscode.Disposable {
  readonly #runner: SearchRunner;
  readonly #log: vscode.LogOutputChannel;
  readonly #saves: vscode.Disposable;
  #timer: NodeJS.Timeout | undefined;

  constructor(runner: SearchRunner, log: vscode.LogOutputChannel) {
    this.#runner = runner;
    this.#log = log;
    this.#saves = vscode.workspace.onDidSaveTextDocument(() => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.#check(), QUIET_MS);
    });
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#saves.dispose();
  }

  async #check(): Promise<void> {
    for (const search of this.#runner.searches)
      await search.recheckCitations().catch((error: unknown) => this.#log.warn(toThoughtTreeError(error).message));
  }
}
