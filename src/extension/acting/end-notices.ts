import * as vscode from 'vscode';
import type { ActionDescriptor } from '../../core/actions/action-descriptor.ts';
import type { KindTerms } from '../../core/kind/kind-descriptor.ts';
import { toThoughtTreeError } from '../../core/search/errors.ts';
import { nodesCounted } from '../../core/search/progress.ts';
import { type Findings, findingsIn, saidIn } from '../../core/search/record/search-state.ts';
import { oneLine } from '../../core/text/text.ts';
import type { Kinds } from '../../engine/kind.ts';
import type { Outcome } from '../../engine/loop.ts';
import type { ActionCommands } from '../actions/action-commands.ts';
import { type AvailableActions, titleFor } from '../actions/available-actions.ts';
import type { FollowedSearch } from '../library/followed-search.ts';
import type { RunEnd } from '../library/run-request.ts';
import type { SearchLibrary } from '../library/search-library.ts';
import type { SearchRunner } from '../library/search-runner.ts';
import { keptText, messageText, translated, withoutLinks, wordsOf } from '../message-text.ts';
import { tellError } from '../tell-error.ts';
import type { ChangesView } from '../work/changes-view.ts';

const MOST_BUTTONS = 2;

type Answers = ReadonlyMap<string, () => PromiseLike<unknown>>;

interface NoticeParts {
  readonly kinds: Kinds;
  readonly runner: Pick<SearchRunner, 'onDidEnd'>;
  readonly library: Pick<SearchLibrary, 'search'>;
  readonly available: Pick<AvailableActions, 'onSearch'>;
  readonly actions: Pick<ActionCommands, 'run' | 'learnNeed'>;
  readonly changes: Pick<ChangesView, 'offer'>;
  readonly log: vscode.LogOutputChannel;
  /** Tells whether the drawing of a search is in view: its banner says why it rests, with the same buttons. */
  readonly isDrawn: (folder: string) => boolean;
}

/**
 * Reports the end of searches if a person is needed, with two buttons for the likely answers, and nothing else: a notice with
 * more of them cuts their words.
 */
export class EndNotices implements vscode.Disposable {
  readonly #parts: NoticeParts;
  readonly #subscription: vscode.Disposable;

