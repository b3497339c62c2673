import type { Command } from 'commander';
import { MODELS_OPTION, membersIn, memberText } from '../../core/money/several-models.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { SearchRecord } from '../../core/search/record/search-record.ts';
import { oneLine } from '../../core/text/text.ts';
import { type Kinds, loadKind } from '../../engine/kind.ts';
import { chooseModels, sharedBy } from '../../searches/models/choose-model.ts';
import { readEnvironment } from '../../searches/models/environment.ts';
import type { Place } from '../../searches/place.ts';
import { recallUse } from '../../searches/trust/search-use.ts';
import { openForReading } from '../../store/open-store.ts';
import type { ExitCode } from '../exit-codes.ts';
import { modelOfSearch, modelsOfSearch, sharersStay, useModel } from '../messages.ts';
import {
  addExperimentOption,
  addKindOptions,
  addMirrorOption,
  addTaskOptions,
  addWorkOptions,
  kindChoices,
  perRunOf,
  type TaskFlags,
  type TypedFlags,
  taskNamed,
  tasksFrom,
  type WorkFlags,
} from '../options/kind-options.ts';
import { addSearchOptions, namedJudge, namedModel, placeOf, type SearchFlags } from '../options/options.ts';
import { askYes, canAsk } from '../running/consent.ts';
import type { RunRequest } from '../running/open-run.ts';
import { runSearch } from '../running/run-search.ts';
import { terminalOf } from '../terminal/terminal.ts';
import { inWords, l10n } from '../terminal/translation.ts';

type ResumeFlags = SearchFlags & TaskFlags & WorkFlags;

/** `resume DIR`. */
export function addResume(program: Command, end: (code: ExitCode) => void, kinds: Kinds): void {
  const command = program
    .command('resume')
    .description(l10n.t('continue a search; raised limits stay raised'))
    .argument('<dir>', l10n.t("the search's folder"));
  const descriptors = kinds.map(({ descriptor }) => descriptor);
  addKindOptions(addSearchOptions(command), descriptors.map(perRunOf));
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
  more: Pick<RunRequest, 'resume' | 'plan' | 'anew'> = {},
): Promise<ExitCode> {
  const env = readEnvironment(process.env);
  const store = await openForReading(place.folder);
  const file = await store.readSearch();
  const { descriptor, extras } = await loadKind(kinds, file);
  const { hooks } = extras;
  const typed = flags as unknown as TypedFlags;
  const tasks = await tasksFrom(flags, place.workspace, hooks);
  if (hooks) taskNamed(hooks.named(file.options) ?? 'none', flags, tasks);
  const { options } = kindChoices(typed, perRunOf(descriptor));
  const several = membersIn(options[MODELS_OPTION])?.map((each) => each.name);
  const named = { model: namedModel(flags, env), judge: namedJudge(flags, env), several };
  const { record } = await store.readRecord(() => ({ record: new SearchRecord() }));
  const { name, judge, models = [], trusted } = chooseModels(named, await recallUse(place.folder), record, file);
  const shared = { ...file.options, ...options };
  if (!trusted) await askForConsent(name, judge, sharedBy(descriptor, { options: shared }).map(memberText));
  if (flags.model !== undefined && several === undefined && models.length > 0) {
    const said = { model: oneLine(flags.model, 200), models: oneLine(models.join(', '), 1000) };
    terminalOf(process).err.line(inWords(sharersStay(said)));
  }
  const { findHooks } = tasks;
  const { title } = file;
  return runSearch({
    kinds,
    place,
    flags,
    env,
    title,
    model: name,
    judge,
    several: models,
    options,
    findHooks,
    ...more,
  });
}

/** @throws ThoughtTreeError `bad-input` if there is nobody to ask, or the answer is not yes */
export async function askForConsent(model: string, judge?: string, several: readonly string[] = []): Promise<void> {
  const shown = [...new Set([model, ...(judge === undefined ? [] : [judge]), ...several])]
    .map((name) => oneLine(name, 200))
    .join(', ');
  if (canAsk() && (await askYes(inWords(useModel({ model: shown }))))) return;
  throw new ThoughtTreeError('bad-input', (several.length > 0 ? modelsOfSearch : modelOfSearch)({ model: shown }));
}
