import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { ActionCall } from '../../core/actions/action-call.ts';
import { SerialQueue } from '../../core/concurrency.ts';
import { type Reason, ThoughtTreeError } from '../../core/search/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import type { Targets } from '../commands/targets.ts';
import { focusForReading } from '../documents/open-document.ts';
import type { FollowedSearch } from '../library/followed-search.ts';
import type { SearchLibrary } from '../library/search-library.ts';
import type { SearchRunner } from '../library/search-runner.ts';
import { messageText, withoutLinks } from '../message-text.ts';
import { BY } from './offers-by-hand.ts';

/** The result of the action `diff`, as far as it is shown. */
interface Changes {
  readonly files: readonly { readonly path: string; readonly change: 'added' | 'changed' | 'deleted' }[];
  /** The nodes whose work is part of it. */
  readonly parts?: readonly { readonly path: string; readonly title: string }[];
  /** The files that no part of it names. */
  readonly outside?: readonly string[];
  /** The differences as text. */
  readonly text?: string;
  readonly before?: string;
  readonly after?: string;
}

/** One side of a changed file. */
interface Side {
  readonly folder: string;
  /** The node whose work it is; empty for all accepted work. */
  readonly node: string;
  readonly side: 'before' | 'after';
}

interface Parts {
  readonly runner: Pick<SearchRunner, 'act' | 'outcome'>;
  readonly targets: Pick<Targets, 'placeOf'>;
  readonly library: Pick<SearchLibrary, 'search'>;
}

