import { MAX_TOOL_RESULT } from '../../../core/ports/tool.ts';
import type { ToolPlace } from '../../../core/ports/tool-place.ts';
import type { WorkOutcome } from '../../../core/ports/workshop.ts';
import { SecretFilter } from '../../../text/secrets/secret-filter.ts';
import { neededText, Refusal } from '../tool-arguments.ts';
import { type BoundTool, boundTool } from '../toolbox-of.ts';

/** The longest of them, in characters. */
const LONGEST_LINE = 4000;
/** The most lines that are named in a description or a refusal. */
const MOST_NAMED = 20;
/** The output of commands is read like prose that may quote anything. */
const AS = 'output.md';

/** The tool that runs command lines, only those that a person consented to. */
export function runCommandTool(
  { folder, commands, run }: Pick<ToolPlace, 'folder' | 'commands' | 'run'>,
  changed: () => void,
): BoundTool {
  const filter = new SecretFilter(folder);
  const named = commands.slice(0, MOST_NAMED).map((line) => JSON.stringify(line));
  const all = `${named.join(', ')}${commands.length > named.length ? ' and others' : ''}`;
  const face = {
    name: 'run_command',
    description: `Runs a command line in the folder, and gives its exit code and the end of its output. Only these, word for word: ${all}.`,
    args: { command: neededText('one of those lines', { longest: LONGEST_LINE, also: ['cmd', 'line'] }) },
    example: { command: commands[0] ?? '' },
  };
  return boundTool(face, async ({ command }, signal) => {
    const line = command.trim();
    if (!commands.includes(line)) throw new Refusal(`That may not be run. Only these may, word for word: ${all}.`);
    const outcome = await run(line, signal);
    changed();
    return { text: await told(outcome, filter), what: `run ${line}` };
  });
}

/** Tells a model how a command ended. */
export async function told({ exitCode, stopped, output, strayed }: WorkOutcome, filter: SecretFilter): Promise<string> {
  const end = stopped === undefined ? `Exit code ${exitCode ?? 'unknown'}.` : ENDS[stopped];
  const outside = strayed.length === 0 ? '' : '\nIt changed files outside of the folder. It may not do that.';
  const { text } = await filter.hide(AS, output);
  const shown = text.length > LONGEST ? `[…]\n${text.slice(-LONGEST).toWellFormed()}` : text;
  return `${end}${outside}\n${shown.trim() === '' ? '(no output)' : shown}`;
}

const LONGEST = MAX_TOOL_RESULT - 500;

const ENDS = {
  time: 'It did not end in time, and was stopped.',
  output: 'It wrote too much, and was stopped.',
  search: 'It was stopped.',
} as const;
