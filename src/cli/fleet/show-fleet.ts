import { ThoughtTreeError } from '../../core/search/errors.ts';
import { formatDuration, formatTokens, formatUsd } from '../../core/text/figures.ts';
import { oneLine } from '../../core/text/text.ts';
import type { FleetView } from '../../fleet/view-fleet.ts';
import { readEnvironment } from '../../searches/models/environment.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { type Row, renderRow } from '../terminal/row.ts';
import { terminalOf } from '../terminal/terminal.ts';
import { inWords } from '../terminal/translation.ts';
import { sayPassword } from './fleet-run.ts';
import * as say from './messages.ts';

export interface FleetFlags {
  readonly queue?: string;
  readonly json?: true;
}

/** What a fleet does at this moment. */
export async function showFleet(flags: FleetFlags): Promise<ExitCode> {
  const { out, err } = terminalOf(process);
  const address = flags.queue ?? readEnvironment(process.env).queue;
  if (address === undefined) throw new ThoughtTreeError('bad-input', say.queueNeeded());
  const notice = (what: Parameters<typeof inWords>[0]): void => err.line(oneLine(inWords(what), 1000));
  sayPassword(flags.queue, notice);
  const { viewFleet } = await import('../../fleet/view-fleet.ts');
  const view = await viewFleet(address, notice);
  if (flags.json) out.line(JSON.stringify(view));
  else for (const row of fleetRows(view, Date.now())) out.line(renderRow(row, Number.POSITIVE_INFINITY, out.palette));
  await out.drained();
  return EXIT.finished;
}

/** @param now milliseconds since 1970 */
function fleetRows({ workers, searches, models }: FleetView, now: number): Row[] {
  if (workers.length === 0) return [[{ text: inWords(say.noWorkers()), style: 'yellow' }], ...searchRows(searches)];
  const rows: Row[] = [];
  for (const { host, pid, slots, state, calls, spent } of workers) {
    const used = inWords(say.spentToday({ tokens: formatTokens(spent.tokens), usd: formatUsd(spent.usd) }));
    const busy = inWords(say.slotsBusy({ busy: calls.length, slots }));
    const head: Row = [{ text: oneLine(`${host} (${pid})`, 200), style: 'bold' }, { text: `  ${busy}, ${used}` }];
    const odd: Row = state === 'working' ? [] : [{ text: `  ${inWords(STATES[state]())}`, style: 'yellow' }];
    rows.push([...head, ...odd]);
    for (const { model, node, purpose, since } of calls)
      rows.push([
        { text: `  ${formatDuration(Math.max(0, now - since)).padStart(6)}  `, style: 'dim' },
        { text: oneLine(`${model}  ${purpose}  ${node}`, 300) },
      ]);
  }
  for (const { name, waiting } of models)
    if (waiting > 0)
      rows.push([{ text: oneLine(inWords(say.callsWait({ count: waiting, model: name })), 300), style: 'dim' }]);
  return [...rows, ...searchRows(searches)];
}

const STATES = { draining: say.isDraining, capped: say.isCapped } as const;

function searchRows(searches: FleetView['searches']): Row[] {
  return searches.map(({ title, underWay }) => [
    { text: oneLine(inWords(say.searchHas({ title, count: underWay })), 300), style: 'dim' },
  ]);
}
