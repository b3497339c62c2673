import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { nothingLeft } from '../../core/actions/messages.ts';
import type { NodeTerms } from '../../core/kind/kind-descriptor.ts';
import type { Mirror, MirrorAsk } from '../../core/kind/kind-format.ts';
import type { Message } from '../../core/messages/message.ts';
import { MODELS_OPTION } from '../../core/money/several-models.ts';
import type { Problem } from '../../core/ports/store.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import type { Outcome } from '../../engine/loop.ts';
import type { Search } from '../../engine/search.ts';
import { serveRequests } from '../../searches/act-on-search.ts';
import { areWritten, writeAnew } from '../../searches/history/write-anew.ts';
import { findProgram, MirrorFile } from '../../searches/mirror-file.ts';
import type { OpenedSearch } from '../../searches/open-search.ts';
import type { Place } from '../../searches/place.ts';
import { RunningForecast } from '../../searches/search-forecast.ts';
import { recallUse } from '../../searches/trust/search-use.ts';
import { EXIT, type ExitCode, exitCodeOfOutcome } from '../exit-codes.ts';
import * as say from '../messages.ts';
import * as messages from '../messages.ts';
import { shownPath } from '../options/options.ts';
import { commandName, resumeCommand, shellCommand, type Unremembered, withLimits } from '../options/resume-command.ts';
import { farewellRows } from '../rows/farewell.ts';
import { problemText } from '../rows/texts.ts';
import { nextRows, thoughtRows, treeRows } from '../rows/tree-rows.ts';
import { nodesText } from '../terminal/figures.ts';
import { JsonView, LineView, type View } from '../terminal/line-view.ts';
import { LiveView } from '../terminal/live-view.ts';
import { renderRow, type Terminal, terminalOf } from '../terminal/terminal.ts';
import { inWords } from '../terminal/translation.ts';
import { askYes, CommandConsent, canAsk, showPlan } from './consent.ts';
import { openRun, type RunRequest } from './open-run.ts';

/** The most rows of the tree that stay on the screen when a search has ended. */
const FINAL_ROWS = 40;

/** Opens a search, runs it until it ends or pauses, shows it, and returns the exit code. */
export async function runSearch(request: RunRequest): Promise<ExitCode> {
  const terminal = terminalOf(process);
  const consent = new CommandConsent(request.flags);
  const opened = await openRun(request, consent);
  // The system's timers do not keep the process alive, so that it would exit while a search waits for its model.
  const alive = setInterval(() => undefined, 60_000);
  const wasFinished = opened.search.record.turn?.type === 'search-finished';
  try {
    if (request.anew) {
      const { count, refused } = await writeAnew(opened.search, request.anew, 'terminal');
      for (const why of refused) terminal.err.line(oneLine(inWords(why), 1000));
      if (count === 0) return EXIT.error;
    } else if (!request.create && (await opened.search.left()) === 'report') {
      sayNothingLeft(opened, request, terminal);
      return EXIT.finished;
    }
    if (request.create && !request.flags.json)
      await showPlan(opened, shownPath(request.place.folder), consent, terminal.err);
    const mirror = await RunMirror.open(request.flags.mirror, opened, request.place);
    const outcome = await showRun(opened, { ...request, mirror }, terminal);
    if (request.anew && outcome.state === 'paused' && areWritten(opened.search, request.anew)) {
      // One that ended where a person wanted it to has the report of that.
      if (wasFinished) await opened.search.act({ action: 'finish' }, 'terminal');
      return EXIT.finished;
    }
    return exitCodeOfOutcome(outcome);
  } finally {
    clearInterval(alive);
    await opened.search.close();
    await Promise.all([terminal.out.drained(), terminal.err.drained()]);
  }
}

/** Nobody pays for a report by a command that is to go on: it says what there is to do instead. */
function sayNothingLeft({ search }: OpenedSearch, { place, flags }: RunRequest, { out, err }: Terminal): void {
  const { line } = flags.json ? err : out;
  for (const older of search.record.edits.inWords(search.tree)) line(inWords(older));
  line(inWords(nothingLeft({ title: oneLine(search.file.title, 200) })));
  for (const name of ['report', 'resume', 'expand']) {
    const rest = name === 'resume' ? ['--size', 'all'] : name === 'expand' ? ['NODE'] : [];
    line(`  ${shellCommand([...commandName(), name, shownPath(place.folder), ...rest])}`);
  }
}

