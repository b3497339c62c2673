import * as vscode from 'vscode';
import type { Message } from '../../core/messages/message.ts';
import type { Experiment } from '../../core/ports/experiments.ts';
import { oneLine } from '../../core/text/text.ts';
import { shownLine } from '../../work/shown.ts';
import { messageText } from '../message-text.ts';
import { withoutLinks } from '../without-links.ts';

/** The number of command lines that a dialog can show, and of their letters; more are shown in a document first. */
const MOST_LINES = 12;
const MOST_LETTERS = 2000;

/**
 * Asks a person whether exactly these command lines may run for a search. What they agreed to is remembered by whoever
 * asks, outside of the search's folder.
 * @param title the search's, since several may ask
 * @param says what holds the commands, and what does not
 */
export async function askForCommands(
  title: string,
  lines: readonly string[],
  says: readonly Message[] = [],
): Promise<boolean> {
  const name = oneLine(title, 100);
  const exact = lines.map(shownLine);
  const question =
    exact.length === 1
      ? vscode.l10n.t('"{0}" wants to run a command. May it?', name)
      : vscode.l10n.t('"{0}" wants to run {1} commands. May it?', name, exact.length);
  const run = exact.length === 1 ? vscode.l10n.t('Run It') : vscode.l10n.t('Run Them');
  return await agrees({ question, exact, says, run, isShort: exact.length <= MOST_LINES, language: 'shellscript' });
}

/** Tells whether models may ask to run small programs, by the person's own settings, in a folder that they trust. */
export function letsModelsTry(): boolean {
  const found = vscode.workspace.getConfiguration('thoughtTree').inspect<unknown>('allowExperiments')?.globalValue;
  return found === true && vscode.workspace.isTrusted;
}

/** Asks a person whether a small program of a model may run, and shows it whole. */
export async function askForProgram(title: string, asked: Experiment, says: readonly Message[]): Promise<boolean> {
  if (!letsModelsTry()) return false;
  const question = vscode.l10n.t('"{0}" wants to run a program of its model. May it?', oneLine(title, 100));
  const exact = asked.program.split('\n').map(shownLine);
  const language = asked.language === 'shell' ? 'shellscript' : asked.language;
  return await agrees({ question, exact, says, run: vscode.l10n.t('Run It'), isShort: true, language });
}

interface Asking {
  readonly question: string;
  readonly exact: readonly string[];
  readonly says: readonly Message[];
  /** The label of the button that agrees. */
  readonly run: string;
  readonly isShort: boolean;
  readonly language: string;
}

async function agrees({ question, exact, says, run, isShort, language }: Asking): Promise<boolean> {
  const held = says.map(messageText).join(' ');
  const whole = exact.join('\n');
  if (isShort && whole.length <= MOST_LETTERS) {
    const detail = [whole, held].filter(Boolean).join('\n\n');
    return (await vscode.window.showWarningMessage(question, { modal: true, detail }, run)) === run;
  }
  const document = await vscode.workspace.openTextDocument({ content: `${whole}\n`, language });
  await vscode.window.showTextDocument(document, { preview: true });
  // A modal dialog would keep the person from scrolling through what they are asked about.
  const text = withoutLinks([question, held].filter(Boolean).join(' '));
  return (await vscode.window.showWarningMessage(text, run, vscode.l10n.t('Not Now'))) === run;
}
