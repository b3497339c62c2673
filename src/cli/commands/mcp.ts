import { join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { SEARCHES } from '../../searches/place.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { wholeNumber } from '../options/options.ts';
import { existingFolder } from '../options/search-place.ts';
import { l10n } from '../terminal/translation.ts';

interface McpFlags {
  readonly profile: 'strict' | 'g1' | 'g2' | 'g3';
  readonly dir: string;
  readonly folder?: string;
  readonly readOnly?: true;
  readonly minRounds?: number;
  readonly requireAgents?: true;
}

const MOST_ROUNDS = 20;

/** `mcp`: the tools of investigations for agents, over standard input and output. */
export function addMcp(program: Command, end: (code: ExitCode) => void): void {
  program
    .command('mcp')
    .description(l10n.t('serve agents that speak MCP, over standard input and output: investigations in rounds'))
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
    .option('--read-only', l10n.t('offer only the tools that change nothing'))
    .action(async ({ profile, dir, folder, readOnly, minRounds, requireAgents }: McpFlags) => {
      const workspace = await existingFolder(dir);
      // The library behind it is loaded here and nowhere else.
      const { serveMcp } = await import('../../mcp/serve.ts');
      await serveMcp({
        profile,
        workspace,
        folder: folder === undefined ? join(workspace, SEARCHES) : resolve(folder),
        minRounds,
        requireAgents: requireAgents === true,
        isReadOnly: readOnly === true,
      });
      end(EXIT.finished);
    });
}
