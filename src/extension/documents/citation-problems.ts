import { join } from 'node:path';
import * as vscode from 'vscode';
import { placeText } from '../../core/citations/citation.ts';
import type { CitationNow } from '../../searches/citations-now.ts';
import type { FollowedSearch } from '../library/followed-search.ts';
import type { SearchLibrary } from '../library/search-library.ts';
import { type LoadCitations, rangeOf, showsCitations } from './cited-source.ts';
import { pageOf } from './open-document.ts';

/** The time for which changes are collected before documents are checked, in milliseconds. */
const CHECK_MS = 400;

/** A page of a search that is checked, and its text where an editor has it. */
interface Checked {
  readonly search: FollowedSearch;
  readonly path: string;
  readonly uri: vscode.Uri;
  readonly text: string | undefined;
}

interface Problem {
  readonly citation: CitationNow;
  readonly diagnostic: vscode.Diagnostic;
}

/** The problems of one page, and the text that they are of. */
interface Known {
  readonly uri: vscode.Uri;
  readonly text: string | undefined;
  readonly problems: readonly Problem[];
}

interface ProblemParts {
  readonly library: SearchLibrary;
  readonly citations: LoadCitations;
  /** Tells whether the drawing of a search is in view. */
  readonly isDrawn: (folder: string) => boolean;
}

/**
 * Lists what moved in the files, or is no longer there, since documents quoted it: of the documents and reports that are open,
 * and of the search that is drawn. Each is put right on request, in the document alone.
 */
export class CitationProblems implements vscode.CodeActionProvider, vscode.Disposable {
  readonly #parts: ProblemParts;
  readonly #shown = vscode.languages.createDiagnosticCollection('thoughtTree');
  /** By address. */
  readonly #known = new Map<string, Known>();
  readonly #subscriptions: readonly vscode.Disposable[];
  #soon: NodeJS.Timeout | undefined;
  #checking: Promise<void> = Promise.resolve();
  /** The pages to check, by address; undefined for all of them. */
  #next: Set<string> | undefined = new Set();
  #isDisposed = false;

