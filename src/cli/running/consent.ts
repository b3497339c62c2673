import { createInterface } from 'node:readline/promises';
import type { Message } from '../../core/messages/message.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import type { Plan } from '../../engine/kind.ts';
import type { StartedAgent } from '../../models/agents/agent.ts';
import type { OpenedSearch } from '../../searches/open-search.ts';
import { shownLine } from '../../work/shown.ts';
import * as say from '../messages.ts';
import { loadPackage, notBegun, pressEnter } from '../messages.ts';
import type { WorkFlags } from '../options/kind-options.ts';
import { type Output, terminalOf } from '../terminal/terminal.ts';
import { inWords } from '../terminal/translation.ts';

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

/**
 * Shows the plan of a search before it begins, and waits for a person who may edit its file meanwhile. Without a terminal
 * the file is used as it is when the search needs it.
 * @throws ThoughtTreeError `declined` if they do not agree to its commands
 */
export async function showPlan(
  { search }: OpenedSearch,
  folder: string,
  consent: CommandConsent,
  out: Output,
): Promise<void> {
  if (!canAsk()) return;
  await search.prepare(async (plan) => {
    for (const line of planLines(plan)) out.line(line);
    const file = `${folder}/${plan.file}`;
    if (plan.commands) {
      if (await consent.allowsPlan(plan.commands, file)) return;
      throw new ThoughtTreeError('declined', notBegun());
    }
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    try {
      await lines.question(`${inWords(pressEnter({ file }))} `);
    } finally {
      lines.close();
    }
  });
}

function planLines({ lines }: Plan): string[] {
  return lines.map((line) => {
    const text = inWords(line);
    return (/^ {0,20}/.exec(text)?.[0] ?? '') + oneLine(text, 500);
  });
}

/** Tells whether the person wants a package run that may have come with the folder. */
export async function mayLoad(folder: string): Promise<boolean> {
  return canAsk() && (await askYes(inWords(loadPackage({ folder }))));
}

/** Tells whether the person wants a program started as an agent. */
export async function mayStart({ name, version, line }: StartedAgent): Promise<boolean> {
  return canAsk() && (await askYes(inWords(say.startAgent({ name, version, line: shown(line) }))));
}

/** Tells whether there is somebody at a terminal to ask. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Asks a yes-or-no question; anything but yes is no. */
export async function askYes(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await lines.question(`${question} [y/N] `).catch(() => '');
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}