interface ShownRun extends RunRequest {
  readonly mirror: RunMirror | undefined;
}

async function showRun(opened: OpenedSearch, request: ShownRun, terminal: Terminal): Promise<Outcome> {
  const { search, store, early } = opened;
  const { flags, mirror } = request;
  const view = await openView(opened, request, terminal);
  const told = tellProblems(store.problems, terminal, 0);
  const isFree = opened.model.prose === false;
  const stopper = new Stopper(search, search.kind.descriptor.words, (text) => view.notice(text), isFree);
  terminal.out.onBroken = () => search.pause();
  for (const event of [...early]) view.event(event);
  search.listen((event) => view.event(event));
  stopper.listen(process);
  const running = search.run({ wait: flags.wait });
  // Only once it runs, since an earlier pause would be lost.
  const served = serveRequests(request.place.folder, search, store, (what) => view.notice(inWords(what)));
  const notice = (text: string): void => view.notice(text);
  mirror?.begin(notice);
  let outcome: Outcome | undefined;
  try {
    outcome = await running;
    const message = flags.json ? await search.message() : undefined;
    if (message) terminal.out.line(JSON.stringify(message));
    return outcome;
  } finally {
    await (await served)();
    await mirror?.end(outcome, notice);
    stopper.dispose();
    view.end();
    if (outcome) sayFarewell(outcome, opened, request, terminal, await unrememberedOf(opened, request));
    tellProblems(store.problems, terminal, told);
  }
}

async function openView(opened: OpenedSearch, { kinds, flags, place }: RunRequest, terminal: Terminal): Promise<View> {
  const { search, model, judge } = opened;
  if (flags.json) return new JsonView(terminal.out, terminal.err);
  const label = judge ? inWords(say.judgePicks({ model: model.label, judge: judge.label })) : model.label;
  if (terminal.live) {
    const { limits, concurrency } = search;
    const wanted = { kinds, place, limits, concurrency, model, judge, several: opened.several };
    const free = isFree(opened);
    const forecast = free ? undefined : await RunningForecast.open(wanted, search.file, search.record);
    return new LiveView(search, { label, free, forecast }, terminal.live, terminal.err.palette);
  }
  for (const line of [search.file.title, label, inWords(say.filesIn({ folder: shownPath(place.folder) }))])
    terminal.out.line(oneLine(line, 500));
  return new LineView(terminal.out);
}

function isFree({ model, judge, several }: OpenedSearch): boolean {
  return [model, judge, ...several].every((each) => each?.free !== false);
}

/** Returns what a resume has to be told, if this user's state folder does not remember the search. */
async function unrememberedOf(
  { model, judge, sent }: OpenedSearch,
  { place, flags }: RunRequest,
): Promise<Unremembered | undefined> {
  if ((await recallUse(place.folder)).here?.model === model.name) return undefined;
  const read = flags.tools || flags.context === false ? undefined : (flags.read ?? sent?.read);
  return { ...flags, ...(read && { read }), model: model.name, ...(judge ? { judge: judge.name } : {}) };
}

