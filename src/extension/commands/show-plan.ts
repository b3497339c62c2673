import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Store } from '../../core/ports/store.ts';
import { ThoughtTreeError, toThoughtTreeError } from '../../core/search/errors.ts';
import type { Decomposition } from '../../core/search/thought-messages.ts';
import { oneLine } from '../../core/text/text.ts';
import type { Search } from '../../engine/search.ts';
import { withoutLinks } from '../without-links.ts';

/**
 * Has a problem taken apart where a model does that, and waits for a person who may change what came of it.
 * @param folder the search's own
 * @throws ThoughtTreeError `declined` where the person does not want it begun, and what a call of the model throws
 */
export async function showPlan(search: Search, store: Store, folder: string): Promise<void> {
  const shown = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<never>();
  const preparing = search.prepare(async (plan) => {
    shown.resolve();
    return askAbout(plan, store, folder);
  });
  // Whoever stops it does not wait for the call that is under way, nor for what it ends with.
  preparing.catch(() => undefined);
  const title = vscode.l10n.t('Taking the problem apart');
  const location = vscode.ProgressLocation.Notification;
  const over = Promise.race([shown.promise, preparing, stopped.promise]);
  over.catch(() => undefined);
  void vscode.window.withProgress({ location, title, cancellable: true }, async (_progress, token) => {
    token.onCancellationRequested(() => stopped.reject(notBegun()));
    await over.catch(() => undefined);
  });
  await Promise.race([preparing, stopped.promise]);
}

async function askAbout(plan: Decomposition, store: Store, folder: string): Promise<Decomposition> {
  const start = vscode.l10n.t('Start');
  const edit = vscode.l10n.t('Edit First');
  const question = vscode.l10n.t('This is how the problem was taken apart.');
  const answer = await vscode.window.showInformationMessage(
    question,
    { modal: true, detail: textOf(plan) },
    start,
    edit,
  );
  if (answer === start) return plan;
  if (answer !== edit) throw notBegun();
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(join(folder, 'decomposition.json')));
  await vscode.window.showTextDocument(document);
  const { searches } = await import('../../searches/searches.ts');
  let text = vscode.l10n.t('Change decomposition.json as you like. The search begins when you say so.');
  for (;;) {
    if ((await vscode.window.showInformationMessage(withoutLinks(text), start, vscode.l10n.t('Not Now'))) !== start)
      throw notBegun();
    await document.save();
    try {
      return searches.checkPlan((await store.readDecomposition()) ?? plan);
    } catch (error) {
      text = toThoughtTreeError(error).message;
    }
  }
}

function textOf(plan: Decomposition): string {
  const { thought_granularity, intermediate_steps, depth_estimate, constraints, success_criteria } = plan;
  return [
    vscode.l10n.t('One thought is: {0}', thought_granularity),
    ...intermediate_steps.map((step, index) => `${index + 1}. ${step}`),
    vscode.l10n.t('Steps to a solution: about {0}', depth_estimate),
    ...constraints.map((constraint) => vscode.l10n.t('Has to hold: {0}', constraint)),
    vscode.l10n.t('Solved when: {0}', success_criteria),
  ]
    .map((line) => oneLine(line, 300))
    .join('\n');
}

function notBegun(): ThoughtTreeError {
  return new ThoughtTreeError('declined', vscode.l10n.t('The search is not begun. Resume begins it.'));
}
