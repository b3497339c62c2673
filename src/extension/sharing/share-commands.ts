import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { nodesCounted } from '../../core/search/progress.ts';
import { oneLine } from '../../core/text/text.ts';
import type { SearchOverview } from '../../searches/reader/search-overview.ts';
import type { SharingParts as SharedParts } from '../../searches/sharing/sharing.ts';
import type { FollowedSearch } from '../library/followed-search.ts';
import { messageText, withoutLinks, wordsOf } from '../message-text.ts';
import { settingsFor } from '../settings.ts';
import { tellBriefly } from '../tell-error.ts';
import { saveFile } from '../workspace/save-file.ts';
import { COMPARISON_SCHEME, type SharingParts } from './comparison-documents.ts';

/** The most nodes of a picture made of pixels: with more of them, their titles could not be read. */
const MOST_IN_PICTURE = 300;

type Sharing = typeof import('../../searches/sharing/sharing.ts')['sharing'];

/** The commands by which a person gives a search to other people, and gets one. */
export class ShareCommands {
  readonly #parts: SharingParts;
  readonly #comparisons: Comparisons;

  constructor(parts: SharingParts) {
    this.#parts = parts;
    this.#comparisons = new Comparisons(parts);
  }

  /** @param path slug path of a branch; empty for the whole search */
  async copyMarkdown(search: FollowedSearch, path: string): Promise<void> {
    const text = await this.#made(search, (sharing, overview, parts) => sharing.markdown(overview, parts, path));
    await vscode.env.clipboard.writeText(text);
    const what =
      path === '' ? vscode.l10n.t('Copied as Markdown.') : vscode.l10n.t('The branch is copied as Markdown.');
    tellBriefly(search.title, what);
  }

  async saveHtml(search: FollowedSearch): Promise<void> {
    await this.#save(search, 'html', 'HTML', async () =>
      bytesOf(await this.#made(search, (sharing, overview, parts) => sharing.html(overview, parts))),
    );
  }

  async saveSvg(search: FollowedSearch): Promise<void> {
    await this.#save(search, 'svg', 'SVG', async () =>
      bytesOf(await this.#made(search, (sharing, overview, parts) => sharing.svg(overview, parts, theme()))),
    );
  }

