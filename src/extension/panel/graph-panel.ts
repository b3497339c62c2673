import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import * as vscode from 'vscode';
import { ThoughtTreeError, toThoughtTreeError } from '../../core/search/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import type { Kinds } from '../../engine/kind/kinds.ts';
import type { GraphDetails } from '../../protocol/graph-node.ts';
import type { HostMessage } from '../../protocol/host-message.ts';
import { type OpenBranches, readViewMessage } from '../../protocol/view-message.ts';
import { detailsOf, graphExchange } from '../../searches/graph/graph-details.ts';
import { readReceiptLine } from '../../searches/graph/receipt-line.ts';
import type { ActionCommands } from '../actions/action-commands.ts';
import type { AvailableActions } from '../actions/available-actions.ts';
import { openDocument } from '../documents/open-document.ts';
import type { FollowedSearch } from '../library/followed-search.ts';
import type { LibraryChange, SearchLibrary } from '../library/search-library.ts';
import { messageText } from '../message-text.ts';
import { notPainted } from '../messages.ts';
import { tellError } from '../tell-error.ts';
import { GraphFeed } from './graph-feed.ts';
import { graphPage } from './graph-page.ts';
import { GraphSource } from './graph-source.ts';
import { panelActions, REVEAL } from './panel-actions.ts';
import { PicturePainter } from './picture-painter.ts';
import { savePicture } from './save-picture.ts';
import { type Sidebar, SidebarLink } from './sidebar-link.ts';

/** Minimum time between two updates of a changing node's details, in milliseconds. */
const DETAILS_MS = 500;

export interface PanelParts {
  readonly kinds: Kinds;
  readonly library: SearchLibrary;
  readonly available: AvailableActions;
  readonly actions: Pick<ActionCommands, 'act'>;
  /** Shows a node in the sidebar. */
  readonly reveal: (folder: string, path: string) => Promise<void>;
  readonly sidebar: Sidebar;
  readonly extension: vscode.Uri;
  readonly log: vscode.LogOutputChannel;
}

/** The drawing of one search in an editor tab. */
export class GraphPanel implements vscode.Disposable {
  readonly #panel: vscode.WebviewPanel;
  readonly #search: FollowedSearch;
  readonly #parts: PanelParts;
  readonly #extension: vscode.Uri;
  readonly #log: vscode.LogOutputChannel;
  readonly #feed: GraphFeed;
  readonly #subscriptions: vscode.Disposable[] = [];
  readonly #source: GraphSource;
  readonly #link: SidebarLink;
  #view: OpenBranches | undefined;
  #selected: string | null = null;
  readonly #painter = new PicturePainter();
  #isReady = false;
  #ready = Promise.withResolvers<void>();
  /** Rejects once nothing will ever be drawn here. */
  readonly #gone = Promise.withResolvers<never>();
  #isLost = false;
  #wanted: string | undefined;
  #detailsTimer: NodeJS.Timeout | undefined;

