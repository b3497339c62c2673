import { type Command, Option } from 'commander';
import { membersIn } from '../../core/money/several-models.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../../core/search/errors.ts';
import type { SearchFile } from '../../core/search/search-file.ts';
import { oneLine } from '../../core/text/text.ts';
import { type Kinds, loadKind } from '../../engine/kind.ts';
import { FREE_MODEL, sharedBy } from '../../searches/models/choose-model.ts';
import { readEnvironment } from '../../searches/models/environment.ts';
import { newSearch } from '../../searches/new-search.ts';
import { type Place, placeFor, titleFrom } from '../../searches/place.ts';
import { openForReading } from '../../store/open-store.ts';
import type { ExitCode } from '../exit-codes.ts';
import * as say from '../messages.ts';
import {
  addExperimentOption,
  addKindOptions,
  addMirrorOption,
  addTaskOptions,
  addWorkOptions,
  kindChoices,
  planFrom,
  refuseForeignOptions,
  type TaskFlags,
  type TypedFlags,
  taskNamed,
  tasksFrom,
  type WorkFlags,
} from '../options/kind-options.ts';
import {
  addSearchOptions,
  existingFolder,
  keptOptions,
  namedJudge,
  namedModel,
  type SearchFlags,
  shownPath,
} from '../options/options.ts';
import { CommandConsent } from '../running/consent.ts';
import type { RunRequest } from '../running/open-run.ts';
import { runSearch } from '../running/run-search.ts';
import { kindText, l10n } from '../terminal/translation.ts';
import { resumeSearch } from './resume.ts';

interface StartFlags extends SearchFlags, TaskFlags, WorkFlags {
  readonly kind: string;
  /** For kinds that have hooks by name. */
  readonly task?: string;
  readonly title?: string;
  readonly dir?: string;
  /** The folder to search by default; with it comes a question to begin with. */
  readonly demo?: string;
}

const DEMO_PROMPT = 'How does a process take over the lease of another one?';

/** `start "PROMPT"`. */
export function addStart(program: Command, end: (code: ExitCode) => void, kinds: Kinds): void {
  const descriptors = kinds.map(({ descriptor }) => descriptor);
  const command = program
    .command('start')
    .description(l10n.t('begin a search: a tree of plain files in your folder, which a model grows'))
    .usage('"PROMPT" [options]')
    .argument('[prompt]', l10n.t('the question, in quotation marks'))
    .option('--title <title>', l10n.t('what to call the search (default: made from the question)'))
    .option('--dir <folder>', l10n.t("the search's own folder (default: WORKSPACE/thought-trees/TITLE)"));
  command.addOption(
    new Option('--kind <kind>', descriptors.map(({ words }) => kindText(words.about)).join(l10n.t(', or ')))
      .choices(descriptors.map(({ name }) => name))
      .default(descriptors[0]?.name),
  );
  addSearchOptions(command);
  addExperimentOption(command, kinds);
  addMirrorOption(addWorkOptions(addTaskOptions(addKindOptions(command, descriptors), kinds), kinds, true), kinds)
    .addOption(new Option('--demo <folder>').hideHelp())
    .action(async (prompt: string | undefined, flags: StartFlags) => end(await start(prompt, flags, kinds)));
}

async function start(given: string | undefined, flags: StartFlags, kinds: Kinds): Promise<ExitCode> {
  const kind = await loadKind(kinds, flags);
  const { descriptor, extras } = kind;
  const { hooks } = extras;
  const typed = flags as unknown as TypedFlags;
  const plan = await planFrom(flags, kind);
  const prompt = (given ?? plan?.prompt ?? (flags.demo === undefined ? undefined : DEMO_PROMPT))?.trim();
  if (!prompt) throw new ThoughtTreeError('bad-input', say.noQuestion());
  const workspace = await existingFolder(flags.folder ?? flags.demo ?? '.');
  const title = flags.title === undefined ? titleFrom(prompt) : oneLine(flags.title, 200);
  if (title === '') throw new ThoughtTreeError('bad-input', say.emptyTitle());
  const place = placeFor(workspace, title, flags.dir);
  const resume = given === undefined && isPlain(flags) ? { resume: demoAgain } : {};
  const standing = await searchIn(place.folder);
  if (standing) return resumeSame(standing, prompt, place, flags, kinds, { ...resume, plan });
  const env = readEnvironment(process.env);
  const model = namedModel(flags, env) ?? membersIn(typed['models'])?.[0]?.name ?? FREE_MODEL;
  const judge = namedJudge(flags, env);
  refuseForeignOptions(typed, kinds, descriptor);
  const tasks = await tasksFrom(flags, workspace, hooks);
  const task = hooks && taskNamed(flags.task, flags, tasks);
  const { options, ...choices } = kindChoices({ ...typed, task }, descriptor);
  const { findHooks } = tasks;
  const asked = { kind: descriptor.name, title, prompt, model, findHooks, ...choices };
  const create = await newSearch(kinds, { ...asked, options: { ...keptOptions(flags), ...options } });
  new CommandConsent(flags).check(plan?.commands ?? []); // before anything is written
  const several = sharedBy(descriptor, create).map((each) => each.name);
  return runSearch({ kinds, place, flags, env, model, judge, several, create, findHooks, plan, ...resume });
}

/** Tells whether the question's own search can be found again without any of these options. */
function isPlain({ folder, dir, title, model, baseUrl, price, plan, ...flags }: StartFlags): boolean {
  const { maxCalls, maxTokens, maxUsd, maxMinutes, askAbove } = flags;
  const named = [folder, dir, title, model, baseUrl, plan];
  const limits = [price, maxCalls, maxTokens, maxUsd, maxMinutes, askAbove];
  return [...named, ...limits].every((option) => option === undefined);
}

/** `npm start` continues the search that it began. */
function demoAgain(...more: string[]): string {
  return ['npm start', ...(more.length > 0 ? ['--', ...more] : [])].join(' ');
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
  kinds: Kinds,
  more: Pick<RunRequest, 'resume' | 'plan'>,
): Promise<ExitCode> {
  if (standing.prompt.trim() === prompt) return resumeSearch(place, flags, kinds, more);
  throw new ThoughtTreeError(
    'exists',
    say.searchOfOtherQuestion({ folder: shownPath(place.folder), question: oneLine(standing.prompt, 200) }),
  );
}
