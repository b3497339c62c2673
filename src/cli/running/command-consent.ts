import type { Message } from '../../core/messages/message.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import { shownLine } from '../../work/shown.ts';
import * as say from '../messages.ts';
import type { WorkFlags } from '../options/work-options.ts';
import { terminalOf } from '../terminal/terminal.ts';
import { inWords } from '../terminal/translation.ts';
import { askYes, canAsk } from './ask-yes.ts';

/** Where it is only told that there is a command, and not asked about it. */
const LONGEST_TOLD = 200;

/** Which command lines may run, as this person says in this process. */
export class CommandConsent {
  readonly #mayAll: boolean;
  readonly #agreed = new Set<string>();

  constructor({ allowCommands }: WorkFlags) {
    this.#mayAll = allowCommands === true;
  }

  /**
   * Asks about exactly these lines, apart from those that were agreed to before.
   * @param says what holds them, and what does not
   * @throws ThoughtTreeError `bad-input` if there is nobody to ask
   */
  async allows(lines: readonly string[], says: readonly Message[] = []): Promise<boolean> {
    this.check(lines);
    const asked = this.#unknown(lines);
    if (asked.length === 0) return true;
    sayCommands(asked);
    for (const each of says) terminalOf(process).err.line(inWords(each));
    if (!(await askYes(inWords(say.runCommands({ count: asked.length }))))) return false;
    this.#agree(asked);
    return true;
  }

  /** Shows the lines of a plan, and asks whether it may begin. @param file the file in which it can be changed first */
  async allowsPlan(lines: readonly string[], file: string): Promise<boolean> {
    sayCommands(lines);
    if (!(await askYes(inWords(say.beginPlan({ file }))))) return false;
    this.#agree(lines);
    return true;
  }

  /** @throws ThoughtTreeError `bad-input` if this person would have to be asked about some of the lines, and cannot be */
  check(lines: readonly string[]): void {
    const [first, ...more] = canAsk() ? [] : this.#unknown(lines);
    if (first !== undefined)
      throw new ThoughtTreeError(
        'bad-input',
        say.commandsNeedFlag({ count: more.length + 1, first: oneLine(shown(first), LONGEST_TOLD) }),
      );
  }

  #unknown(lines: readonly string[]): string[] {
    return this.#mayAll ? [] : lines.filter((line) => !this.#agreed.has(line));
  }

  #agree(lines: readonly string[]): void {
    for (const line of lines) this.#agreed.add(line);
  }
}

/** Every character counts, so nothing is shortened. */
function sayCommands(commands: readonly string[]): void {
  if (commands.length === 0) return;
  const { err } = terminalOf(process);
  err.line(inWords(say.commandsOfPlan({ count: commands.length })));
  for (const line of commands) err.line(`  $ ${shown(line).replaceAll('\n', '\n    ')}`);
}

/** A command line as a person has to see it; its lines stay lines. */
function shown(line: string): string {
  return line.split('\n').map(shownLine).join('\n');
}
