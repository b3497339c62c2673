import * as vscode from 'vscode';
import type { JournalEvent } from '../../core/search/events.ts';
import { oneLine } from '../../core/text/text.ts';
import type { Search } from '../../engine/search.ts';
import { keptText } from '../message-text.ts';
import { withoutLinks } from '../without-links.ts';

type UsageDoubted = Extract<JournalEvent, { type: 'usage-doubted' }>;

/** Passes what happened in a search to the log, and tells the person what they have to know of it at once. */
export function logEvent(
  search: Pick<Search, 'file'>,
  event: JournalEvent,
  log: Pick<vscode.LogOutputChannel, 'info' | 'warn' | 'debug'>,
): void {
  const { title } = search.file;
  if (event.type === 'usage-doubted') tellDoubt(title, event, log);
  if (event.type === 'progress') log.info(`${title}: ${event.text}`);
  else if (event.type === 'call-ended' && event.outcome !== 'ok')
    log.warn(`${title}: ${event.purpose} ${event.node}: ${event.outcome} ${event.message ?? ''}`);
  else log.debug(JSON.stringify(event));
}

/** That nobody knows a price was said with the forecast, before the search began. */
function tellDoubt(
  title: string,
  { doubt, message, say }: UsageDoubted,
  log: Pick<vscode.LogOutputChannel, 'warn'>,
): void {
  const text = `"${oneLine(title, 100)}": ${keptText(message, say)}`;
  if (doubt === 'unpriced') log.warn(text);
  else void vscode.window.showWarningMessage(withoutLinks(text));
}
