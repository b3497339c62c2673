import { join } from 'node:path';
import * as vscode from 'vscode';
import { type Look, lookOfStatus, UNKNOWN_TERMS } from '../../core/kind/kind-descriptor.ts';
import { nodesCounted } from '../../core/search/progress.ts';
import { shortLabel, withoutMarks } from '../../core/text/short-label.ts';
import { oneLine, withoutCode } from '../../core/text/text.ts';
import { leafWords, prunedWords, statusWords } from '../../core/tree/messages.ts';
import type { NodeFile, NodeStatus } from '../../core/tree/node-file.ts';
import type { AvailableActions } from '../actions/available-actions.ts';
import { openingCommand } from '../documents/open-document.ts';
import { figures } from '../figures.ts';
import type { FollowedSearch } from '../library/followed-search.ts';
import type { LibraryChange, SearchLibrary } from '../library/search-library.ts';
import { keptText, messageText, translated } from '../message-text.ts';
import { elementId, isCutOff, type NodeElement, statusOf } from './tree-element.ts';

const LONGEST = 300;
/** The most of why a node failed, and of a note to it, in its row. */
const LONGEST_FAILURE = 80;
const LONGEST_NOTE = 60;

/** A glyph of a kind as one of the editor's icons. */
const ICONS: Record<Look['glyph'], string> = {
  open: 'circle-outline',
  busy: 'loading~spin',
  done: 'pass',
  end: 'circle-filled',
  cut: 'circle-slash',
  failed: 'error',
  merged: 'git-merge',
  aside: 'bookmark',
};
const COLOURS: Record<Look['tone'], string | undefined> = {
  plain: undefined,
  busy: 'charts.blue',
  good: 'charts.green',
  dim: 'disabledForeground',
  bad: 'errorForeground',
};
/** Gold says best; the shape still says what became of it. */
const BEST = 'charts.yellow';

/** Returns a status in the user's language. */
export function statusText(status: NodeStatus): string {
  return messageText(statusWords[status]());
}

/** One line of a model's text, without code marks, which a label would show literally. */
function plain(text: string, longest = LONGEST): string {
  return oneLine(withoutMarks(text), longest);
}

/**
 * A node as the sidebar shows it.
 * @param isAlone whether what is below it is not shown there
 */
export function nodeItem(element: NodeElement, available: AvailableActions, isAlone = false): vscode.TreeItem {
  const { file, children, folder, path, hasDocument } = element;
  const hasChildren = children > 0 && !isAlone;
  const collapsed = hasChildren ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None;
  const item = new vscode.TreeItem(plain(file.title), collapsed);
  item.id = elementId(element);
  item.iconPath = iconOf(element, available);
  item.description = describe(element, available);
  // Possible actions are flags for `when` clauses.
  item.contextValue = ['node', ...available.flagsOf(element.search, available.onRow(element))].join(' ');
  item.resourceUri = nodeUri(element);
  item.accessibilityInformation = { label: spoken(element, available) };
  if (hasDocument) item.command = openingCommand(vscode.Uri.file(join(folder, ...path.split('/'), 'document.md')));
  return item;
}

/** The scheme of nodes' URIs in the sidebar: its decorations are separate from the Explorer's. */
const NODE_SCHEME = 'thought-tree-node';

/** Identifies the node and its look, so that its label is redrawn when that changes. */
function nodeUri(element: NodeElement): vscode.Uri {
  const status = isCutOff(element) ? 'pruned' : statusOf(element);
  return vscode.Uri.from({ scheme: NODE_SCHEME, path: `/${element.path}`, query: status });
}

function iconOf(element: NodeElement, available: AvailableActions): vscode.ThemeIcon {
  const status = statusOf(element);
  const isGood = element.isBest && (status === 'expanded' || status === 'leaf');
  const look = available.descriptorFor(element.search)?.look ?? lookOfStatus;
  const { glyph, tone } = look({ ...element.file, status, below: element.below });
  const colour = isGood ? BEST : COLOURS[tone];
  return new vscode.ThemeIcon(ICONS[glyph], colour === undefined ? undefined : new vscode.ThemeColor(colour));
}

/** Returns what its kind says of a node, in the user's language. */
function marksOf({ search, file, below = [] }: NodeElement, available: AvailableActions): string[] {
  const marks = available.descriptorFor(search)?.marks;
  return (marks?.of(file.own, below) ?? []).map(({ text }) => (marks?.texts.includes(text) ? translated(text) : text));
}

/** Describes a node, what matters most first: a narrow sidebar shows no more than that. */
function describe(element: NodeElement, available: AvailableActions): string {
  const { file, isBest } = element;
  const score = file.evaluation ? figures.score(file.evaluation.score) : '';
  const best = isBest && file.evaluation ? vscode.l10n.t('best path') : '';
  const marks = marksOf(element, available);
  const said = plain(file.summary ?? '');
  const summary = marks.length > 0 ? withoutCode(said) : said;
  const failure = file.status === 'failed' ? plain(failureText(file), LONGEST_FAILURE) : '';
  const isOlder = element.hasDocument && element.search.record.edits.isOlder(element.path);
  const older = isOlder ? vscode.l10n.t('older than the text above it') : '';
  const parts = [...marks, score, best, fateText(element) ?? '', older, failure, noteInRow(file.note), summary];
  return parts.filter((part) => part !== '').join(' · ');
}

