import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { KindDescriptor } from '../../core/kind/kind-descriptor.ts';
import type { Message } from '../../core/messages/message.ts';
import { ThoughtTreeError, toThoughtTreeError } from '../../core/search/errors.ts';
import { DEFAULT_SPEND_LIMITS } from '../../core/search/limits.ts';
import { MOST_SLOTS } from '../../core/search/search-file.ts';
import { oneLine } from '../../core/text/text.ts';
import { slugify } from '../../core/tree/slug.ts';
import { type Kind, type Kinds, loadKind } from '../../engine/kind.ts';
import { Recorder } from '../../models/replay/recorder.ts';
import { readEnvironment } from '../../searches/models/environment.ts';
import { newSearch } from '../../searches/new-search.ts';
import type { OwnTasks } from '../../searches/own-tasks.ts';
import { placeFor, titleFrom } from '../../searches/place.ts';
import type { ComparedSetups } from '../../searches/sharing/comparison-page.ts';
import { replaceFile } from '../../store/files/replace-file.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import * as say from '../messages.ts';
import {
  lineOfProblems,
  nameStrategies,
  notAllEnded,
  notPageOrPicture,
  notStrategies,
  runAgain,
  scoresWorth,
} from '../messages.ts';
import {
  addKindOptions,
  addTaskOptions,
  kindChoices,
  type TaskFlags,
  taskNamed,
  tasksFrom,
} from '../options/kind-options.ts';
import {
  addJudgeOptions,
  addLimitOptions,
  addModelOptions,
  collected,
  existingFolder,
  keptOptions,
  limitsFrom,
  type SearchFlags,
  wholeNumber,
} from '../options/options.ts';
import { openNamedJudge, openNamedMember, openNamedModel } from '../running/open-run.ts';
import { Stopper } from '../running/run-search.ts';
import { renderRow, type Terminal, terminalOf } from '../terminal/terminal.ts';
import { inWords, l10n, ownTranslation } from '../terminal/translation.ts';
import { Comparison, type ComparisonEnd, comparedText, type Entry } from './comparison.ts';
import {
  comparedSetups,
  compareTwo,
  pairCells,
  pairNotes,
  pairsOf,
  rowsOf,
  scoreCells,
  setupCells,
  setupSums,
} from './comparison-table.ts';
import { readySetups, type Setup, typedSetups } from './setups.ts';

interface CompareFlags extends SearchFlags, TaskFlags {
  readonly strategies?: readonly string[];
  readonly setup?: readonly string[];
  readonly strategy?: string;
  readonly seeds?: number;
  readonly task?: string;
  readonly problems: string;
  readonly dir?: string;
  readonly out?: readonly string[];
}

