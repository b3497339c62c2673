import type { Command } from 'commander';
import { formatDuration, formatTokens, formatUsd } from '../../core/money/figures.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import type { FleetView } from '../../fleet/look-at-fleet.ts';
import type { ModelCap } from '../../fleet/queue.ts';
import { providerOf } from '../../models/open-model.ts';
import { readEnvironment } from '../../searches/models/environment.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { number, wholeNumber } from '../options/options.ts';
import { type Row, renderRow, terminalOf } from '../terminal/terminal.ts';
import { inWords, l10n } from '../terminal/translation.ts';
import { sayPassword } from './fleet-run.ts';
import * as say from './messages.ts';

/** `fleet`. */
export function addFleet(program: Command, end: (code: ExitCode) => void): void {
  program
    .command('fleet')
    .description(l10n.t('show the workers of a fleet, what each of them does, and what waits'))
    .option('--queue <url>', l10n.t("the queue's address, as in postgres://user@host/database"))
    .option('--cap <provider/model>', l10n.t('set what all workers together may do with a model (only its owner can)'))
    .option('--calls <n>', l10n.t('with --cap: calls at the same time; 0 for none'), wholeNumber(0, 1_000_000))
    .option(
      '--usd-a-minute <dollars>',
      l10n.t('with --cap: the most that they may spend a minute'),
      number(0.001, 1_000_000),
    )
    .option('--uncap <provider/model>', l10n.t('remove the caps of a model'))
    .option('--json', l10n.t('one JSON object on stdout'))
    .action(async (flags: FleetFlags) => end(await showFleet(flags)));
}

interface FleetFlags {
  readonly queue?: string;
  readonly cap?: string;
  readonly calls?: number;
  readonly usdAMinute?: number;
  readonly uncap?: string;
  readonly json?: true;
}

/** Shows what a fleet does at this moment, after changing its caps where that is asked for. */
async function showFleet(flags: FleetFlags): Promise<ExitCode> {
  const { out, err } = terminalOf(process);
  const address = flags.queue ?? readEnvironment(process.env).queue;
  if (address === undefined) throw new ThoughtTreeError('bad-input', say.queueNeeded());
  const notice = (what: Parameters<typeof inWords>[0]): void => err.line(oneLine(inWords(what), 1000));
  sayPassword(flags.queue, notice);
  for (const cap of capsOf(flags)) {
    const { setCap } = await import('../../fleet/look-at-fleet.ts');
    await setCap(address, cap, () => undefined);
  }
  const { viewFleet } = await import('../../fleet/look-at-fleet.ts');
  const view = await viewFleet(address, notice);
  if (flags.json) out.line(JSON.stringify(view));
  else for (const row of fleetRows(view, Date.now())) out.line(renderRow(row, Number.POSITIVE_INFINITY, out.palette));
  await out.drained();
  return EXIT.finished;
}

/** @throws ThoughtTreeError `bad-input` */
function capsOf({ cap, calls, usdAMinute, uncap }: FleetFlags): ModelCap[] {
  const limits = { ...(calls !== undefined && { calls }), ...(usdAMinute !== undefined && { usdAMinute }) };
  const isLimited = calls !== undefined || usdAMinute !== undefined;
  if ((cap !== undefined) !== isLimited) throw new ThoughtTreeError('bad-input', say.capHow());
  const models = [
    ...(uncap === undefined ? [] : [{ model: uncap }]),
    ...(cap === undefined ? [] : [{ model: cap, ...limits }]),
  ];
  return models.map(({ model, ...more }) => {
    const { provider, model: name } = providerOf(model);
    return { model: `${provider}/${name}`, ...more };
  });
}

/** @param now milliseconds since 1970 */
function fleetRows({ workers, searches, models, unserved, caps, others }: FleetView, now: number): Row[] {
  const rows: Row[] = workers.length === 0 ? [[{ text: inWords(say.noWorkers()), style: 'yellow' }]] : [];
  for (const { host, pid, slots, state, calls, spent, agents } of workers) {
    const used = inWords(say.spentToday({ tokens: formatTokens(spent.tokens), usd: formatUsd(spent.usd) }));
    const busy = inWords(say.slotsBusy({ busy: calls.length, slots }));
    const head: Row = [{ text: oneLine(`${host} (${pid})`, 200), style: 'bold' }, { text: `  ${busy}, ${used}` }];
    const odd: Row = state === 'working' ? [] : [{ text: `  ${inWords(STATES[state]())}`, style: 'yellow' }];
    const more: Row = agents ? [{ text: `, ${inWords(say.runsAgents())}` }] : [];
    rows.push([...head, ...more, ...odd]);
    for (const { model, node, purpose, since } of calls)
      rows.push([
        { text: `  ${formatDuration(Math.max(0, now - since)).padStart(6)}  `, style: 'dim' },
        { text: oneLine(`${model}  ${purpose}  ${node}`, 300) },
      ]);
  }
  for (const { name, waiting } of models)
    if (waiting > 0)
      rows.push([{ text: oneLine(inWords(say.callsWait({ count: waiting, model: name })), 300), style: 'dim' }]);
  for (const each of unserved) rows.push([{ text: oneLine(inWords(say.agentUnserved(each)), 500), style: 'yellow' }]);
  return [...rows, ...capRows(caps), ...otherRows(others), ...searchRows(searches)];
}

function capRows(caps: FleetView['caps']): Row[] {
  const texts = caps.flatMap(({ model, calls, usdAMinute, underWay, spent }) => [
    ...(calls === undefined ? [] : [say.capOfCalls({ count: calls, model, underWay })]),
    ...(usdAMinute === undefined
      ? []
      : [say.capOfMoney({ model, usd: formatUsd(usdAMinute), spent: formatUsd(spent) })]),
  ]);
  return texts.map((text) => [{ text: oneLine(inWords(text), 400) }]);
}

function otherRows(others: FleetView['others']): Row[] {
  return others.map(({ of, host, version, protocol }) => {
    const what = { host: host ?? '?', version: version ?? '?', protocol };
    const text = of === 'worker' ? say.otherWorker(what) : say.otherSearch(what);
    return [{ text: oneLine(inWords(text), 400), style: 'yellow' }];
  });
}

const STATES = { draining: say.isDraining, capped: say.isCapped } as const;

function searchRows(searches: FleetView['searches']): Row[] {
  return searches.map(({ title, underWay }) => [
    { text: oneLine(inWords(say.searchHas({ title, count: underWay })), 300), style: 'dim' },
  ]);
}
