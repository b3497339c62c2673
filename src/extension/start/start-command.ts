import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { EditorAnswer, KindDescriptor } from '../../core/kind/kind-descriptor.ts';
import { isThoughtTreeError, ThoughtTreeError, toThoughtTreeError } from '../../core/search/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import type { Kinds } from '../../engine/kind.ts';
import { isFreeModel, sharedBy } from '../../searches/models/choose-model.ts';
import { type Place, titleFrom } from '../../searches/place.ts';
import type { FileTarget } from '../commands/command-table.ts';
import { COMMAND_TASK, ownTaskName } from '../commands/task-hooks.ts';
import type { SearchLibrary } from '../library/search-library.ts';
import type { SearchRunner } from '../library/search-runner.ts';
import { messageText, withoutLinks } from '../message-text.ts';
import * as say from '../messages.ts';
import { modelNotUsed } from '../messages.ts';
import type { ModelChooser } from '../models/model-chooser.ts';
import { agreesTo, type ModelOpener } from '../models/model-opener.ts';
import { broughtModels, limitsFor, limitsWithRoom, opensDrawing, settingsFor } from '../settings.ts';
import { changedPaths } from '../workspace/changed-paths.ts';
import { type About, aboutFiles, aboutSelection } from './about.ts';
import { type Beginning, forecastOf, newSearch, placeOf, withSize } from './new-search.ts';
import { planIn } from './plan-in-file.ts';
import { closeQuestion, type Draft, DraftMemory, offerStart, whenWritten, writtenQuestion } from './start-draft.ts';
import type { Choices } from './start-questions.ts';
import { beginningFor, judgeFor, type StartRequest, workspaceFolders } from './start-request.ts';
import { modelOf, type StepParts, scopeOf, startSteps, withGuesses } from './start-steps.ts';
import { walkSteps } from './walk-steps.ts';

/** The time that a person waits for models to be found after they asked, in milliseconds. */
const LOOKED_FOR_MS = 1500;

interface StartParts extends StarterParts {
  readonly chooser: Pick<ModelChooser, 'chooseAt' | 'chooseJudgeAt' | 'test' | 'atHand'>;
  readonly opener: Pick<ModelOpener, 'describe'>;
  readonly views: BegunViews;
  /** The things that end with the window. */
  readonly subscriptions: { dispose(): unknown }[];
}

/** *Start Tree Search*: asks for the question, and for the rest only if necessary. */
export class StartCommand {
  readonly #parts: StartParts;
  readonly #drafts: DraftMemory;
  readonly #starter: SearchStarter;

  constructor(parts: StartParts) {
    this.#parts = parts;
    this.#drafts = new DraftMemory(parts.memory);
    this.#starter = new SearchStarter(parts);
    const keep = (question: string): void => this.#drafts.keep({ ...this.#drafts.kept, question });
    parts.subscriptions.push(whenWritten(keep), offerStart());
  }

  /**
   * @param kind by default it is guessed by the question
   * @param asked a question from elsewhere, as from the chat
   */
  async run(kind?: string, asked?: unknown): Promise<void> {
    if (typeof asked === 'string' && asked.trim() !== '') {
      await this.#ask({ kind, question: asked.trim() });
      return;
    }
    const { folder, question, about, kind: typed } = this.#drafts.typed;
    // A text that was typed for one kind is no question of another.
    const isOfKind = kind === undefined || typed === undefined || kind === typed;
    await this.#ask({ kind, ...(isOfKind ? { folder, question, about } : {}) });
  }

  /** *Ask About the Selection*: the selected lines of the editor that the person is in. */
  async runAboutSelection(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (editor) await this.#runAbout(await aboutSelection(editor));
  }

