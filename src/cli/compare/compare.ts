import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { KindFace } from '../../core/kind/kind-face.ts';
import type { Message } from '../../core/messages/message.ts';
import { ThoughtTreeError, toThoughtTreeError } from '../../core/search/errors.ts';
import { DEFAULT_GUARDS } from '../../core/search/limits.ts';
import { MOST_SLOTS } from '../../core/search/search-file.ts';
import { oneLine } from '../../core/text/text.ts';
import { slugify } from '../../core/tree/slug.ts';
import { checkModel } from '../../engine/kind/check-model.ts';
import type { Kind } from '../../engine/kind/kind.ts';
import { type Kinds, loadKind } from '../../engine/kind/kinds.ts';
import { Recorder } from '../../models/replay/recorder.ts';
import { FREE_MODEL } from '../../searches/models/choose-model.ts';
import { type Environment, readEnvironment } from '../../searches/models/environment.ts';
import { newSearch } from '../../searches/new-search.ts';
import { type Place, placeFor, titleFrom } from '../../searches/place.ts';
import type { OwnTasks } from '../../searches/tasks/own-tasks.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { lineOfProblems, nameStrategies } from '../messages.ts';
import { namedJudge, namedModel } from '../options/environment.ts';
import { addKindOptions, kindChoices, type TypedFlags } from '../options/kind-options.ts';
import {
  addJudgeOptions,
  addLimitOptions,
  addModelOptions,
  keptOptions,
  limitsFrom,
  type SearchFlags,
  wholeNumber,
} from '../options/options.ts';
import { existingFolder } from '../options/search-place.ts';
import { addTaskOptions, type TaskFlags, taskNamed, tasksFrom } from '../options/task-options.ts';
import { type NamedModelOptions, openNamedJudge, openNamedModel } from '../running/open-run.ts';
import { sayAgents } from '../running/say-agents.ts';
import { Stopper } from '../running/stopper.ts';
import { renderRow } from '../terminal/row.ts';
import { type Terminal, terminalOf } from '../terminal/terminal.ts';
import { inWords, l10n } from '../terminal/translation.ts';
import { type Problem, readProblems } from './compare-problems.ts';
import { comparedText, comparisonRows, sumsOf } from './compare-sums.ts';
import { Comparison, type ComparisonEnd, type Entry } from './comparison.ts';
import { judgeScores, notAllEnded, notStrategies, runAgain } from './messages.ts';

interface CompareFlags extends SearchFlags, TaskFlags {
  readonly strategies: readonly string[];
  readonly strategy?: string;
  readonly task?: string;
  readonly problems: string;
  readonly dir?: string;
}