  constructor(parts: ProblemParts) {
    this.#parts = parts;
    const pages = { language: 'markdown', scheme: 'file', pattern: '**/{document,report}.md' };
    const again = (): void => this.#checkSoon();
    const { workspace, window } = vscode;
    this.#subscriptions = [
      this.#shown,
      vscode.languages.registerCodeActionsProvider(pages, this, {
        providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
      }),
      workspace.onDidOpenTextDocument(again),
      workspace.onDidCloseTextDocument(again),
      workspace.onDidSaveTextDocument(again),
      workspace.onDidChangeTextDocument(({ document }) => {
        const address = document.uri.toString();
        if (this.#known.has(address)) this.#checkSoon(address);
      }),
      workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('thoughtTree.showCitations')) again();
      }),
      window.tabGroups.onDidChangeTabs(again),
      parts.library.onDidChange(({ search }) => {
        if (!search?.isActive) again();
      }),
    ];
    again();
  }

  /** @param address of the one page that changed; by default anything may have */
  #checkSoon(address?: string): void {
    if (this.#isDisposed) return;
    if (address === undefined) this.#next = undefined;
    else this.#next?.add(address);
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      this.#checking = this.#checking.then(() => this.#check()).catch(() => undefined);
    }, CHECK_MS);
  }

  async #check(): Promise<void> {
    const only = this.#next;
    this.#next = new Set();
    const pages = await this.#pages();
    const wanted = new Set(pages.map(({ uri }) => uri.toString()));
    for (const [address, { uri }] of this.#known) {
      if (wanted.has(address)) continue;
      this.#known.delete(address);
      this.#shown.delete(uri);
    }
    for (const page of pages) {
      if (this.#isDisposed) return;
      if (only === undefined || only.has(page.uri.toString())) await this.#checkPage(page);
    }
  }

  async #checkPage({ search, path, uri, text }: Checked): Promise<void> {
    const citations = await this.#parts.citations();
    const found = await citations.in(search, path, text).catch(() => []); // one that cannot be read says so elsewhere
    const problems = found.flatMap((citation) => problemOf(citation) ?? []);
    this.#known.set(uri.toString(), { uri, text, problems });
    this.#shown.set(
      uri,
      problems.map(({ diagnostic }) => diagnostic),
    );
  }

  /** Returns what is checked: nothing of a search that somebody works on, which checks itself. */
  async #pages(): Promise<readonly Checked[]> {
    const { library, isDrawn } = this.#parts;
    const searches = library.searches.filter(
      (each) => !each.isActive && each.problem === undefined && showsCitations(vscode.Uri.file(each.folder)),
    );
    if (searches.length === 0) return [];
    const pages = new Map<string, Checked>();
    for (const { uri, getText } of openTexts()) {
      const { folder, path = '' } = pageOf(uri.fsPath) ?? {};
      const search = searches.find((each) => each.folder === folder);
      if (search) pages.set(uri.toString(), { search, path, uri, text: getText() });
    }
    for (const search of searches.filter(({ folder }) => isDrawn(folder))) {
      const citations = await this.#parts.citations();
      for (const path of await citations.citing(search).catch(() => [])) {
        const uri = vscode.Uri.file(fileOf(search.folder, path));
        if (!pages.has(uri.toString())) pages.set(uri.toString(), { search, path, uri, text: undefined });
      }
    }
    return [...pages.values()];
  }

  provideCodeActions(
    document: Pick<vscode.TextDocument, 'uri' | 'getText'>,
    { start, end }: Pick<vscode.Range, 'start' | 'end'>,
  ): vscode.CodeAction[] {
    const { text, problems = [] } = this.#known.get(document.uri.toString()) ?? {};
    // What was checked before it was changed is checked again in a moment.
    if (text !== undefined && text !== document.getText()) return [];
    const here = problems.filter(({ citation: { at } }) => at.start.line <= end.line && start.line <= at.end.line);
    const actions = here.flatMap((problem) => this.#actionsFor(document.uri, problem));
    const mendable = problems.filter(({ citation }) => citation.mends.length > 0);
    if (actions.length === 0 || mendable.length < 2) return actions;
    const all = fix(vscode.l10n.t('Put all {0} citations right', mendable.length), mendable);
    all.edit = editOf(document.uri, mendable);
    return [...actions, all];
  }

  #actionsFor(uri: vscode.Uri, problem: Problem): vscode.CodeAction[] {
    const { citation } = problem;
    const place = placeText(citation);
    const actions: vscode.CodeAction[] = [];
    if (citation.mends.length > 0) {
      const mend = fix(vscode.l10n.t('Put it right: {0}', place), [problem]);
      mend.edit = editOf(uri, [problem]);
      mend.isPreferred = true;
      actions.push(mend);
    }
    const workspace = this.#parts.library.nodeOf(uri.fsPath)?.search.workspace;
    if (!citation.opens || workspace === undefined) return actions;
    const open = fix(vscode.l10n.t('Open {0}', place), [problem]);
    const selection = new vscode.Range(citation.from - 1, 0, citation.to - 1, 0);
    const file = vscode.Uri.file(join(workspace, ...citation.path.split('/')));
    open.command = { command: 'vscode.open', title: open.title, arguments: [file, { selection }] };
    return [...actions, open];
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#soon);
    for (const subscription of this.#subscriptions) subscription.dispose();
  }
}

function fix(title: string, problems: readonly Problem[]): vscode.CodeAction {
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.diagnostics = problems.map(({ diagnostic }) => diagnostic);
  return action;
}

function editOf(uri: vscode.Uri, problems: readonly Problem[]): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  for (const { citation } of problems)
    for (const { text, ...span } of citation.mends) edit.replace(uri, rangeOf(span), text);
  return edit;
}

function problemOf(citation: CitationNow): Problem | undefined {
  const { mark, mends, at } = citation;
  const place = placeText(citation);
  const isMoved = mends.length > 0;
  if (!isMoved && mark !== 'stale') return undefined;
  const text = isMoved
    ? vscode.l10n.t('What is cited here is at {0} now.', place)
    : vscode.l10n.t('{0} no longer says what is quoted here.', place);
  const { Information, Warning } = vscode.DiagnosticSeverity;
  const diagnostic = new vscode.Diagnostic(rangeOf(at), text, isMoved ? Information : Warning);
  diagnostic.source = 'Thought Tree';
  diagnostic.code = isMoved ? 'moved' : 'stale';
  return { citation, diagnostic };
}

/** Returns the texts that editors have, those that are rendered included. */
function openTexts(): readonly { readonly uri: vscode.Uri; readonly getText: () => string }[] {
  const pages = vscode.workspace.textDocuments.filter(
    ({ uri, isClosed }) => uri.scheme === 'file' && !isClosed && /[\\/](?:document|report)\.md$/.test(uri.fsPath),
  );
  return pages.map((document) => ({ uri: document.uri, getText: () => document.getText() }));
}

function fileOf(folder: string, path: string): string {
  return path === '' ? join(folder, 'report.md') : join(folder, ...path.split('/'), 'document.md');
}