  constructor(panel: vscode.WebviewPanel, search: FollowedSearch, parts: PanelParts) {
    const { kinds, library, extension, log } = parts;
    this.#gone.promise.catch(() => undefined);
    this.#panel = panel;
    this.#search = search;
    this.#parts = parts;
    this.#extension = extension;
    this.#log = log;
    this.#source = new GraphSource(search, kinds);
    this.#feed = new GraphFeed({
      source: this.#source,
      folder: search.folder,
      post: (message) => this.#post(message),
      actions: () => panelActions(parts.available.onSearch(search), search),
      onError: (error) => log.error(String(error)),
    });
    this.#link = new SidebarLink(parts.sidebar, search.folder, (path) => this.#show(path));
    panel.title = oneLine(search.title, 60);
    panel.iconPath = new vscode.ThemeIcon('type-hierarchy');
    panel.webview.options = { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(extension, 'dist')] };
    this.#subscriptions.push(
      this.#link,
      panel.webview.onDidReceiveMessage(
        (message: unknown) => void this.#receive(message).catch((error: unknown) => tellError(error, log)),
      ),
      panel.onDidChangeViewState(() => this.#seen()),
      library.onDidChange((change) => this.#take(change)),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#feed.touch([])),
    );
    panel.webview.html = graphPage(panel.webview, extension);
  }

  /** Brings the tab to the front, and a node into view. */
  reveal(path: string): void {
    this.#panel.reveal();
    if (path !== '') this.#show(path);
  }

  /** Selects a node; one that is not seen yet, once it is. */
  #show(path: string): void {
    if (this.#isReady) this.#post({ type: 'reveal', path });
    else this.#wanted = path;
  }

  /** A drawing as a PNG file, which the page makes: it comes to the front for that. */
  async paint(svg: string): Promise<Uint8Array> {
    this.#panel.reveal();
    await Promise.race([this.#ready.promise, this.#gone.promise]);
    return await this.#painter.paint(svg, (message) => this.#post(message));
  }

  /** The search is gone: its folder was deleted or moved. */
  lose(): void {
    this.#isLost = true;
    this.#end();
    this.#feed.pause();
    this.#post({ type: 'lost', message: vscode.l10n.t('This search is no longer there.') });
  }

  #post(message: HostMessage): void {
    if (this.#panel.visible) void this.#panel.webview.postMessage(message);
  }

  /** The editor discards a hidden page, which sends `ready` again when it is shown. */
  #seen(): void {
    if (this.#panel.visible) return;
    if (this.#isReady) this.#ready = Promise.withResolvers<void>();
    this.#isReady = false;
    this.#painter.close();
    this.#feed.pause();
  }

  #take({ search, paths }: LibraryChange): void {
    if (search !== this.#search) return;
    this.#panel.title = oneLine(search.title, 60);
    this.#feed.touch(paths);
    void this.#sendActions();
    if (this.#selected !== null) this.#detailsTimer ??= setTimeout(() => this.#sendDetails(), DETAILS_MS);
  }

  async #receive(value: unknown): Promise<void> {
    const message = readViewMessage(value);
    if (!message) return this.#log.warn('The panel said something that is not understood.');
    switch (message.type) {
      case 'ready':
        this.#view = message.view;
        return await this.#begin();
      case 'resync':
        return await this.#begin();
      case 'select':
        this.#selected = message.path;
        this.#link.selected(message.path);
        void this.#sendActions();
        return this.#sendDetails();
      case 'act':
        if (message.action === REVEAL) return await this.#parts.reveal(this.#search.folder, message.path);
        return await this.#parts.actions.act(this.#search, message.path, message.action);
      case 'exchange':
        return await this.#sendExchange(message.path, message.call);
      case 'open-link':
        return await this.#openLink(message.path, message.href);
      case 'painted':
        return this.#painter.take(message.number, message.png);
      case 'save-picture':
        return await savePicture(this.#search, message.svg);
      case 'reload':
        this.#panel.webview.html = graphPage(this.#panel.webview, this.#extension);
        return;
      case 'failed':
        return this.#log.error(`The panel failed: ${message.message}`);
    }
  }

  async #begin(): Promise<void> {
    if (this.#isLost) return this.lose();
    await this.#feed.begin(this.#view);
    this.#isReady = true;
    this.#ready.resolve();
    if (this.#wanted !== undefined) this.#post({ type: 'reveal', path: this.#wanted });
    this.#wanted = undefined;
  }

  /** The actions of the selected node; those of the search as a whole are part of its changes. */
  async #sendActions(): Promise<void> {
    const path = this.#selected;
    if (path === null || path === '' || !this.#panel.visible) return;
    const actions = await this.#parts.available.at(this.#search, path);
    if (path === this.#selected) this.#post({ type: 'actions', path, actions: panelActions(actions, this.#search) });
  }

  #sendDetails(): void {
    clearTimeout(this.#detailsTimer);
    this.#detailsTimer = undefined;
    const path = this.#selected;
    if (path === null || !this.#panel.visible) return;
    void this.#detailsOf(path).then(
      (details) => this.#post({ type: 'details', details }),
      (error: unknown) => this.#log.error(String(error)),
    );
  }

  async #detailsOf(path: string): Promise<GraphDetails> {
    const { kinds } = this.#parts;
    const receipt = await readReceiptLine(this.#search, kinds, path, messageText).catch(() => undefined);
    return { ...(await detailsOf(this.#search, kinds, path, messageText)), ...(receipt !== undefined && { receipt }) };
  }

  async #sendExchange(path: string, call: number): Promise<void> {
    const exchange = await graphExchange(this.#search, path, call, messageText).catch((error: unknown) => {
      this.#log.error(String(error));
      return { path, call, unknown: messageText(toThoughtTreeError(error).say) };
    });
    this.#post({ type: 'exchange', exchange });
  }

  /** Opens a link in a document if it leads to a file of the workspace: documents come from models. */
  async #openLink(path: string, href: string): Promise<void> {
    const [file = '', fragment = ''] = href.split('#');
    let named: string;
    try {
      named = decodeURIComponent(file);
    } catch {
      return;
    }
    if (named === '' || isAbsolute(named) || /^[a-z][a-z\d+.-]*:/i.test(named)) return;
    const target = resolve(join(this.#search.folder, ...path.split('/')), named);
    const real = await realpath(target).catch(() => undefined);
    const workspace = await realpath(this.#search.workspace).catch(() => this.#search.workspace);
    if (real === undefined || !isBelow(real, workspace) || !(await stat(real)).isFile()) {
      vscode.window.setStatusBarMessage(vscode.l10n.t('This link does not lead to a file in the workspace.'), 5000);
      return;
    }
    const line = Math.max(0, Number(/^L(\d+)/.exec(fragment)?.[1] ?? 1) - 1);
    const selection = fragment === '' ? undefined : new vscode.Range(line, 0, line, 0);
    await openDocument(vscode.Uri.file(real), selection && { selection });
  }

  /** Nobody waits for a picture that will not come. */
  #end(): void {
    this.#gone.reject(new ThoughtTreeError('timed-out', notPainted()));
    this.#painter.close();
  }

  dispose(): void {
    clearTimeout(this.#detailsTimer);
    this.#end();
    this.#feed.pause();
    this.#source.close();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }
}

function isBelow(path: string, folder: string): boolean {
  const between = relative(folder, path);
  return between !== '' && between !== '..' && !between.startsWith(`..${sep}`) && !isAbsolute(between);
}
