import { Command, CommanderError } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { toThoughtTreeError } from '../core/search/errors.ts';
import { oneLine } from '../core/text/text.ts';
import type { Kinds } from '../engine/kind.ts';
import { useProxies } from '../models/http/send.ts';
import { addAcp } from './commands/acp.ts';
import { addActions } from './commands/actions.ts';
import { addCompare } from './commands/compare.ts';
import { addExport, addImport } from './commands/export-import.ts';
import { addFind } from './commands/find.ts';
import { addHistory } from './commands/history.ts';
import { addList } from './commands/list.ts';
import { addMcp } from './commands/mcp.ts';
import { addModels } from './commands/models.ts';
import { addMoney } from './commands/money.ts';
import { addResume } from './commands/resume.ts';
import { addShow } from './commands/show.ts';
import { addStart } from './commands/start.ts';
import { addStatus } from './commands/status.ts';
import { addVerify } from './commands/verify.ts';
import { EXIT, type ExitCode, exitCodeOfError } from './exit-codes.ts';
import { addFleet } from './fleet/fleet-command.ts';
import { addWorker } from './fleet/worker-command.ts';
import { endedTooSoon, nodeTooOld, seeProgress } from './messages.ts';
import { commandName } from './options/resume-command.ts';
import { terminalOf } from './terminal/terminal.ts';
import { inWords, l10n } from './terminal/translation.ts';

/**
 * Runs the command line of this process and ends the process.
 * @param kinds the available kinds of searches
 * @param args the arguments after the program's name
 */
export async function runCli(kinds: Kinds, args: readonly string[]): Promise<void> {
  const terminal = terminalOf(process);
  const { node: version } = process.versions;
  if (isTooOld(version)) {
    terminal.err.line(`thought-tree: ${inWords(nodeTooOld({ oldest: OLDEST_NODE, version }))}`);
    await terminal.err.drained();
    process.exit(EXIT.error);
  }
  useProxies();
  let code: number;
  // If nothing is left that could ever end the command, Node ends the process: that must not look like success.
  process.exitCode = EXIT.error;
  process.once('beforeExit', () => terminal.err.line(`thought-tree: ${inWords(endedTooSoon())}`));
  try {
    code = await runProgram(kinds, args);
  } catch (error) {
    const { reason, say } = toThoughtTreeError(error);
    code = exitCodeOfError(error);
    terminal.err.line(`thought-tree: ${oneLine(inWords(say), 2000)}`);
    if (reason === 'held')
      terminal.err.line(inWords(seeProgress({ command: `${commandName().join(' ')} status DIR` })));
    if (reason === 'internal' && error instanceof Error && error.stack) terminal.err.line(error.stack);
  }
  await Promise.all([terminal.out.drained(), terminal.err.drained()]);
  // Anything that a library keeps open must not keep the process alive.
  process.exit(code);
}

/** The oldest Node that runs this program, as package.json says. */
export const OLDEST_NODE = '22.13';

/** Tells whether a version of Node is too old: it would fail somewhere in the middle of a search. */
export function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [least = 0, lesser = 0] = OLDEST_NODE.split('.').map(Number);
  return major < least || (major === least && minor < lesser);
}

/**
 * Runs a command line; returns the exit code.
 * @param kinds the available kinds of searches
 * @param args the arguments after the program's name
 * @throws ThoughtTreeError if the command failed
 */
export async function runProgram(kinds: Kinds, args: readonly string[]): Promise<ExitCode> {
  let code: ExitCode = EXIT.finished;
  try {
    const end = (ended: ExitCode): void => {
      code = ended;
    };
    await buildProgram(kinds, end, args[0]).parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    // commander has reported what is wrong; help and version are errors with code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.finished : EXIT.usage;
    throw error;
  }
}

/** The command line up to a named command, all of it without one, not run yet; calls `end` with the exit code. */
export function buildProgram(kinds: Kinds, end: (code: ExitCode) => void, named?: string): Command {
  const program = new Command('thought-tree')
    .description(l10n.t('Searches led by a language model, as trees of plain files in your folder.'))
    .version(packageJson.version, '-V, --version', l10n.t('show the version'))
    .configureHelp({ styleTitle: helpTitle })
    .helpOption('-h, --help', l10n.t('show the help of a command'))
    .helpCommand('help [command]', l10n.t('show the help of a command'))
    .addHelpText('after', helpBelow())
    .showHelpAfterError(l10n.t('(use --help for usage)'))
    .exitOverride();
  const isThere = (): boolean => program.commands.some((command) => command.name() === named);
  for (const [heading, ...parts] of [
    [l10n.t('Search:'), addStart, addFind, addResume, addStatus, addList, addShow],
    [l10n.t('Look back, check and share:'), addHistory, addVerify, addCompare, addExport, addImport],
    [l10n.t('Models and money:'), addModels, addMoney],
    [l10n.t('Other programs and computers:'), addMcp, addAcp, addWorker, addFleet],
    [l10n.t('Steer a search:'), addActions],
  ] as const) {
    program.commandsGroup(heading);
    for (const add of parts) if (!isThere()) add(program, end, kinds);
  }
  return program;
}

/** Returns a title that commander writes above a part of the help. */
function helpTitle(title: string): string {
  const titles: Readonly<Record<string, string>> = {
    'Usage:': l10n.t('Usage:'),
    'Arguments:': l10n.t('Arguments:'),
    'Options:': l10n.t('Options:'),
    'Commands:': l10n.t('Commands:'),
  };
  return titles[title] ?? title;
}

/** Returns the end of the whole program's help. */
function helpBelow(): string {
  const variables = [
    ['THOUGHT_TREE_MODEL', l10n.t('the model where --model names none')],
    ['THOUGHT_TREE_JUDGE', l10n.t('the model that picks and scores where --judge names none')],
    ['THOUGHT_TREE_BASE_URL', l10n.t("the server's address where --base-url names none")],
    ['THOUGHT_TREE_QUEUE', l10n.t("the queue's address where --queue names none")],
    [
      'THOUGHT_TREE_API_KEY',
      l10n.t("the key for that server; at a provider's own address its usual variable holds it:"),
    ],
    ['', 'ANTHROPIC_API_KEY, OPENAI_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY, GEMINI_API_KEY'],
  ] as const;
  const codes = [
    [EXIT.finished, l10n.t('finished')],
    [EXIT.error, l10n.t('error')],
    [EXIT.usage, l10n.t('wrong use')],
    [EXIT.budget, l10n.t('paused by the budget')],
    [EXIT.person, l10n.t('a person is needed (key, quota, model not reached, five failures)')],
    [EXIT.held, l10n.t('another process holds the search')],
    [EXIT.declined, l10n.t('not begun (its forecast is above --ask-above, or you did not agree)')],
    [EXIT.waiting, l10n.t('all that is left to do is outside (offers wait for answers)')],
    [EXIT.failed, l10n.t('finished, and all that it tried failed')],
    [EXIT.interrupted, l10n.t('interrupted or paused by a person')],
  ] as const;
  return [
    '',
    l10n.t('Environment:'),
    ...variables.map(([name, about]) => `  ${name.padEnd(21)}  ${about}`),
    '',
    l10n.t('Exit codes:'),
    ...codes.map(([code, about]) => `  ${String(code).padStart(3)}  ${about}`),
    '',
    l10n.t(
      "Where no model is named, the workspace's own text answers: nothing leaves this computer, and it costs nothing.",
    ),
  ].join('\n');
}