/** Returns the beginning of a person's note behind a pencil; empty without one. */
export function noteInRow(note: string | undefined): string {
  return note ? `✎ ${plain(note, LONGEST_NOTE)}` : '';
}

/** Returns a note in words for a screen reader; empty without one. */
export function spokenNote(note: string | undefined): string {
  return note ? `${vscode.l10n.t('Note')}: ${plain(note)}` : '';
}

/** Says why it failed, in words; empty if it did not. */
export function failureText({ failure }: NodeFile): string {
  return failure ? keptText(failure.message, failure.say) : '';
}

/** Returns the fate of a thought in addition to its status, in a few words. */
export function fateText({ file, same }: NodeElement): string | undefined {
  const { status, sameAs, selected, prunedBy, leafReason, unscored } = file;
  if (sameAs !== undefined)
    return vscode.l10n.t('same as {0}', shortLabel(same ?? sameAs.split('/').at(-1) ?? '').label);
  if (status === 'pruned') return prunedBy && prunedBy !== 'user' ? messageText(prunedWords[prunedBy]()) : undefined;
  if (leafReason === 'solved') return messageText(leafWords.solved());
  if (selected === false && status === 'unexpanded') return vscode.l10n.t('good enough, not kept');
  return unscored ? vscode.l10n.t('not scored') : undefined;
}

function spoken(element: NodeElement, available: AvailableActions): string {
  const { file, children, isBest } = element;
  const marks = marksOf(element, available);
  const parts = [plain(file.title), ...(marks.length > 0 ? marks : [statusText(statusOf(element))])];
  if (isBest) parts.push(vscode.l10n.t('best path'));
  if (file.evaluation) parts.push(vscode.l10n.t('score {0}', figures.score(file.evaluation.score)));
  const fate = fateText(element);
  if (fate) parts.push(fate);
  if (file.note) parts.push(spokenNote(file.note));
  const words = available.descriptorFor(element.search)?.words ?? UNKNOWN_TERMS;
  if (children > 0) parts.push(vscode.l10n.t('{0} below', messageText(nodesCounted(children, words))));
  return parts.join(', ');
}

const LOOKS: Partial<Record<NodeStatus, { badge: string; colour?: string }>> = {
  'in-progress': { badge: '◐', colour: 'charts.blue' },
  expanded: { badge: '✓', colour: 'charts.green' },
  leaf: { badge: '●', colour: 'charts.green' },
  pruned: { badge: '⊘', colour: 'disabledForeground' },
  failed: { badge: '✕', colour: 'errorForeground' },
};

/** Shows the status of nodes on their folders in the Explorer, according to their files: a clone has no journal. */
export class NodeDecorations implements vscode.FileDecorationProvider, vscode.Disposable {
  readonly #library: SearchLibrary;
  readonly #changes = new vscode.EventEmitter<vscode.Uri[] | undefined>();
  readonly #subscriptions: vscode.Disposable[];
  readonly #wasActive = new WeakMap<FollowedSearch, boolean>();
  readonly onDidChangeFileDecorations = this.#changes.event;

  constructor(library: SearchLibrary) {
    this.#library = library;
    this.#subscriptions = [
      this.#changes,
      vscode.window.registerFileDecorationProvider(this),
      library.onDidChange((change) => this.#changes.fire(this.#concerned(change))),
    ];
  }

  /** The folders that may look different; undefined for all of them. */
  #concerned({ search, paths }: LibraryChange): vscode.Uri[] | undefined {
    if (!search || !paths) return undefined;
    const wasActive = this.#wasActive.get(search) ?? search.isActive;
    this.#wasActive.set(search, search.isActive);
    // Nodes are no longer in progress once their process died, though no file says so.
    if (wasActive !== search.isActive) return undefined;
    return paths.map((path) => vscode.Uri.file(join(search.folder, path)));
  }

  async provideFileDecoration(uri: vscode.Uri): Promise<vscode.FileDecoration | undefined> {
    if (uri.scheme === NODE_SCHEME) return inSidebar(uri);
    if (uri.scheme !== 'file') return undefined;
    const found = this.#library.nodeOf(uri.fsPath);
    if (!found || found.path === '' || /\.(json|md)$/.test(uri.path)) return undefined;
    const file = await found.search.store?.readNodeFile(found.path).catch(() => undefined);
    const status = file?.status;
    const look = status && LOOKS[status];
    if (!status || !look || (status === 'in-progress' && !found.search.isActive)) return undefined;
    const colour = look.colour === undefined ? undefined : new vscode.ThemeColor(look.colour);
    return new vscode.FileDecoration(look.badge, statusText(status), colour);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }
}

/** In the sidebar the icon shows the status; irrelevant nodes are dimmed, failures are highlighted. */
function inSidebar({ query }: vscode.Uri): vscode.FileDecoration | undefined {
  const colours: Record<string, string> = { pruned: 'disabledForeground', failed: 'errorForeground' };
  const colour = colours[query];
  return colour === undefined ? undefined : { color: new vscode.ThemeColor(colour) };
}
