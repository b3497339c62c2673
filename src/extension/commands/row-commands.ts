import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import { editorLink, folderInWorkspace } from '../../searches/place.ts';
import { checkNodePath, checkPath } from '../../store/files/file-path.ts';
import { replaceFile } from '../../store/files/replace-file.ts';
import { openDocument } from '../documents/open-document.ts';
import type { FollowedSearch } from '../library/followed-search.ts';
import type { SearchLibrary } from '../library/search-library.ts';
import { withoutLinks } from '../message-text.ts';
import { linkUnreadable, noSearchForLink } from '../messages.ts';
import { tellBriefly } from '../tell-error.ts';
import type { FileTarget, NodeTarget, SearchTarget } from './command-table.ts';

const LONGEST_TITLE = 200;

/** The commands on the files of a row, as in the editor's Explorer, and what links lead to. Loaded when it is first needed. */
export const rowCommands = { showInExplorer, copyLink, openLink, renameTitle, editNote };

/** Selects its folder in the Explorer. */
async function showInExplorer(row: NodeTarget): Promise<void> {
  await vscode.commands.executeCommand('revealInExplorer', vscode.Uri.file(folderOf(row)));
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

/** Opens the note for all of a search as a text: it may have many lines, and what is saved is what later prompts get. */
async function editNote({ folder }: SearchTarget): Promise<void> {
  await openDocument(vscode.Uri.file(join(folder, 'notes.md')), { as: 'source', preview: false });
}

async function contentOf(file: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
}

function folderOf({ folder, path }: NodeTarget): string {
  return join(folder, ...(path === '' ? [] : path.split('/')));
}

/** The longest path in a link. */
const LONGEST_PATH = 1000;

/** What a link says. Anybody can make one: a path in it stays below the folder that it is relative to. */
const Linked = z.object({
  search: z.string().min(1).max(LONGEST_PATH).refine(passes(checkPath)),
  node: z.string().max(LONGEST_PATH).refine(passes(checkNodePath)).default(''),
});

function passes(check: (path: string) => void): (path: string) => boolean {
  return (path) => {
    try {
      check(path);
      return true;
    } catch {
      return false;
    }
  };
}

/** Copies the link of a row or a page, for a chat, an issue or a note. */
async function copyLink(
  library: Pick<SearchLibrary, 'opened' | 'search' | 'nodeOf'>,
  target: NodeTarget | FileTarget,
): Promise<void> {
  await library.opened;
  const isPage = 'fsPath' in target;
  const { search, path } = isPage
    ? (library.nodeOf(target.fsPath) ?? { path: '' })
    : { search: library.search(target.folder), path: target.path };
  const link = search && editorLink(search, path, vscode.env.uriScheme);
  if (!link) {
    // A person's own report.md has the menu, too.
    if (isPage) vscode.window.setStatusBarMessage(vscode.l10n.t('This file belongs to no search.'), 5000);
    return;
  }
  await vscode.env.clipboard.writeText(link);
  tellBriefly(search.title, vscode.l10n.t('The link is copied.'));
}

interface Opening {
  readonly library: Pick<SearchLibrary, 'opened' | 'scan' | 'searches'>;
  readonly open: (target: NodeTarget) => Promise<void>;
}

/**
 * Opens what a link names, if the folders of this window have it. It only shows: nothing is started, changed or read elsewhere.
 * @throws ThoughtTreeError `bad-input` for what is no such link, `not-found` where its search is not here
 */
async function openLink({ library, open }: Opening, uri: Pick<vscode.Uri, 'path' | 'query'>): Promise<void> {
  const said = Linked.safeParse(Object.fromEntries(new URLSearchParams(uri.query)));
  if (uri.path !== '/open' || !said.success) throw new ThoughtTreeError('bad-input', linkUnreadable());
  const { search: place, node } = said.data;
  const search = await chosen(await searchesAt(library, place));
  if (search === 'none') throw new ThoughtTreeError('not-found', noSearchForLink({ search: oneLine(place, 200) }));
  if (!search) return;
  await search.read;
  const isThere = node === '' || search.statusAt(node) !== undefined;
  await open({ folder: search.folder, path: isThere ? node : '' });
  if (isThere) return;
  const [title, gone] = [oneLine(search.title, 100), oneLine(node, 200)].map(withoutLinks);
  void vscode.window.showInformationMessage(
    vscode.l10n.t('"{0}" no longer has {1}; all of it is shown.', title ?? '', gone ?? ''),
  );
}

/**
 * Returns the searches at a place below a folder of this window; each of several folders may have one. Where none is there, a window
 * may have been opened further up than the one that the link was made in.
 */
async function searchesAt(library: Opening['library'], place: string): Promise<readonly FollowedSearch[]> {
  const found = (): FollowedSearch[] => library.searches.filter((each) => folderInWorkspace(each) === place);
  await library.opened;
  if (found().length === 0) await library.scan(); // it may have come a moment ago
  const exact = found();
  if (exact.length > 0) return exact;
  return library.searches.filter((each) => folderInWorkspace(each).endsWith(`/${place}`));
}

async function chosen(found: readonly FollowedSearch[]): Promise<FollowedSearch | 'none' | undefined> {
  if (found.length <= 1) return found[0] ?? 'none';
  const { menus } = await import('./menus.ts');
  return menus.pickSearch(found, vscode.l10n.t('Which search?'));
}
