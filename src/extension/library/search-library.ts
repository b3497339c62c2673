import { join } from 'node:path';
import * as vscode from 'vscode';
import { SerialQueue } from '../../core/concurrency.ts';
import type { JournalEvent } from '../../core/search/events.ts';
import { parentPath } from '../../core/tree/slug.ts';
import type { Kinds } from '../../engine/kind.ts';
import { FolderWatch, Looks, nodePathIn } from '../../searches/reader/folder-watch.ts';
import { settingsFor } from '../settings.ts';
import type { FollowedSearch } from './followed-search.ts';

/** A change in a search: nodes by slug path; `undefined` if the whole search may look different. */
export interface LibraryChange {
  readonly search: FollowedSearch | undefined;
  readonly paths: readonly string[] | undefined;
  /** Those of them whose files were seen to change, whoever changed them. */
  readonly touched?: readonly string[];
}

/** The interval of checking a search that somebody works on, in milliseconds: a process that dies changes no file. */
const PULSE_MS = 5000;
/** The key for looking for searches that were added or removed. */
const WORKSPACE = '';
/**
 * On Linux, the editor's watcher misses nested folders that are created in quick succession, and everything in them. So
 * we also watch the folders of searches that appeared or changed since; other systems watch whole trees.
 */
const LOSES_FOLDERS = process.platform === 'linux';

/** The searches of the workspace's folders, according to their files: finds and follows them, and reports changes. */
export class SearchLibrary implements vscode.Disposable {
  readonly #kinds: Kinds;
  readonly #searches = new Map<string, FollowedSearch>();
  readonly #changes = new vscode.EventEmitter<LibraryChange>();
  readonly #subscriptions: vscode.Disposable[] = [];
  readonly #watchers: vscode.Disposable[] = [];
  /** By the folders of searches. */
  readonly #closeWatches = new Map<string, FolderWatch>();
  readonly #looks = new Looks((key, paths) => (key === WORKSPACE ? this.scan() : this.#look(key, [...paths])));
  readonly #opened = Promise.withResolvers<void>();
  #pulse: NodeJS.Timeout | undefined;
  readonly #scans = new SerialQueue();
  /** True if searches found now appeared after the folders were opened. */
  #isOpen = false;
  #isDisposed = false;

  readonly onDidChange = this.#changes.event;