/** Shows what work changes, file by file, in the editor's own view of several differences; and brings it into the workspace. */
export class ChangesView implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #parts: Parts;
  /** Single files as they were shown last. */
  readonly #files = new Map<string, Promise<Changes>>();
  /** The last request: where nobody runs the search, each of them holds it for a moment. */
  readonly #queue = new SerialQueue();

  /** What was shown last; the path of a node, empty for all that is accepted. */
  #shown: { readonly search: FollowedSearch; readonly path: string; readonly label: string } | undefined;
  /** The search and node that a label stands for: a tab tells no more of itself. */
  readonly #labelled = new Map<string, string>();
  readonly #tabs: vscode.Disposable;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#tabs = vscode.window.tabGroups.onDidChangeTabs(() => this.#look());
  }

  /** @param path of the node whose work is shown; empty for all that is accepted */
  async show(search: FollowedSearch, path: string): Promise<Changes> {
    this.#files.clear();
    const changes = await this.#changes(search, path);
    const name = path === '' ? search.title : await titleAt(search, path);
    if (changes.files.length === 0) {
      vscode.window.setStatusBarMessage(vscode.l10n.t('"{0}" changes nothing.', oneLine(name, 100)), 5000);
      return changes;
    }
    const uri = (file: string, side: Side['side']): vscode.Uri =>
      vscode.Uri.from({
        scheme: WORK_SCHEME,
        path: `/${file}`,
        query: JSON.stringify({ folder: search.folder, node: path, side } satisfies Side),
      });
    const files = changes.files.map(({ path: file, change }) => [
      uri(file, 'after'),
      change === 'added' ? undefined : uri(file, 'before'),
      change === 'deleted' ? undefined : uri(file, 'after'),
    ]);
    const label = this.#labelFor(search, path, vscode.l10n.t('Changes: {0}', oneLine(name, 100)));
    this.#shown = { search, path, label };
    await focusForReading();
    await vscode.commands.executeCommand('vscode.changes', label, files);
    this.#look();
    return changes;
  }

  /**
   * Accepts all work of the search whose changes are in front. It asks no more where the person has all of it before them;
   * from the work of one node it leads to the whole, and asks.
   */
  async acceptShown(): Promise<void> {
    if (!this.#shown) return;
    const { search, path } = this.#shown;
    await (path === '' ? this.#accept(search) : this.accept(search));
  }

  /** Returns a label that stands for nothing else in this window. */
  #labelFor({ folder }: FollowedSearch, path: string, label: string): string {
    const meant = `${folder}\n${path}`;
    const own = (this.#labelled.get(label) ?? meant) === meant ? label : `${label} (${basename(folder)}/${path})`;
    this.#labelled.set(own, meant);
    return own;
  }

  /** The editor in front has a button only while it shows changes. */
  #look(): void {
    const { label = '' } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
    const { label: own } = this.#shown ?? {};
    // The editor says behind a label how many files there are.
    const isShown = own !== undefined && label.startsWith(own) && /^(?: \([^()/]*\))?$/.test(label.slice(own.length));
    this.#set('showsChanges', isShown);
  }

  #set(key: string, value: boolean): void {
    void vscode.commands.executeCommand('setContext', `thoughtTree.${key}`, value);
  }

  /** Shows the whole result, or that of a single part, until the person accepts it or leaves it. */
  async accept(search: FollowedSearch): Promise<void> {
    const accept = vscode.l10n.t('Accept Changes');
    const one = vscode.l10n.t('One by One…');
    let { files, parts = [] } = await this.show(search, '');
    for (;;) {
      if (files.length === 0) return;
      const title = oneLine(search.title, 100);
      const question = vscode.l10n.t(
        '"{0}" changes {1}. Accepting brings that into your files; your Git index and branch stay as they are.',
        title,
        named(files),
      );
      const answers = parts.length > 1 ? [accept, one] : [accept];
      // One that stays: a notice hides before the changes are read.
      const answer = await vscode.window.showInformationMessage(withoutLinks(question), { modal: true }, ...answers);
      if (answer === accept) return await this.#accept(search);
      if (answer !== one) return;
      const items = parts.map(({ path, title: label }) => ({ label: oneLine(label, 200), path }));
      const picked = await vscode.window.showQuickPick(items);
      if (picked) await this.show(search, picked.path);
      else ({ files, parts = [] } = await this.show(search, ''));
    }
  }

  /**
   * Offers to accept all work in a sentence that names every file of it, so that its yes needs no other question; undefined
   * where that takes more than a sentence, or a look: many files, deleted ones, ones that no part of the work names, or names that a
   * notice would cut or change.
   */
  async offer(search: FollowedSearch): Promise<{ readonly said: string; accept(): Promise<void> } | undefined> {
    const { files, outside = [], text } = await this.#changes(search, '');
    const isDeleting = files.some(({ change }) => change === 'deleted');
    if (files.length === 0 || files.length > MOST_NAMED || outside.length > 0 || isDeleting) return undefined;
    const names = named(files);
    if (names.length > LONGEST_NAMES || names !== files.map(({ path }) => path).join(', ')) return undefined;
    const said = vscode.l10n.t('Accepting writes {0} in your folder, and can be undone.', names);
    const accept = async (): Promise<void> => {
      const now = await this.#changes(search, '');
      const isSame = now.text === text && named(now.files) === names;
      await (isSame ? this.#accept(search) : this.accept(search));
    };
    return { said, accept };
  }

  async #accept(search: FollowedSearch): Promise<void> {
    const said = await this.#act(search, {});
    const undo = vscode.l10n.t('Undo');
    if ((await vscode.window.showInformationMessage(said, undo)) === undo) await this.undo(search);
  }

  /** Takes back what was accepted, once the person agrees. */
  async undo(search: FollowedSearch): Promise<void> {
    const would = await this.#queue.run(() => this.#ask(search, { action: 'accept', undo: true, dryRun: true }));
    const undo = vscode.l10n.t('Undo');
    const question = vscode.l10n.t(
      'Undo accepting "{0}"? {1} will be as before. Nothing happens if you changed any of it since.',
      oneLine(search.title, 100),
      named(would.files),
    );
    if (would.files.length > 0 && (await vscode.window.showWarningMessage(question, { modal: true }, undo)) !== undo)
      return;
    void vscode.window.showInformationMessage(await this.#act(search, { undo: true }));
  }

  async #act(search: FollowedSearch, more: object): Promise<string> {
    const said = await this.#parts.runner.act(this.#parts.targets.placeOf(search), { action: 'accept', ...more });
    await search.refresh(); // an interrupted one is over
    return withoutLinks(`"${oneLine(search.title, 100)}": ${messageText(said)}`);
  }

  dispose(): void {
    this.#tabs.dispose();
  }

  async provideTextDocumentContent({ path, query }: vscode.Uri): Promise<string> {
    const { folder, node, side } = JSON.parse(query) as Side;
    const search = this.#parts.library.search(folder);
    if (!search) return '';
    const key = `${folder}\n${node}\n${path}`;
    const file = this.#files.get(key) ?? this.#changes(search, node, path.slice(1));
    this.#files.set(key, file);
    return (await file)[side] ?? '';
  }

  /** Asks for one set of changes after the other. */
  #changes(search: FollowedSearch, path: string, file?: string): Promise<Changes> {
    const call = { action: 'diff', ...(path === '' ? {} : { node: path }), ...(file === undefined ? {} : { file }) };
    return this.#queue.run(() => this.#ask(search, call));
  }

  async #ask(search: FollowedSearch, call: ActionCall): Promise<Changes> {
    const { ok, say, value, reason } = await this.#parts.runner.outcome(this.#parts.targets.placeOf(search), call, {
      by: BY,
    });
    if (!ok) throw new ThoughtTreeError((reason as Reason | undefined) ?? 'bad-input', say);
    return value as Changes;
  }
}

/** The most files that are named before they are only counted. */
const MOST_NAMED = 5;
/** The most letters of names in a notice, of which the editor shows 1,000 in all: its first sentence may have some hundreds. */
const LONGEST_NAMES = 300;

/** Returns the files by their names, or how many there are. */
function named(files: Changes['files']): string {
  if (files.length > MOST_NAMED) return vscode.l10n.t('{0} files', files.length);
  return files.map(({ path }) => oneLine(path, 200)).join(', ');
}

async function titleAt({ store }: FollowedSearch, path: string): Promise<string> {
  return (await store?.readNodeFile(path).catch(() => undefined))?.title ?? path;
}

/** The scheme of files as they were, or are, in the work of a search. */
export const WORK_SCHEME = 'thought-tree-work';
