import { setTimeout as sleep } from 'node:timers/promises';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import { expansionsOf } from '../../../core/search/limits.ts';
import { formatUsd } from '../../../core/text/figures.ts';
import type { Place } from '../../place.ts';
import { SearchReader } from '../../reader/search-reader.ts';
import type { AgentHost, ToolCall } from '../agent-host.ts';
import { stopped, stoppedAndPaused } from '../messages.ts';

/** The time between two looks where no change is noticed, in milliseconds. */
const LOOK_MS = 500;

/**
 * Waits until a search has ended or paused, or the time is over, and tells its progress. Whoever cancels the call wants
 * nothing more to be spent: a search that runs here is paused then.
 * @throws ThoughtTreeError `aborted` if the call was cancelled
 */
export async function waitFor(host: AgentHost, place: Place, seconds: number, call: ToolCall): Promise<void> {
  const { folder } = place;
  const until = performance.now() + seconds * 1000;
  const reader = await SearchReader.read(place);
  let wake = Promise.withResolvers<void>();
  reader.follow(() => wake.resolve());
  let said = '';
  try {
    while (reader.isActive || host.runs.isHere(folder)) {
      said = tell(reader, call, said);
      const left = until - performance.now();
      if (left <= 0 || call.signal.aborted) break;
      await Promise.race([wake.promise, sleep(Math.min(left, LOOK_MS), undefined, { signal: call.signal })]).catch(
        () => undefined,
      );
      wake = Promise.withResolvers<void>();
      await reader.refresh();
    }
  } finally {
    reader.close();
  }
  if (!call.signal.aborted) return;
  if (!host.runs.isHere(folder)) throw new ThoughtTreeError('aborted', stopped());
  await host.runs.pause(folder);
  throw new ThoughtTreeError('aborted', stoppedAndPaused());
}

function tell(reader: SearchReader, { progress }: ToolCall, said: string): string {
  const done = reader.count('expanded', 'leaf');
  const { calls, usd } = reader.spend;
  const most = expansionsOf(reader.limits?.size ?? 'all');
  const text = `${done} nodes done, ${reader.count('unexpanded', 'in-progress')} open; ${calls} calls, ${formatUsd(usd)}`;
  // A text is not sent twice in a row: clients show every message.
  if (text !== said) progress?.(done, Number.isFinite(most) ? Math.max(most, done) : undefined, text);
  return text;
}
