import { toThoughtTreeError } from '../core/search/errors.ts';
import { oneLine } from '../core/text/text.ts';
import type { Kinds } from '../engine/kind/kinds.ts';
import { useProxies } from '../models/http/proxies.ts';
import { EXIT, exitCodeOfError } from './exit-codes.ts';
import { endedTooSoon, nodeTooOld, seeProgress } from './messages.ts';
import { isTooOld, OLDEST_NODE } from './oldest-node.ts';
import { commandName } from './options/command-name.ts';
import { runProgram } from './program.ts';
import { terminalOf } from './terminal/terminal.ts';
import { inWords } from './terminal/translation.ts';

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