/** `compare`; for the first kind whose searches end solved or not. */
export function addCompare(program: Command, end: (code: ExitCode) => void, kinds: Kinds): void {
  const descriptor = kinds.find((each) => each.descriptor.traits.isComparable)?.descriptor;
  if (!descriptor) return;
  const strategies = descriptor.options.find(({ field }) => field === 'strategy')?.choices ?? [];
  const command = program
    .command('compare')
    .description(
      l10n.t(
        'compare two searches, moments or nodes; or solve the same problems in several ways, and compare these pair by pair',
      ),
    )
    .argument('[a]', l10n.t('a search, a moment of one (DIR@42), or the folder of a node'))
    .argument('[b]', l10n.t('what it is compared with'))
    .option(
      '--problems <file>',
      l10n.t('one problem per line; in a .csv file, the column problem or puzzle, else the first'),
    )
    .option('--strategies <a,b,c>', l10n.t('what to compare (default: all)'), strategiesFrom(strategies))
    .option(
      '--setup <flags>',
      l10n.t(
        'or a way to compare, by the flags in which it differs, as in "--strategy best-first --model ollama/NAME"; repeatable; the first is what others are compared with',
      ),
      collected,
    )
    .option('--seeds <n>', l10n.t('solve each problem so many times in each way (default: 1)'), wholeNumber(1, 1000))
    .option('--dir <folder>', l10n.t('keep the searches there, and continue existing ones (default: none are kept)'))
    .option(
      '--out <file>',
      l10n.t('write the comparison there, too: a page (.html) or a picture (.svg); repeatable'),
      drawn,
    );
  addLimitOptions(addJudgeOptions(addModelOptions(command)));
  addTaskOptions(addKindOptions(command, [descriptor]), kinds)
    .option(
      '--concurrency <n>',
      l10n.t('requests at the same time (default: 4; 1 with a recording)'),
      wholeNumber(1, MOST_SLOTS),
    )
    .option('--record <file>', l10n.t('write every request and answer there; replay/FILE answers from it again'))
    .option('--json', l10n.t('one JSON object on stdout'))
    .addHelpText(
      'after',
      `\n${l10n.t('The limits apply to all searches together. Ctrl-C stops and shows the results so far.')}`,
    )
    .action(async (a: string | undefined, b: string | undefined, { problems, ...flags }: AnyCompareFlags) => {
      if (problems !== undefined && a === undefined)
        end(await compare({ ...flags, problems }, descriptor, strategies, kinds));
      else if (problems === undefined && a !== undefined && b !== undefined)
        end(await compareTwo(kinds, a, b, flags.json));
      else throw new ThoughtTreeError('bad-input', say.compareWhat());
    });
  // Each search has a different strategy here.
  command.options.find(({ long }) => long === '--strategy')?.hideHelp();
}

function strategiesFrom(known: readonly string[]): (text: string) => string[] {
  return (text) => {
    const names = text.split(',').map((name) => name.trim());
    if (names.every((name) => known.includes(name))) return [...new Set(names)];
    throw new InvalidArgumentError(inWords(notStrategies({ known: known.join(',') })));
  };
}

function drawn(file: string, before: readonly string[] = []): readonly string[] {
  if (/\.(html|svg)$/i.test(file)) return collected(file, before);
  throw new InvalidArgumentError(inWords(notPageOrPicture()));
}

/** Two searches are compared without any problems. */
type AnyCompareFlags = Omit<CompareFlags, 'problems'> & Partial<Pick<CompareFlags, 'problems'>>;