/** `compare`; for the first kind whose searches end solved or not. */
export function addCompare(program: Command, end: (code: ExitCode) => void, kinds: Kinds): void {
  const face = kinds.find((each) => each.face.isComparable)?.face;
  if (!face) return;
  const strategies = face.options.find(({ field }) => field === 'strategy')?.choices ?? [];
  const command = program
    .command('compare')
    .description(l10n.t('solve the same problems by several strategies on one model or recording, and compare them'))
    .requiredOption(
      '--problems <file>',
      l10n.t('one problem per line; in a .csv file, the column problem or puzzle, else the first'),
    )
    .option('--strategies <a,b,c>', l10n.t('what to compare'), strategiesFrom(strategies), strategies)
    .option('--dir <folder>', l10n.t('keep the searches there, and continue existing ones (default: none are kept)'));
  addLimitOptions(addJudgeOptions(addModelOptions(command)));
  addTaskOptions(addKindOptions(command, [face]), kinds)
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
    .action(async (flags: CompareFlags) => end(await compare(flags, face, kinds)));
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

async function compare(flags: CompareFlags, face: KindFace, kinds: Kinds): Promise<ExitCode> {
  if (flags.strategy !== undefined) throw new ThoughtTreeError('bad-input', nameStrategies());
  const workspace = await existingFolder(flags.folder ?? '.');
  const kind = await loadKind(kinds, { kind: face.name });
  const tasks = await tasksFrom(flags, workspace, kind.hooks);
  const problems = await readProblems(resolve(flags.problems));
  const env = readEnvironment(process.env);
  const name = namedModel(flags, env) ?? FREE_MODEL;
  const judge = judgeBeside(name, flags, env);
  const { free, label } = await probed(face, name, judge, { place: { folder: workspace, workspace }, flags, env });
  const kept = flags.dir === undefined ? undefined : resolve(flags.dir);
  const folder = kept ?? (await mkdtemp(join(tmpdir(), 'thought-tree-compare-')));
  try {
    const entries = await entriesFor(problems, flags, tasks, { kinds, kind, model: name, workspace, folder });
    const recorder = flags.record === undefined ? undefined : await Recorder.open(resolve(flags.record));
    const place: Place = { folder, workspace };
    const opening = { place, flags, env, recorder };
    const isRecording = name.startsWith('replay/');
    const { guards, ...limits } = limitsFrom(flags);
    const terminal = terminalOf(process);
    const comparison = new Comparison({
      kinds,
      limits,
      guards: free ? { ...guards } : { ...DEFAULT_GUARDS, ...guards },
      // Answers to equal requests come in the order of the requests: sequential runs make it deterministic.
      concurrency: typeof flags.concurrency === 'number' ? flags.concurrency : isRecording ? 1 : undefined,
      timeoutMs: flags.timeout === undefined ? undefined : flags.timeout * 1000,
      openModel: () => openNamedModel(name, opening),
      openJudge: judge === undefined ? undefined : () => openNamedJudge(judge, name, opening),
      findHooks: tasks.findHooks,
      isRecording,
      onEnd: (compared) => terminal.err.line(oneLine(comparedText(compared), 500)),
    });
    return await runAndTell(comparison, entries, { face, model: name, label, free, kept }, flags, terminal);
  } finally {
    if (kept === undefined) await rm(folder, { recursive: true, force: true });
  }
}

/** The model that scores, if different. */
function judgeBeside(model: string, flags: CompareFlags, env: Environment): string | undefined {
  const judge = namedJudge(flags, env);
  return judge === model ? undefined : judge;
}

/** Asks the models about themselves: opens them once to check that they can be, and what they cost. */
async function probed(
  face: KindFace,
  name: string,
  judge: string | undefined,
  options: NamedModelOptions,
): Promise<{ free: boolean; label: string }> {
  const model = await openNamedModel(name, options);
  await model.close?.();
  checkModel(face, model);
  if (judge === undefined) {
    sayAgents([model]);
    return model;
  }
  const judging = await openNamedJudge(judge, name, options);
  await judging.close?.();
  sayAgents([model, judging]);
  return {
    free: model.free && judging.free,
    label: inWords(judgeScores({ model: model.label, judge: judging.label })),
  };
}

/** Every problem by every strategy before the next one: wherever it ends, the strategies can be compared. */
async function entriesFor(
  problems: readonly Problem[],
  flags: CompareFlags,
  tasks: OwnTasks,
  {
    kinds,
    kind,
    model,
    workspace,
    folder,
  }: { kinds: Kinds; kind: Kind; model: string; workspace: string; folder: string },
): Promise<Entry[]> {
  const task = kind.hooks && taskNamed(flags.task, flags, tasks);
  const entries = problems.flatMap(({ text: problem, line }, index) =>
    flags.strategies.map(async (strategy): Promise<Entry> => {
      const title = titleFrom(problem);
      const name = `${String(index + 1).padStart(4, '0')}-${slugify(title, 40)}`;
      const place = placeFor(workspace, title, join(folder, strategy, name));
      const typed: TypedFlags = { ...flags, strategy, task };
      const { options, ...chosen } = kindChoices(typed, kind.face);
      const asked = { kind: kind.face.name, title, prompt: problem, model, findHooks: tasks.findHooks, ...chosen };
      try {
        const file = await newSearch(kinds, { ...asked, options: { ...keptOptions(flags), ...options } });
        return { strategy, problem, line, place, file };
      } catch (error) {
        const { reason, say: why } = toThoughtTreeError(error);
        throw new ThoughtTreeError(reason, lineOfProblems({ line, why }));
      }
    }),
  );
  return await Promise.all(entries);
}

interface Compares {
  readonly face: KindFace;
  readonly model: string;
  readonly label: string;
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
  const stopper = new Stopper(comparison, about.face.words, (text) => terminal.err.line(text));
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
    if (isTold) tell(comparison, entries.length, end ?? 'store', about, flags, terminal);
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

function tell(
  { compared, why }: Comparison,
  wanted: number,
  end: ComparisonEnd,
  { face, model, label, free, kept }: Compares,
  flags: CompareFlags,
  { out, err }: Terminal,
): void {
  const named = new Map(
    flags.strategies.map((strategy) => [
      strategy,
      sumsOf(
        compared.filter((each) => each.strategy === strategy),
        face.name,
      ),
    ]),
  );
  const total = sumsOf(compared, face.name);
  if (flags.json) {
    const strategies = Object.fromEntries(named);
    const searches = compared.map(({ why: stopped, ...each }) => ({ ...each, ...messageIn(stopped) }));
    const told = { model, free, end, ...messageIn(why), wanted, strategies, total, searches };
    out.line(JSON.stringify(told, undefined, 2));
    return;
  }
  out.line(oneLine(label, 200));
  for (const row of comparisonRows(named, total, free, face.purposes))
    out.line(renderRow(row, Number.POSITIVE_INFINITY, out.palette));
  if (why) err.line(oneLine(inWords(why), 1000));
  if (end === 'complete') return;
  const missing = wanted - compared.length + total.stopped;
  err.line(inWords(notAllEnded({ missing, wanted })));
  if (missing > 0 && kept !== undefined) err.line(inWords(runAgain()));
}

/** A message for programs. */
function messageIn(why: Message | undefined): { message?: string } {
  return why ? { message: why.text } : {};
}
