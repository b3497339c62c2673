import { type Command, Option } from 'commander';
import type { Price } from '../../core/ports/model.ts';
import { oneLine } from '../../core/text/text.ts';
import type { Kinds } from '../../engine/kind.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { pausedSearch } from '../messages.ts';
import {
  addJudgeOptions,
  addModelChoice,
  existingFolder,
  folderForAgents,
  type GivenPrices,
  number,
  shownPath,
  wholeNumber,
} from '../options/options.ts';
import { commandName, shellCommand } from '../options/resume-command.ts';
import { terminalOf } from '../terminal/terminal.ts';
import { inWords, l10n } from '../terminal/translation.ts';

interface McpFlags {
  readonly profile: 'strict' | 'g1' | 'g2' | 'g3';
  readonly dir: string;
  readonly folder?: string;
  readonly readOnly?: true;
  readonly besideWindow?: true;
  readonly minRounds?: number;
  readonly requireAgents?: true;
  readonly http?: number;
  readonly allowUsd?: number;
  readonly allowDelete?: true;
  readonly allowCommands?: true;
  readonly model?: string;
  readonly judge?: string;
  readonly baseUrl?: string;
  readonly price?: GivenPrices;
  readonly judgePrice?: Price;
}

const MOST_ROUNDS = 20;

/** `mcp`: investigations and searches for agents, over standard input and output. */
export function addMcp(program: Command, end: (code: ExitCode) => void, kinds: Kinds): void {
  const command = program
    .command('mcp')
    .description(l10n.t('serve agents that speak MCP, over standard input and output: investigations and searches'))
    .addOption(
      new Option('--profile <name>', l10n.t('the rules: ours, or those of an older server'))
        .choices(['strict', 'g1', 'g2', 'g3'])
        .default('strict'),
    )
    .option('--dir <folder>', l10n.t('the folder that agents work in'), '.')
    .option('--folder <folder>', l10n.t('where investigations are kept (default: thought-trees in that folder)'))
    .option(
      '--min-rounds <n>',
      l10n.t('rounds before which an investigation cannot end (default: 5)'),
      wholeNumber(1, MOST_ROUNDS),
    )
    .option('--require-agents', l10n.t('refuse results without an agent whose session was found'))
    .option(
      '--http <port>',
      l10n.t(
        'serve over HTTP on this computer instead; a token is printed once, unless THOUGHT_TREE_MCP_TOKEN has one',
      ),
      wholeNumber(0, 65_535),
    )
    .option('--read-only', l10n.t('offer only the tools that change nothing'))
    .option('--beside-window', l10n.t('leave out what the extension in the same editor offers its agents itself'))
    .option(
      '--allow-usd <dollars>',
      l10n.t('what agents may spend in all where their client cannot ask you (default: nothing)'),
      number(0),
    )
    .option('--allow-delete', l10n.t('let agents prune and rewrite where their client cannot ask you'))
    .option('--allow-commands', l10n.t('let the commands of plans run that you have not agreed to elsewhere'));
  addJudgeOptions(addModelChoice(command)).action(async (flags: McpFlags) => {
    const { dir, folder, readOnly, requireAgents, allowUsd = 0, allowDelete, allowCommands, price, ...given } = flags;
    const workspace = await existingFolder(dir);
    const { err } = terminalOf(process);
    // The library behind it is loaded here and nowhere else.
    const { serveMcp } = await import('../../mcp/serve.ts');
    const paused = await serveMcp({
      ...given,
      price: price?.own,
      prices: price?.of,
      kinds,
      workspace,
      folder: folderForAgents(workspace, folder),
      requireAgents: requireAgents === true,
      allowUsd,
      allowDelete: allowDelete === true,
      allowCommands: allowCommands === true,
      isReadOnly: readOnly === true,
      tell: (text) => err.line(oneLine(text, 1000)),
    });
    for (const place of paused)
      err.line(inWords(pausedSearch({ command: shellCommand([...commandName(), 'resume', shownPath(place)]) })));
    end(EXIT.finished);
  });
}
