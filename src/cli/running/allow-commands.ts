import { ThoughtTreeError } from '../../core/search/errors.ts';
import type { GivenPlan } from '../../engine/kind/kind.ts';
import * as say from '../messages.ts';
import type { WorkFlags } from '../options/work-options.ts';
import { terminalOf } from '../terminal/terminal.ts';
import { inWords } from '../terminal/translation.ts';
import { askYes, canAsk } from './ask-yes.ts';

/** Whether exactly these command lines may run. */
export type AllowCommands = (lines: readonly string[]) => Promise<boolean>;

/**
 * Shows the plan of a new search with its exact commands, and asks whether it may begin.
 * @returns the lines that the person agreed to
 * @throws ThoughtTreeError `bad-input` if there is nobody to ask, `declined` if the answer is not yes
 */
export async function agreeToPlan(plan: GivenPlan, flags: WorkFlags): Promise<readonly string[]> {
  const { lines, commands } = plan;
  if (flags.allowCommands) return commands;
  if (!canAsk()) {
    if (commands.length > 0) throw needsFlag(commands);
    return [];
  }
  const { err } = terminalOf(process);
  for (const line of lines) err.line(inWords(line));
  sayCommands(commands);
  if (!(await askYes(inWords(say.beginPlan())))) throw new ThoughtTreeError('declined', say.notBegun());
  return commands;
}

/** Asks about commands as they come up, apart from those that were agreed to before the search began. */
export function allowCommands(flags: WorkFlags, agreed: readonly string[]): AllowCommands {
  const known = new Set(agreed);
  return async (lines) => {
    const asked = lines.filter((line) => !known.has(line));
    if (flags.allowCommands || asked.length === 0) return true;
    if (!canAsk()) throw needsFlag(asked);
    sayCommands(asked);
    const isAllowed = await askYes(inWords(say.runCommands({ count: asked.length })));
    if (isAllowed) for (const line of asked) known.add(line);
    return isAllowed;
  };
}

function sayCommands(commands: readonly string[]): void {
  const { err } = terminalOf(process);
  if (commands.length === 0) return;
  err.line(inWords(say.commandsOfPlan({ count: commands.length })));
  // Every character counts, so nothing is shortened; a line break shows as such.
  for (const line of commands) err.line(`  $ ${shown(line).replaceAll('\n', '\n    ')}`);
}

/** A command line with every character that a terminal would not show as itself written out. */
function shown(line: string): string {
  return line.replace(HIDDEN, (each) => `\\u{${each.codePointAt(0)?.toString(16)}}`).toWellFormed();
}

const HIDDEN = /[[\p{Cc}--\n]\p{Cf}\p{Zl}\p{Zp}]/gv;

function needsFlag(commands: readonly string[]): ThoughtTreeError {
  return new ThoughtTreeError('bad-input', say.commandsNeedFlag({ count: commands.length, first: commands[0] ?? '' }));
}
