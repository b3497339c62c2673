import * as vscode from 'vscode';
import { toThoughtTreeError } from '../core/search/errors.ts';
import { type Findings, findingsIn } from '../core/search/findings.ts';
import type { KindWords } from '../core/search/kind-face.ts';
import { oneLine } from '../core/text/text.ts';
import type { Kinds } from '../engine/kind/kinds.ts';
import type { Outcome } from '../engine/outcome.ts';
import type { ActionCommands } from './actions/action-commands.ts';
import { translated, wordsOf } from './kind-words.ts';
import type { RunEnd, SearchRunner } from './library/search-runner.ts';
import { keptText, messageText } from './message-text.ts';
import { tellError } from './tell-error.ts';
import { withoutLinks } from './without-links.ts';

type Guard = 'calls' | 'tokens' | 'usd' | 'minutes';
type Answers = ReadonlyMap<string, () => PromiseLike<unknown>>;

/** Reports the end of searches if a person is needed, with buttons for the possible answers; nothing else. */
export class EndNotices implements vscode.Disposable {
  readonly #actions: ActionCommands;
  readonly #kinds: Kinds;
  readonly #subscription: vscode.Disposable;

  constructor(runner: SearchRunner, actions: ActionCommands, log: vscode.LogOutputChannel, kinds: Kinds) {
    this.#actions = actions;
    this.#kinds = kinds;
    this.#subscription = runner.onDidEnd(
      (end) => void this.#tell(end).catch((error: unknown) => tellError(error, log)),
    );
  }

  async #tell({ place, title: whole, kind, outcome, error }: RunEnd): Promise<void> {
    const title = oneLine(whole, 100);
    const { folder } = place;
    if (!outcome) {
      void vscode.window.showErrorMessage(withoutLinks(`"${title}": ${messageText(toThoughtTreeError(error).say)}`));
      return;
    }
    if (outcome.state === 'finished') {
      const words = wordsOf(this.#kinds, { file: { kind } });
      const text = finishedText(title, outcome.results, words, findingsIn(outcome.results, kind));
      await ask(vscode.window.showInformationMessage, text, this.#afterEnd(folder));
    } else if (outcome.state === 'paused' && outcome.reason === 'budget') {
      const text = vscode.l10n.t('"{0}" has reached its budget. {1}', title, keptText(outcome.message, outcome.say));
      await ask(vscode.window.showWarningMessage, text, this.#afterBudget(folder, outcome));
    } else if (outcome.state === 'paused' && outcome.reason !== 'user') {
      const text = vscode.l10n.t('"{0}" is paused: {1}', title, keptText(outcome.message, outcome.say));
      await ask(vscode.window.showErrorMessage, text, this.#afterTrouble(folder, outcome));
    }
  }

  #afterEnd(folder: string): Answers {
    return new Map([
      [vscode.l10n.t('Open Report'), () => this.#actions.run('openReport', { folder })],
      [vscode.l10n.t('Go Further…'), () => this.#actions.run('grow', { folder })],
    ]);
  }

  #afterBudget(folder: string, { cause }: Outcome & { state: 'paused' }): Answers {
    const answers = new Map<string, () => PromiseLike<unknown>>();
    if (isGuard(cause)) answers.set(vscode.l10n.t('Double and Continue'), () => this.#actions.raise(folder, cause));
    answers.set(vscode.l10n.t('Other…'), () => this.#actions.run('grow', { folder }));
    answers.set(vscode.l10n.t('Finish Now'), () => this.#actions.run('finish', { folder }));
    return answers;
  }

  #afterTrouble(folder: string, { cause }: Outcome & { state: 'paused' }): Answers {
    const answers = new Map<string, () => PromiseLike<unknown>>();
    if (cause === 'key-refused')
      answers.set(vscode.l10n.t('Set API Key'), () => vscode.commands.executeCommand('thoughtTree.setApiKey'));
    answers.set(vscode.l10n.t('Resume'), () => this.#actions.run('resume', { folder }));
    answers.set(vscode.l10n.t('Show Log'), () => vscode.commands.executeCommand('thoughtTree.showLog'));
    return answers;
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}

/** The result of a search: its answer, if it is a search for a solution. */
function finishedText(
  title: string,
  { expanded, leaves }: Outcome['results'],
  words: KindWords,
  findings: Findings | undefined,
): string {
  if (!findings) return translated(words.finished, title, expanded + leaves);
  const { answer, solved, finishedPath } = findings;
  if (answer !== undefined) return vscode.l10n.t('"{0}" is finished. Answer: {1}', title, oneLine(answer, 300));
  if (solved || finishedPath.length > 0) return translated(words.solved ?? words.finished, title, finishedPath.length);
  return vscode.l10n.t('"{0}" is finished, and no solution was found. The report shows the best path.', title);
}

function isGuard(cause: string | undefined): cause is Guard {
  return cause === 'calls' || cause === 'tokens' || cause === 'usd' || cause === 'minutes';
}

async function ask(
  show: (message: string, ...items: string[]) => Thenable<string | undefined>,
  text: string,
  answers: Answers,
): Promise<void> {
  const chosen = await show(withoutLinks(text), ...answers.keys());
  if (chosen !== undefined) await answers.get(chosen)?.();
}
