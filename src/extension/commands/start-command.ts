import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { Forecast } from '../../core/money/forecast.ts';
import { isThoughtTreeError, ThoughtTreeError, toThoughtTreeError } from '../../core/search/errors.ts';
import type { EditorAnswer, KindFace } from '../../core/search/kind-face.ts';
import type { Size } from '../../core/search/limits.ts';
import type { Kinds } from '../../engine/kind/kinds.ts';
import { FREE_MODEL, isFreeModel } from '../../searches/models/choose-model.ts';
import { type Place, placeFor, titleFrom } from '../../searches/place.ts';
import { translated } from '../kind-words.ts';
import type { SearchLibrary } from '../library/search-library.ts';
import type { SearchRunner } from '../library/search-runner.ts';
import { loadSearches } from '../load-searches.ts';
import { messageText } from '../message-text.ts';
import * as say from '../messages.ts';
import type { ModelChooser } from '../models/model-chooser.ts';
import type { ModelOpener } from '../models/model-opener.ts';
import { guardsFor, type Settings, settingsFor } from '../settings.ts';
import { withoutLinks } from '../without-links.ts';
import { askUncommitted, uncommittedIn } from '../work/uncommitted.ts';
import { approveModels } from './approve-models.ts';
import { askGoal } from './ask-goal.ts';
import { type Beginning, newSearch } from './new-search.ts';
import { askKind, askOptions, askSize, type Choices } from './start-questions.ts';
import { COMMAND_TASK, ownTaskName } from './task-hooks.ts';

const LAST_QUESTION = 'lastQuestion';
const LAST_KIND = 'lastKind';

/** What a search begins with, given in advance; anything left out comes from the settings. */
export interface StartRequest {
  readonly prompt: string;
  /** The name of a kind; by default the first one. */
  readonly kind?: string;
  /** `provider/model`, as in `workspace/quotes` or `vscode/gpt-5-mini`. */
  readonly model?: string;
  /** The model that picks and scores. */
  readonly judge?: string;
  /** The path of a folder of the workspace; by default the first one. */
  readonly folder?: string;
  readonly size?: Settings['size'];
  /** Options of its kind by name. */
  readonly options?: Choices;
  /** The same individually, as version 0.1 had `preset` and `task`. */
  readonly [option: string]: unknown;
}

/** What *Start Tree Search* works with. */
interface StartParts {
  readonly kinds: Kinds;
  readonly library: SearchLibrary;
  readonly runner: Pick<SearchRunner, 'run'>;
  readonly chooser: Pick<ModelChooser, 'choose'>;
  readonly opener: Pick<ModelOpener, 'describe'>;
  readonly memory: vscode.Memento;
}

/** *Start Tree Search*: asks for the question, and for the rest only if necessary. */
export class StartCommand {
  readonly #parts: StartParts;

  constructor(parts: StartParts) {
    this.#parts = parts;
  }