/** Prints what stays on the screen: on a terminal the tree as well, cut to its width, but no path or command. */
function sayFarewell(
  outcome: Outcome,
  opened: OpenedSearch,
  request: RunRequest,
  terminal: Terminal,
  unremembered: Unremembered | undefined,
): void {
  const { search } = opened;
  const { flags, place } = request;
  const isLive = terminal.live !== undefined && !flags.json;
  const { line, palette } = isLive || flags.json ? terminal.err : terminal.out;
  if (isLive) {
    const tree = [[], ...treeRows(search.tree, FINAL_ROWS, search.kind.descriptor), []];
    const columns = terminal.live?.columns || 80;
    for (const row of [[{ text: search.file.title, style: 'bold' } as const], ...tree])
      line(renderRow(row, columns, palette));
  }
  // Those of one run are in no file.
  const ofRun = textIn(request.create ? {} : (request.options ?? {}));
  const models = ofRun ?? textIn(search.file.options);
  const several = ofRun ?? (unremembered && models);
  const resume =
    request.resume ??
    ((...more: string[]): string =>
      resumeCommand(place, { ...withLimits(flags, search.limits.guards), unremembered, several }, ...more));
  const folder = shownPath(place.folder);
  const command = (name: string): string => shellCommand([...commandName(), name, folder]);
  const { tree, limits } = search;
  const { words } = search.kind.descriptor;
  const hasReport = existsSync(join(place.folder, 'report.md'));
  const ending = { outcome, tree, limits, models, words, free: isFree(opened), hasReport, folder, resume, command };
  // If every event was shown, the last one has said that all is done, or who is waited for.
  const isSaid = outcome.state !== 'paused' && !isLive;
  const answer = thoughtRows(search, outcome);
  const rows = [...answer, ...farewellRows(ending).slice(isSaid ? 1 : 0), ...nextRows(search, outcome, command)];
  for (const row of rows) line(renderRow(row, Number.POSITIVE_INFINITY, palette));
}

function textIn(options: object): string | undefined {
  const text: unknown = (options as Readonly<Record<string, unknown>>)[MODELS_OPTION];
  return typeof text === 'string' ? text : undefined;
}

/** Reports what could not be read, from the `from`-th on; returns the number of problems. */
function tellProblems(problems: readonly Problem[], terminal: Terminal, from: number): number {
  for (const problem of problems.slice(from)) terminal.err.line(problemText(problem));
  return problems.length;
}

type Signals = Pick<NodeJS.Process, 'on' | 'off'>;

/** Pauses a search when a person or the system asks the process to end: first cleanly, the second time at once. */
export class Stopper {
  readonly #search: Pick<Search, 'pause' | 'running' | 'state'>;
  readonly #words: NodeTerms;
  readonly #say: (text: string) => void;
  readonly #isFree: boolean;
  #signals: Signals | undefined;
  #asked = 0;

  /**
   * @param words the terms of the search's kind
   * @param say tells the person what happens now
   * @param isFree whether its calls cost nothing, so that none has to be finished
   */
  constructor(
    search: Pick<Search, 'pause' | 'running' | 'state'>,
    words: NodeTerms,
    say: (text: string) => void,
    isFree = false,
  ) {
    this.#search = search;
    this.#words = words;
    this.#say = say;
    this.#isFree = isFree;
  }

  listen(signals: Signals): void {
    this.#signals = signals;
    signals.on('SIGINT', this.interrupt);
    for (const signal of ['SIGTERM', 'SIGHUP'] as const) signals.on(signal, this.stopNow);
  }

  dispose(): void {
    this.#signals?.off('SIGINT', this.interrupt);
    for (const signal of ['SIGTERM', 'SIGHUP'] as const) this.#signals?.off(signal, this.stopNow);
  }