  /**
   * *Ask About This*
   * @param file by default the one in the editor
   * @param all what is selected in the Explorer, if it is among that
   */
  async runAboutFiles(file: FileTarget | undefined, all: readonly FileTarget[] = []): Promise<void> {
    const uri = file ? vscode.Uri.file(file.fsPath) : vscode.window.activeTextEditor?.document.uri;
    if (!uri) return;
    const isSelected = all.some(({ fsPath }) => fsPath === uri.fsPath);
    const uris = isSelected ? all.map(({ fsPath }) => vscode.Uri.file(fsPath)) : [uri];
    await this.#runAbout(await aboutFiles(uris));
  }

  /**
   * *Start from This Plan*
   * @param file by default the one in the editor
   * @throws ThoughtTreeError `damaged` saying what is wrong with the plan, and where
   */
  async runPlan(file: FileTarget | undefined): Promise<void> {
    const uri = file ? vscode.Uri.file(file.fsPath) : vscode.window.activeTextEditor?.document.uri;
    const kind = this.#descriptors.find(({ work }) => work)?.name;
    if (!uri || kind === undefined) return;
    const planned = await planIn(uri, kind, this.#parts.kinds);
    const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath;
    await this.#ask({ kind, folder, ...planned, isAsked: true, isAsPlanned: true });
  }

  /** Begins with a question about something; of the kind that was used last. */
  async #runAbout(about: About): Promise<void> {
    const { lastKind, typed } = this.#drafts;
    const known = this.#descriptors.find(({ name, work }) => name === lastKind && !work) ?? this.#descriptors[0];
    await this.#ask({ kind: known?.name, folder: about.folder, question: typed.question, about });
  }