  /** @param kind by default the person chooses one */
  async run(kind?: string): Promise<void> {
    const folder = await chooseFolder();
    if (!folder) return;
    const { memory, kinds } = this.#parts;
    const known = this.#faces.find(({ name }) => name === kind);
    const face = known ?? (await askKind(this.#faces, memory.get<string>(LAST_KIND)));
    const told = face && (face.takesWork ? await askGoal(face, kinds) : await this.#askQuestion(face));
    if (!face || told === undefined) return;
    const { prompt, plan } = typeof told === 'string' ? { prompt: told } : told;
    const rest = await this.#askRest(folder, face, prompt);
    if (!rest) return;
    const asked = plan === undefined ? rest : { ...rest, plan };
    await memory.update(LAST_QUESTION, prompt);
    await memory.update(LAST_KIND, face.name);
    try {
      await this.#start(asked, { asks: true });
    } catch (error) {
      if (isThoughtTreeError(error, 'declined')) return tellDeclined(error);
      if (!isThoughtTreeError(error, 'exists')) throw error;
      await this.#askAboutExisting(asked);
    }
    await vscode.commands.executeCommand('thoughtTree.searches.focus');
  }

  get #faces(): KindFace[] {
    return this.#parts.kinds.map(({ face }) => face);
  }

  /** The options, the model and the size, each asked only if unknown. */
  async #askRest(folder: vscode.WorkspaceFolder, face: KindFace, prompt: string): Promise<Beginning | undefined> {
    const settings = settingsFor(folder.uri);
    const { needsProse = false } = face;
    const choices = await askOptions(face, await this.#ownAnswers(face, settings, folder.uri.fsPath));
    if (!choices) return undefined;
    const begun = await beginningAt(face, folder.uri, settings.folder);
    if (!begun) return undefined;
    const known = needsProse && settings.model === FREE_MODEL ? '' : settings.model;
    const model = known || (await this.#parts.chooser.choose(folder.uri, needsProse));
    if (!model) return undefined;
    const workspace = folder.uri.fsPath;
    const judge = judgeFor(model, settings.judgeModel);
    const beginning = {
      workspace,
      face,
      prompt,
      model,
      settings,
      choices: { ...choices, ...begun },
      ...(judge ? { judge } : {}),
    };
    // A free search needs no question about its size: it can be grown at any time.
    if (isFreeModel(model) && !judge) return beginning;
    const size = await askSize(settings.size, (each) => this.#forecast(withSize(beginning, each)));
    return size && withSize(beginning, size);
  }

  /** Answers based on a person's own command and hooks, if their settings have them. */
  async #ownAnswers(face: KindFace, { checkCommand, hooks }: Settings, workspace: string): Promise<EditorAnswer[]> {
    if (!face.takesHooks) return [];
    const name = await ownTaskName(this.#parts.kinds, face.name, workspace);
    const answer = (label: string, detail: string, task: string): EditorAnswer => ({ label, detail, sets: { task } });
    return [
      ...(checkCommand.length > 0 && vscode.workspace.isTrusted
        ? [answer(vscode.l10n.t('What a command accepts'), checkCommand.join(' '), COMMAND_TASK)]
        : []),
      ...(name === undefined ? [] : [answer(name, hooks, name)]),
    ];
  }

  /** The forecast of a search; undefined if it has no foreseeable end. */
  async #forecast(beginning: Beginning): Promise<Forecast | undefined> {
    const { workspace, model, judge, face, settings } = beginning;
    if (face.isUnforeseeable && settings.size === 'all') return undefined;
    const searches = await loadSearches();
    const { opener, kinds } = this.#parts;
    const described = await opener.describe(model, workspace);
    const judging = judge === undefined ? undefined : await opener.describe(judge, workspace);
    const create = await newSearch(kinds, beginning);
    const place = placeOf(beginning);
    const limits = { guards: settings.guards };
    return (await searches.forecast({ kinds, place, create, limits, model: described, judge: judging })).left;
  }

  /**
   * Begins a search without asking anything, except for what the person's own limits require; resolves once it runs.
   * @returns the search's folder
   * @throws ThoughtTreeError `bad-input`, `exists`, `unknown-model`, `declined` and other errors of opening a search
   */
  async begin({ prompt, model, judge, folder, size, kind, options, ...single }: StartRequest): Promise<string> {
    // As a `Uri` writes it: with the drive letter in lower case.
    const path = folder === undefined ? undefined : vscode.Uri.file(folder).fsPath;
    const found = workspaceFolders().find(({ uri }) => path === undefined || uri.fsPath === path);
    if (!found) throw new ThoughtTreeError('bad-input', say.folderNeeded());
    if (prompt.trim() === '') throw new ThoughtTreeError('bad-input', say.questionNeeded());
    const face = kind === undefined ? this.#faces[0] : this.#faces.find((each) => each.name === kind);
    if (!face) throw new ThoughtTreeError('bad-input', say.noSuchKind({ kind: kind ?? '' }));
    const settings = settingsFor(found.uri);
    const name = model ?? settings.model;
    if (name === '') throw new ThoughtTreeError('bad-input', say.modelNeeded());
    const judging = judgeFor(name, judge ?? settings.judgeModel);
    return this.#start({
      workspace: found.uri.fsPath,
      face,
      prompt: prompt.trim(),
      model: name,
      settings: { ...settings, ...(size ? { size } : {}) },
      ...(judging ? { judge: judging } : {}),
      choices: { ...choicesIn(single, face), ...options },
    });
  }

  /** The same question was asked before: continue that search, show it if it is finished, or leave it. */
  async #askAboutExisting(beginning: Beginning): Promise<void> {
    const { folder } = placeOf(beginning);
    const search = this.#parts.library.search(folder);
    await search?.read;
    const goOn = search?.isResumable ? vscode.l10n.t('Resume It') : vscode.l10n.t('Show It');
    const another = vscode.l10n.t('Start Another');
    const question = vscode.l10n.t('There is already a search for this question: "{0}".', basename(folder));
    const answer = await vscode.window.showWarningMessage(question, { modal: true }, goOn, another);
    if (answer === another) await this.#startAnother(beginning);
    else if (answer !== undefined)
      await vscode.commands.executeCommand(search?.isResumable ? 'thoughtTree.resume' : 'thoughtTree.reveal', {
        folder,
        path: '',
      });
  }

