import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod';
import { nodesCounted } from '../../core/search/progress.ts';
import { oneLine } from '../../core/text/text.ts';
import { lineageOf, nodeAt, pathOf, walk } from '../../core/tree/tree.ts';
import type { SearchOverview } from '../../searches/reader/search-overview.ts';
import type { SharingParts as SharedParts } from '../../searches/sharing/sharing.ts';
import { columnForReading } from '../documents/open-document.ts';
import type { FollowedSearch } from '../library/followed-search.ts';
import { loadSearches } from '../load-searches.ts';
import { messageText, withoutLinks, wordsOf } from '../message-text.ts';
import { settingsFor } from '../settings.ts';
import { tellBriefly } from '../tell-error.ts';
import { askForFile, saveAtOnce, saveFile } from '../workspace/save-file.ts';
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
      search.workspace,
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

  /** @param path slug path of a node; empty for the whole search */
  async compare(search: FollowedSearch, path: string): Promise<void> {
    await this.#comparisons.open(search, path);
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

  /** Makes and writes it into the workspace, under a name that is free: nothing is written if that fails. */
  async #save(search: FollowedSearch, ending: string, name: string, make: () => Promise<Uint8Array>): Promise<void> {
    await saveAtOnce(search, await make(), { ending, name });
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

async function askForWorkspace(): Promise<vscode.Uri | undefined> {
  const [first, ...others] = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  if (!first || others.length === 0) return first?.uri;
  const placeHolder = vscode.l10n.t('Which folder is the search imported into?');
  return (await vscode.window.showWorkspaceFolderPick({ placeHolder }))?.uri;
}

async function withProgress<T>(title: string, work: () => Promise<T>): Promise<T> {
  return await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, work);
}

/** One side of a comparison: a search by its folder, a moment of it by the number of its event, a node by its slug path. */
interface ComparedSide {
  readonly folder: string;
  readonly event?: number | undefined;
  readonly path: string;
}

/** The subject of a comparison, and which text it is. */
interface Compared {
  readonly sides: readonly [ComparedSide, ComparedSide];
  readonly part: 'both' | 'first' | 'second';
}

interface SideItem extends vscode.QuickPickItem {
  readonly side?: ComparedSide;
}

/** The nodes of a search that are offered to compare one with, at most. */
const MOST_NODES = 500;

/** Two searches, moments or nodes next to each other: one document about both, or the editor's own view of differences. */
export class Comparisons {
  readonly #parts: SharingParts;

  constructor(parts: SharingParts) {
    this.#parts = parts;
  }

  /** Asks with what to compare a search or a node, and shows what differs. @param path slug path, empty for the search */
  async open(search: FollowedSearch, path: string): Promise<void> {
    const { library } = this.#parts;
    await library.read;
    const others = path === '' ? await this.#searchItems(search) : await nodeItems(search, path);
    const moments = await momentItems(search, path);
    if (others.length + moments.length === 0) {
      void vscode.window.showInformationMessage(vscode.l10n.t('There is no other search to compare with yet.'));
      return;
    }
    const heading = { label: vscode.l10n.t('Earlier'), kind: vscode.QuickPickItemKind.Separator };
    const items: SideItem[] = [...others, ...(moments.length > 0 ? [heading, ...moments] : [])];
    const title = vscode.l10n.t('Compare "{0}" with', oneLine(await titleAt(search, path), 60));
    const { side: other } = (await vscode.window.showQuickPick(items, { title, matchOnDescription: true })) ?? {};
    if (!other) return;
    const here = { folder: search.folder, path };
    // The past comes first, so that new lines are those that were added.
    const sides = other.event === undefined ? ([here, other] as const) : ([other, here] as const);
    const uri = uriOf({ sides, part: 'both' }, await this.#nameOf(sides));
    await vscode.commands.executeCommand('vscode.openWith', uri, 'vscode.markdown.preview.editor', columnForReading());
  }

  async #searchItems(search: FollowedSearch): Promise<SideItem[]> {
    const others = this.#parts.library.searches.filter((each) => each !== search && each.problem === undefined);
    const { menus } = await import('../commands/menus.ts');
    return alikeFirst(search, others).map((each) => ({
      ...menus.searchItem(each),
      side: { folder: each.folder, path: '' },
    }));
  }

