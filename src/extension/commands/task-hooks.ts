import * as vscode from 'vscode';
import type { FindHooks } from '../../core/kind/kind-hooks.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import type { SearchFile } from '../../core/search/search-file.ts';
import { type Kinds, loadKind } from '../../engine/kind.ts';
import { loadSearches } from '../load-searches.ts';
import { checkNeeded } from '../messages.ts';
import { settingsFor } from '../settings.ts';

/** The task whose command comes from the user's settings, never from a file of the workspace. */
export const COMMAND_TASK = 'command';

/**
 * Finds the hooks of a search's task; undefined if the built-in ones suffice. A person's own command and hooks come from
 * their settings, and they are asked about the exact command.
 * @throws ThoughtTreeError `bad-input` if they are missing or unusable, or the person does not agree
 */
export async function hooksFor(
  kinds: Kinds,
  file: Pick<SearchFile, 'kind' | 'options'> | undefined,
  workspace: string,
): Promise<FindHooks | undefined> {
  if (!file) return undefined;
  const { hooks: kindHooks } = (await loadKind(kinds, file)).extras;
  const task = kindHooks?.named(file.options);
  if (!kindHooks || task === undefined || kindHooks.shipped(task)) return undefined;
  const searches = await loadSearches();
  const { checkCommand, hooks } = settingsFor(vscode.Uri.file(workspace));
  const isCommand = task === COMMAND_TASK;
  const [program, ...words] = checkCommand;
  if (isCommand && !program) throw new ThoughtTreeError('bad-input', checkNeeded());
  const own = await searches.openOwnTasks({
    kindHooks,
    workspace,
    check: isCommand && program ? [program, ...words] : undefined,
    hooks: isCommand || hooks === '' ? undefined : hooks,
    isTrusted: vscode.workspace.isTrusted,
    consent: (command) => agreesToRun(command, workspace),
  });
  return own.findHooks;
}

/** Returns the name of the task in the person's own hooks; undefined if there are none. */
export async function ownTaskName(kinds: Kinds, kind: string, workspace: string): Promise<string | undefined> {
  const { hooks } = settingsFor(vscode.Uri.file(workspace));
  if (hooks === '' || !vscode.workspace.isTrusted) return undefined;
  const searches = await loadSearches();
  const { hooks: kindHooks } = (await loadKind(kinds, { kind })).extras;
  if (!kindHooks) return undefined;
  const own = await searches.openOwnTasks({ kindHooks, workspace, hooks, isTrusted: true, consent: async () => false });
  return own.hooksName;
}

async function agreesToRun(command: readonly string[], folder: string): Promise<boolean> {
  const yes = vscode.l10n.t('Run It');
  const question = vscode.l10n.t('May this search run a command, once for each solution it finds?');
  const detail = `${command.map((word) => JSON.stringify(word)).join(' ')}\n\n${folder}`;
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, yes)) === yes;
}