  readonly interrupt = (): void => {
    this.#asked++;
    // Nothing can be finished while the search waits for its model, or must be where a folder may still be indexed.
    if (this.#asked > 1 || this.#isFree || this.#search.state === 'waiting') this.stopNow();
    else {
      const slots = this.#search.running.filter(({ isWork }) => isWork).length;
      const nodes = nodesText(this.#words, slots);
      this.#say(inWords(slots > 0 ? messages.pausingAfter({ nodes }) : messages.pausing()));
      this.#search.pause();
    }
  };

  readonly stopNow = (): void => {
    // Whoever asks a third time does not want to wait for files either; the next run recovers.
    if (this.#asked > 2) process.exit(EXIT.interrupted);
    this.#asked = Math.max(this.#asked, 1);
    this.#say(inWords(messages.stoppingNow()));
    this.#search.pause(true);
  };
}

/** The interval of looking whether others changed the file, in milliseconds. */
const LOOKS_EVERY = 1000;

/** A file that this run keeps true, for as long as nobody else changes it. */
class RunMirror {
  readonly #file: MirrorFile;
  readonly #opened: OpenedSearch;
  readonly #place: Place;
  readonly #name: string;
  #timer: NodeJS.Timeout | undefined;
  /** One look at a time, in order. */
  #busy: Promise<void> = Promise.resolve();
  #isOver = false;

  private constructor(file: MirrorFile, opened: OpenedSearch, place: Place, name: string) {
    this.#file = file;
    this.#opened = opened;
    this.#place = place;
    this.#name = name;
  }

  /**
   * Takes the file that this person names, having said what it does where the program that reads it is installed.
   * @throws ThoughtTreeError `bad-input` where a person has to be asked and cannot be, `declined` if they do not want it,
   *   `exists` if the file is not of this search, `edited` if others changed it since the last run
   */
  static async open(path: string | undefined, opened: OpenedSearch, place: Place): Promise<RunMirror | undefined> {
    const mirror = opened.search.kind.formats.find((format) => format.mirror)?.mirror;
    if (path === undefined || !mirror) return undefined;
    const file = resolve(path);
    await agree(mirror, file, place);
    const { id } = await recallUse(place.folder);
    const { file: searchFile, tree, limits, record } = opened.search;
    const search = { file: searchFile, tree, limits, record, store: opened.store };
    const found = await MirrorFile.open({ file, mirror, id, search });
    const name = shownPath(file);
    const asked = await found.asked();
    if (asked) {
      for (const line of linesOf(asked, place)) terminalOf(process).err.line(inWords(line));
      throw new ThoughtTreeError('edited', say.mirrorChanged({ file: name }), { file });
    }
    return new RunMirror(found, opened, place, name);
  }

  /** @param notice tells the person */
  begin(notice: (text: string) => void): void {
    const look = (): void => {
      this.#busy = this.#busy.then(async () => {
        if (!this.#isOver) await this.#update(notice);
      });
    };
    look();
    this.#timer = setInterval(look, LOOKS_EVERY);
  }

  /** Says in the file how the run ended. */
  async end(outcome: Outcome | undefined, notice: (text: string) => void): Promise<void> {
    clearInterval(this.#timer);
    await this.#busy;
    if (this.#isOver) return;
    const asked = await this.#file.update(
      outcome?.state === 'finished' && outcome.reason === 'solved' ? 'completed' : 'stopped',
    );
    if (asked) this.#tell(asked, notice);
  }

  #tell(asked: MirrorAsk, notice: (text: string) => void): void {
    for (const line of [say.mirrorChanged({ file: this.#name }), ...linesOf(asked, this.#place)]) notice(inWords(line));
  }

  async #update(notice: (text: string) => void): Promise<void> {
    try {
      const asked = await this.#file.update('running');
      if (!asked) return;
      this.#isOver = true;
      this.#opened.search.pause();
      if (asked.stop && !asked.redirect) {
        await this.#file.obeyStop();
        notice(inWords(say.mirrorStops({ file: this.#name })));
      } else this.#tell(asked, notice);
    } catch (error) {
      // A file that cannot be written ends no search; it is said once.
      this.#isOver = true;
      notice(inWords(say.mirrorFailed({ file: this.#name, why: error instanceof Error ? error.message : '' })));
    }
  }
}

/** Says what such a file does; where it does that, a person has to agree. */
async function agree({ warning, program }: Mirror, file: string, { workspace }: Place): Promise<void> {
  const { err } = terminalOf(process);
  err.line(inWords(warning));
  const place = (await findProgram(program, workspace)) ?? (await findProgram(program, dirname(dirname(file))));
  if (place === undefined) return;
  const told = { program, place: shownPath(place) };
  if (!canAsk()) throw new ThoughtTreeError('bad-input', say.mirrorNeedsTerminal(told));
  if (!(await askYes(inWords(say.mirrorAll(told))))) throw new ThoughtTreeError('declined', say.mirrorDeclined());
}

/** Tells what others want, with the commands that accept it. */
function linesOf({ changes, notes }: MirrorAsk, place: Place): Message[] {
  const commands = changes.map(({ type, change }) => {
    const words = [...commandName(), 'redirect', shownPath(place.folder), '--type', type, '--change'];
    return say.acceptBy({ command: shellCommand([...words, JSON.stringify(change)]) });
  });
  return [...notes, ...commands, say.thenRemove()];
}
