import { join } from 'node:path';
import * as vscode from 'vscode';
import type { KindTerms } from '../../core/kind/kind-descriptor.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import type { Plan } from '../../engine/kind.ts';
import type { Search } from '../../engine/search.ts';
import { showText } from '../documents/open-document.ts';
import type { Beginning } from '../library/beginning.ts';
import { messageText, translated, withoutLinks } from '../message-text.ts';
import { planOpen, resumeBegins } from '../messages.ts';

/** The most lines of a plan that a dialog shows. */
const MOST_LINES = 25;

interface Planning {
  readonly search: Pick<Search, 'prepare' | 'file'>;
  readonly beginning: Pick<Beginning, 'stop' | 'stopped'>;
  readonly words: KindTerms;
}

/** Loaded with the first plan. */
export const plans = { prepare, open };

/**
 * Makes the plan of a search, if its kind has one, and asks a person about it; one that they looked at before is only checked,
 * and so is one of their own: they are asked about its commands, if it has any, and otherwise about all of it.
 * @returns the plan's file, if they want to edit it first
 * @throws ThoughtTreeError `declined` if they do not want it begun, and errors of the model's call and the plan's file
 */
async function prepare(planning: Planning, isNew: boolean, isOwn = false): Promise<string | undefined> {
  const { search, words } = planning;
  const question = `"${oneLine(search.file.title, 100)}": ${translated(words.planned ?? '')}`;
  let toEdit: string | undefined;
  try {
    await prepared(planning, async (plan) => {
      if (!isNew || (isOwn && plan.commands?.length)) return await plan.check();
      if (await isToBegin(plan, question)) return;
      toEdit = plan.file;
      throw new ThoughtTreeError('declined', planOpen(plan));
    });
  } catch (error) {
    if (toEdit === undefined) throw error;
  }
  return toEdit;
}

/** A notice is shown only if a model is asked: everything else is there at once. */
async function prepared({ search, beginning, words }: Planning, show: (plan: Plan) => Promise<void>): Promise<void> {
  const isMade = Promise.withResolvers<void>();
  const preparing = search.prepare(
    async (plan) => {
      isMade.resolve();
      await show(plan);
    },
    () => {
      const title = `"${oneLine(search.file.title, 100)}": ${translated(words.planning ?? '')}`;
      const location = vscode.ProgressLocation.Notification;
      void vscode.window.withProgress({ location, title, cancellable: true }, async (_progress, token) => {
        token.onCancellationRequested(() => void beginning.stop());
        await Promise.race([isMade.promise, preparing, beginning.stopped]).catch(() => undefined);
      });
    },
  );
  // After a stop, nobody waits for the current call, nor for its result.
  preparing.catch(() => undefined);
  await Promise.race([preparing, beginning.stopped]);
}

/** A short plan is shown as it is; a long one, or one that runs commands, in its file, where it can be changed. */
async function isToBegin(plan: Plan, question: string): Promise<boolean> {
  if (plan.commands !== undefined || plan.lines.length > MOST_LINES) return false;
  const start = vscode.l10n.t('Start');
  const edit = vscode.l10n.t('Edit First');
  const answer = await vscode.window.showInformationMessage(
    question,
    { modal: true, detail: textOf(plan) },
    start,
    edit,
  );
  if (answer !== start && answer !== edit) throw new ThoughtTreeError('declined', resumeBegins());
  return answer === start;
}

/**
 * Opens the plan of a search that nobody holds, to be looked at and edited. The notification goes by itself; the file's
 * tab, its first line and the search's row start it at any time later.
 * @param folder the search's own
 */
async function open(folder: string, file: string, title: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(join(folder, file)));
  await showText(document);
  const text = vscode.l10n.t(
    'You can edit {0} of "{1}" now. The search begins when you choose Start from This Plan.',
    file,
    oneLine(title, 100),
  );
  const start = vscode.l10n.t('Start from This Plan');
  const answer = await vscode.window.showInformationMessage(withoutLinks(text), start, vscode.l10n.t('Not Now'));
  if (answer === start) await vscode.commands.executeCommand('thoughtTree.resume', { folder, path: '' });
}

function textOf({ lines }: Plan): string {
  return lines.map((line) => oneLine(messageText(line), 300)).join('\n');
}
