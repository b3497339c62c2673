import * as vscode from 'vscode';
import { pageOf } from './page-of.ts';

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
    const options = { preview, preserveFocus, ...(selection && { selection }) };
    await vscode.window.showTextDocument(uri, options);
    return;
  }
  const viewColumn = as === 'beside' ? columnBeside() : vscode.ViewColumn.Active;
  await vscode.commands.executeCommand('vscode.openWith', uri, PREVIEW, { preview, preserveFocus, viewColumn });
}

/**
 * The command of a row that opens a document. The editor's own one makes a click keep the focus in the list, a double click
 * keep the tab, and a click with Ctrl open it to the side.
 */
export function openingCommand(uri: vscode.Uri): vscode.Command {
  const title = vscode.l10n.t('Open Document');
  const as = openDocumentsAs(uri);
  // The editor knows `override`, though its types do not: the text editor, whatever is associated with the file.
  if (as === 'source') return { command: 'vscode.open', title, arguments: [uri, { override: true }] };
  // Rendered by the association that package.json contributes, which only knows the usual folder.
  if (as === 'rendered' && /[\\/]thought-trees[\\/]/.test(uri.fsPath))
    return { command: 'vscode.open', title, arguments: [uri] };
  return { command: 'thoughtTree.openPage', title, arguments: [uri] };
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

/** The group in which documents are read beside others, or else a new one next to the one in front. */
function columnBeside(): vscode.ViewColumn {
  const { all, activeTabGroup } = vscode.window.tabGroups;
  const isPage = ({ input }: vscode.Tab): boolean =>
    input instanceof vscode.TabInputCustom && pageOf(input.uri.fsPath) !== undefined;
  const reading = all.find(
    (group) => group.tabs.some(isPage) && (group !== activeTabGroup || group.tabs.every(isPage)),
  );
  return reading?.viewColumn ?? vscode.ViewColumn.Beside;
}
