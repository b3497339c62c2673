import { lstat } from 'node:fs/promises';
import { relative } from 'node:path';
import * as vscode from 'vscode';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { type Place, SEARCHES } from '../../searches/place.ts';
import type { SearchLibrary } from '../library/search-library.ts';
import { noLongerThere } from '../messages.ts';
import { settingsFor } from '../settings.ts';
import { changedPaths } from './changed-paths.ts';
import { saveFile } from './save-file.ts';

/** As much of a search as tells where its documents are. */
interface Searched {
  readonly folder: string;
  readonly workspace: string;
}

/**
 * Opens a search editor on our documents, which searches are otherwise kept out of: the view of the editor's own search stays
 * as the person left it. It begins with what is selected.
 * @param search the one whose documents are searched; by default those of all
 */
export async function findInDocuments(search?: Searched): Promise<void> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  const places = search ? [placeOf(search, folders)] : folders.map((folder) => inFolder(folder, folders));
  await vscode.commands.executeCommand('search.action.openNewEditor', {
    query: selectedText(),
    filesToInclude: [...new Set(places)].map((place) => `${place}/**/*.md`).join(', '),
    // Files that the engine keeps for itself, such as earlier versions.
    filesToExclude: '**/.search',
    useExcludeSettingsAndIgnoreFiles: false,
    showIncludesExcludes: true,
    triggerSearch: true,
  });
}

/**
 * Finds text in the documents of one search.
 * @throws ThoughtTreeError `not-found` if it is gone: the documents of all others were not asked for
 */
export async function findInSearch(
  library: { search(folder: string): Searched | undefined },
  folder: string,
): Promise<void> {
  const search = library.search(folder);
  if (!search) throw new ThoughtTreeError('not-found', noLongerThere({ path: folder }));
  await findInDocuments(search);
}

/** Returns the selected line in a text editor; empty if there is none. */
function selectedText(): string {
  const { document, selection } = vscode.window.activeTextEditor ?? {};
  return document && selection?.isSingleLine ? document.getText(selection) : '';
}

function inFolder(folder: vscode.WorkspaceFolder, all: readonly vscode.WorkspaceFolder[]): string {
  return below(folder, settingsFor(folder.uri).folder, all);
}

function placeOf({ folder, workspace }: Searched, all: readonly vscode.WorkspaceFolder[]): string {
  const root = all.find(({ uri }) => uri.fsPath === workspace);
  const path = relative(workspace, folder).replaceAll('\\', '/');
  return root ? below(root, path, all) : asPattern(folder.replaceAll('\\', '/'));
}

/** Where there are several folders, a place begins with the name of one. */
function below({ name }: vscode.WorkspaceFolder, path: string, all: readonly vscode.WorkspaceFolder[]): string {
  return `./${asPattern(all.length > 1 ? `${name}/${path}` : path)}`;
}

/** Returns a path that means only itself where globs, separated by commas, are expected. */
function asPattern(path: string): string {
  return path.replaceAll(/[*?[\]{},]/g, '?');
}

/** The last folder about which a person was asked in this workspace. */
const LEAVING_ASKED = 'thoughtTree.leavingOutOffered';

/**
 * Offers once to keep a folder of searches with a name of its own out of search and quick open; the usual one is by default.
 * @param workspace the folder that was searched
 * @returns whether it asked
 */
export async function offerLeavingOut(workspace: vscode.Uri, memory: vscode.Memento): Promise<boolean> {
  const { folder } = settingsFor(workspace);
  if (folder === SEARCHES || memory.get(LEAVING_ASKED) === folder || isLeftOut(workspace, folder)) return false;
  await memory.update(LEAVING_ASKED, folder);
  const yes = vscode.l10n.t('Leave It Out');
  const question = vscode.l10n.t('Searches are kept in {0}. Leave it out of search and quick open?', folder);
  const answer = await vscode.window.showInformationMessage(question, yes, vscode.l10n.t('No'));
  if (answer !== yes) return true;
  await exclude(workspace, ['search', 'exclude'], `**/${folder}`);
  await exclude(workspace, ['files', 'exclude'], `**/${folder}/*/.search`);
  await exclude(workspace, ['files', 'watcherExclude'], `**/${folder}/*/.search/**`);
  return true;
}