  /** Begins with the question that the person wrote in an editor. */
  async runWritten(): Promise<void> {
    const document = writtenQuestion();
    const question = document?.getText().trim();
    if (!document || !question) throw new ThoughtTreeError('bad-input', say.questionNeeded());
    const draft = { ...this.#drafts.kept, question, isAsked: true };
    this.#drafts.keep(draft);
    if (await this.#ask(draft)) await closeQuestion(document);
  }

  get #descriptors(): KindDescriptor[] {
    return this.#parts.kinds.map(({ descriptor }) => descriptor);
  }

  /** Asks what is missing, and begins it; true if a search is there now. */
  async #ask(given: Draft): Promise<boolean> {
    const folders = workspaceFolders();
    const [only] = folders;
    if (!only) void vscode.window.showWarningMessage(vscode.l10n.t('Open a folder to search in it.'));
    if (!only) return false;
    const isThere = folders.some(({ uri }) => uri.fsPath === given.folder);
    const folder = isThere ? given.folder : folders.length === 1 ? only.uri.fsPath : undefined;
    const known = this.#descriptors.some(({ name }) => name === given.kind);
    const ownAnswers = await this.#ownAnswers(folder ?? only.uri.fsPath);
    const parts = this.#stepParts(folders, vscode.Uri.file(folder ?? only.uri.fsPath));
    const partsFor = (now: Draft): StepParts => ({
      ...parts,
      ownAnswers: now.kind === undefined ? [] : ownAnswers(now.kind),
    });
    const first: Draft = { ...given, folder, kind: known ? given.kind : undefined };
    const asked = first.isAsked ? await withGuesses(partsFor(first), first) : first;
    const draft = await walkSteps<Draft>(asked, (now) => startSteps(partsFor(now), now));
    return draft !== undefined && (await this.#begin(draft));
  }

  #stepParts(folders: readonly vscode.WorkspaceFolder[], scope: vscode.Uri): Omit<StepParts, 'ownAnswers'> {
    const { kinds, chooser } = this.#parts;
    // They are looked for while the person types, where no model was chosen.
    const found = settingsFor(scope).model === '' ? chooser.atHand(scope).catch(() => undefined) : undefined;
    return {
      kinds,
      descriptors: this.#descriptors,
      folders,
      memory: this.#drafts,
      chooser,
      atHand: async () => await Promise.race([found, sleep(LOOKED_FOR_MS, undefined, { ref: false })]),
      created: (draft) => newSearch(this.#parts.kinds, this.#beginningOf(draft)),
      forecast: (draft, size) => {
        const beginning = this.#beginningOf(draft);
        const describe = (name: string) => this.#parts.opener.describe(name, beginning.workspace);
        return forecastOf(kinds, withSize(beginning, size), describe);
      },
      limitsFor: (draft, forecast) => {
        const beginning = this.#beginningOf(draft);
        return limitsWithRoom(beginning.settings, forecast, ...modelsOf(beginning));
      },
      isFree: (draft) => {
        return modelsOf(this.#beginningOf(draft)).every(isFreeModel);
      },
    };
  }

  #beginningOf(draft: Draft): Beginning {
    const { folder = '', question = '', about, isAboutLeftOut, answers = [], more, record, plan, calls } = draft;
    const descriptor = this.#descriptors.find(({ name }) => name === draft.kind) as KindDescriptor;
    const settings = settingsFor(scopeOf(draft));
    const model = modelOf(draft, descriptor);
    const judge = judgeFor(model, draft.judge ?? settings.judgeModel);
    const goesAlong = about && !isAboutLeftOut;
    return {
      workspace: folder,
      descriptor,
      prompt: goesAlong ? `${question}\n\n${about.text}` : question,
      ...(goesAlong ? { title: `${titleFrom(question)} (${about.place})` } : {}),
      model,
      settings,
      choices: Object.assign({}, ...answers, more) as Choices,
      ...(judge ? { judge } : {}),
      ...(record === undefined ? {} : { record }),
      ...(plan === undefined ? {} : { plan: plan.text, expected: draft.expected }),
      ...(calls === undefined ? {} : { calls }),
    };
  }

  async #begin(draft: Draft): Promise<boolean> {
    this.#drafts.keep(draft);
    const asked = withSize(this.#beginningOf(draft), draft.size ?? 'medium');
    const begun = await beginningAt(asked.descriptor, vscode.Uri.file(asked.workspace), asked.settings.folder);
    if (!begun) return false;
    const beginning = { ...asked, choices: { ...asked.choices, ...begun } };
    let folder: string | undefined;
    try {
      folder = await this.#starter.start(beginning, { asks: true });
    } catch (error) {
      if (isThoughtTreeError(error, 'declined')) {
        tellDeclined(error);
        // A plan that is looked at first, or not begun for now: the question is there, in its search.
        const isThere = existsSync(join(placeOf(beginning).folder, 'search.json'));
        if (isThere) await this.#drafts.forget(draft);
        return isThere;
      }
      if (!isThoughtTreeError(error, 'exists')) throw error;
      folder = await this.#starter.askAboutExisting(beginning);
    }
    if (folder === undefined) return false;
    await this.#drafts.forget(draft);
    await showBegun(folder, this.#parts.views);
    return true;
  }

  /** Answers based on a person's own command and hooks, if their settings have them, by kind. */
  async #ownAnswers(workspace: string): Promise<(kind: string) => EditorAnswer[]> {
    const { checkCommand, hooks } = settingsFor(vscode.Uri.file(workspace));
    const names = new Map<string, string>();
    for (const { name: kind, traits } of this.#descriptors) {
      const name = traits.takesHooks ? await ownTaskName(this.#parts.kinds, kind, workspace) : undefined;
      if (name !== undefined) names.set(kind, name);
    }
    const takesHooks = new Set(
      this.#descriptors.filter((descriptor) => descriptor.traits.takesHooks).map(({ name }) => name),
    );
    const answer = (label: string, detail: string, task: string): EditorAnswer => ({ label, detail, sets: { task } });
    return (kind) => {
      const name = names.get(kind);
      if (!takesHooks.has(kind)) return [];
      return [
        ...(checkCommand.length > 0 && vscode.workspace.isTrusted
          ? [answer(vscode.l10n.t('What a command accepts'), checkCommand.join(' '), COMMAND_TASK)]
          : []),
        ...(name === undefined ? [] : [answer(name, hooks, name)]),
      ];
    };
  }

  /**
   * Begins a search without asking anything, except for what the person's own limits require; resolves once it runs.
   * @returns the search's folder
   * @throws ThoughtTreeError `bad-input`, `exists`, `unknown-model`, `declined` and other errors of opening a search
   */
  async begin(request: StartRequest): Promise<string> {
    return await this.#starter.start(beginningFor(request, this.#descriptors));
  }
}

/** Asks whether work begins with what is not committed, if anything is; undefined if the person cancels. */
async function beginningAt(
  { work, options }: KindDescriptor,
  folder: vscode.Uri,
  searches: string,
): Promise<Choices | undefined> {
  const option = work ? options.find(({ isOfUncommitted }) => isOfUncommitted) : undefined;
  if (!option) return {};
  const isTaken = await askUncommitted(await uncommittedIn(folder, searches));
  if (isTaken === undefined) return undefined;
  return isTaken ? { [option.name]: true } : {};
}

/** Declining is not an error. */
function tellDeclined(error: unknown): void {
  vscode.window.setStatusBarMessage(withoutLinks(messageText(toThoughtTreeError(error).say)), 8000);
}

/** The views of a search. */
export interface BegunViews {
  /** Selects its row in the sidebar, and opens it. */
  readonly reveal: (folder: string) => Promise<void>;
  /** Opens its drawing beside what the person is at. */
  readonly draw: (folder: string) => Promise<void>;
}

/** The number of times that a row is looked for, and the time between them, in milliseconds. */
const TRIES = 10;
const BETWEEN_MS = 100;

/** Shows a search that a person has just begun: its row in the sidebar and, by default, its drawing. */
export async function showBegun(folder: string, { reveal, draw }: BegunViews): Promise<void> {
  await vscode.commands.executeCommand('thoughtTree.searches.focus');
  if (opensDrawing()) await draw(folder);
  for (let tried = 1; tried <= TRIES; tried++) {
    try {
      return await reveal(folder);
    } catch {
      // The editor knows the row only once it has drawn the list again; until then it refuses.
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS));
    }
  }
}