  constructor(parts: NoticeParts) {
    this.#parts = parts;
    this.#subscription = parts.runner.onDidEnd(
      (end) => void this.#tell(end).catch((error: unknown) => tellError(error, parts.log)),
    );
  }

  async #tell({ place: { folder }, title: whole, kind, outcome, error }: RunEnd): Promise<void> {
    // It may have been renamed meanwhile.
    const title = oneLine(this.#parts.library.search(folder)?.title ?? whole, 100);
    if (!outcome) {
      const said = toThoughtTreeError(error);
      const text = `"${title}": ${messageText(said.say)}`;
      return await ask(vscode.window.showErrorMessage, text, await this.#afterTrouble(folder, said.reason));
    }
    const isDrawn = this.#parts.isDrawn(folder);
    if (outcome.state === 'finished') {
      const isWork = (await this.#offered(folder, ['accept'])).size > 0;
      const search = isWork ? this.#parts.library.search(folder) : undefined;
      const offer = search && (await this.#parts.changes.offer(search).catch(() => undefined));
      // Only of work that can be accepted the drawing has a banner, which names no files.
      if (isDrawn && isWork && !offer) return;
      const words = wordsOf(this.#parts.kinds, { file: { kind } });
      const { results } = outcome;
      const { failed } = results;
      const { message, say } = outcome.message === undefined ? (saidIn(results, kind) ?? outcome) : outcome;
      const ended =
        message === undefined
          ? finishedText(title, results, words, findingsIn(results, kind))
          : vscode.l10n.t('"{0}" is finished. {1}', title, keptText(message, say));
      const last = failed > 0 ? await this.#failedText(folder, failed) : offer?.said;
      const text = [ended, last ?? []].flat().join(' ');
      const names = [...(failed > 0 ? ['retry'] : []), 'diff', 'accept', 'openReport', 'grow'];
      const { showWarningMessage, showInformationMessage } = vscode.window;
      const answers = [...(await this.#offered(folder, names))];
      // Its words say all that is written, so that its yes needs no other one.
      if (offer && failed === 0) answers.splice(1, 1, [vscode.l10n.t('Accept Changes'), offer.accept]);
      await ask(failed > 0 ? showWarningMessage : showInformationMessage, text, new Map(answers));
    } else if (outcome.state === 'paused' && outcome.reason === 'budget') {
      const search = this.#parts.library.search(folder);
      if (search) await this.#parts.actions.learnNeed(search);
      if (isDrawn) return;
      const text = vscode.l10n.t('"{0}" has reached its budget. {1}', title, keptText(outcome.message, outcome.say));
      const answers = await this.#offered(folder, ['raise', 'finish']);
      await ask(vscode.window.showWarningMessage, text, answers);
    } else if (outcome.state === 'paused' && outcome.reason !== 'user') {
      // Only a key has a button that the drawing does not have.
      if (isDrawn && outcome.cause !== 'key-refused') return;
      const said = keptText(outcome.message, outcome.say);
      const text =
        outcome.cause === 'bad-answer'
          ? vscode.l10n.t(
              '"{0}" is paused: its model did not answer in the form that it was asked for. Another model may. ({1})',
              title,
              said,
            )
          : vscode.l10n.t('"{0}" is paused: {1}', title, said);
      // A search that asks whether to go on has no trouble.
      const { showWarningMessage, showErrorMessage } = vscode.window;
      const show = outcome.cause === 'at-rest' ? showWarningMessage : showErrorMessage;
      await ask(show, text, await this.#afterTrouble(folder, outcome.cause));
    }
  }

  /** Says how many nodes failed, and why the first of them did. */
  async #failedText(folder: string, failed: number): Promise<string> {
    const search = this.#parts.library.search(folder);
    const first = search?.paths().find((path) => search.statusAt(path) === 'failed');
    const node = first === undefined ? undefined : await search?.store?.readNode(first).catch(() => undefined);
    const title = oneLine(node?.file.title ?? '', 100);
    const { message = '', say } = node?.file.failure ?? {};
    const why = oneLine(keptText(message, say), 300);
    if (title === '' || why === '') return vscode.l10n.t('Failed: {0}.', failed);
    return vscode.l10n.t('Failed: {0}, first "{1}": {2}', failed, title, why);
  }

  async #afterTrouble(folder: string, cause: string | undefined): Promise<Answers> {
    const answers = new Map<string, () => PromiseLike<unknown>>();
    if (cause === 'key-refused')
      answers.set(vscode.l10n.t('Set API Key'), () => vscode.commands.executeCommand('thoughtTree.setApiKey'));
    for (const [label, answer] of await this.#offered(folder, ['resume', 'resumeWith']))
      if (answers.size < MOST_BUTTONS) answers.set(label, answer);
    if (answers.size < MOST_BUTTONS && this.#parts.library.search(folder))
      answers.set(vscode.l10n.t('Show Log'), () => vscode.commands.executeCommand('thoughtTree.showLog'));
    return answers;
  }

  /** Returns the first of some actions that can be done now, by the labels of their buttons. */
  async #offered(folder: string, names: readonly string[]): Promise<Answers> {
    const { library, available, actions } = this.#parts;
    const search = library.search(folder);
    await search?.refresh();
    const can = search ? available.onSearch(search) : [];
    return new Map(
      names
        .flatMap((name) => {
          const descriptor = can.find((each) => each.name === name);
          return descriptor && search
            ? [[labelOf(descriptor, search), () => actions.run(name, { folder })] as const]
            : [];
        })
        .slice(0, MOST_BUTTONS),
    );
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}

/** Buttons are written as the editor writes its own. */
function labelOf(descriptor: ActionDescriptor, search: FollowedSearch): string {
  const labels: Readonly<Record<string, string>> = {
    diff: vscode.l10n.t('Review Changes'),
    accept: vscode.l10n.t('Accept Changes…'),
    openReport: vscode.l10n.t('Open Report'),
    grow: vscode.l10n.t('Extend…'),
    finish: vscode.l10n.t('Finish Now'),
    resumeWith: vscode.l10n.t('Resume with Another Model…'),
  };
  return labels[descriptor.name] ?? titleFor(descriptor, search);
}

/** Returns the result of a search: its answer, if it is a search for a solution. */
function finishedText(
  title: string,
  { expanded, leaves }: Outcome['results'],
  words: KindTerms,
  findings: Findings | undefined,
): string {
  const counted = (n: number): string => messageText(nodesCounted(n, words));
  if (!findings) return translated(words.finished, title, counted(expanded + leaves));
  const { answer, solved, finishedPath } = findings;
  if (answer !== undefined) return vscode.l10n.t('"{0}" is finished. Answer: {1}', title, oneLine(answer, 300));
  if (solved) return translated(words.solved ?? words.finished, title, counted(finishedPath.length));
  if (finishedPath.length > 0) return translated(words.finished, title, counted(expanded + leaves));
  return vscode.l10n.t('"{0}" is finished, and no solution was found. The report shows the best path.', title);
}

async function ask(
  show: (message: string, ...items: string[]) => Thenable<string | undefined>,
  text: string,
  answers: Answers,
): Promise<void> {
  const chosen = await show(withoutLinks(text), ...answers.keys());
  if (chosen !== undefined) await answers.get(chosen)?.();
}
