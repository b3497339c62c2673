import type MarkdownIt from 'markdown-it';
import * as vscode from 'vscode';
import { parentPath } from '../../core/tree/slug.ts';
import type { Kinds } from '../../engine/kind.ts';
import type { LibraryChange, SearchLibrary } from '../library/search-library.ts';
import { type Page, pageOf } from './open-document.ts';

/** The time for which changes are collected before previews are drawn again, in milliseconds. */
const REFRESH_MS = 1000;

type Markdown = InstanceType<typeof MarkdownIt>;

/**
 * Documents in the editor's Markdown preview: in place of the table of their front matter they begin with one line about
 * their node. Every other Markdown text is rendered as without us.
 */
export class DocumentHeads implements vscode.Disposable {
  readonly #kinds: Kinds;
  readonly #subscription: vscode.Disposable;
  #html: ((kinds: Kinds, page: Page) => string | undefined) | undefined;
  /** Pages that were drawn before a head could be made. */
  readonly #bare = new Set<string>();
  #refresh: NodeJS.Timeout | undefined;

  constructor(kinds: Kinds, library: Pick<SearchLibrary, 'onDidChange'>) {
    this.#kinds = kinds;
    this.#subscription = library.onDidChange((change) => this.#take(change));
  }

  /** The plugin that the editor's Markdown asks this extension for, once for all documents. */
  readonly extendMarkdownIt = (markdown: Markdown): Markdown => {
    const { renderer } = markdown;
    const render = renderer.render.bind(renderer);
    renderer.render = (tokens, options, env) => {
      const page = pageIn(env);
      if (!page || page.path === '') return render(tokens, options, env);
      const text = tokens.filter(({ type }) => type !== 'front_matter');
      return this.#headOf(page) + render(text, options, env);
    };
    return markdown;
  };

  /** Returns a document's head. The code for it is loaded for the first one, which is drawn again once it is there. */
  #headOf(page: Page): string {
    if (this.#html) {
      this.#bare.delete(keyOf(page));
      return this.#html(this.#kinds, page) ?? '';
    }
    this.#bare.add(keyOf(page));
    void import('./read-head.ts').then(({ readHeadHtml }) => {
      this.#html = readHeadHtml;
      this.#refreshSoon(0);
    });
    return '';
  }

  /** A head says what its node and its neighbours are now. */
  #take({ search, paths }: LibraryChange): void {
    if (!this.#html || !search) return;
    const shown = shownPages().filter(({ folder }) => folder === search.folder);
    const isTouched = ({ path }: Page): boolean =>
      paths === undefined ||
      paths.some((each) => each === path || parentPath(each) === path || each === parentPath(path));
    if (shown.some(isTouched)) this.#refreshSoon(REFRESH_MS);
  }

  #refreshSoon(ms: number): void {
    this.#refresh ??= setTimeout(() => {
      this.#refresh = undefined;
      void vscode.commands.executeCommand('markdown.preview.refresh');
      // A preview that is being drawn for the first time misses it.
      if (shownPages().some((page) => this.#bare.has(keyOf(page)))) this.#refreshSoon(REFRESH_MS);
    }, ms);
  }

  dispose(): void {
    clearTimeout(this.#refresh);
    this.#subscription.dispose();
  }
}

function keyOf({ folder, path }: Page): string {
  return `${folder}\n${path}`;
}

/** Returns the page that a preview renders: the editor says which file it is. */
function pageIn(env: unknown): Page | undefined {
  const uri = (env as { readonly currentDocument?: Partial<vscode.Uri> } | undefined)?.currentDocument;
  return uri?.scheme === 'file' && typeof uri.fsPath === 'string' ? pageOf(uri.fsPath) : undefined;
}

/** Returns the pages that are in front in previews. */
function shownPages(): Page[] {
  return vscode.window.tabGroups.all.flatMap(({ activeTab }) => {
    const input = activeTab?.input;
    const page = input instanceof vscode.TabInputCustom ? pageOf(input.uri.fsPath) : undefined;
    return page ? [page] : [];
  });
}
