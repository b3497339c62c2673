import { randomBytes } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import * as vscode from 'vscode';
import { type ActionDescriptor, maySpend } from '../../core/actions/action-descriptor.ts';
import { ThoughtTreeError, toThoughtTreeError } from '../../core/search/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import type { Kinds } from '../../engine/kind.ts';
import type { GraphAction, GraphDetails } from '../../protocol/graph-node.ts';
import type { HostMessage } from '../../protocol/host-message.ts';
import { type OpenBranches, readViewMessage } from '../../protocol/view-message.ts';
import type { SearchReader } from '../../searches/reader/search-reader.ts';
import { detailsOf, graphTranscript, readReceiptLine } from '../../searches/search-graph.ts';
import type { ActionCommands } from '../actions/action-commands.ts';
import { type AvailableActions, titleFor } from '../actions/available-actions.ts';
import { openDocument } from '../documents/open-document.ts';
import type { FollowedSearch } from '../library/followed-search.ts';
import type { LibraryChange, SearchLibrary } from '../library/search-library.ts';
import { messageText } from '../message-text.ts';
import { notPainted } from '../messages.ts';
import type { TreeElement } from '../sidebar/tree-element.ts';
import { tellBriefly, tellError } from '../tell-error.ts';
import { saveAtOnce } from '../workspace/save-file.ts';
import { GraphCalls } from './graph-calls.ts';
import { GraphFeed } from './graph-feed.ts';
import type { GraphPast } from './graph-past.ts';
import { GraphSource } from './graph-source.ts';
import { pageWords } from './page-words.ts';

/** Minimum time between two updates of a changing node's details, in milliseconds. */
const DETAILS_MS = 500;

export interface PanelParts {
  readonly kinds: Kinds;
  readonly library: SearchLibrary;
  readonly available: AvailableActions;
  readonly actions: Pick<ActionCommands, 'act' | 'learnNeed'>;
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
  readonly #calls: GraphCalls;
  /** There once a person has asked for the timeline. */
  #past: GraphPast | undefined;
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
      actions: () => {
        void parts.actions.learnNeed(search).catch((error: unknown) => log.error(String(error)));
        return panelActions(parts.available.onSearch(search), search);
      },
      onError: (error) => log.error(String(error)),
    });
    this.#calls = new GraphCalls({
      search,
      post: (message) => this.#post(message),
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

  /** Returns a drawing as a PNG file, which the page makes: it comes to the front for that. */
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
    this.#calls.dispose();
    this.#painter.close();
    this.#feed.pause();
  }

  #take({ search, paths }: LibraryChange): void {
    if (search !== this.#search) return;
    this.#panel.title = oneLine(search.title, 60);
    this.#feed.touch(paths);
    this.#past?.touch();
    this.#calls.touch();
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
        if (message.action === COPY_LINK)
          return await vscode.commands.executeCommand('thoughtTree.copyLink', {
            folder: this.#search.folder,
            path: message.path,
          });
        if (this.isPast) return tellBriefly(this.#search.title, vscode.l10n.t('What was cannot be changed.'));
        return await this.#parts.actions.act(
          this.#search,
          message.path,
          message.action,
          message.forward ? { forward: true } : undefined,
        );
      case 'exchange':
        return await this.#sendExchange(message.path, message.call);
      case 'open-link':
        return await this.#openLink(message.path, message.href);
      case 'timeline':
        return await this.#setTimeline(message.isOpen);
      case 'calls':
        return await this.#calls.set(message.isOpen);
      case 'seek':
        return await (await this.#withPast()).seek(message.to, message.view);
      case 'fork':
        return await (await this.#withPast()).fork(message.seq);
      case 'painted':
        return this.#painter.take(message.number, message.png);
      case 'save-picture':
        return await saveAtOnce(this.#search, Buffer.from(message.svg, 'utf8'), { ending: 'svg', name: 'SVG' });
      case 'reload':
        this.#panel.webview.html = graphPage(this.#panel.webview, this.#extension);
        return;
      case 'failed':
        return this.#log.error(`The panel failed: ${message.message}`);
    }
  }

  /** Tells whether it shows the search as it was. */
  get isPast(): boolean {
    return this.#past?.moment !== undefined;
  }

  /** The search as it is shown. */
  get #shown(): SearchReader {
    return this.#past?.moment?.reader ?? this.#search;
  }

  /** Few people look at what was: it is loaded for them. */
  async #withPast(): Promise<GraphPast> {
    const { GraphPast } = await import('./graph-past.ts');
    const { kinds, library } = this.#parts;
    this.#past ??= new GraphPast({
      search: this.#search,
      kinds,
      library,
      feed: this.#feed,
      post: (message) => this.#post(message),
      onShown: () => this.#sendDetails(),
      onError: (error) => this.#log.error(String(error)),
    });
    return this.#past;
  }

  /** One that is closed while it is loaded stays closed: both wait for the same. */
  async #setTimeline(isOpen: boolean): Promise<void> {
    const past = await this.#withPast();
    await (isOpen ? past.open() : past.close());
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
    const shown = this.#shown;
    void this.#detailsOf(shown, path).then(
      (details) => {
        // Those of another moment may take longer than those of this one, which are on their way.
        if (shown === this.#shown) this.#post({ type: 'details', details });
      },
      (error: unknown) => this.#log.error(String(error)),
    );
  }

  async #detailsOf(search: SearchReader, path: string): Promise<GraphDetails> {
    const { kinds } = this.#parts;
    const receipt = await readReceiptLine(search, kinds, path, messageText).catch(() => undefined);
    return { ...(await detailsOf(search, kinds, path, messageText)), ...(receipt !== undefined && { receipt }) };
  }

  async #sendExchange(path: string, call: number): Promise<void> {
    const shown = this.#shown;
    const exchange = await graphTranscript(shown, path, call, messageText).catch((error: unknown) => {
      this.#log.error(String(error));
      return { path, call, unknown: messageText(toThoughtTreeError(error).say) };
    });
    // Another moment is shown by now, at which its words are others.
    if (shown !== this.#shown) return await this.#sendExchange(path, call);
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
    this.#calls.dispose();
    this.#past?.dispose();
    this.#source.close();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }
}