function isLeftOut(workspace: vscode.Uri, folder: string): boolean {
  const patterns = vscode.workspace.getConfiguration('search', workspace).get<object>('exclude') ?? {};
  return Object.keys(patterns).some((each) => each.replace(/^\*\*\//, '').replace(/\/(?:\*\*)?$/, '') === folder);
}

/** Adds a pattern to a setting in the place where the folder was named. */
async function exclude(workspace: vscode.Uri, [section, key]: [string, string], pattern: string): Promise<void> {
  const config = vscode.workspace.getConfiguration(section, workspace);
  const known = config.inspect<object>(key);
  const named = vscode.workspace.getConfiguration('thoughtTree', workspace).inspect('folder');
  const { Global, Workspace, WorkspaceFolder } = vscode.ConfigurationTarget;
  const add = (before: object | undefined, target: vscode.ConfigurationTarget): Thenable<void> =>
    config.update(key, { ...before, [pattern]: true }, target);
  if (named?.workspaceFolderValue !== undefined) await add(known?.workspaceFolderValue, WorkspaceFolder);
  else if (named?.workspaceValue !== undefined) await add(known?.workspaceValue, Workspace);
  else await add(known?.globalValue, Global);
}

/** The key that is set if a person was asked in this workspace. */
const IGNORING_ASKED = 'thoughtTree.ignoreOffered';
/** The key that is set if they never want to be asked again, anywhere. */
const NEVER = 'thoughtTree.neverOfferIgnoring';

/**
 * Offers once to have git ignore the folder of searches, where they are among what is not committed.
 * @param workspace the folder that was searched
 */
export async function offerIgnoring(
  workspace: vscode.Uri,
  { workspaceState, globalState }: Pick<vscode.ExtensionContext, 'workspaceState' | 'globalState'>,
): Promise<void> {
  if (workspaceState.get(IGNORING_ASKED) === true || globalState.get(NEVER) === true || !vscode.workspace.isTrusted)
    return;
  const { folder } = settingsFor(workspace);
  if (!(await changedPaths(workspace)).some((path) => isIn(path, folder))) return;
  const file = vscode.Uri.joinPath(workspace, '.gitignore');
  // Git follows no link there, and one that a clone brought may lead to any file.
  if (await isLink(file)) return;
  await workspaceState.update(IGNORING_ASKED, true);
  const [add, never] = [vscode.l10n.t('Add'), vscode.l10n.t('Never')];
  const question = vscode.l10n.t('Source Control lists the files of your searches. Add {0} to .gitignore?', folder);
  const answer = await vscode.window.showInformationMessage(question, add, never);
  if (answer === never) await globalState.update(NEVER, true);
  if (answer === add) await ignore(file, folder);
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

async function isLink({ fsPath }: vscode.Uri): Promise<boolean> {
  return await lstat(fsPath).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );
}

async function ignore(file: vscode.Uri, folder: string): Promise<void> {
  const before = await vscode.workspace.fs.readFile(file).then(undefined, (error: { code?: unknown }) => {
    if (error.code === 'FileNotFound') return new Uint8Array();
    throw error;
  });
  // Whatever else is in it, in whatever encoding, stays as it is.
  const line = new TextEncoder().encode(ignoreLine(new TextDecoder().decode(before), folder));
  if (line.length > 0) await saveFile(file, Uint8Array.from([...before, ...line]));
}

/** For finding a fault: versions, settings, states and figures; no questions, texts, paths, addresses or keys. */
export function diagnostics(context: vscode.ExtensionContext, library: SearchLibrary): string {
  const { model, size, concurrency, guards } = settingsFor(undefined);
  const { version } = context.extension.packageJSON as { version: string };
  const searches = library.searches.map((search) => ({
    state: search.state,
    problem: search.problem !== undefined,
    cause: search.cause,
    model: search.model?.split('/')[0],
    nodes: search.size,
    failed: search.count('failed'),
    spend: search.spend,
  }));
  return JSON.stringify(
    {
      thoughtTree: version,
      vscode: vscode.version,
      remote: remoteKind(),
      platform: `${process.platform}-${process.arch}`,
      node: process.version,
      settings: { provider: model.split('/')[0], size, concurrency, guards },
      searches,
    },
    null,
    2,
  );
}

/** Returns the kind of remote, such as `ssh-remote`; if the name is an address, only that it is one. */
function remoteKind(): string {
  const name = vscode.env.remoteName ?? 'none';
  return /^[a-z-]+$/.test(name) ? name : 'other';
}

/** The commands that keep our files out of a person's way, and find what went wrong: loaded when first needed. */
export const workspaceHelp = {
  diagnostics,
  findInDocuments,
  findInSearch,
  /** Asks at most one question, and each only once. */
  afterSearch: async ({ workspace }: Place, context: vscode.ExtensionContext): Promise<void> => {
    const folder = vscode.Uri.file(workspace);
    if (!(await offerLeavingOut(folder, context.workspaceState))) await offerIgnoring(folder, context);
  },
};

/**
 * Returns what to add to the end of a .gitignore so that it ignores a folder, with the file's own line ends.
 * @param before the file, empty if there is none
 * @param folder a folder below that of the file, with `/`
 * @returns empty if it is ignored there already
 */
export function ignoreLine(before: string, folder: string): string {
  const line = `/${asRule(folder)}/`;
  const isThere = before
    .split(/\r?\n/)
    .some((each) => each === line || each.replace(/^\/|\/$/g, '') === asRule(folder));
  if (isThere) return '';
  const end = before.includes('\r\n') ? '\r\n' : '\n';
  const isOpen = before !== '' && !before.endsWith('\n');
  return `${isOpen ? end : ''}${line}${end}`;
}

/** Returns a path in which nothing is a pattern. */
function asRule(path: string): string {
  return path.replaceAll(/[\\*?[\]]/g, '\\$&').replace(/ $/, '\\ ');
}