  /** Begins it under the next free name. */
  async #startAnother(beginning: Beginning): Promise<void> {
    const taken = new Set<string>();
    for (let number = 2; ; number++) {
      taken.add(basename(placeOf(beginning, taken).folder));
      try {
        await this.#start(beginning, { place: placeOf(beginning, taken), number, asks: true });
        return;
      } catch (error) {
        if (!isThoughtTreeError(error, 'exists')) throw error;
      }
    }
  }

  async #askQuestion({ words }: KindFace): Promise<string | undefined> {
    const answer = await vscode.window.showInputBox({
      title: vscode.l10n.t('Start Tree Search'),
      prompt: translated(words.question),
      placeHolder: this.#parts.memory.get<string>(LAST_QUESTION) ?? translated(words.example),
      ignoreFocusOut: true,
      validateInput: (text) => (text.trim() === '' ? vscode.l10n.t('Ask a question.') : undefined),
    });
    return answer?.trim();
  }

  /** @param how its place, and whether a person is there to review it before it begins */
  async #start(
    beginning: Beginning,
    how: { readonly place?: Place; readonly number?: number; readonly asks?: boolean } = {},
  ): Promise<string> {
    const { model, judge, settings } = beginning;
    const { place = placeOf(beginning), number, asks = false } = how;
    await approveModels(this.#parts.memory, vscode.Uri.file(beginning.workspace), [model, judge]);
    const create = await newSearch(this.#parts.kinds, beginning, number);
    const { concurrency, timeoutMs } = settings;
    const limits = { guards: guardsFor(settings, model, judge) };
    const judging = judge ? { judge } : {};
    const { plan } = beginning;
    const run = { place, model, ...judging, create, concurrency, timeoutMs, limits, plan, showsPlan: asks };
    await this.#parts.runner.run(run);
    return place.folder;
  }
}

/** The fields of a request that are options of the kind. */
function choicesIn(single: Readonly<Record<string, unknown>>, { options }: KindFace): Choices {
  const given = options.flatMap(({ name }) => (single[name] === undefined ? [] : [[name, single[name]]]));
  return Object.fromEntries(given) as Choices;
}

function placeOf({ workspace, prompt, settings }: Beginning, taken?: ReadonlySet<string>): Place {
  return placeFor(workspace, titleFrom(prompt), undefined, settings.folder, taken);
}

function withSize(beginning: Beginning, size: Size): Beginning {
  return { ...beginning, settings: { ...beginning.settings, size } };
}

/** The judge: none for a free search. */
function judgeFor(model: string, judge: string): string | undefined {
  return judge === '' || judge === model || isFreeModel(model) || judge === FREE_MODEL ? undefined : judge;
}

/** Whether work begins with what is not committed: asked where there is something; undefined if the person cancels. */
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

function workspaceFolders(): readonly vscode.WorkspaceFolder[] {
  return (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
}

async function chooseFolder(): Promise<vscode.WorkspaceFolder | undefined> {
  const folders = workspaceFolders();
  if (folders.length > 1)
    return vscode.window.showWorkspaceFolderPick({ placeHolder: vscode.l10n.t('Which folder is the question about?') });
  if (folders.length === 0) void vscode.window.showWarningMessage(vscode.l10n.t('Open a folder to search in it.'));
  return folders[0];
}

/** Declining is not an error. */
function tellDeclined(error: unknown): void {
  vscode.window.setStatusBarMessage(withoutLinks(messageText(toThoughtTreeError(error).say)), 8000);
}
