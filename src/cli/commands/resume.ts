import type { Command } from 'commander';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { SearchRecord } from '../../core/search/record/search-record.ts';
import { oneLine } from '../../core/text/text.ts';
import { chooseJudge, chooseModel } from '../../searches/models/choose-model.ts';
import type { Place } from '../../searches/place.ts';
import { openForReading } from '../../store/open-store.ts';
import type { ExitCode } from '../exit-codes.ts';
import { namedJudge, namedModel, readEnvironment } from '../options/environment.ts';
import { addSearchOptions, type SearchFlags } from '../options/options.ts';
import { placeOf } from '../options/search-place.ts';
import { addTaskOptions, type TaskFlags, taskNamed, tasksFrom } from '../options/task-options.ts';
import { askYes, canAsk } from '../running/ask-yes.ts';
import type { RunRequest } from '../running/open-run.ts';
import { runSearch } from '../running/run-search.ts';

/** `resume DIR`. */
export function addResume(program: Command, end: (code: ExitCode) => void): void {
  const command = program
    .command('resume')
    .description('go on with a search; limits that are raised here stay raised')
    .argument('<dir>', "the search's folder");
  addTaskOptions(addSearchOptions(command)).action(async (dir: string, flags: SearchFlags & TaskFlags) =>
    end(await resumeSearch(await placeOf(dir, flags.folder), flags)),
  );
}

/** Goes on with the search that lies in a place. */
export async function resumeSearch(
  place: Place,
  flags: SearchFlags & TaskFlags,
  resume?: RunRequest['resume'],
): Promise<ExitCode> {
  const env = readEnvironment(process.env);
  const store = await openForReading(place.folder);
  const file = await store.readSearch();
  const tasks = await tasksFrom(flags, place.workspace);
  taskNamed(file.options.task ?? 'none', flags, tasks);
  const named = namedModel(flags, env);
  const record = SearchRecord.of(await store.readJournal());
  const { name, trusted } = chooseModel(named, record, file);
  const judge = chooseJudge(namedJudge(flags, env), record);
  if (!trusted) await askForConsent(name);
  return runSearch({ place, flags, env, model: name, judge, findTask: tasks.findTask, ...(resume ? { resume } : {}) });
}

/** @throws ThoughtTreeError `bad-input` where there is nobody to ask, or the answer is not yes */
export async function askForConsent(model: string): Promise<void> {
  const shown = oneLine(model, 200);
  const useModel = new ThoughtTreeError(
    'bad-input',
    `This search names the model "${shown}", which has not been used here. Say which one to use with --model.`,
  );
  const question = `This search names the model "${shown}", which has not been used here. Use it?`;
  if (!canAsk() || !(await askYes(question))) throw useModel;
}