  /** The drawing's own page makes the pixels: it is opened for that, and stays. */
  async savePng(search: FollowedSearch): Promise<void> {
    await this.#save(search, 'png', 'PNG', async () => {
      const { svg, left } = await this.#made(search, async (sharing, overview, parts) => {
        const drawn = await sharing.picture(overview, parts, theme(), MOST_IN_PICTURE);
        return { svg: drawn.svg, left: overview.tree.size - drawn.nodes };
      });
      const png = await this.#parts.paint(search.folder, svg);
      if (left > 0)
        tellBriefly(
          search.title,
          vscode.l10n.t(
            'The picture shows the best path and the nodes nearest to the question; {0} are left out. Save as SVG for all of them.',
            left,
          ),
        );
      return png;
    });
  }

  /** Writes a search into a file that the person names, in one of its formats. */
  async export(search: FollowedSearch): Promise<void> {
    if (!search.file) return;
    const { kinds } = this.#parts;
    const sharing = await loadSharing();
    const formats = sharing.formatsOf(kinds, search.file);
    const placeHolder = vscode.l10n.t('Which format?');
    const format = formats.length === 1 ? formats[0] : await vscode.window.showQuickPick(formats, { placeHolder });
    if (format === undefined) return;
    const { text, fileName, notes } = await sharing.exportSearch(
      kinds,
      await sharing.read(kinds, search.folder),
      format,
    );
    const uri = await askForFile(search, fileName, {});
    if (!uri) return;
    await saveFile(uri, bytesOf(text));
    tellBriefly(search.title, vscode.l10n.t('Exported as {0}.', format));
    for (const note of notes) void vscode.window.showWarningMessage(withoutLinks(messageText(note)));
  }

  /** Makes a search from a file that somebody exported, whole or not at all. */
  async import(): Promise<void> {
    const workspace = await askForWorkspace();
    if (!workspace) return;
    const filters = { [vscode.l10n.t('Exported searches')]: ['json', 'md'], [vscode.l10n.t('All files')]: ['*'] };
    const openLabel = vscode.l10n.t('Import');
    const [file] =
      (await vscode.window.showOpenDialog({ title: openLabel, openLabel, filters, defaultUri: workspace })) ?? [];
    if (!file) return;
    const searches = settingsFor(workspace).folder;
    const { kinds, library, reveal } = this.#parts;
    const { importSnapshot } = await loadSharing();
    const taken = new Set(await readdir(join(workspace.fsPath, searches)).catch(() => []));
    const request = { kinds, file: file.fsPath, workspace: workspace.fsPath, searches, taken };
    const { place, nodes, notes } = await withProgress(vscode.l10n.t('Importing a search'), () =>
      importSnapshot(request),
    );
    await library.scan();
    for (const note of notes) void vscode.window.showWarningMessage(withoutLinks(messageText(note)));
    await reveal(place.folder, '');
    const found = library.search(place.folder);
    const title = found?.title ?? basename(place.folder);
    const counted = messageText(nodesCounted(nodes - 1, wordsOf(kinds, { file: found?.file })));
    const open = vscode.l10n.t('Open Thought Tree');
    const said = vscode.l10n.t('"{0}" is imported, with {1}.', withoutLinks(oneLine(title, 100)), counted);
    if ((await vscode.window.showInformationMessage(said, open)) === open)
      await vscode.commands.executeCommand('thoughtTree.openGraph', { folder: place.folder, path: '' });
  }

  async compare(search: FollowedSearch): Promise<void> {
    await this.#comparisons.open(search);
  }

  async showDifferences(uri: vscode.Uri | undefined): Promise<void> {
    await this.#comparisons.showDifferences(uri);
  }

  async comparison(uri: vscode.Uri): Promise<string> {
    return await this.#comparisons.contentOf(uri);
  }

  /** Reads a search, and makes something of it. */
  async #made<T>(
    search: FollowedSearch,
    make: (sharing: Sharing, overview: SearchOverview, parts: SharedParts) => Promise<T>,
  ): Promise<T> {
    const { kinds } = this.#parts;
    const sharing = await loadSharing();
    return await withProgress(vscode.l10n.t('Reading "{0}"', oneLine(search.title, 60)), async () => {
      const overview = await sharing.read(kinds, search.folder);
      return await make(sharing, overview, sharedParts(kinds, search));
    });
  }

  /** Asks where to, then makes and writes it: nothing is written if that fails. */
  async #save(search: FollowedSearch, ending: string, name: string, make: () => Promise<Uint8Array>): Promise<void> {
    const uri = await askForFile(search, `${basename(search.folder)}.${ending}`, { [name]: [ending] });
    if (!uri) return;
    await saveFile(uri, await make());
    const said = vscode.l10n.t(
      '"{0}" is saved as {1}.',
      withoutLinks(oneLine(search.title, 100)),
      basename(uri.fsPath),
    );
    const open = vscode.l10n.t('Open');
    if ((await vscode.window.showInformationMessage(said, open)) !== open) return;
    // A browser for the page; the editor shows pictures itself.
    if (ending === 'html') await vscode.env.openExternal(uri);
    else await vscode.commands.executeCommand('vscode.open', uri);
  }
}

/** A bundle of its own, which the command line has too. */
async function loadSharing(): Promise<Sharing> {
  return (await import('../../searches/sharing/sharing.ts')).sharing;
}

function sharedParts(kinds: SharingParts['kinds'], { workspace }: FollowedSearch): SharedParts {
  return { kinds, workspace, show: messageText, language: vscode.env.language };
}

function bytesOf(text: string): Uint8Array {
  return Buffer.from(text, 'utf8');
}

/** The drawing is as light or as dark as the editor. */
function theme(): 'light' | 'dark' {
  const { Light, HighContrastLight } = vscode.ColorThemeKind;
  return [Light, HighContrastLight].includes(vscode.window.activeColorTheme.kind) ? 'light' : 'dark';
}

async function askForFile(
  { workspace }: FollowedSearch,
  name: string,
  filters: Record<string, string[]>,
): Promise<vscode.Uri | undefined> {
  return await vscode.window.showSaveDialog({ defaultUri: vscode.Uri.file(join(workspace, name)), filters });
}

async function askForWorkspace(): Promise<vscode.Uri | undefined> {
  const [first, ...others] = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  if (!first || others.length === 0) return first?.uri;
  const placeHolder = vscode.l10n.t('Which folder is the search imported into?');
  return (await vscode.window.showWorkspaceFolderPick({ placeHolder }))?.uri;
}

async function withProgress<T>(title: string, work: () => Promise<T>): Promise<T> {
  return await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, work);
}

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

/** Returns those of the same question, then those of the same kind. */
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

/** Returns the comparison in the tab that is in front. */
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
