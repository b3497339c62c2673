import { realpath } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import * as vscode from 'vscode';
import type { OpenOffer } from '../../core/offers/offer-book.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import { statePath } from '../../searches/trust/state-folder.ts';
import type { ActionCommands } from '../actions/action-commands.ts';
import type { AvailableActions } from '../actions/available-actions.ts';
import type { FollowedSearch } from '../library/followed-search.ts';
import { noLongerOffered } from '../messages.ts';
import { type HandState, offerAt, offersIn } from './offers-by-hand.ts';

/** The time that a search may take to make an offer, and the interval of looks, in milliseconds. */
const OFFERED_WITHIN_MS = 15_000;
const LOOK_MS = 250;

type Act = Pick<ActionCommands, 'act'>;

/** Work that a person does themselves: they take it, work on it in its checkout, and say what they did. */
export class ByHand {
  readonly #available: AvailableActions;
  readonly #actions: () => Act;

  constructor(available: AvailableActions, actions: () => Act) {
    this.#available = available;
    this.#actions = actions;
  }

  /** Takes what is offered about a node, and shows where to work on it. @param path empty to choose among all */
  async take(search: FollowedSearch, path: string): Promise<void> {
    const open = await this.#find(search, path, 'open');
    if (!open) return;
    await this.#actions().act(search, '', 'take', { offer: open.offer.id, person: true });
    const folder = await checkoutOf(open);
    if (folder !== undefined) await openCheckout(folder, titleOf(open));
  }

  /** Makes something an offer for this person, and takes it as soon as it is one. */
  async takeOver(search: FollowedSearch, path: string, action: string): Promise<void> {
    await this.#actions().act(search, path, action, {});
    const descriptor = this.#available.descriptorFor(search);
    for (let waited = 0; waited < OFFERED_WITHIN_MS; waited += LOOK_MS) {
      if (offerAt(search, descriptor, path, 'open')) return await this.take(search, path);
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      await search.refresh();
    }
  }

  /** Asks what was done, and hands it in. */
  async done(search: FollowedSearch, path: string): Promise<void> {
    const open = await this.#find(search, path, 'taken');
    const byHand = this.#available.descriptorFor(search)?.work?.byHand;
    if (!open || !byHand) return;
    const said = await vscode.window.showInputBox({
      title: vscode.l10n.t('Done: {0}', titleOf(open)),
      prompt: vscode.l10n.t('What did you do? It is checked before it counts.'),
      ignoreFocusOut: true,
    });
    if (!said?.trim()) return;
    const answers = [{ offer: open.offer.id, result: byHand(said.trim()) }];
    await this.#actions().act(search, '', 'answer', { answers });
  }

  /** Lets others do it. */
  async giveBack(search: FollowedSearch, path: string): Promise<void> {
    const open = await this.#find(search, path, 'taken');
    if (open) await this.#actions().act(search, '', 'give-back', { offer: open.offer.id });
  }

  /** Opens the checkout of what this person has taken. */
  async openCheckout(search: FollowedSearch, path: string): Promise<void> {
    const open = await this.#find(search, path, 'taken');
    const folder = open && (await checkoutOf(open));
    if (open && folder !== undefined) await openCheckout(folder, titleOf(open));
  }

  async #find(search: FollowedSearch, path: string, state: HandState): Promise<OpenOffer | undefined> {
    const descriptor = this.#available.descriptorFor(search);
    const found =
      path === '' ? await choose(offersIn(search, descriptor, state)) : offerAt(search, descriptor, path, state);
    if (!found && path !== '') throw new ThoughtTreeError('bad-input', noLongerOffered());
    return found;
  }
}

async function choose(offers: readonly OpenOffer[]): Promise<OpenOffer | undefined> {
  const items = offers.map((open) => ({ label: titleOf(open), description: open.offer.nodes[0] ?? '', open }));
  return items.length < 2 ? items[0]?.open : (await vscode.window.showQuickPick(items))?.open;
}

function titleOf({ offer: { ask, nodes, id } }: OpenOffer): string {
  const { title } = (typeof ask === 'object' && ask !== null ? ask : {}) as { readonly title?: unknown };
  return oneLine(typeof title === 'string' ? title : (nodes[0] ?? id), 200);
}

/** Returns the checkout that an offer names, if it is one of this user's own: a journal may have come with a clone. */
async function checkoutOf({ offer: { ask } }: OpenOffer): Promise<string | undefined> {
  const { folder } = (typeof ask === 'object' && ask !== null ? ask : {}) as { readonly folder?: unknown };
  const state = statePath();
  if (typeof folder !== 'string' || !isAbsolute(folder) || state === undefined) return undefined;
  const [real, own] = await Promise.all(
    [folder, join(state, 'work')].map((path) => realpath(path).catch(() => undefined)),
  );
  if (real === undefined || own === undefined) return undefined;
  const way = relative(own, real);
  return way !== '' && !way.startsWith('..') && !isAbsolute(way) ? real : undefined;
}

async function openCheckout(folder: string, title: string): Promise<void> {
  const inWindow = vscode.l10n.t('Open in New Window');
  const here = vscode.l10n.t('Add to This Workspace');
  const question = vscode.l10n.t('"{0}" is yours. Work on it in a copy of the files: {1}', title, folder);
  const answer = await vscode.window.showInformationMessage(question, inWindow, here);
  const uri = vscode.Uri.file(folder);
  if (answer === inWindow) await vscode.commands.executeCommand('vscode.openFolder', uri, { forceNewWindow: true });
  else if (answer === here) {
    const end = vscode.workspace.workspaceFolders?.length ?? 0;
    vscode.workspace.updateWorkspaceFolders(end, 0, { uri, name: oneLine(title, 60) });
  }
}
