import { lstatSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { isNodeName } from '../../store/files/file-path.ts';

/** The ways in which documents and reports open: rendered, as their source, or rendered next to what is in front. */
type OpenAs = 'rendered' | 'source' | 'beside';

/** The editor's own preview as an editor of one file: unlike `markdown.showPreview`, it stays with that file. */
const PREVIEW = 'vscode.markdown.preview.editor';

/** Options of opening one page; by default in a tab that the next one replaces, with the focus. */
interface How {
  readonly preserveFocus?: boolean;
  readonly preview?: boolean;
  /** Lines to show, which only the source has. */
  readonly selection?: vscode.Range;
  readonly as?: OpenAs;
}

/** Opens a page of a search, or another file of the workspace as text, the way the person wants documents opened. */
export async function openDocument(uri: vscode.Uri, how: How = {}): Promise<void> {
  const { preview = true, preserveFocus = false, selection } = how;
  const as = how.as ?? openDocumentsAs(uri);
  if (selection || as === 'source' || !pageOf(uri.fsPath)) {
    const options = { preview, preserveFocus, viewColumn: columnForReading(), ...(selection && { selection }) };
    await vscode.window.showTextDocument(uri, options);
    return;
  }
  const viewColumn = as === 'beside' ? columnBeside() : columnForReading();
  await vscode.commands.executeCommand('vscode.openWith', uri, PREVIEW, { preview, preserveFocus, viewColumn });
}

/**
 * The command of a row that opens a document. As with the editor's own one, a click keeps the focus in the list, and a
 * double click keeps the tab; that one would open a document over a drawing.
 */
export function openingCommand(uri: vscode.Uri): vscode.Command {
  return { command: 'thoughtTree.openPage', title: vscode.l10n.t('Open Document'), arguments: [uri] };
}

/** Two clicks on a row within this time are a double click, in milliseconds. */
const DOUBLE_CLICK_MS = 500;

/** Makes the command of rows: a click keeps the focus in the list, a second one right away keeps the tab. */
export function makeOpenFromRow(): (uri: vscode.Uri) => Promise<void> {
  let last: { readonly file: string; readonly time: number } | undefined;
  return async (uri) => {
    const time = Date.now();
    const isDouble = last?.file === uri.fsPath && time - last.time < DOUBLE_CLICK_MS;
    last = { file: uri.fsPath, time };
    await openDocument(uri, { preview: !isDouble, preserveFocus: !isDouble });
  };
}

function openDocumentsAs(scope: vscode.Uri): OpenAs {
  const as = vscode.workspace.getConfiguration('thoughtTree', scope).get<unknown>('openDocumentsAs');
  return as === 'source' || as === 'beside' ? as : 'rendered';
}

/**
 * Returns the group in front; where that shows a drawing, another one, so that nothing covers the tree that one wants
 * to watch.
 */
export function columnForReading(): vscode.ViewColumn {
  const { all, activeTabGroup } = vscode.window.tabGroups;
  if (!showsDrawing(activeTabGroup)) return vscode.ViewColumn.Active;
  const free = all.filter((group) => !showsDrawing(group));
  return (free.find(({ tabs }) => tabs.some(isPage)) ?? free[0])?.viewColumn ?? vscode.ViewColumn.Beside;
}

/** Shows a text that is no file, where no drawing is in front. */
export async function showText(document: vscode.TextDocument, preview = true): Promise<void> {
  await vscode.window.showTextDocument(document, { preview, viewColumn: columnForReading() });
}

const GROUPS = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Seventh', 'Eighth'];

/** Brings the group for reading to the front, for a command of the editor that opens in that one alone. */
export async function focusForReading(): Promise<void> {
  const column = columnForReading();
  if (column === vscode.ViewColumn.Active) return;
  const ordinal = GROUPS[column - 1];
  const command = ordinal === undefined ? 'newGroupRight' : `focus${ordinal}EditorGroup`;
  await vscode.commands.executeCommand(`workbench.action.${command}`);
}

/** The editor puts a prefix before the type of a panel. */
function showsDrawing({ activeTab }: vscode.TabGroup): boolean {
  return activeTab?.input instanceof vscode.TabInputWebview && activeTab.input.viewType.endsWith('thoughtTree.graph');
}

function isPage({ input }: vscode.Tab): boolean {
  return input instanceof vscode.TabInputCustom && pageOf(input.uri.fsPath) !== undefined;
}

/** The group in which documents are read beside others, or else a new one next to the one in front. */
function columnBeside(): vscode.ViewColumn {
  const { all, activeTabGroup } = vscode.window.tabGroups;
  const reading = all.find(
    (group) =>
      group.tabs.some(isPage) && !showsDrawing(group) && (group !== activeTabGroup || group.tabs.every(isPage)),
  );
  return reading?.viewColumn ?? vscode.ViewColumn.Beside;
}

/** A page of a search that a person reads: the document of a node, or the report, whose path is empty. */
export interface Page {
  readonly folder: string;
  readonly path: string;
}

/** More levels than any search has. */
const DEEPEST = 130;

/**
 * Which page of ours a file is, by the files around it; undefined for any other file, a person's own Markdown above all.
 * Whether searches were looked for, and where the workspace keeps them, does not matter.
 */
export function pageOf(file: string): Page | undefined {
  const folder = dirname(file);
  if (basename(file) === 'report.md') return isFile(join(folder, 'search.json')) ? { folder, path: '' } : undefined;
  if (basename(file) !== 'document.md' || !isFile(join(folder, 'node.json'))) return undefined;
  const names: string[] = [];
  for (let at = folder; names.length < DEEPEST; at = dirname(at)) {
    if (dirname(at) === at) return undefined;
    if (isFile(join(at, 'search.json'))) return names.length > 0 ? pageAt(at, names.reverse()) : undefined;
    names.push(basename(at));
  }
  return undefined;
}

function pageAt(folder: string, names: readonly string[]): Page | undefined {
  const isNode = names.every((name, i) => isNodeName(name, names.slice(0, i).join('/')));
  return isNode ? { folder, path: names.join('/') } : undefined;
}

/** Neither a link nor a pipe: a folder of a search may have come with a clone. */
export function isFile(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}
