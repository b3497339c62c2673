import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { JournalEvent } from '../../src/core/search/events.ts';
import type { ThoughtTreeApi } from '../../src/extension/run-extension.ts';

/** How long anything is waited for that has to come, in milliseconds: only failures take that long. */
const WITHIN = 150_000;

/** The extension under test, as the editor knows it. */
export function extension(): vscode.Extension<ThoughtTreeApi> {
  const found = vscode.extensions.getExtension<ThoughtTreeApi>('thought-tree.thought-tree');
  if (!found) throw new Error('the extension is not there');
  return found;
}

/** The folder that the workbench opened. */
export function workspace(): string {
  const [first] = vscode.workspace.workspaceFolders ?? [];
  if (!first) throw new Error('no folder is open');
  return first.uri.fsPath;
}

/** Where a search with a title of one word lies. */
export function searchFolder(slug: string): string {
  return join(workspace(), 'thought-trees', slug);
}

/**
 * Asks again until something holds, and resolves with it.
 * @throws Error saying what did not come, in the end
 */
export async function until<T>(what: string, look: () => T | Promise<T>): Promise<NonNullable<T>> {
  const end = Date.now() + WITHIN;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > end) throw new Error(`It did not come to be: ${what}`);
    await sleep(20);
  }
}

/** What a search's journal holds. */
async function journal(folder: string): Promise<JournalEvent[]> {
  const text = await readFile(join(folder, '.search/journal.jsonl'), 'utf8').catch(() => '');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  return whole
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as JournalEvent);
}

/** The events of one type in a search's journal. */
export async function eventsOf<T extends JournalEvent['type']>(
  folder: string,
  type: T,
): Promise<Extract<JournalEvent, { type: T }>[]> {
  const events = await journal(folder);
  return events.filter((event): event is Extract<JournalEvent, { type: T }> => event.type === type);
}

/** Begins a search and waits until it is in a state, as the extension's API tells it. */
export async function stateOf(folder: string, state: string): Promise<void> {
  const { searches } = extension().exports;
  const found = () => searches().find((each) => each.folder === folder);
  await until(`${folder} is ${state}`, () => found()?.state === state).catch(async (error: unknown) => {
    const last = (await journal(folder)).slice(-15).map((event) => JSON.stringify(event).slice(0, 500));
    throw new Error([`${error}, but ${found()?.state}; its journal ends with`, ...last].join('\n'));
  });
}

/** Which of the editor's questions is answered, and with what. */
interface Answers {
  readonly showInputBox?: (options: vscode.InputBoxOptions) => string | undefined;
  readonly showQuickPick?: (items: readonly vscode.QuickPickItem[]) => vscode.QuickPickItem | undefined;
  readonly showWarningMessage?: (message: string, how?: vscode.MessageOptions) => string | undefined;
  readonly showErrorMessage?: (message: string) => string | undefined;
  readonly showInformationMessage?: (message: string) => string | undefined;
}

/** Does something while the extension's questions are answered here: it shares its `vscode.window` with its tests. */
export async function answering<T>(answers: Answers, work: () => PromiseLike<T>): Promise<T> {
  const window = vscode.window as unknown as Record<string, unknown>;
  const before = Object.fromEntries(Object.keys(answers).map((name) => [name, window[name]]));
  for (const [name, answer] of Object.entries(answers))
    window[name] = async (first: never, ...rest: never[]) => answer(await first, ...rest);
  try {
    return await work();
  } finally {
    Object.assign(window, before);
  }
}

/** Pauses a search at once, as the rows' *More…* does. */
export async function pauseNow(folder: string): Promise<void> {
  const pick = (items: readonly vscode.QuickPickItem[]) => items.find(({ label }) => /^pause now/i.test(label));
  await answering({ showQuickPick: pick }, () =>
    vscode.commands.executeCommand('thoughtTree.more', { folder, path: '' }),
  );
}

/** The next time something is told of. */
export async function next<T>(event: vscode.Event<T>, fits: (value: T) => boolean = () => true): Promise<T> {
  const emitter = new EventTarget();
  let value: T | undefined;
  const subscription = event((each) => {
    if (!fits(each)) return;
    value = each;
    emitter.dispatchEvent(new Event('told'));
  });
  try {
    await once(emitter, 'told', { signal: AbortSignal.timeout(WITHIN) });
    return value as T;
  } finally {
    subscription.dispose();
  }
}