function isBelow(path: string, folder: string): boolean {
  const between = relative(folder, path);
  return between !== '' && between !== '..' && !between.startsWith(`..${sep}`) && !isAbsolute(between);
}

/** The panel's own actions: from a node in the drawing to its row in the sidebar, and what leads others to it. */
export const REVEAL = 'reveal';
export const COPY_LINK = 'copyLink';

/** Where they are offered, the node waits for a person. */
const FIRST: ReadonlySet<string> = new Set(['doneByHand', 'doByHand']);

/** Actions as the panel shows them, without those that an untrusted workspace must not have. */
export function panelActions(actions: readonly ActionDescriptor[], search: FollowedSearch): GraphAction[] {
  const { isTrusted } = vscode.workspace;
  const allowed = actions.filter((descriptor) => isTrusted || !maySpend(descriptor));
  const shown = allowed.toSorted((a, b) => Number(FIRST.has(b.name)) - Number(FIRST.has(a.name)));
  return [
    ...shown.map((descriptor) => ({ name: descriptor.name, title: titleFor(descriptor, search) })),
    { name: REVEAL, title: vscode.l10n.t('Reveal in sidebar') },
    { name: COPY_LINK, title: vscode.l10n.t('Copy link') },
  ];
}

/** A selection that lasts this long is followed, in milliseconds: nobody looks at the sidebar while they walk by keys. */
const REST_MS = 150;

export interface Sidebar {
  readonly view: Pick<vscode.TreeView<TreeElement>, 'visible' | 'selection' | 'onDidChangeSelection'>;
  /** Selects a node's row and brings it into view; the focus stays where it is. */
  readonly follow: (folder: string, path: string) => Promise<void>;
}

/**
 * Keeps the selection of one drawing and that of the sidebar alike. Neither takes the focus from the other, and a sidebar
 * that is hidden stays hidden.
 */
export class SidebarLink implements vscode.Disposable {
  readonly #sidebar: Sidebar;
  readonly #folder: string;
  readonly #select: (path: string) => void;
  readonly #subscription: vscode.Disposable;
  /** The path that is selected in the drawing. */
  #selected: string | null = null;
  #timer: NodeJS.Timeout | undefined;
  /** True if the sidebar's selection is being moved from here: what it says then is no person's wish. */
  #isLeading = false;

