import type { Memento } from 'vscode';
import * as vscode from 'vscode';
import type { Size } from '../../core/search/limits.ts';
import type { About } from './about.ts';
import type { PlanInFile } from './plan-in-file.ts';
import type { Choices } from './start-questions.ts';

const DRAFT = 'draft';
const LAST_KIND = 'lastKind';

/** The answers of a person so far for a search that has not begun. */
export interface Draft {
  /** The workspace folder it is about, as a path. */
  readonly folder?: string | undefined;
  /** The name of its kind. */
  readonly kind?: string | undefined;
  /** True if nobody chose the kind: another question may be for another one. */
  readonly isKindGuessed?: boolean;
  /** As typed so far; may have several lines. */
  readonly question?: string | undefined;
  /** True if that is the question, and not only what was typed of it. */
  readonly isAsked?: boolean;
  /** The lines or the file that it is about, if it is. */
  readonly about?: About | undefined;
  /** True if these go along. */
  readonly isAboutLeftOut?: boolean;
  /** The plan that it begins with. */
  readonly plan?: PlanInFile | undefined;
  /** True if it begins as the plan says: what else could be chosen is not asked. */
  readonly isAsPlanned?: boolean;
  /** Its model and its forecast, if nobody saw them in the list of sizes. */
  readonly expected?: string;
  /** The options of its kind that were asked for, by question. */
  readonly answers?: readonly Choices[] | undefined;
  /** Further options of its kind, which nobody is asked about unless they want to be. */
  readonly more?: Choices | undefined;
  /** The model that picks and scores, if not the one of the settings; empty for the same model. */
  readonly judge?: string | undefined;
  /** The file that gets every request and answer. */
  readonly record?: string | undefined;
  /** Its model, if not the one of the settings. */
  readonly model?: string | undefined;
  /** True if nobody chose that: it is the only one at hand. */
  readonly isModelFound?: boolean;
  readonly size?: Size | undefined;
  /** The calls it may make, if the size allows more than usual. */
  readonly calls?: number | undefined;
}

/** The part that is kept: what was typed, and what it is about. */
type Kept = Pick<Draft, 'folder' | 'kind' | 'question' | 'about'>;

/**
 * Keeps a question that was typed until it is a search: through Escape, a reload of the window, and a start that failed.
 * In the editor's own memory of the workspace.
 */
export class DraftMemory {
  readonly #memory: Memento;

  constructor(memory: Memento) {
    this.#memory = memory;
  }

  get kept(): Kept {
    return this.#memory.get<Kept>(DRAFT) ?? {};
  }

  /** Returns the draft with which a new start begins: empty if nothing was typed. */
  get typed(): Kept {
    return this.kept.question?.trim() ? this.kept : {};
  }

  /** The kind of the search that was begun last. */
  get lastKind(): string | undefined {
    return this.#memory.get<string>(LAST_KIND);
  }

  keep({ folder, kind: known, isKindGuessed, question, about }: Draft): void {
    const kind = isKindGuessed ? undefined : known;
    void this.#memory.update(DRAFT, { folder, kind, question, about } satisfies Kept);
  }

  /** It has begun. */
  async forget({ kind }: Draft): Promise<void> {
    await this.#memory.update(DRAFT, undefined);
    await this.#memory.update(LAST_KIND, kind);
  }
}

/**
 * The language of documents in which a question is written: by it the editor knows where to offer *Start Tree Search*, also
 * after a reload of the window, which keeps what was written there as it keeps every unsaved document.
 */
const QUESTION_LANGUAGE = 'thoughtTreeQuestion';

/** Shows the editor for a question of several lines, with what was typed so far. */
export async function openQuestionEditor(content: string): Promise<void> {
  const open = vscode.workspace.textDocuments.find(
    (each) => each.languageId === QUESTION_LANGUAGE && !each.isClosed && each.getText().trim() === content.trim(),
  );
  const document = open ?? (await vscode.workspace.openTextDocument({ language: QUESTION_LANGUAGE, content }));
  const { end } = document.lineAt(document.lineCount - 1).range;
  // Set as it opens: what is typed at once goes on where the person was.
  await vscode.window.showTextDocument(document, { preview: false, selection: new vscode.Range(end, end) });
}

/** Tells what is written in editors for questions: they can be closed without saving. */
export function whenWritten(tell: (question: string) => void): vscode.Disposable {
  return vscode.workspace.onDidChangeTextDocument(({ document }) => {
    // Closing one empties it.
    if (document.languageId === QUESTION_LANGUAGE && document.getText() !== '') tell(document.getText());
  });
}

/** Says above the first line what the editor is for, and begins from there. */
export function offerStart(): vscode.Disposable {
  const command = {
    title: `$(play) ${vscode.l10n.t('Start Tree Search with this question')}`,
    command: 'thoughtTree.startWritten',
  };
  const provideCodeLenses = (): vscode.CodeLens[] => [new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), command)];
  return vscode.languages.registerCodeLensProvider({ language: QUESTION_LANGUAGE }, { provideCodeLenses });
}

/** Returns the question in the editor that the person is in; undefined if it is another one. */
export function writtenQuestion(): vscode.TextDocument | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document?.languageId === QUESTION_LANGUAGE ? document : undefined;
}

/** Closes the editor of a question that is a search now; what was written is its prompt. */
export async function closeQuestion(document: vscode.TextDocument): Promise<void> {
  if (document.isClosed || !document.isUntitled) return;
  await vscode.window.showTextDocument(document);
  await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
}
