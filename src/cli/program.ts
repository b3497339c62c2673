import { Command, CommanderError } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import type { Kinds } from '../engine/kind/kinds.ts';
import { addActions } from './commands/actions.ts';
import { addExport } from './commands/export.ts';
import { addImport } from './commands/import.ts';
import { addList } from './commands/list.ts';
import { addMcp } from './commands/mcp.ts';
import { addModels } from './commands/models.ts';
import { addResume } from './commands/resume.ts';
import { addShow } from './commands/show.ts';
import { addStart } from './commands/start.ts';
import { addStatus } from './commands/status.ts';
import { addCompare } from './compare/compare.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';

const AFTER_HELP = `
Environment:
  THOUGHT_TREE_MODEL     the model where --model names none
  THOUGHT_TREE_JUDGE     the model that picks and scores where --judge names none
  THOUGHT_TREE_BASE_URL  the server's address where --base-url names none
  THOUGHT_TREE_API_KEY   the key for that server; at a provider's own address its usual variable holds it:
                         ANTHROPIC_API_KEY, OPENAI_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY or GEMINI_API_KEY

Exit codes:
  0 finished, 1 error, 2 wrong use, 3 paused by the budget, 4 a person is needed (key, quota, model not reached,
  five failures), 5 another process holds the search, 6 not begun (its forecast is above --ask-above),
  7 all that is left to do is outside (offers wait for answers), 130 interrupted or paused by a person

The workspace's own text answers where no model is named: nothing leaves this computer, and it costs nothing.`;

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
    .description('Searches led by a language model, as trees of plain files in your folder.')
    .version(packageJson.version)
    .addHelpText('after', AFTER_HELP)
    .showHelpAfterError('(use --help for usage)')
    .exitOverride();
  for (const add of [
    addStart,
    addResume,
    addStatus,
    addList,
    addShow,
    addCompare,
    addExport,
    addImport,
    addModels,
    addMcp,
    addActions,
  ])
    add(program, end, kinds);
  return program;
}
