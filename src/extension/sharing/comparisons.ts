import { basename } from 'node:path';
import * as vscode from 'vscode';
import { oneLine } from '../../core/text/text.ts';
import type { FollowedSearch } from '../library/followed-search.ts';
import { messageText } from '../message-text.ts';
import { COMPARISON_SCHEME, type SharingParts } from './sharing-parts.ts';

/** The subject of a comparison: two searches by their folders, and which text it is. */
interface Compared {
  readonly folders: readonly [string, string];
  readonly part: 'both' | 'first' | 'second';
}

/** Two searches next to each other: one document about both, or the editor's own view of differences. */
export class Comparisons {
  readonly #parts: SharingParts;

  constructor(parts: SharingParts) {
    this.#parts = parts;
  }

  /** Asks for the other search, unless there is only one, and shows what differs. */
  async open(search: FollowedSearch): Promise<void> {
    const { library } = this.#parts;
    await library.read;
    const others = library.searches.filter((each) => each !== search && each.problem === undefined);
    if (others.length === 0) {
      void vscode.window.showInformationMessage(vscode.l10n.t('There is no other search to compare with yet.'));
      return;
    }
    const title = vscode.l10n.t('Compare "{0}" with', oneLine(search.title, 60));
    const { menus } = await import('../commands/menus.ts');
    const other = await menus.pickSearch(alikeFirst(search, others), title);
    if (!other) return;
    const uri = uriOf({ folders: [search.folder, other.folder], part: 'both' }, this.#nameOf(search, other));
    await vscode.commands.executeCommand('vscode.openWith', uri, 'vscode.markdown.preview.editor');
  }

  /** Shows the compared searches in the editor's own view of differences, line by line. */
  async showDifferences(uri: vscode.Uri | undefined): Promise<void> {
    const compared = comparedIn(uri ?? openComparison());
    const [a, b] = compared ? compared.folders.map((folder) => this.#parts.library.search(folder)) : [];
    if (!compared || !a || !b) return;
    const side = (part: Compared['part'], { title }: FollowedSearch): vscode.Uri => uriOf({ ...compared, part }, title);
    const sides = [side('first', a), side('second', b)];
    await vscode.commands.executeCommand('vscode.diff', ...sides, this.#nameOf(a, b), { preview: true });
  }

  /** Returns the text of one of these documents. Only searches of this window are read, whoever made the address. */
  async contentOf(uri: vscode.Uri): Promise<string> {
    const compared = comparedIn(uri);
    const [a, b] = compared ? compared.folders.map((folder) => this.#parts.library.search(folder)) : [];
    if (!compared || !a || !b) return vscode.l10n.t('One of the two searches is no longer there.');
    const { kinds } = this.#parts;
    const { sharing } = await import('../../searches/sharing/sharing.ts');
    const overviews = [await sharing.read(kinds, a.folder), await sharing.read(kinds, b.folder)] as const;
    const parts = { kinds, workspace: a.workspace, show: messageText, language: vscode.env.language };
    const { both, each } = await sharing.compare(overviews, parts);
    return compared.part === 'both' ? both : each[compared.part === 'first' ? 0 : 1];
  }

  #nameOf(a: FollowedSearch, b: FollowedSearch): string {
    const isSame = a.title === b.title;
    const [left, right] = [a, b].map(({ title, folder }) => oneLine(isSame ? basename(folder) : title, 40));
    return vscode.l10n.t('{0} compared with {1}', left ?? '', right ?? '');
  }
}

/** Those of the same question, then those of the same kind. */
function alikeFirst(search: FollowedSearch, others: readonly FollowedSearch[]): FollowedSearch[] {
  const alike = ({ file, title }: FollowedSearch): number =>
    Number(file?.prompt === search.file?.prompt || title === search.title) * 2 +
    Number(file?.kind === search.file?.kind);
  return others.toSorted((a, b) => alike(b) - alike(a));
}

function uriOf(compared: Compared, name: string): vscode.Uri {
  const path = `/${name.replaceAll(/[\s/\\?#%:]+/g, ' ').trim() || 'search'}.md`;
  return vscode.Uri.from({ scheme: COMPARISON_SCHEME, path, query: JSON.stringify(compared) });
}

/** The comparison in the tab that is in front. */
function openComparison(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputCustom || input instanceof vscode.TabInputText ? input.uri : undefined;
}

function comparedIn(uri: vscode.Uri | undefined): Compared | undefined {
  if (uri?.scheme !== COMPARISON_SCHEME) return undefined;
  try {
    const { folders, part } = JSON.parse(uri.query) as Partial<Record<keyof Compared, unknown>>;
    const isPair = Array.isArray(folders) && folders.length === 2 && folders.every((each) => typeof each === 'string');
    const isPart = part === 'both' || part === 'first' || part === 'second';
    return isPair && isPart ? { folders: folders as unknown as [string, string], part } : undefined;
  } catch {
    return undefined;
  }
}
