import { Command, CommanderError } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import type { Kinds } from '../engine/kind/kinds.ts';
import { addActions } from './commands/actions.ts';
import { addExport } from './commands/export.ts';
import { addFleet } from './commands/fleet.ts';
import { addImport } from './commands/import.ts';
import { addList } from './commands/list.ts';
import { addMcp } from './commands/mcp.ts';
import { addModels } from './commands/models.ts';
import { addResume } from './commands/resume.ts';
import { addShow } from './commands/show.ts';
import { addStart } from './commands/start.ts';
import { addStatus } from './commands/status.ts';
import { addVerify } from './commands/verify.ts';
import { addWorker } from './commands/worker.ts';
import { addCompare } from './compare/compare.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { helpBelow, helpTitle } from './help.ts';
import { l10n } from './terminal/translation.ts';

/**
 * Runs a command line; returns the exit code.
 * @param kinds the available kinds of searches
 * @param args the arguments after the program's name
 * @throws ThoughtTreeError if the command failed
 */
export async function runProgram(kinds: Kinds, args: readonly string[]): Promise<ExitCode> {
  let code: ExitCode = EXIT.finished;
  try {
    await buildProgram(kinds, (ended) => {
      code = ended;
    }).parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    // commander has reported what is wrong; help and version are errors with code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.finished : EXIT.usage;
    throw error;
  }
}

/** The whole command line, not run yet; calls `end` with the exit code. */
export function buildProgram(kinds: Kinds, end: (code: ExitCode) => void): Command {
  const program = new Command('thought-tree')
    .description(l10n.t('Searches led by a language model, as trees of plain files in your folder.'))
    .version(packageJson.version, '-V, --version', l10n.t('show the version'))
    .configureHelp({ styleTitle: helpTitle })
    .helpOption('-h, --help', l10n.t('show the help of a command'))
    .helpCommand('help [command]', l10n.t('show the help of a command'))
    .addHelpText('after', helpBelow())
    .showHelpAfterError(l10n.t('(use --help for usage)'))
    .exitOverride();
  for (const add of [
    addStart,
    addResume,
    addStatus,
    addList,
    addShow,
    addVerify,
    addCompare,
    addExport,
    addImport,
    addModels,
    addWorker,
    addFleet,
    addMcp,
    addActions,
  ])
    add(program, end, kinds);
  return program;
}
