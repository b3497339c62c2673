import { join } from 'node:path';
import * as vscode from 'vscode';
import { ThoughtTreeError, toThoughtTreeError } from '../../core/search/errors.ts';
import type { KindWords } from '../../core/search/kind-face.ts';
import { oneLine } from '../../core/text/text.ts';
import type { Plan } from '../../engine/kind/kind.ts';
import type { Search } from '../../engine/search.ts';
import { translated } from '../kind-words.ts';
import { messageText } from '../message-text.ts';
import { resumeBegins } from '../messages.ts';
import { withoutLinks } from '../without-links.ts';

/** The most lines of a plan that a dialog shows. */
const MOST_LINES = 25;

/**
 * Makes the plan of a search, if its kind has one, and waits for a person who may edit it.
 * @param folder the search's own
 * @throws ThoughtTreeError `declined` if the person does not want it begun, and errors of the model's call
 */
export async function showPlan(
  search: Pick<Search, 'prepare' | 'file'>,
  folder: string,
  words: KindWords,
): Promise<void> {
  const shown = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<never>();
  const preparing = search.prepare(async (plan) => {
    shown.resolve();
    const about = `"${oneLine(search.file.title, 100)}": ${translated(words.planned ?? '')}`;
    await askAbout(plan, folder, about);
  });
  // After a stop, nobody waits for the current call, nor for its result.
  preparing.catch(() => undefined);
  const title = translated(words.planning ?? '');
  const location = vscode.ProgressLocation.Notification;
  const over = Promise.race([shown.promise, preparing, stopped.promise]);
  over.catch(() => undefined);
  void vscode.window.withProgress({ location, title, cancellable: true }, async (_progress, token) => {
    token.onCancellationRequested(() => stopped.reject(notBegun()));
    await over.catch(() => undefined);
  });
  await Promise.race([preparing, stopped.promise]);
}

/** A short plan is shown as it is; a long one, or one that runs commands, in its file, where it can be changed. */
async function askAbout(plan: Plan, folder: string, question: string): Promise<void> {
  if (plan.commands !== undefined || plan.lines.length > MOST_LINES) return await askWithFile(plan, folder, question);
  const start = vscode.l10n.t('Start');
  const edit = vscode.l10n.t('Edit First');
  const answer = await vscode.window.showInformationMessage(
    question,
    { modal: true, detail: textOf(plan) },
    start,
    edit,
  );
  if (answer === start) return;
  if (answer !== edit) throw notBegun();
  await askWithFile(plan, folder, question);
}

/** Shows the plan's file, and begins once the person confirms and the file can be read. */
async function askWithFile(plan: Plan, folder: string, question: string): Promise<void> {
  const start = vscode.l10n.t('Start');
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(join(folder, plan.file)));
  await vscode.window.showTextDocument(document);
  const edit = vscode.l10n.t('You can edit {0}. The search begins when you confirm.', plan.file);
  let text = [question, edit].filter(Boolean).join(' ');
  for (;;) {
    if ((await vscode.window.showInformationMessage(withoutLinks(text), start, vscode.l10n.t('Not Now'))) !== start)
      throw notBegun();
    await document.save();
    try {
      return await plan.check();
    } catch (error) {
      text = messageText(toThoughtTreeError(error).say);
    }
  }
}

function textOf({ lines }: Plan): string {
  return lines.map((line) => oneLine(messageText(line), 300)).join('\n');
}

function notBegun(): ThoughtTreeError {
  return new ThoughtTreeError('declined', resumeBegins());
}
