import type * as vscode from 'vscode';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { isFreeModel } from '../../searches/models/choose-model.ts';
import { modelNotUsed } from '../messages.ts';
import { agreesTo } from '../models/model-opener.ts';
import { broughtModels } from '../settings.ts';

const AGREED = 'agreedModels';

/**
 * Asks once about models that the settings of the workspace name: these may have come with a clone.
 * @param memory of the workspace, kept by the editor
 * @throws ThoughtTreeError `declined` if the answer is no
 */
export async function approveModels(
  memory: vscode.Memento,
  scope: vscode.Uri,
  used: readonly (string | undefined)[],
): Promise<void> {
  const agreed = memory.get<readonly string[]>(AGREED) ?? [];
  const brought = broughtModels(scope).filter(
    (name) => used.includes(name) && !isFreeModel(name) && !agreed.includes(name),
  );
  const [model, judge] = brought;
  if (model === undefined) return;
  if (!(await agreesTo(model, judge))) throw new ThoughtTreeError('declined', modelNotUsed({ model }));
  await memory.update(AGREED, [...agreed, ...brought]);
}
