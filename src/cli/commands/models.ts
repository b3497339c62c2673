import type { Command } from 'commander';
import { formatTokens, formatUsd } from '../../core/money/figures.ts';
import { costOf } from '../../core/money/price.ts';
import type { Model, Price, Usage } from '../../core/ports/model.ts';
import { withoutMissing } from '../../core/search/search-file.ts';
import { oneLine } from '../../core/text/text.ts';
import { listModels, type ProviderModels, testModel } from '../../models/list-models.ts';
import { FREE_MODEL } from '../../searches/models/choose-model.ts';
import { readEnvironment } from '../../searches/models/environment.ts';
import { priceOf, pricesAsOf, type UnlikelyPrice, updatePrices } from '../../searches/models/own-prices.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import * as say from '../messages.ts';
import { tokens } from '../messages.ts';
import { addModelOptions, existingFolder, type SearchFlags } from '../options/options.ts';
import { tokenLimit } from '../rows/messages.ts';
import { askYes, canAsk } from '../running/consent.ts';
import { openNamedModel } from '../running/open-run.ts';
import { type Row, renderRow, terminalOf } from '../terminal/terminal.ts';
import { inWords, l10n } from '../terminal/translation.ts';

interface ModelsFlags extends SearchFlags {
  readonly test?: string;
  readonly updatePrices?: string;
}

/** Time limit for a model's answer to a test, in milliseconds. */
const LONGEST_TEST_MS = 120_000;

/** `models`. */
export function addModels(program: Command, end: (code: ExitCode) => void): void {
  const command = program
    .command('models')
    .description(l10n.t('list the available models with their prices; --test asks one of them'))
    .option('--test <provider/model>', l10n.t('make one real, short call'))
    .option('--update-prices <file-or-url>', l10n.t("take prices over from LiteLLM's table, or that of models.dev"));
  addModelOptions(command)
    .option('--json', l10n.t('one JSON value on stdout'))
    .action(async (flags: ModelsFlags) => {
      if (flags.updatePrices !== undefined) await update(flags.updatePrices, flags);
      else if (flags.test === undefined) await list(flags);
      else await test(flags.test, flags);
      await terminalOf(process).out.drained();
      end(EXIT.finished);
    });
}

async function update(from: string, { json }: ModelsFlags): Promise<void> {
  const { out } = terminalOf(process);
  const updated = await updatePrices(from, askUnlikely);
  if (json) return out.line(JSON.stringify(updated, undefined, 2));
  const { asOf, taken, changed, refused, left } = updated;
  out.line(inWords(say.pricesTaken({ count: taken, changed, date: asOf })));
  for (const [names, said] of [
    [refused, say.pricesRefused],
    [left, say.pricesLeft],
  ] as const)
    if (names.length > 0) out.line(inWords(said({ count: names.length, names: namesIn(names) })));
}

/** Names that are shown at most. */
const MOST_NAMES = 20;

function namesIn(names: readonly string[]): string {
  const more = names.length > MOST_NAMES ? ', …' : '';
  return names.slice(0, MOST_NAMES).join(', ') + more;
}

/** Without a terminal, prices that are ten times what was known stay as they were. */
async function askUnlikely(unlikely: readonly UnlikelyPrice[]): Promise<boolean> {
  if (!canAsk()) return false;
  const { err } = terminalOf(process);
  for (const { name, known, found } of unlikely) err.line(`  ${name}: ${priceText(known)} → ${priceText(found)}`);
  return await askYes(inWords(say.takeUnlikely({ count: unlikely.length })));
}

async function list(flags: ModelsFlags): Promise<void> {
  const { out } = terminalOf(process);
  const env = readEnvironment(process.env);
  const baseUrl = flags.baseUrl ?? env.baseUrl;
  const provider = flags.model?.split('/')[0] || 'openai-compatible';
  const servers = baseUrl === undefined ? {} : { [provider]: { baseUrl } };
  const found = await listModels({ servers, environment: env.variables });
  if (flags.json) {
    out.line(JSON.stringify(found.map(withPrices), undefined, 2));
    return;
  }
  const rows: Row[] = [[{ text: FREE_MODEL, style: 'bold' }, { text: `  ${inWords(say.noModelNeeded())}` }]];
  for (const each of found) rows.push([], ...providerRows(each));
  rows.push([], [{ text: inWords(say.pricesAsOf({ date: pricesAsOf() })), style: 'dim' }]);
  for (const row of rows) out.line(renderRow(row, Number.POSITIVE_INFINITY, out.palette));
}

function withPrices(found: ProviderModels): object {
  if (found.state !== 'ready') return found;
  return {
    ...found,
    models: found.models.map((each) => ({ ...each, ...withoutMissing({ price: priceOf(each.name) }) })),
  };
}

function providerRows(found: ProviderModels): Row[] {
  const head: Row = [{ text: `${found.provider}/…`, style: 'bold' }, { text: `  ${oneLine(found.host, 200)}` }];
  if (found.state === 'unreachable')
    return [head, [{ text: `  ${oneLine(inWords(found.why), 500)}`, style: 'yellow' }]];
  if (found.state === 'needs-key') {
    const { variable } = found;
    const what = found.refused ? say.keyNotAccepted({ variable }) : say.keyNeeded({ variable });
    return [head, [{ text: `  ${inWords(what)}`, style: 'yellow' }]];
  }
  if (found.models.length === 0) return [head, [{ text: `  ${inWords(say.noModels())}`, style: 'yellow' }]];
  return [
    head,
    ...found.models.map(({ name, contextTokens }): Row => {
      const context =
        contextTokens === undefined ? '' : `  ${inWords(tokens({ tokens: formatTokens(contextTokens) }))}`;
      const price = priceOf(name);
      return [
        { text: `  ${oneLine(name, 200)}${context}` },
        { text: price ? `  ${priceText(price)}` : '', style: 'dim' },
      ];
    }),
  ];
}

function priceText({ prompt, cached, completion }: Price): string {
  return `$${[prompt, cached, completion].map((rate) => Number(rate.toPrecision(3))).join('/')}`;
}

/** Makes one real call; throws if anything is wrong. */
async function test(name: string, flags: ModelsFlags): Promise<void> {
  const { out } = terminalOf(process);
  const folder = await existingFolder(flags.folder ?? '.');
  const model = await openNamedModel(name, {
    place: { folder, workspace: folder },
    flags,
    env: readEnvironment(process.env),
  });
  try {
    const { throughPurse } = await import('../../searches/purse/purse.ts');
    const tested = await testModel(throughPurse(model, folder), AbortSignal.timeout(LONGEST_TEST_MS));
    if (!tested.works) throw tested.error;
    const { ms, usage } = tested;
    if (flags.json) out.line(JSON.stringify({ name: model.name, ms, ...withoutMissing({ usage }) }));
    else out.line(inWords(say.modelAnswers({ model: oneLine(model.name, 200), how: howText(model, ms, usage) })));
  } finally {
    await model.close?.();
  }
}

/** Returns the time it took, what it used and what that cost. */
function howText({ price }: Model, ms: number, usage: Usage | undefined): string {
  const counted = (count: number): string => inWords(tokenLimit({ count }));
  const used = usage ? [`${counted(usage.prompt)} + ${counted(usage.completion)}`] : [];
  const cost = usage && price ? [formatUsd(costOf(usage, price))] : [];
  return [`${(ms / 1000).toFixed(1)}s`, ...used, ...cost].join(', ');
}
