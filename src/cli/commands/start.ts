import { type Command, Option } from 'commander';
import { isThoughtTreeError, ThoughtTreeError } from '../../core/search/errors.ts';
import { FORMAT_VERSION, type SearchFile } from '../../core/search/search-file.ts';
import { oneLine } from '../../core/text/text.ts';
import { FREE_MODEL } from '../../searches/models/choose-model.ts';
import { newThoughtSearch } from '../../searches/new-thought-search.ts';
import { type Place, placeFor, titleFrom } from '../../searches/place.ts';
import type { OwnTasks } from '../../searches/tasks/own-tasks.ts';
import { openForReading } from '../../store/open-store.ts';
import type { ExitCode } from '../exit-codes.ts';
import { namedJudge, namedModel, readEnvironment } from '../options/environment.ts';
import { addSearchOptions, keptOptions, type SearchFlags } from '../options/options.ts';
import { existingFolder, shownPath } from '../options/search-place.ts';
import { addTaskOptions, type TaskFlags, taskNamed, tasksFrom } from '../options/task-options.ts';
import {
  addThoughtOptions,
  refuseThoughtOptions,
  type ThoughtFlags,
  thoughtChoices,
} from '../options/thought-options.ts';
import type { RunRequest } from '../running/open-run.ts';
import { runSearch } from '../running/run-search.ts';
import { resumeSearch } from './resume.ts';

interface StartFlags extends SearchFlags, ThoughtFlags, TaskFlags {
  readonly kind: 'research' | 'thoughts';
  readonly title?: string;
  readonly dir?: string;
  /** The folder that is searched where none is named; with it there is a question to begin with. */
  readonly demo?: string;
}

const DEMO_PROMPT = 'How does a process take over the lease of another one?';

/** `start "PROMPT"`. */
export function addStart(program: Command, end: (code: ExitCode) => void): void {
  const command = program
    .command('start')
    .description('research a question in a folder; a tree of documents grows there as plain files')
    .usage('"PROMPT" [options]')
    .argument('[prompt]', 'the question, in quotation marks')
    .option('--title <title>', 'what to call the search (default: made from the question)')
    .option('--dir <folder>', "the search's own folder (default: WORKSPACE/thought-trees/TITLE)");
  command.addOption(
    new Option('--kind <kind>', 'research a question, or solve a problem by a tree of thoughts')
      .choices(['research', 'thoughts'])
      .default('research'),
  );
  addSearchOptions(command);
  addTaskOptions(addThoughtOptions(command))
    .addOption(new Option('--demo <folder>').hideHelp())
    .action(async (prompt: string | undefined, flags: StartFlags) => end(await start(prompt, flags)));
}

async function start(given: string | undefined, flags: StartFlags): Promise<ExitCode> {
  const prompt = (given ?? (flags.demo === undefined ? undefined : DEMO_PROMPT))?.trim();
  if (!prompt)
    throw new ThoughtTreeError('bad-input', 'There is no question. Write it behind start, in quotation marks.');
  const workspace = await existingFolder(flags.folder ?? flags.demo ?? '.');
  const title = flags.title === undefined ? titleFrom(prompt) : oneLine(flags.title, 200);
  if (title === '') throw new ThoughtTreeError('bad-input', 'The title is empty.');
  const place = placeFor(workspace, title, flags.dir);
  const resume = given === undefined && isPlain(flags) ? demoAgain : undefined;
  const standing = await searchIn(place.folder);
  if (standing) return resumeSame(standing, prompt, place, flags, resume);
  const env = readEnvironment(process.env);
  const model = namedModel(flags, env) ?? FREE_MODEL;
  const judge = namedJudge(flags, env);
  const run = { place, flags, env, model, judge, ...(resume ? { resume } : {}) };
  if (flags.kind === 'research') refuseThoughtOptions(flags);
  if (flags.kind === 'research') return runSearch({ ...run, create: newSearch(title, prompt, model, flags) });
  const tasks = await tasksFrom(flags, workspace);
  const create = newThoughts(title, prompt, model, flags, tasks);
  return runSearch({ ...run, create, findTask: tasks.findTask });
}

/** Whether the question's own search is found again without any of these options. */
function isPlain({ folder, dir, title, model, baseUrl }: StartFlags): boolean {
  return [folder, dir, title, model, baseUrl].every((option) => option === undefined);
}

/** `npm start` goes on with the search that it began. */
function demoAgain(...more: string[]): string {
  return ['npm start', ...(more.length > 0 ? ['--', ...more] : [])].join(' ');
}

function newThoughts(title: string, prompt: string, model: string, flags: StartFlags, tasks: OwnTasks): SearchFile {
  const choices = thoughtChoices(flags, taskNamed(flags.task, flags, tasks));
  return newThoughtSearch({ title, prompt, model, ...choices }, tasks.findTask);
}

function newSearch(title: string, prompt: string, model: string, flags: SearchFlags): SearchFile {
  return {
    version: FORMAT_VERSION,
    kind: 'research',
    title,
    prompt,
    strategy: 'research',
    model,
    options: keptOptions(flags),
    createdAt: new Date().toISOString(),
  };
}

async function searchIn(folder: string): Promise<SearchFile | undefined> {
  try {
    return await (await openForReading(folder)).readSearch();
  } catch (error) {
    if (isThoughtTreeError(error, 'not-found')) return undefined;
    throw error;
  }
}

async function resumeSame(
  standing: SearchFile,
  prompt: string,
  place: Place,
  flags: StartFlags,
  resume: RunRequest['resume'],
): Promise<ExitCode> {
  if (standing.prompt.trim() === prompt) return resumeSearch(place, flags, resume);
  throw new ThoughtTreeError(
    'exists',
    `In ${shownPath(place.folder)} lies a search of another question: "${oneLine(standing.prompt, 200)}". ` +
      'Give this one a name of its own with --title, or a folder with --dir.',
  );
}
