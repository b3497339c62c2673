import { join } from 'node:path';
import * as vscode from 'vscode';
import { isThoughtTreeError } from '../../core/search/errors.ts';
import type { SteerAction } from '../../core/search/steer.ts';
import { oneLine } from '../../core/text/text.ts';
import type { Kinds } from '../../engine/kinds.ts';
import { translated, wordsOf } from '../kind-words.ts';
import type { FollowedSearch } from '../library/followed-search.ts';
import type { SearchRunner } from '../library/search-runner.ts';
import type { SearchesView } from '../sidebar/searches-view.ts';
import type { FileTarget, NodeTarget, SELECTION } from './command-table.ts';
import type { Targets } from './targets.ts';

/** Commands on one node: what a person does to a branch, a leaf, a document. */
export class NodeCommands {
  readonly #runner: SearchRunner;
  readonly #targets: Targets;
  readonly #view: SearchesView;
  readonly #kinds: Kinds;

  constructor(runner: SearchRunner, targets: Targets, view: SearchesView, kinds: Kinds) {
    this.#runner = runner;
    this.#targets = targets;
    this.#view = view;
    this.#kinds = kinds;
  }

  /** Prunes, restores, retries: what needs no more than the node. */
  async steer(action: 'prune' | 'restore', target: NodeTarget | typeof SELECTION | undefined): Promise<void> {
    await this.#onNode(target, (search, node) => this.#do(search, { action, node }));
  }

  /** Expands or retries; a search that rests is set to work for it. */
  async expand(target: NodeTarget | typeof SELECTION | undefined): Promise<void> {
    await this.#onNode(target, async (search, node) => {
      await this.#do(search, { action: 'expand', node });
      await this.#goOn(search);
    });
  }

  /** One failed node, or with a search all of them. */
  async retry(target: NodeTarget | undefined): Promise<void> {
    const found = await this.#targets.node(target);
    if (!found) return;
    await this.#do(found.search, { action: 'retry', ...(found.path === '' ? {} : { node: found.path }) });
    await this.#goOn(found.search);
  }

  async redo(target: NodeTarget | undefined): Promise<void> {
    await this.#onNode(target, async (search, node) => {
      try {
        await this.#do(search, { action: 'redo', node });
      } catch (error) {
        if (!isThoughtTreeError(error, 'edited')) throw error;
        const yes = vscode.l10n.t('Write Anew');
        const detail = vscode.l10n.t('Your text is set aside, not deleted.');
        if ((await vscode.window.showWarningMessage(error.message, { modal: true, detail }, yes)) !== yes) return;
        await this.#do(search, { action: 'redo', node, force: true });
      }
      await this.#goOn(search);
    });
  }

  async addChild(target: NodeTarget | undefined): Promise<void> {
    const found = await this.#targets.node(target);
    if (!found) return;
    const words = wordsOf(this.#kinds, found.search);
    const title = await vscode.window.showInputBox({
      title: translated(words.addNode),
      prompt: translated(words.addPrompt),
      ignoreFocusOut: true,
    });
    if (title?.trim()) await this.#do(found.search, { action: 'add', node: found.path, title: title.trim() });
  }

  async note(target: NodeTarget | undefined): Promise<void> {
    const found = await this.#targets.node(target);
    if (!found) return;
    const text = await vscode.window.showInputBox({
      title: found.path === '' ? vscode.l10n.t('Note to the search') : vscode.l10n.t('Note to this branch'),
      prompt: vscode.l10n.t('Every later prompt there has it.'),
      ignoreFocusOut: true,
    });
    if (!text?.trim()) return;
    const node = found.path === '' ? {} : { node: found.path };
    await this.#do(found.search, { action: 'note', text: text.trim(), ...node });
  }

  async openDocument(target: NodeTarget | undefined): Promise<void> {
    await this.#onNode(target, async ({ folder }, path) => {
      const uri = vscode.Uri.file(join(folder, ...path.split('/'), 'document.md'));
      await vscode.window.showTextDocument(uri, { preview: true });
    });
  }

  async reveal(target: NodeTarget | FileTarget | undefined): Promise<void> {
    const named = target && 'fsPath' in target ? await this.#targets.nodeOf(target) : target;
    const found = await this.#targets.node(named);
    if (found) await this.#view.reveal(found.search.folder, found.path);
  }

  async #onNode(
    target: NodeTarget | typeof SELECTION | undefined,
    work: (search: FollowedSearch, path: string) => Promise<void>,
  ): Promise<void> {
    const found = await this.#targets.node(target, true);
    if (!found) return;
    if (found.path !== '') return await work(found.search, found.path);
    vscode.window.setStatusBarMessage(translated(wordsOf(this.#kinds, found.search).notOneNode), 5000);
  }

  async #do(search: FollowedSearch, action: SteerAction): Promise<void> {
    const message = await this.#runner.steer(this.#targets.placeOf(search), action);
    vscode.window.setStatusBarMessage(oneLine(message, 200), 5000);
  }

  async #goOn(search: FollowedSearch): Promise<void> {
    if (search.state === 'running' || search.state === 'waiting') return;
    await vscode.commands.executeCommand('thoughtTree.resume', { folder: search.folder });
  }
}