const MOST_NAMED = 8;

/** Lists what is not committed in a folder besides its searches; nothing where the editor knows no repository. */
export async function uncommittedIn(folder: vscode.Uri, searches: string): Promise<string[]> {
  const isOurs = (path: string): boolean => path === searches || path.startsWith(`${searches}/`);
  return (await changedPaths(folder)).filter((path) => !isOurs(path));
}

/**
 * Asks whether work begins with what is not committed.
 * @returns undefined if the person cancels
 */
export async function askUncommitted(paths: readonly string[]): Promise<boolean | undefined> {
  if (paths.length === 0) return false;
  const more = paths.length - MOST_NAMED;
  const named = paths.slice(0, MOST_NAMED).map((path) => oneLine(path, 100));
  const list = named.join(', ');
  const detail = more > 0 ? vscode.l10n.t('{0} and {1} more', list, more) : list;
  const items = [
    { label: vscode.l10n.t('At the last commit'), detail: vscode.l10n.t('Without {0}', detail), value: false },
    { label: vscode.l10n.t('With what is not committed, too'), detail: vscode.l10n.t('With {0}', detail), value: true },
  ];
  const title = vscode.l10n.t('Where does the work begin?');
  return (await vscode.window.showQuickPick(items, { title, ignoreFocusOut: true }))?.value;
}

export interface StarterParts {
  readonly kinds: Kinds;
  readonly library: SearchLibrary;
  readonly runner: Pick<SearchRunner, 'run'>;
  /** The editor's memory of the workspace. */
  readonly memory: vscode.Memento;
}

