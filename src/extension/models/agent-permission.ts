import * as vscode from 'vscode';
import type { PermissionQuestion } from '../../models/agents/agent.ts';
import { withoutLinks } from '../without-links.ts';

/** Asks the person an agent's question. If nobody answers for long, the call is stopped, which refuses it. */
export async function askPermission({ agent, tool, what }: PermissionQuestion, signal: AbortSignal): Promise<boolean> {
  const allow = vscode.l10n.t('Allow Once');
  const question = vscode.l10n.t('{0} wants to use {1}: {2}', agent, tool, what);
  const stopped = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  const answer = vscode.window.showWarningMessage(withoutLinks(question), allow, vscode.l10n.t('Refuse'));
  return (await Promise.race([answer, stopped])) === allow;
}
