import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { oneLine } from '../../core/text/text.ts';
import { replaceFile } from '../../store/files/replace-file.ts';
import type { SearchLibrary } from '../library/search-library.ts';
import type { NodeTarget } from './command-table.ts';

const LONGEST_TITLE = 200;

/** The commands on the files of a row, as in the editor's Explorer. Loaded when it is first needed. */
export const rowCommands = { showInExplorer, copyPath, renameTitle };

/** Selects its folder in the Explorer. */
async function showInExplorer(row: NodeTarget): Promise<void> {
  await vscode.commands.executeCommand('revealInExplorer', vscode.Uri.file(folderOf(row)));
}

async function copyPath(row: NodeTarget): Promise<void> {
  await vscode.env.clipboard.writeText(folderOf(row));
}

/** Asks for another title; its folder keeps its name, so that links and paths still lead to it. */
async function renameTitle(library: Pick<SearchLibrary, 'touch'>, row: NodeTarget): Promise<void> {
  const file = join(folderOf(row), row.path === '' ? 'search.json' : 'node.json');
  const before = await contentOf(file);
  const value = oneLine(String(before['title'] ?? ''), LONGEST_TITLE);
  const title = vscode.l10n.t('Rename "{0}"', oneLine(value, 60));
  const prompt = vscode.l10n.t('Only the title changes; the folder keeps its name.');
  const validateInput = (text: string): string | undefined =>
    text.trim() === '' ? vscode.l10n.t('It needs a title.') : undefined;
  const typed = (await vscode.window.showInputBox({ title, prompt, value, validateInput }))?.trim();
  if (!typed || typed === value) return;
  // Read again: somebody may have worked on it while the person typed.
  const text = `${JSON.stringify({ ...(await contentOf(file)), title: oneLine(typed, LONGEST_TITLE) }, null, 2)}\n`;
  await replaceFile(file, text);
  library.touch(file);
}

async function contentOf(file: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
}

function folderOf({ folder, path }: NodeTarget): string {
  return join(folder, ...(path === '' ? [] : path.split('/')));
}