  /** Shows what is compared in the editor's own view of differences, line by line. */
  async showDifferences(uri: vscode.Uri | undefined): Promise<void> {
    const compared = comparedIn(uri ?? openComparison());
    if (!compared || !this.#isHere(compared)) return;
    const [a, b] = compared.sides;
    const side = async (part: Compared['part'], each: ComparedSide): Promise<vscode.Uri> =>
      uriOf({ ...compared, part }, await this.#titleOf(each));
    const sides = [await side('first', a), await side('second', b)];
    await vscode.commands.executeCommand('vscode.diff', ...sides, await this.#nameOf(compared.sides), {
      preview: true,
      viewColumn: columnForReading(),
    });
  }

  /** Returns the text of one of these documents. Only searches of this window are read, whoever made the address. */
  async contentOf(uri: vscode.Uri): Promise<string> {
    const compared = comparedIn(uri);
    if (!compared || !this.#isHere(compared)) return vscode.l10n.t('One of the two searches is no longer there.');
    const { kinds, library } = this.#parts;
    const { sharing } = await import('../../searches/sharing/sharing.ts');
    const { past } = await loadSearches();
    const read = ({ folder, event, path }: ComparedSide) =>
      past.readSide(kinds, event === undefined ? folder : `${folder}@${event}`, path);
    const sides = [await read(compared.sides[0]), await read(compared.sides[1])] as const;
    const differing = await past.compareSides({ a: sides[0], b: sides[1] });
    const lines = past.comparisonLines(differing, messageText);
    const { workspace = '' } = library.search(compared.sides[0].folder) ?? {};
    const parts = { kinds, workspace, show: messageText, language: vscode.env.language };
    const { both, each } = await sharing.compare(sides, lines, parts);
    return compared.part === 'both' ? both : each[compared.part === 'first' ? 0 : 1];
  }

  #isHere({ sides }: Compared): boolean {
    return sides.every(({ folder }) => this.#parts.library.search(folder) !== undefined);
  }

  async #nameOf([a, b]: Compared['sides']): Promise<string> {
    const [left, right] = [await this.#titleOf(a), await this.#titleOf(b)];
    const names = left === right ? [basename(a.folder), basename(b.folder)] : [left, right];
    return vscode.l10n.t('{0} compared with {1}', oneLine(names[0] ?? '', 40), oneLine(names[1] ?? '', 40));
  }

  async #titleOf({ folder, event, path }: ComparedSide): Promise<string> {
    const search = this.#parts.library.search(folder);
    const title = search ? await titleAt(search, path) : basename(folder);
    return event === undefined ? title : `${oneLine(title, 30)} @${event}`;
  }
}

async function titleAt(search: FollowedSearch, path: string): Promise<string> {
  const tree = path === '' ? undefined : await search.tree().catch(() => undefined);
  return (tree && nodeAt(tree, path)?.title) ?? search.title;
}

/** Returns the other nodes of a search, those with the same parent first. */
async function nodeItems(search: FollowedSearch, path: string): Promise<SideItem[]> {
  const tree = await search.tree();
  const node = nodeAt(tree, path);
  const siblings = node?.parent?.children ?? [];
  const all = [...siblings, ...[...walk(tree.root)].filter((each) => each.parent && !siblings.includes(each))];
  return all
    .filter((each) => each !== node)
    .slice(0, MOST_NODES)
    .map((each) => {
      const above = lineageOf(each).slice(0, -1);
      const description = above.map(({ title }) => oneLine(title, 60)).join(' › ');
      return { label: oneLine(each.title, 200), description, side: { folder: search.folder, path: pathOf(each) } };
    });
}

/** Returns the moments of a search that a person knows: those with a name, and those right before what somebody did. */
async function momentItems({ folder }: FollowedSearch, path: string): Promise<SideItem[]> {
  const { past } = await loadSearches();
  return (await past.knownMoments(folder).catch(() => [])).map(({ event, name, time, before }) => ({
    label: name ?? vscode.l10n.t('Before: {0}', oneLine(before ? messageText(before) : '', 120)),
    description: new Date(time).toLocaleString(vscode.env.language),
    side: { folder, event, path },
  }));
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

const SideIn = z.object({ folder: z.string(), event: z.int().nonnegative().optional(), path: z.string() });
const ComparedIn = z.object({ sides: z.tuple([SideIn, SideIn]), part: z.enum(['both', 'first', 'second']) });

function comparedIn(uri: vscode.Uri | undefined): Compared | undefined {
  if (uri?.scheme !== COMPARISON_SCHEME) return undefined;
  try {
    return ComparedIn.safeParse(JSON.parse(uri.query)).data;
  } catch {
    return undefined;
  }
}
