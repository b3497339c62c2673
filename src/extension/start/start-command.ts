import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { EditorAnswer, KindFace } from '../../core/kind/kind-face.ts';
import type { Forecast } from '../../core/money/forecast.ts';
import { isThoughtTreeError, ThoughtTreeError, toThoughtTreeError } from '../../core/search/errors.ts';
import type { Size } from '../../core/search/limits.ts';
import { isFreeModel } from '../../searches/models/choose-model.ts';
import { titleFrom } from '../../searches/place.ts';
import type { FileTarget } from '../commands/command-table.ts';
import { COMMAND_TASK, ownTaskName } from '../commands/task-hooks.ts';
import { loadSearches } from '../load-searches.ts';
import { messageText } from '../message-text.ts';
import * as say from '../messages.ts';
import type { ModelChooser } from '../models/model-chooser.ts';
import type { ModelOpener } from '../models/model-opener.ts';
import { guardsWithRoom, settingsFor } from '../settings.ts';
import { withoutLinks } from '../without-links.ts';
import { askUncommitted, uncommittedIn } from '../work/uncommitted.ts';
import { type About, aboutFiles, aboutSelection } from './about.ts';
import { type Beginning, newSearch } from './new-search.ts';
import { closeQuestion, offerStart, whenWritten, writtenQuestion } from './question-editor.ts';
import { placeOf, SearchStarter, type StarterParts } from './search-starter.ts';
import { type BegunViews, showBegun } from './show-begun.ts';
import { UNLIMITED } from './sizes.ts';
import { type Draft, DraftMemory } from './start-draft.ts';
import type { Choices } from './start-questions.ts';
import { beginningFor, judgeFor, type StartRequest, workspaceFolders } from './start-request.ts';
import { modelOf, type StepParts, scopeOf, startSteps } from './start-steps.ts';
import { walkSteps } from './walk-steps.ts';

interface StartParts extends StarterParts {
  readonly chooser: Pick<ModelChooser, 'chooseAt' | 'test'>;
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

  /** @param kind by default the person chooses one */
  async run(kind?: string): Promise<void> {
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
   * *Ask About This File*, *Ask About This Folder*
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

  /** Begins with a question about something; of the kind that was used last. */
  async #runAbout(about: About): Promise<void> {
    const { lastKind, typed } = this.#drafts;
    const known = this.#faces.find(({ name, takesWork }) => name === lastKind && !takesWork) ?? this.#faces[0];
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

  get #faces(): KindFace[] {
    return this.#parts.kinds.map(({ face }) => face);
  }

  /** Asks what is missing, and begins it; true if a search is there now. */
  async #ask(given: Draft): Promise<boolean> {
    const folders = workspaceFolders();
    const [only] = folders;
    if (!only) void vscode.window.showWarningMessage(vscode.l10n.t('Open a folder to search in it.'));
    if (!only) return false;
    const isThere = folders.some(({ uri }) => uri.fsPath === given.folder);
    const folder = isThere ? given.folder : folders.length === 1 ? only.uri.fsPath : undefined;
    const known = this.#faces.some(({ name }) => name === given.kind);
    const ownAnswers = await this.#ownAnswers(folder ?? only.uri.fsPath);
    const draft = await walkSteps<Draft>({ ...given, folder, kind: known ? given.kind : undefined }, (now) =>
      startSteps({ ...this.#stepParts(folders), ownAnswers: now.kind === undefined ? [] : ownAnswers(now.kind) }, now),
    );
    return draft !== undefined && (await this.#begin(draft));
  }

  #stepParts(folders: readonly vscode.WorkspaceFolder[]): Omit<StepParts, 'ownAnswers'> {
    const { kinds, chooser } = this.#parts;
    return {
      kinds,
      faces: this.#faces,
      folders,
      memory: this.#drafts,
      chooser,
      forecast: (draft, size) => this.#forecast(withSize(this.#beginningOf(draft), size)),
      guardsFor: (draft, forecast) => {
        const { settings, model, judge } = this.#beginningOf(draft);
        return guardsWithRoom(settings, forecast, model, judge);
      },
      isFree: (draft) => {
        const { model, judge } = this.#beginningOf(draft);
        return isFreeModel(model) && judge === undefined;
      },
    };
  }

  #beginningOf(draft: Draft): Beginning {
    const { folder = '', question = '', about, isAboutLeftOut, answers = [], plan, calls } = draft;
    const face = this.#faces.find(({ name }) => name === draft.kind) as KindFace;
    const settings = settingsFor(scopeOf(draft));
    const model = modelOf(draft, face);
    const judge = judgeFor(model, settings.judgeModel);
    const goesAlong = about && !isAboutLeftOut;
    return {
      workspace: folder,
      face,
      prompt: goesAlong ? `${question}\n\n${about.text}` : question,
      ...(goesAlong ? { title: `${titleFrom(question)} (${about.place})` } : {}),
      model,
      settings,
      choices: Object.assign({}, ...answers) as Choices,
      ...(judge ? { judge } : {}),
      ...(plan === undefined ? {} : { plan }),
      ...(calls === undefined ? {} : { calls }),
    };
  }

