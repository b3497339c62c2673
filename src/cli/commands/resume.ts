import type { Command } from 'commander';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { SearchRecord } from '../../core/search/record/search-record.ts';
import { oneLine } from '../../core/text/text.ts';
import { type Kinds, loadKind } from '../../engine/kind/kinds.ts';
import { chooseModels } from '../../searches/models/choose-model.ts';
import { readEnvironment } from '../../searches/models/environment.ts';
import type { Place } from '../../searches/place.ts';
import { recallUse } from '../../searches/trust/search-use.ts';
import { openForReading } from '../../store/open-store.ts';
import type { ExitCode } from '../exit-codes.ts';
import { modelOfSearch, useModel } from '../messages.ts';
import { namedJudge, namedModel } from '../options/environment.ts';
import { addKindOptions, kindChoices, perRunOf, type TypedFlags } from '../options/kind-options.ts';
import { addSearchOptions, type SearchFlags } from '../options/options.ts';
import { placeOf } from '../options/search-place.ts';
import { addTaskOptions, type TaskFlags, taskNamed, tasksFrom } from '../options/task-options.ts';
import { addExperimentOption, addMirrorOption, addWorkOptions, type WorkFlags } from '../options/work-options.ts';
import { askYes, canAsk } from '../running/ask-yes.ts';
import type { RunRequest } from '../running/open-run.ts';
import { runSearch } from '../running/run-search.ts';
import { inWords, l10n } from '../terminal/translation.ts';

type ResumeFlags = SearchFlags & TaskFlags & WorkFlags;

/** `resume DIR`. */
export function addResume(program: Command, end: (code: ExitCode) => void, kinds: Kinds): void {
  const command = program
    .command('resume')
    .description(l10n.t('continue a search; raised limits stay raised'))
    .argument('<dir>', l10n.t("the search's folder"));
  const faces = kinds.map(({ face }) => face);
  addKindOptions(addSearchOptions(command), faces.map(perRunOf));
  addExperimentOption(command, kinds);
  addMirrorOption(addWorkOptions(addTaskOptions(command, kinds), kinds, false), kinds).action(
    async (dir: string, flags: ResumeFlags) => end(await resumeSearch(await placeOf(dir, flags.folder), flags, kinds)),
  );
}

/** Continues the search in a place. */
export async function resumeSearch(
  place: Place,
  flags: ResumeFlags,
  kinds: Kinds,
  more: Pick<RunRequest, 'resume' | 'plan'> = {},
): Promise<ExitCode> {
  const env = readEnvironment(process.env);
  const store = await openForReading(place.folder);
  const file = await store.readSearch();
  const { face, hooks } = await loadKind(kinds, file);
  const typed = flags as unknown as TypedFlags;
  const tasks = await tasksFrom(flags, place.workspace, hooks);
  if (hooks) taskNamed(hooks.named(file.options) ?? 'none', flags, tasks);
  const { options } = kindChoices(typed, perRunOf(face));
  const named = { model: namedModel(flags, env), judge: namedJudge(flags, env) };
  const { record } = await store.readRecord(() => ({ record: new SearchRecord() }));
  const { name, judge, trusted } = chooseModels(named, await recallUse(place.folder), record, file);
  if (!trusted) await askForConsent(name, judge);
  const { findHooks } = tasks;
  const { title } = file;
  return runSearch({ kinds, place, flags, env, title, model: name, judge, options, findHooks, ...more });
}

/** @throws ThoughtTreeError `bad-input` if there is nobody to ask, or the answer is not yes */
export async function askForConsent(model: string, judge?: string): Promise<void> {
  const shown = [model, ...(judge === undefined || judge === model ? [] : [judge])]
    .map((name) => oneLine(name, 200))
    .join(', ');
  if (canAsk() && (await askYes(inWords(useModel({ model: shown }))))) return;
  throw new ThoughtTreeError('bad-input', modelOfSearch({ model: shown }));
}
