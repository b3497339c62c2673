import * as vscode from 'vscode';

const TOLD = 'toldNoChatModel';

/**
 * Keeps track of whether the editor has a language model. Without one, its chat never calls `@tree`, and says nothing
 * that helps. The sidebar and the walkthrough say it instead, and a notification does once, unless the sidebar is in
 * view.
 */
export class ChatModels implements vscode.Disposable {
  readonly #memory: vscode.Memento;
  readonly #isSaid: () => boolean;
  readonly #subscription: vscode.Disposable;

  /** @param isSaid whether the sidebar, which says the same, is in view */
  constructor(memory: vscode.Memento, isSaid: () => boolean) {
    this.#memory = memory;
    this.#isSaid = isSaid;
    this.#subscription = vscode.lm.onDidChangeChatModels(() => void this.#look());
  }

  /** The editor makes models known once somebody asks for them: otherwise the first question to `@tree` has none. */
  async open(): Promise<void> {
    const isMissing = await this.#look();
    if (!isMissing || this.#isSaid() || this.#memory.get<boolean>(TOLD)) return;
    await this.#memory.update(TOLD, true);
    const start = vscode.l10n.t('Start Tree Search');
    const more = vscode.l10n.t('How to Begin');
    const text = vscode.l10n.t(
      'This editor has no language model, so that its chat cannot ask @tree. Everything that @tree does is a command too.',
    );
    const answer = await vscode.window.showInformationMessage(text, start, more);
    if (answer === start) await vscode.commands.executeCommand('thoughtTree.start');
    if (answer === more)
      await vscode.commands.executeCommand('workbench.action.openWalkthrough', 'thought-tree.thought-tree#begin');
  }

  async #look(): Promise<boolean> {
    const isMissing = (await vscode.lm.selectChatModels()).length === 0;
    await vscode.commands.executeCommand('setContext', 'thoughtTree.noChatModel', isMissing);
    return isMissing;
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}
