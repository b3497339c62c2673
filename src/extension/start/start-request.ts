import * as vscode from 'vscode';
import type { KindDescriptor } from '../../core/kind/kind-descriptor.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { FREE_MODEL, isFreeModel } from '../../searches/models/choose-model.ts';
import * as say from '../messages.ts';
import { type Settings, settingsFor } from '../settings.ts';
import type { Beginning } from './new-search.ts';
import type { Choices } from './start-questions.ts';

/** The answers with which a search begins, given in advance; anything left out comes from the settings. */
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
}

/**
 * Returns what a search begins with by a request, and where that says nothing, by the settings.
 * @throws ThoughtTreeError `bad-input`
 */
export function beginningFor(
  { prompt, model, judge, folder, size, kind, options }: StartRequest,
  descriptors: readonly KindDescriptor[],
): Beginning {
  // As a `Uri` writes it: with the drive letter in lower case.
  const path = folder === undefined ? undefined : vscode.Uri.file(folder).fsPath;
  const found = workspaceFolders().find(({ uri }) => path === undefined || uri.fsPath === path);
  if (!found) throw new ThoughtTreeError('bad-input', say.folderNeeded());
  if (prompt.trim() === '') throw new ThoughtTreeError('bad-input', say.questionNeeded());
  const descriptor = kind === undefined ? descriptors[0] : descriptors.find((each) => each.name === kind);
  if (!descriptor) throw new ThoughtTreeError('bad-input', say.noSuchKind({ kind: kind ?? '' }));
  const settings = settingsFor(found.uri);
  const name = model ?? settings.model;
  if (name === '') throw new ThoughtTreeError('bad-input', say.modelNeeded());
  const judging = judgeFor(name, judge ?? settings.judgeModel);
  return {
    workspace: found.uri.fsPath,
    descriptor,
    prompt: prompt.trim(),
    model: name,
    settings: { ...settings, ...(size ? { size } : {}) },
    ...(judging ? { judge: judging } : {}),
    choices: { ...options },
  };
}

/** Returns the folders of the workspace that are on the disk. */
export function workspaceFolders(): readonly vscode.WorkspaceFolder[] {
  return (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
}

/** Returns the judge: none for a free search. */
export function judgeFor(model: string, judge: string): string | undefined {
  return judge === '' || judge === model || isFreeModel(model) || judge === FREE_MODEL ? undefined : judge;
}
