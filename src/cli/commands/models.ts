import type { Command } from 'commander';
import { costOf } from '../../core/money/price.ts';
import type { Model, Price, Usage } from '../../core/ports/model.ts';
import { oneLine } from '../../core/text/text.ts';
import { listModels, type ProviderModels } from '../../models/list-models.ts';
import { PRICES_AS_OF, priceOf } from '../../models/prices.ts';
import { testModel } from '../../models/test-model.ts';
import { FREE_MODEL } from '../../searches/models/choose-model.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { readEnvironment } from '../options/environment.ts';
import { addModelOptions, type SearchFlags, withoutMissing } from '../options/options.ts';
import { existingFolder } from '../options/search-place.ts';
import { openNamedModel } from '../running/open-run.ts';
import { countOf, formatTokens, formatUsd } from '../terminal/figures.ts';
import { type Row, renderRow } from '../terminal/row.ts';
import { terminalOf } from '../terminal/terminal.ts';
import { inWords } from '../terminal/translation.ts';

interface ModelsFlags extends SearchFlags {
  readonly test?: string;
}

/** Time limit for a model's answer to a test, in milliseconds. */
const LONGEST_TEST_MS = 120_000;

/** `models`. */
export function addModels(program: Command, end: (code: ExitCode) => void): void {
  const command = program
    .command('models')
    .description('list the available models with their prices; --test asks one of them')
    .option('--test <provider/model>', 'make one real, short call');
  addModelOptions(command)
    .option('--json', 'one JSON value on stdout')
    .action(async (flags: ModelsFlags) => {
      if (flags.test === undefined) await list(flags);
      else await test(flags.test, flags);
      await terminalOf(process).out.drained();
      end(EXIT.finished);
    });
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
  const rows: Row[] = [[{ text: FREE_MODEL, style: 'bold' }, { text: '  no model: quotes from the workspace, free' }]];
  for (const each of found) rows.push([], ...providerRows(each));
  rows.push(
    [],
    [{ text: `Prices in dollars per million tokens (prompt/cached/answer), of ${PRICES_AS_OF}.`, style: 'dim' }],
  );
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
    const what = found.refused ? 'does not accept the key' : 'needs a key';
    return [head, [{ text: `  It ${what}. Set ${found.variable} to yours.`, style: 'yellow' }]];
  }
  if (found.models.length === 0) return [head, [{ text: '  It has no models.', style: 'yellow' }]];
  return [
    head,
    ...found.models.map(({ name, contextTokens }): Row => {
      const context = contextTokens === undefined ? '' : `  ${formatTokens(contextTokens)} tokens`;
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
    const tested = await testModel(model, AbortSignal.timeout(LONGEST_TEST_MS));
    if (!tested.works) throw tested.error;
    const { ms, usage } = tested;
    if (flags.json) out.line(JSON.stringify({ name: model.name, ms, ...withoutMissing({ usage }) }));
    else out.line(`${oneLine(model.name, 200)} answers (${(ms / 1000).toFixed(1)}s${usedText(model, usage)}).`);
  } finally {
    await model.close?.();
  }
}

function usedText({ price }: Model, usage: Usage | undefined): string {
  if (!usage) return '';
  const cost = price ? `, ${formatUsd(costOf(usage, price))}` : '';
  return `, ${countOf(usage.prompt, 'token')} + ${countOf(usage.completion, 'token')}${cost}`;
}