  constructor(kinds: Kinds) {
    this.#kinds = kinds;
    const again = (): void => void this.open();
    this.#subscriptions.push(
      vscode.workspace.onDidChangeWorkspaceFolders(again),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('thoughtTree.folder')) again();
      }),
      // No watcher sees everything.
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) void this.#lookAnew().catch(() => undefined);
      }),
    );
  }

  /** Resolves when the searches have been found for the first time; their results are read after that. */
  get opened(): Promise<void> {
    return this.#opened.promise;
  }

  /** Resolves when the results of the searches are known too. */
  get read(): Promise<void> {
    return this.opened.then(async () => void (await Promise.all(this.searches.map(({ read }) => read))));
  }

  get searches(): readonly FollowedSearch[] {
    return [...this.#searches.values()].sort((a, b) => newestFirst(a, b));
  }

  search(folder: string): FollowedSearch | undefined {
    return this.#searches.get(folder);
  }

  /** Returns the search that contains a file, and the slug path of its node. */
  nodeOf(file: string): { search: FollowedSearch; path: string } | undefined {
    for (const search of this.#searches.values()) {
      const path = nodePathIn(search.folder, file);
      if (path !== undefined) return { search, path };
    }
    return undefined;
  }

  /** Finds the searches and begins to watch; call it again after the folders changed. */
  async open(): Promise<void> {
    this.#isOpen = false;
    for (const watcher of this.#watchers.splice(0)) watcher.dispose();
    try {
      for (const { uri } of workspaceFolders()) this.#watch(uri);
      await this.scan();
    } finally {
      this.#isOpen = true;
      this.#opened.resolve();
    }
  }

  #watch(uri: vscode.Uri): void {
    const { folder } = settingsFor(uri);
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(uri, `${folder}/**`));
    const touch = ({ fsPath }: vscode.Uri): void => this.touch(fsPath);
    this.#watchers.push(watcher, watcher.onDidChange(touch), watcher.onDidCreate(touch), watcher.onDidDelete(touch));
    if (!LOSES_FOLDERS) return;
    const watch = new FolderWatch(join(uri.fsPath, folder), 1, (path) => this.touch(path));
    this.#watchers.push({ dispose: () => watch.close() });
  }

  /** Looks for searches that were added or removed; never concurrently, and always after the call. */
  scan(): Promise<void> {
    return this.#scans.run(() => this.#scan());
  }

  async #scan(): Promise<void> {
    const { following } = await import('./following.ts');
    const found = new Map<string, string>();
    for (const { uri } of workspaceFolders())
      for (const folder of await following.find(join(uri.fsPath, settingsFor(uri).folder)))
        found.set(folder, uri.fsPath);
    const gone = [...this.#searches.values()].filter(({ folder }) => !found.has(folder));
    for (const search of gone) {
      search.close();
      this.#closeWatches.get(search.folder)?.close();
      this.#closeWatches.delete(search.folder);
      this.#searches.delete(search.folder);
    }
    const added = [...found]
      .filter(([folder]) => !this.#searches.has(folder))
      .map(([folder, workspace]) => following.follow(folder, workspace, this.#kinds));
    if (this.#isOpen) for (const search of added) this.#watchClosely(search);
    await Promise.all(added.map((search) => search.open()));
    if (this.#isDisposed || gone.length + added.length === 0) return;
    for (const search of added.sort(newestFirst)) {
      this.#searches.set(search.folder, search);
      search.follow(() => this.tell(search));
      void this.#looks.now(search.folder);
    }
    this.#changes.fire({ search: undefined, paths: undefined });
  }

  async #lookAnew(): Promise<void> {
    await this.scan();
    await Promise.all(this.searches.map(({ folder }) => this.#looks.now(folder)));
    if (!this.#isDisposed) this.#changes.fire({ search: undefined, paths: undefined });
  }

  /** Reports that a file below a searches' folder changed; many changes are handled together. */
  touch(file: string): void {
    const found = this.nodeOf(file);
    if (!found || found.path === '') void this.#looks.touch(WORKSPACE);
    if (found) void this.#looks.touch(found.search.folder, found.path.startsWith('.search') ? undefined : found.path);
  }

  /** Reports that something happened to a search. */
  tell({ folder }: FollowedSearch): void {
    void this.#looks.touch(folder);
  }

  async #look(folder: string, touched: readonly string[]): Promise<void> {
    const search = this.#searches.get(folder);
    if (!search) return;
    // The sidebar took what it showed before from its files, not from its journal.
    const isFirst = !search.isRead;
    const events = await search.refresh();
    const isSame = (): boolean => !this.#isDisposed && this.#searches.get(folder) === search;
    if (isSame() && (touched.length > 0 || (events.length > 0 && !isFirst))) this.#watchClosely(search);
    const seen = await search.takeIn(touched);
    if (search.problem !== undefined) await this.scan(); // it may be gone
    if (!isSame()) return;
    const told = isFirst ? [] : events.flatMap(pathsIn);
    this.#changes.fire({ search, paths: [...new Set([...seen, ...told])], touched: seen });
    this.#keepLooking();
  }

  #watchClosely({ folder }: FollowedSearch): void {
    if (!LOSES_FOLDERS || this.#isDisposed || this.#closeWatches.has(folder)) return;
    this.#closeWatches.set(folder, new FolderWatch(folder, Number.POSITIVE_INFINITY, (path) => this.touch(path)));
  }

  #keepLooking(): void {
    if (this.#pulse || !this.searches.some(({ isActive }) => isActive)) return;
    this.#pulse = setTimeout(() => {
      this.#pulse = undefined;
      for (const search of this.searches) if (search.isActive) this.tell(search);
    }, PULSE_MS);
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#pulse);
    this.#looks.dispose();
    for (const each of [...this.#searches.values(), ...this.#closeWatches.values()]) each.close();
    for (const each of [...this.#subscriptions, ...this.#watchers]) each.dispose();
    this.#changes.dispose();
  }
}

/** Returns those whose files are on this machine. */
function workspaceFolders(): readonly vscode.WorkspaceFolder[] {
  return (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
}

const AT_NODE: ReadonlySet<JournalEvent['type']> = new Set(['node-status', 'node-added', 'node-order', 'reconciled']);

/** Returns the nodes that look different after an event. */
function pathsIn(event: JournalEvent): string[] {
  if (event.type === 'node-removed') return [parentPath(event.node)];
  if (event.type === 'node-moved') return [parentPath(event.from), parentPath(event.node)];
  return 'node' in event && event.node !== undefined && AT_NODE.has(event.type) ? [event.node] : [];
}

function newestFirst(a: FollowedSearch, b: FollowedSearch): number {
  const [left, right] = [a.file?.createdAt ?? '', b.file?.createdAt ?? ''];
  if (left !== right) return left < right ? 1 : -1;
  return a.folder < b.folder ? -1 : 1;
}