  async #begin(draft: Draft): Promise<boolean> {
    this.#drafts.keep(draft);
    const asked = withSize(this.#beginningOf(draft), draft.size ?? 'medium');
    const begun = await beginningAt(asked.face, vscode.Uri.file(asked.workspace), asked.settings.folder);
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
    for (const { name: kind, takesHooks } of this.#faces) {
      const name = takesHooks ? await ownTaskName(this.#parts.kinds, kind, workspace) : undefined;
      if (name !== undefined) names.set(kind, name);
    }
    const takesHooks = new Set(this.#faces.filter((face) => face.takesHooks).map(({ name }) => name));
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

  /** The forecast of a search; undefined if it has no foreseeable end. */
  async #forecast(beginning: Beginning): Promise<Forecast | undefined> {
    const { workspace, model, judge, face, settings } = beginning;
    if (face.isUnforeseeable && settings.size === 'all') return undefined;
    // The limits are told beside the forecast.
    const searches = await loadSearches();
    const { opener, kinds } = this.#parts;
    const described = await opener.describe(model, workspace);
    const judging = judge === undefined ? undefined : await opener.describe(judge, workspace);
    const create = await newSearch(kinds, beginning);
    const place = placeOf(beginning);
    const limits = { guards: UNLIMITED };
    return (await searches.forecast({ kinds, place, create, limits, model: described, judge: judging })).left;
  }

  /**
   * Begins a search without asking anything, except for what the person's own limits require; resolves once it runs.
   * @returns the search's folder
   * @throws ThoughtTreeError `bad-input`, `exists`, `unknown-model`, `declined` and other errors of opening a search
   */
  async begin(request: StartRequest): Promise<string> {
    return await this.#starter.start(beginningFor(request, this.#faces));
  }
}

function withSize(beginning: Beginning, size: Size): Beginning {
  return { ...beginning, settings: { ...beginning.settings, size } };
}

/** Asks whether work begins with what is not committed, if anything is; undefined if the person cancels. */
async function beginningAt(
  { takesWork, options }: KindFace,
  folder: vscode.Uri,
  searches: string,
): Promise<Choices | undefined> {
  const option = takesWork ? options.find(({ isOfUncommitted }) => isOfUncommitted) : undefined;
  if (!option) return {};
  const isTaken = await askUncommitted(await uncommittedIn(folder, searches));
  if (isTaken === undefined) return undefined;
  return isTaken ? { [option.name]: true } : {};
}

/** Declining is not an error. */
function tellDeclined(error: unknown): void {
  vscode.window.setStatusBarMessage(withoutLinks(messageText(toThoughtTreeError(error).say)), 8000);
}
