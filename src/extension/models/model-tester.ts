import * as vscode from 'vscode';
import { toThoughtTreeError } from '../../core/search/errors.ts';
import { figures } from '../figures.ts';
import { loadSearches } from '../load-searches.ts';
import { messageText } from '../message-text.ts';
import type { ModelOpener } from './model-opener.ts';

/** Time limit for an answer, in milliseconds. */
const LONGEST_MS = 120_000;

/** Finds out whether a model answers, by one real call of a few tokens. */
export class ModelTester {
  readonly #opener: ModelOpener;

  constructor(opener: ModelOpener) {
    this.#opener = opener;
  }

  /** The result in words: time and usage, or what is wrong. Never rejects. */
  async test(name: string, scope: vscode.Uri | undefined, signal: AbortSignal): Promise<string> {
    try {
      const searches = await loadSearches();
      const folder = scope ?? vscode.workspace.workspaceFolders?.[0]?.uri;
      const model = await this.#opener.open(name, folder?.fsPath ?? process.cwd());
      try {
        const tested = await searches.testModel(model, AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]));
        if (!tested.works) throw tested.error;
        const { ms, usage } = tested;
        const used = usage ? [vscode.l10n.t('{0} + {1} tokens', usage.prompt, usage.completion)] : [];
        const cost = usage && model.price ? [figures.usd(searches.costOf(usage, model.price))] : [];
        return [vscode.l10n.t('It answers, after {0} s', (ms / 1000).toFixed(1)), ...used, ...cost].join(' · ');
      } finally {
        await model.close?.();
      }
    } catch (error) {
      return vscode.l10n.t('It does not answer: {0}', messageText(toThoughtTreeError(error).say));
    }
  }
}
