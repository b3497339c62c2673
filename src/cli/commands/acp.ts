import type { Command } from 'commander';
import type { Price } from '../../core/ports/model.ts';
import { oneLine } from '../../core/text/text.ts';
import type { Kinds } from '../../engine/kind.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { pausedSearch } from '../messages.ts';
import { addJudgeOptions, addModelChoice, type GivenPrices, shownPath } from '../options/options.ts';
import { commandName, shellCommand } from '../options/resume-command.ts';
import { terminalOf } from '../terminal/terminal.ts';
import { inWords, l10n } from '../terminal/translation.ts';

interface AcpFlags {
  readonly model?: string;
  readonly judge?: string;
  readonly baseUrl?: string;
  readonly price?: GivenPrices;
  readonly judgePrice?: Price;
}

/** `acp`: searches as conversations in editors, over standard input and output. */
export function addAcp(program: Command, end: (code: ExitCode) => void, kinds: Kinds): void {
  const command = program
    .command('acp')
    .description(l10n.t('be an agent of editors that speak ACP, such as Zed: a search is a conversation'));
  addJudgeOptions(addModelChoice(command)).action(async (flags: AcpFlags) => {
    const { err } = terminalOf(process);
    // The library behind it is loaded here and nowhere else.
    const { serveAcp } = await import('../../mcp/acp-agent.ts');
    const paused = await serveAcp({
      ...flags,
      price: flags.price?.own,
      prices: flags.price?.of,
      kinds,
      inWords,
      tell: (text) => err.line(oneLine(text, 1000)),
    });
    for (const place of paused)
      err.line(inWords(pausedSearch({ command: shellCommand([...commandName(), 'resume', shownPath(place)]) })));
    end(EXIT.finished);
  });
}
