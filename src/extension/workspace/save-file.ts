import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { oneLine } from '../../core/text/text.ts';
import { replaceFile } from '../../store/files/replace-file.ts';
import { columnForReading } from '../documents/open-document.ts';
import type { FollowedSearch } from '../library/followed-search.ts';
import { withoutLinks } from '../message-text.ts';

/** Writes a file that a person named, whole or not at all; elsewhere than on this computer's disk, as the editor does it. */
export async function saveFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
  if (uri.scheme === 'file') await replaceFile(uri.fsPath, content);
  else await vscode.workspace.fs.writeFile(uri, content);
}

type Saved = Pick<FollowedSearch, 'folder' | 'workspace' | 'title'>;

/** The kind of a file: the end of its name, and what people call it. */
interface Format {
  readonly ending: string;
  readonly name: string;
}

/** Writes what was made of a search into the workspace, under a name that is free, and says where it is. */
export async function saveAtOnce(search: Saved, content: Uint8Array, { ending, name }: Format): Promise<void> {
  const uri = freeFile(search, ending);
  await saveFile(uri, content);
  const said = vscode.l10n.t('"{0}" is saved as {1}.', withoutLinks(oneLine(search.title, 100)), basename(uri.fsPath));
  const [open, elsewhere] = [vscode.l10n.t('Open'), vscode.l10n.t('Move To…')];
  const answer = await vscode.window.showInformationMessage(said, open, elsewhere);
  if (answer === elsewhere) {
    const to = await askForFile(search, basename(uri.fsPath), { [name]: [ending] });
    if (to) await vscode.workspace.fs.rename(uri, to, { overwrite: true });
  }
  if (answer !== open) return;
  // A browser for the page; the editor shows pictures itself.
  if (ending === 'html') await vscode.env.openExternal(uri);
  else await vscode.commands.executeCommand('vscode.open', uri, columnForReading());
}

function freeFile({ folder, workspace }: Saved, ending: string): vscode.Uri {
  for (let number = 1; ; number++) {
    const file = join(workspace, `${basename(folder)}${number === 1 ? '' : `-${number}`}.${ending}`);
    if (!existsSync(file)) return vscode.Uri.file(file);
  }
}

/** Asks a person for a file in the workspace; undefined if they name none. */
export async function askForFile(
  { workspace }: Pick<Saved, 'workspace'>,
  name: string,
  filters: Record<string, string[]>,
): Promise<vscode.Uri | undefined> {
  return await vscode.window.showSaveDialog({ defaultUri: vscode.Uri.file(join(workspace, name)), filters });
}