async function compare(
  flags: CompareFlags,
  descriptor: KindDescriptor,
  strategies: readonly string[],
  kinds: Kinds,
): Promise<ExitCode> {
  if (flags.strategy !== undefined) throw new ThoughtTreeError('bad-input', nameStrategies());
  const workspace = await existingFolder(flags.folder ?? '.');
  const kind = await loadKind(kinds, { kind: descriptor.name });
  const tasks = await tasksFrom(flags, workspace, kind.extras.hooks);
  const problems = await readProblems(resolve(flags.problems));
  const env = readEnvironment(process.env);
  const typed = typedSetups(flags, descriptor, fitting(strategies, problems[0], flags, kind, tasks));
  const setups = await readySetups(typed, descriptor, { place: { folder: workspace, workspace }, env });
  const kept = flags.dir === undefined ? undefined : resolve(flags.dir);
  const folder = kept ?? (await mkdtemp(join(tmpdir(), 'thought-tree-compare-')));
  try {
    const entries = await entriesFor(problems, setups, flags, tasks, { kinds, kind, workspace, folder });
    const recorder =
      flags.record === undefined ? undefined : await Recorder.open(resolve(flags.record), kind.extras.hooks?.byData);
    const opening = { place: { folder, workspace }, env, recorder, byData: kind.extras.hooks?.byData };
    const { guards, ...limits } = limitsFrom(flags);
    const terminal = terminalOf(process);
    const free = setups.every((setup) => setup.free);
    const comparison = new Comparison({
      kinds,
      limits,
      guards: free ? { ...guards } : { ...DEFAULT_SPEND_LIMITS, ...guards },
      concurrency: typeof flags.concurrency === 'number' ? flags.concurrency : undefined,
      timeoutMs: flags.timeout === undefined ? undefined : flags.timeout * 1000,
      openModel: (setup) => openNamedModel(setup.model, { ...opening, flags: setup.flags }),
      openJudge: (setup) => openNamedJudge(setup.judge ?? '', setup.model, { ...opening, flags: setup.flags }),
      openMember: (setup, name) => openNamedMember(name, setup.model, { ...opening, flags: setup.flags }),
      findHooks: tasks.findHooks,
      onEnd: (compared) => terminal.err.line(oneLine(comparedText(compared), 500)),
    });
    return await runAndTell(comparison, entries, { descriptor, setups, free, kept }, flags, terminal);
  } finally {
    if (kept === undefined) await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the strategies that go with the other flags; all where none does, so that it is said why. */
function fitting(
  strategies: readonly string[],
  problem: Problem | undefined,
  flags: CompareFlags,
  kind: Kind,
  tasks: OwnTasks,
): readonly string[] {
  const task = kind.extras.hooks && taskNamed(flags.task, flags, tasks);
  const { options } = kindChoices({ ...flags, task }, kind.descriptor);
  const found = strategies.filter((strategy) => {
    try {
      return kind.begin({ prompt: problem?.text ?? '', options, strategy, findHooks: tasks.findHooks });
    } catch {
      return false;
    }
  });
  return found.length > 0 ? found : strategies;
}

interface EntryParts {
  readonly kinds: Kinds;
  readonly kind: Kind;
  readonly workspace: string;
  readonly folder: string;
}

/** Every problem in every way before the next one: wherever it ends, the set-ups can be compared. */
async function entriesFor(
  problems: readonly Problem[],
  setups: readonly Setup<CompareFlags>[],
  flags: CompareFlags,
  tasks: OwnTasks,
  parts: EntryParts,
): Promise<Entry[]> {
  const seeds = Array.from({ length: flags.seeds ?? 1 }, (_, at) => at + 1);
  const folders = foldersOf(setups);
  const entries = problems.flatMap((problem, index) =>
    seeds.flatMap((seed) =>
      setups.map(async (setup): Promise<Entry> => {
        try {
          const folder = join(parts.folder, folders.get(setup) ?? '');
          return await entryFor(problem, setup, { index, seed, tasks, ...parts, folder });
        } catch (error) {
          const { reason, say: why } = toThoughtTreeError(error);
          throw new ThoughtTreeError(reason, lineOfProblems({ line: problem.line, why }));
        }
      }),
    ),
  );
  return await Promise.all(entries);
}

async function entryFor(
  { text: problem, line }: Problem,
  setup: Setup<CompareFlags>,
  at: EntryParts & { readonly index: number; readonly seed: number; readonly tasks: OwnTasks },
): Promise<Entry> {
  const { index, seed, tasks, kinds, kind, workspace, folder } = at;
  const { flags, model } = setup;
  const title = titleFrom(problem);
  const name = `${String(index + 1).padStart(4, '0')}-${slugify(title, 40)}${seed > 1 ? `-${seed}` : ''}`;
  const place = placeFor(workspace, title, join(folder, name));
  const task = kind.extras.hooks && taskNamed(flags.task, flags, tasks);
  const { options, ...chosen } = kindChoices({ ...flags, task }, kind.descriptor);
  // Each try draws otherwise, where a strategy draws.
  const draws = flags.seeds !== undefined && kind.descriptor.options.some((option) => option.name === 'seed');
  const all = { ...keptOptions(flags), ...options, ...(draws && { seed }) };
  const asked = { kind: kind.descriptor.name, title, prompt: problem, model, findHooks: tasks.findHooks, ...chosen };
  return { setup, problem, line, seed, place, file: await newSearch(kinds, { ...asked, options: all }) };
}

/** Returns the folder of each set-up: its name, as far as names of folders go. */
function foldersOf<S extends Setup>(setups: readonly S[]): Map<S, string> {
  const taken = new Set<string>();
  return new Map(
    setups.map((setup) => {
      const slug = slugify(setup.name, 60);
      let folder = slug;
      for (let more = 2; taken.has(folder); more++) folder = `${slug}-${more}`;
      taken.add(folder);
      return [setup, folder];
    }),
  );
}

interface Compares {
  readonly descriptor: KindDescriptor;
  readonly setups: readonly Setup[];
  readonly free: boolean;
  /** The folder that keeps the searches. */
  readonly kept: string | undefined;
}

async function runAndTell(
  comparison: Comparison,
  entries: readonly Entry[],
  about: Compares,
  flags: CompareFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  const stopper = new Stopper(comparison, about.descriptor.words, (text) => terminal.err.line(text));
  stopper.listen(process);
  // The system's timers keep no process alive while a search waits for its model.
  const alive = setInterval(() => undefined, 60_000);
  let end: ComparisonEnd | undefined;
  try {
    end = await comparison.run(entries);
  } finally {
    clearInterval(alive);
    stopper.dispose();
    const isTold = end !== undefined || comparison.compared.length > 0;
    if (isTold) await tell(comparison, entries.length, end ?? 'store', about, flags, terminal);
    await Promise.all([terminal.out.drained(), terminal.err.drained()]);
  }
  return CODES[end];
}

const CODES: Readonly<Record<ComparisonEnd, ExitCode>> = {
  complete: EXIT.finished,
  user: EXIT.interrupted,
  budget: EXIT.budget,
  person: EXIT.person,
  store: EXIT.error,
};

async function tell(
  { compared, why }: Comparison,
  wanted: number,
  end: ComparisonEnd,
  { descriptor, setups, free, kept }: Compares,
  flags: CompareFlags,
  { out, err }: Terminal,
): Promise<void> {
  const names = setups.map(({ name }) => name);
  const sums = setupSums(names, compared, descriptor.name);
  const pairs = pairsOf(names, compared);
  const cells = setupCells(sums, free, descriptor.purposes);
  const labels = labelsOf(setups);
  const missing = wanted - compared.length + sums.total.stopped;
  const notes = [
    ...(why ? [oneLine(inWords(why), 1000)] : []),
    ...(end === 'complete' ? [] : [inWords(notAllEnded({ missing, wanted }))]),
  ];
  if (flags.json) out.line(JSON.stringify(forPrograms(), undefined, 2));
  else {
    for (const label of labels) out.line(oneLine(label, 200));
    for (const row of rowsOf(cells)) out.line(renderRow(row, Number.POSITIVE_INFINITY, out.palette));
    if (pairs.length > 0) {
      out.line('');
      for (const row of rowsOf(pairCells(pairs))) out.line(renderRow(row, Number.POSITIVE_INFINITY, out.palette));
      for (const note of pairNotes(pairs)) out.line(note);
    }
    const scores = scoreCells(names, compared);
    if (scores.length > 0) out.line(`\n${inWords(scoresWorth())}`);
    for (const row of rowsOf(scores)) out.line(renderRow(row, Number.POSITIVE_INFINITY, out.palette));
    for (const note of notes) err.line(note);
    if (end !== 'complete' && missing > 0 && kept !== undefined) err.line(inWords(runAgain()));
  }
  if (flags.out && compared.length > 0) {
    const parts = { file: flags.problems, names, labels, compared, sums, pairs, cells, notes };
    await writeOut(flags.out, comparedSetups(parts));
  }

  function forPrograms(): object {
    const model = [...new Set(setups.map((each) => each.model))].join(', ');
    const strategies = Object.fromEntries(sums.named);
    const searches = compared.map(({ why: stopped, ...each }) => ({ ...each, ...messageIn(stopped) }));
    return { model, free, end, ...messageIn(why), wanted, strategies, pairs, total: sums.total, searches };
  }
}

/** Returns the models of all set-ups in one line, or in one for each where they differ. */
function labelsOf(setups: readonly Setup[]): string[] {
  const labels = new Set(setups.map(({ label }) => label));
  return labels.size === 1 ? [...labels] : setups.map(({ name, label }) => `${name}: ${label}`);
}

async function writeOut(files: readonly string[], compared: ComparedSetups): Promise<void> {
  const { sharing } = await import('../../searches/sharing/sharing.ts');
  for (const file of files) {
    const isPage = /\.html$/i.test(file);
    const language = ownTranslation()?.language ?? 'en';
    await replaceFile(
      resolve(file),
      isPage ? sharing.comparisonPage(compared, language) : sharing.comparisonPicture(compared),
    );
  }
}

/** Returns a message for programs. */
function messageIn(why: Message | undefined): { message?: string } {
  return why ? { message: why.text } : {};
}

const LARGEST_FILE = 10 * 1024 * 1024;
const MOST_PROBLEMS = 10_000;

/** One problem of a comparison. */
export interface Problem {
  readonly text: string;
  /** Its line in the file, from 1. */
  readonly line: number;
}

/**
 * The problems in a file, one per line; ignores empty lines. In a `.csv` file, they are in the column whose header is
 * problem, puzzle, question or prompt (or its plural), else in the first one.
 * @throws ThoughtTreeError `not-found`, `bad-input`
 */
export async function readProblems(file: string): Promise<Problem[]> {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) throw new ThoughtTreeError('not-found', say.noFile({ file }));
  if (found.size > LARGEST_FILE) throw refused(say.problemsTooLarge({ file, megabytes: 10 }));
  const text = (await readFile(file, 'utf8')).replace(/^\ufeff/, '');
  const problems = /\.csv$/i.test(file) ? columnOf(csvRows(text)) : linesOf(text);
  if (problems.length === 0) throw refused(say.noProblems({ file }));
  if (problems.length > MOST_PROBLEMS) throw refused(say.tooManyProblems({ file, most: MOST_PROBLEMS }));
  return problems;
}

function refused(why: Message): ThoughtTreeError {
  return new ThoughtTreeError('bad-input', why);
}

function linesOf(text: string): Problem[] {
  return text
    .split(/\r?\n/)
    .map((line, index) => ({ text: line.trim(), line: index + 1 }))
    .filter((problem) => problem.text !== '');
}

interface CsvRow {
  readonly fields: readonly string[];
  readonly line: number;
}

function columnOf(rows: readonly CsvRow[]): Problem[] {
  const named = rows[0]?.fields.findIndex((name) => /^(problem|puzzle|question|prompt)s?$/i.test(name.trim())) ?? -1;
  return rows
    .slice(named < 0 ? 0 : 1)
    .map(({ fields, line }) => ({ text: (fields[Math.max(0, named)] ?? '').trim(), line }))
    .filter((problem) => problem.text !== '');
}

const FIELD = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;

/** Rows according to RFC 4180: fields separated by commas, in quotes if they contain commas, quotes or line breaks. */
function csvRows(text: string): CsvRow[] {
  const rows: CsvRow[] = [];
  let fields: string[] = [];
  let line = 1;
  let begun = 1;
  FIELD.lastIndex = 0;
  while (FIELD.lastIndex < text.length) {
    const [whole, quoted, plain, end] = FIELD.exec(text) ?? unreadable(line);
    fields.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    line += (whole.match(/\n/g) ?? []).length;
    if (end === ',') continue;
    rows.push({ fields, line: begun });
    fields = [];
    begun = line;
  }
  if (fields.length > 0) rows.push({ fields, line: begun });
  return rows;
}

function unreadable(line: number): never {
  throw new ThoughtTreeError('bad-input', say.unevenQuotes({ line }));
}
