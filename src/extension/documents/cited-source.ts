import { relative, sep } from 'node:path';
import * as vscode from 'vscode';
import { linesText } from '../../core/citations/citation.ts';
import { oneLine } from '../../core/text/text.ts';
import type { CitationsNow, Finding, TextSpan } from '../../searches/citations-now.ts';
import { escaped } from '../chat/answer-sink.ts';
import type { FollowedSearch } from '../library/followed-search.ts';
import type { SearchLibrary } from '../library/search-library.ts';
import { messageText } from '../message-text.ts';
import { findingsCite, staleAmong } from '../messages.ts';

/** The findings that a hover shows. */
const MOST_SHOWN = 5;
/** The time for which changes are collected before the editor asks again, in milliseconds. */
const REFRESH_MS = 500;

/** Loads what checks citations, once. */
export type LoadCitations = () => Promise<CitationsNow>;

/** A finding, and its search. */
type Cited = Finding & { readonly search: FollowedSearch };

/** Tells whether the person wants to see what searches cite. */
export function showsCitations(scope: vscode.Uri): boolean {
  return vscode.workspace.getConfiguration('thoughtTree', scope).get<boolean>('showCitations') !== false;
}

/** Returns a part of a text as the editor means it. */
export function rangeOf({ start, end }: TextSpan): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

/**
 * Shows in the files of the workspace where finished searches cite them: above the first of the cited lines how many findings
 * do, and in a hover what they say. A file is looked at when the editor shows it, and costs nothing where no search has ended.
 */
export class CitedSource implements vscode.CodeLensProvider, vscode.HoverProvider, vscode.Disposable {
  readonly #library: SearchLibrary;
  readonly #citations: LoadCitations;
  readonly #changes = new vscode.EventEmitter<void>();
  readonly #subscriptions: readonly vscode.Disposable[];
  #refresh: NodeJS.Timeout | undefined;

  readonly onDidChangeCodeLenses = this.#changes.event;

  constructor(library: SearchLibrary, citations: LoadCitations) {
    this.#library = library;
    this.#citations = citations;
    const again = (): void => {
      this.#refresh ??= setTimeout(() => {
        this.#refresh = undefined;
        this.#changes.fire();
      }, REFRESH_MS);
    };
    this.#subscriptions = [
      this.#changes,
      vscode.languages.registerCodeLensProvider({ scheme: 'file' }, this),
      vscode.languages.registerHoverProvider({ scheme: 'file' }, this),
      vscode.workspace.onDidSaveTextDocument(again),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('thoughtTree.showCitations')) again();
      }),
      library.onDidChange(({ search }) => {
        if (!search?.isActive) again();
      }),
    ];
  }

  async provideCodeLenses({
    uri,
    lineCount,
  }: Pick<vscode.TextDocument, 'uri' | 'lineCount'>): Promise<vscode.CodeLens[]> {
    const groups = together(await this.#cited(uri));
    return groups.map((group) => {
      const line = Math.min(group[0]?.from ?? 1, lineCount) - 1;
      const range = new vscode.Range(line, 0, line, 0);
      const places = group.map(({ document, at }) => new vscode.Location(vscode.Uri.file(document), rangeOf(at)));
      const told = { title: countedText(group), command: 'editor.action.showReferences' };
      return new vscode.CodeLens(range, { ...told, arguments: [uri, range.start, places] });
    });
  }

  async provideHover(
    { uri }: Pick<vscode.TextDocument, 'uri'>,
    { line }: Pick<vscode.Position, 'line'>,
  ): Promise<vscode.Hover | undefined> {
    const here = (await this.#cited(uri)).filter(({ from, to }) => from <= line + 1 && line + 1 <= to);
    if (here.length === 0) return undefined;
    const shown = here.slice(0, MOST_SHOWN).map(described);
    const more = here.length - shown.length;
    const rest = more > 0 ? [new vscode.MarkdownString(vscode.l10n.t('and {0} more', more))] : [];
    return new vscode.Hover([...shown, ...rest]);
  }

  /** Returns the findings of finished searches that cite a file. */
  async #cited(uri: vscode.Uri): Promise<readonly Cited[]> {
    const searches = this.#library.searches.filter((each) => each.state === 'finished' && isIn(uri, each.workspace));
    if (searches.length === 0 || this.#library.nodeOf(uri.fsPath) || !showsCitations(uri)) return [];
    const citations = await this.#citations();
    const found = searches.map(async (search) => {
      const file = relative(search.workspace, uri.fsPath).split(sep).join('/');
      const findings = await citations.of(search, file).catch(() => []); // one that cannot be read says so elsewhere
      return findings.map((finding): Cited => ({ ...finding, search }));
    });
    return (await Promise.all(found)).flat();
  }

  dispose(): void {
    clearTimeout(this.#refresh);
    for (const subscription of this.#subscriptions) subscription.dispose();
  }
}

function isIn({ fsPath }: vscode.Uri, workspace: string): boolean {
  const path = relative(workspace, fsPath);
  return path !== '' && path !== '..' && !path.startsWith(`..${sep}`) && !/^[a-z]:/i.test(path);
}

/** Puts together what is cited of lines that overlap, in the order of the lines. */
function together(cited: readonly Cited[]): Cited[][] {
  const groups: Cited[][] = [];
  let last = 0;
  for (const one of cited.toSorted((a, b) => a.from - b.from)) {
    if (one.from > last) groups.push([]);
    groups.at(-1)?.push(one);
    last = Math.max(last, one.to);
  }
  return groups;
}

/** A document that cites lines twice is one finding. */
function countedText(group: readonly Cited[]): string {
  const countOf = (cited: readonly Cited[]): number => new Set(cited.map(({ document }) => document)).size;
  const stale = countOf(group.filter(({ mark }) => mark === 'stale'));
  const said = [messageText(findingsCite({ count: countOf(group) }))];
  return [...said, ...(stale > 0 ? [messageText(staleAmong({ stale }))] : [])].join(', ');
}

/** What models and files say is text in it: only our own command is a link. */
function described({ search, node, title, said, summary, mark, from, to }: Cited): vscode.MarkdownString {
  const lines = to > from ? vscode.l10n.t('lines {0}', linesText({ from, to })) : vscode.l10n.t('line {0}', from);
  const state = mark === 'stale' ? `${lines}, ${vscode.l10n.t('not what it quotes any more')}` : lines;
  const target = encodeURIComponent(JSON.stringify([{ folder: search.folder, path: node }]));
  // Within parentheses, those of a name would end the link.
  const address = `command:thoughtTree.openGraph?${target.replaceAll('(', '%28').replaceAll(')', '%29')}`;
  const text = new vscode.MarkdownString(
    [
      `**${escaped(oneLine(title, 200))}** · ${state}`,
      escaped(oneLine(said === '' ? summary : said, 300)),
      `[${vscode.l10n.t('Show in tree')}](${address}) · ${escaped(oneLine(search.title, 100))}`,
    ].join('\n\n'),
  );
  text.isTrusted = { enabledCommands: ['thoughtTree.openGraph'] };
  return text;
}
