import type * as vscode from 'vscode';
import type { OwnActions } from '../actions/action-commands.ts';
import type { SharingParts } from './comparison-documents.ts';
import type { ShareCommands } from './share-commands.ts';

/** Giving searches to other people, and getting them: everything is loaded on first use. */
export class Sharing implements vscode.TextDocumentContentProvider {
  readonly #parts: SharingParts;
  #loading: Promise<ShareCommands> | undefined;

  constructor(parts: SharingParts) {
    this.#parts = parts;
  }

  get actions(): OwnActions {
    return {
      copyMarkdown: async (search, path) => (await this.#commands()).copyMarkdown(search, path),
      saveHtml: async (search) => (await this.#commands()).saveHtml(search),
      saveSvg: async (search) => (await this.#commands()).saveSvg(search),
      savePng: async (search) => (await this.#commands()).savePng(search),
      exportSearch: async (search) => (await this.#commands()).export(search),
      compareWith: async (search, path) => (await this.#commands()).compare(search, path),
    };
  }

  async import(): Promise<void> {
    await (await this.#commands()).import();
  }

  /** Shows a comparison line by line. @param uri of the comparison; by default the one that is open */
  async showDifferences(uri: vscode.Uri | undefined): Promise<void> {
    await (await this.#commands()).showDifferences(uri);
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    return await (await this.#commands()).comparison(uri);
  }

  #commands(): Promise<ShareCommands> {
    this.#loading ??= import('./share-commands.ts').then((loaded) => new loaded.ShareCommands(this.#parts));
    return this.#loading;
  }
}
