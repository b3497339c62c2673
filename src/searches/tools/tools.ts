import { MAX_TOOL_RESULT, type Toolbox } from '../../core/ports/tool.ts';
import {
  type Experiments,
  LANGUAGES,
  type Language,
  RUN_PROGRAM,
  type ToolPlace,
  type ToolsIn,
  type WorkOutcome,
} from '../../core/ports/workshop.ts';
import { isThoughtTreeError } from '../../core/search/errors.ts';
import { COMMAND_OUTPUT, SecretFilter } from '../../text/secrets/secret-filter.ts';
import { CheckoutFiles, listTool, readTool, writingTools } from './file-tools.ts';
import { searchTool } from './search-tool.ts';
import { findSymbol, outlineTool, referencesTool } from './symbol-tools.ts';
import { type BoundTool, boundTool, neededText, Refusal, text, toolboxOf } from './toolbox.ts';
import { WorkspaceFiles } from './workspace-files.ts';

/**
 * The tools with which a model may read a workspace: nothing outside of it, nothing ignored by git, no secrets, no
 * searches, and never too much at once. They write and run nothing. A use that is stopped throws `aborted`.
 * @param workspace an absolute path
 * @param allowedFiles as for `SecretFilter`
 * @param searches as for `listFiles`
 * @param experiments where it may run small programs, if it may
 */
export function openToolbox(
  workspace: string,
  allowedFiles: readonly string[] = [],
  searches?: string,
  experiments?: Experiments,
): Toolbox {
  const reading = readingTools(new WorkspaceFiles(workspace, allowedFiles, searches));
  if (!experiments) return toolboxOf(reading);
  const toolbox = toolboxOf([...reading, runProgramTool(workspace, experiments)]);
  return { ...toolbox, close: () => experiments.close() };
}

/**
 * Returns the files of a workspace that a copy of it has: those that models may see, and what programs need with them.
 */
export function filesForCopy(
  workspace: string,
  allowedFiles: readonly string[] = [],
  searches?: string,
): Promise<readonly string[]> {
  return new WorkspaceFiles(workspace, allowedFiles, searches).forCopy();
}

/** Returns the tools that read these files. */
export function readingTools(files: WorkspaceFiles): BoundTool[] {
  const read = (of: WorkspaceFiles): BoundTool => readTool(of, findSymbol);
  return [searchTool, read, listTool, outlineTool, referencesTool].map((tool) => tool(files));
}

/**
 * The tools with which a model works in a checkout: those that read, as in a workspace; those that change files, if it may;
 * and one for commands, if there are any.
 * @param allowedFiles as for `SecretFilter`, relative to the folder
 */
export function toolsIn(allowedFiles: readonly string[] = []): ToolsIn {
  return (place) => {
    const files = new WorkspaceFiles(place.folder, allowedFiles);
    const changed = (): void => files.changed();
    const running = place.commands.length > 0 ? [runCommandTool(place, changed)] : [];
    if (place.isForCommandsOnly) return toolboxOf(running);
    const isWriter = place.rights === 'write';
    const writing = isWriter ? writingTools(new CheckoutFiles(place.folder, allowedFiles), changed) : [];
    return toolboxOf([...readingTools(files), ...writing, ...running]);
  };
}

/** The tools of models; a bundle of its own, loaded once a search has some. */
export const tools = { filesForCopy, openToolbox, toolsIn };

/** The longest of them, in characters. */
const LONGEST_LINE = 4000;
/** The most lines that are named in a description or a refusal. */
const MOST_NAMED = 20;

/** Returns the tool that runs command lines, only those that a person consented to. */
export function runCommandTool(
  { folder, commands, run }: Pick<ToolPlace, 'folder' | 'commands' | 'run'>,
  changed: () => void,
): BoundTool {
  const filter = new SecretFilter(folder);
  const named = commands.slice(0, MOST_NAMED).map((line) => JSON.stringify(line));
  const all = `${named.join(', ')}${commands.length > named.length ? ' and others' : ''}`;
  const descriptor = {
    name: 'run_command',
    description: `Runs a command line in the folder, and gives its exit code and the end of its output. Only these, word for word: ${all}.`,
    args: { command: neededText('one of those lines', { longest: LONGEST_LINE, also: ['cmd', 'line'] }) },
    example: { command: commands[0] ?? '' },
  };
  return boundTool(descriptor, async ({ command }, signal) => {
    const line = command.trim();
    if (!commands.includes(line)) throw new Refusal(`That may not be run. Only these may, word for word: ${all}.`);
    const outcome = await run(line, signal);
    changed();
    return { text: await told(outcome, filter), what: `run ${line}` };
  });
}

/** Tells a model how a command ended. */
async function told({ exitCode, stopped, output, strayed }: WorkOutcome, filter: SecretFilter): Promise<string> {
  const end = stopped === undefined ? `Exit code ${exitCode ?? 'unknown'}.` : ENDS[stopped];
  const outside = strayed.length === 0 ? '' : '\nIt changed files outside of the folder. It may not do that.';
  const { text } = await filter.hide(COMMAND_OUTPUT, output);
  const shown = text.length > LONGEST ? `[…]\n${text.slice(-LONGEST).toWellFormed()}` : text;
  return `${end}${outside}\n${shown.trim() === '' ? '(no output)' : shown}`;
}

const LONGEST = MAX_TOOL_RESULT - 500;

const ENDS = {
  time: 'It did not end in time, and was stopped.',
  output: 'It wrote too much, and was stopped.',
  search: 'It was stopped.',
} as const;

/** The longest program, in characters. */
const LONGEST_PROGRAM = 8000;

const NAMES: Readonly<Record<string, Language>> = {
  ...Object.fromEntries(LANGUAGES.map((name) => [name, name])),
  ...{ js: 'javascript', node: 'javascript', mjs: 'javascript', py: 'python', python3: 'python' },
  ...{ sh: 'shell', bash: 'shell' },
};

/** Returns the tool that runs a small program on a copy of the workspace, if a person agrees. */
export function runProgramTool(folder: string, experiments: Experiments): BoundTool {
  const filter = new SecretFilter(folder);
  const descriptor = {
    name: RUN_PROGRAM,
    description: `Runs a small program (${LANGUAGES.join(', ')}) in the top folder of a copy of the workspace that is thrown away afterwards, without network, for at most a minute, and gives its exit code and the end of its output. For what reading cannot settle: print what decides. JavaScript is an ES module; installed dependencies are there.`,
    args: {
      program: neededText('the whole program', { longest: LONGEST_PROGRAM, also: ['code', 'source', 'script'] }),
      language: text(`one of ${LANGUAGES.join(', ')}; by default javascript`, { also: ['lang'] }),
    },
    example: {
      language: 'javascript',
      program: "import { parse } from './writing/src/parse.js';\nconsole.log(parse('1,,2'));",
    },
  };
  return boundTool(
    descriptor,
    async ({ program, language: said = 'javascript' }, signal) => {
      const language = NAMES[said.trim().toLowerCase()];
      if (!language) throw new Refusal(`There is no such language here. There are: ${LANGUAGES.join(', ')}.`);
      try {
        const outcome = await experiments.run({ language, program }, signal);
        return { text: await told(outcome, filter), what: `run a ${language} program` };
      } catch (error) {
        if (isThoughtTreeError(error, 'declined')) throw new Refusal('The person did not agree to run this program.');
        throw error;
      }
    },
    { longestInput: 2 * LONGEST_PROGRAM + 1000 },
  );
}