  /** @param select selects a node in the drawing */
  constructor(sidebar: Sidebar, folder: string, select: (path: string) => void) {
    this.#sidebar = sidebar;
    this.#folder = folder;
    this.#select = select;
    this.#subscription = sidebar.view.onDidChangeSelection(({ selection }) => this.#take(selection));
  }

  /** Something else is selected in the drawing; null for nothing. */
  selected(path: string | null): void {
    this.#selected = path;
    clearTimeout(this.#timer);
    if (path !== null) this.#timer = setTimeout(() => void this.#lead(path), REST_MS);
  }

  async #lead(path: string): Promise<void> {
    const { view, follow } = this.#sidebar;
    if (!view.visible || this.#isLeading || view.selection.some((row) => this.#isRowOf(row, path))) return;
    this.#isLeading = true;
    await follow(this.#folder, path).catch(() => undefined); // it may be gone by now
    this.#isLeading = false;
    if (this.#selected !== null && this.#selected !== path) this.selected(this.#selected);
  }

  /** A search's own row is opened and closed by clicks: it counts only where something of it is being looked at. */
  #take(selection: readonly TreeElement[]): void {
    const [row] = selection;
    if (this.#isLeading || selection.length !== 1 || !row || row.folder !== this.#folder) return;
    const isNode = row.kind === 'node' || (row.kind === 'search' && this.#selected !== null);
    if (isNode && row.path !== this.#selected) this.#select(row.path);
  }

  #isRowOf(row: TreeElement, path: string): boolean {
    return (row.kind === 'node' || row.kind === 'search') && row.folder === this.#folder && row.path === path;
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#subscription.dispose();
  }
}

/** Returns the page of a panel: our own script and style, and nothing from anywhere else. */
export function graphPage(webview: vscode.Webview, extension: vscode.Uri): string {
  const nonce = randomBytes(16).toString('base64url');
  const of = (file: string): string => webview.asWebviewUri(vscode.Uri.joinPath(extension, 'dist', file)).toString();
  const policy = [
    "default-src 'none'",
    `style-src ${webview.cspSource}`,
    'img-src blob:', // a drawing of ours on its way to being a picture
    `script-src 'nonce-${nonce}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  // The page's texts in the editor's language; it has most of the English ones itself.
  const words = JSON.stringify(pageWords(vscode.l10n.bundle)).replaceAll('<', '\\u003c');
  const language = vscode.env.language.replaceAll(/[^\w-]/g, '');
  return `<!DOCTYPE html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<link rel="stylesheet" href="${of('webview.css')}">
<title>Thought Tree</title>
</head>
<body>
<div id="panel"></div>
<script type="application/json" id="words">${words}</script>
<script nonce="${nonce}" src="${of('webview.js')}"></script>
</body>
</html>`;
}

/** The time that the page may take, in milliseconds. */
const PATIENCE_MS = 30_000;

/** Has the page of a panel make pictures of pixels: only a browser can. */
export class PicturePainter {
  readonly #wanted = new Map<number, (png: string | undefined) => void>();
  #number = 0;

  /**
   * @param svg a file of our own
   * @returns a PNG file
   * @throws ThoughtTreeError `timed-out` if the page does not answer, or cannot draw it
   */
  async paint(svg: string, post: (message: HostMessage) => void): Promise<Uint8Array> {
    const number = ++this.#number;
    const painted = Promise.withResolvers<string | undefined>();
    const timer = setTimeout(() => painted.resolve(undefined), PATIENCE_MS);
    this.#wanted.set(number, painted.resolve);
    post({ type: 'paint', number, svg });
    try {
      const png = await painted.promise;
      if (png === undefined) throw new ThoughtTreeError('timed-out', notPainted());
      return Buffer.from(png, 'base64');
    } finally {
      clearTimeout(timer);
      this.#wanted.delete(number);
    }
  }

  /** Takes an answer of the page. */
  take(number: number, png: string | undefined): void {
    this.#wanted.get(number)?.(png);
  }

  /** The page is gone. */
  close(): void {
    for (const resolve of this.#wanted.values()) resolve(undefined);
  }
}
