import type { ExtensionContext } from 'vscode';
import { KINDS } from '../kinds/kinds.ts';
import { runExtension, stopExtension, type ThoughtTreeApi } from './run-extension.ts';

export function activate(context: ExtensionContext): ThoughtTreeApi {
  return runExtension(context, KINDS);
}

export function deactivate(): Promise<void> {
  return stopExtension();
}