/** Begins searches of which everything is known. */
export class SearchStarter {
  readonly #parts: StarterParts;

  constructor(parts: StarterParts) {
    this.#parts = parts;
  }

  /**
   * Begins it; resolves once it runs.
   * @param how its place, and whether a person is there to review it before it begins
   * @returns the search's folder
   * @throws ThoughtTreeError `bad-input`, `exists`, `unknown-model`, `declined` and other errors of opening a search
   */
  async start(
    beginning: Beginning,
    how: { readonly place?: Place; readonly number?: number; readonly asks?: boolean } = {},
  ): Promise<string> {
    const { model, judge, settings } = beginning;
    const { place = placeOf(beginning), number, asks = false } = how;
    await approveModels(this.#parts.memory, vscode.Uri.file(beginning.workspace), modelsOf(beginning));
    const create = await newSearch(this.#parts.kinds, beginning, number);
    const { concurrency, timeoutMs } = settings;
    const guards = limitsFor(settings, ...modelsOf(beginning));
    const { calls } = beginning;
    const limits = { guards: calls === undefined ? guards : { ...guards, calls } };
    const judging = judge ? { judge } : {};
    const { plan, record, expected } = beginning;
    const run = { place, model, ...judging, record, create, concurrency, timeoutMs, limits, plan, expected };
    await this.#parts.runner.run({ ...run, showsPlan: asks });
    return place.folder;
  }

  /** Asks what to do where the question was asked before: continue that search, show it if finished, or leave it. */
  async askAboutExisting(beginning: Beginning): Promise<string | undefined> {
    const { folder } = placeOf(beginning);
    const search = this.#parts.library.search(folder);
    await search?.read;
    const goOn = search?.isResumable ? vscode.l10n.t('Resume It') : vscode.l10n.t('Show It');
    const another = vscode.l10n.t('Start Another');
    const question = vscode.l10n.t('There is already a search for this question: "{0}".', basename(folder));
    const answer = await vscode.window.showWarningMessage(question, { modal: true }, goOn, another);
    if (answer === another) return await this.#startAnother(beginning);
    if (answer === undefined) return undefined;
    const command = search?.isResumable ? 'thoughtTree.resume' : 'thoughtTree.reveal';
    await vscode.commands.executeCommand(command, { folder, path: '' });
    return folder;
  }

  /** Begins it under the next free name. */
  async #startAnother(beginning: Beginning): Promise<string> {
    const taken = new Set<string>();
    for (let number = 2; ; number++) {
      taken.add(basename(placeOf(beginning, taken).folder));
      try {
        return await this.start(beginning, { place: placeOf(beginning, taken), number, asks: true });
      } catch (error) {
        if (!isThoughtTreeError(error, 'exists')) throw error;
      }
    }
  }
}

/** Returns all models that a search is begun with: those that share its work are among its choices. */
function modelsOf({ descriptor, model, judge, choices }: Beginning): string[] {
  const several = sharedBy(descriptor, { options: choices }).map(({ name }) => name);
  return [model, ...(judge === undefined ? [] : [judge]), ...several];
}

const AGREED = 'agreedModels';

/**
 * Asks once about models that the settings of the workspace name: these may have come with a clone.
 * @param memory of the workspace, kept by the editor
 * @throws ThoughtTreeError `declined` if the answer is no
 */
async function approveModels(memory: vscode.Memento, scope: vscode.Uri, used: readonly string[]): Promise<void> {
  const agreed = memory.get<readonly string[]>(AGREED) ?? [];
  const brought = broughtModels(scope).filter(
    (name) => used.includes(name) && !isFreeModel(name) && !agreed.includes(name),
  );
  const [model, judge] = brought;
  if (model === undefined) return;
  if (!(await agreesTo(model, judge))) throw new ThoughtTreeError('declined', modelNotUsed({ model }));
  await memory.update(AGREED, [...agreed, ...brought]);
}
