import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { nothingLeft } from '../../core/actions/messages.ts';
import type { Problem } from '../../core/ports/store.ts';
import { oneLine } from '../../core/text/text.ts';
import type { Outcome } from '../../engine/outcome.ts';
import { RunningForecast } from '../../searches/forecast-for.ts';
import type { OpenedSearch } from '../../searches/open-search.ts';
import { serveRequests } from '../../searches/serve-requests.ts';
import { recallUse } from '../../searches/trust/search-use.ts';
import { EXIT, type ExitCode, exitCodeOfOutcome } from '../exit-codes.ts';
import * as say from '../messages.ts';
import { commandName } from '../options/command-name.ts';
import { resumeCommand, shellCommand, type Unremembered, withGuards } from '../options/resume-command.ts';
import { shownPath } from '../options/search-place.ts';
import { farewellRows } from '../rows/farewell.ts';
import { problemText } from '../rows/problem-text.ts';
import { nextRows, thoughtRows } from '../rows/thought-rows.ts';
import { treeRows } from '../rows/tree-rows.ts';
import { JsonView } from '../terminal/json-view.ts';
import { LineView } from '../terminal/line-view.ts';
import { LiveView } from '../terminal/live-view.ts';
import { renderRow } from '../terminal/row.ts';
import { type Terminal, terminalOf } from '../terminal/terminal.ts';
import { inWords } from '../terminal/translation.ts';
import type { View } from '../terminal/view.ts';
import { CommandConsent } from './command-consent.ts';
import { openRun, type RunRequest } from './open-run.ts';
import { RunMirror } from './run-mirror.ts';
import { showPlan } from './show-plan.ts';
import { Stopper } from './stopper.ts';

/** The most rows of the tree that stay on the screen when a search has ended. */
const FINAL_ROWS = 40;

/** Opens a search, runs it until it ends or pauses, shows it, and returns the exit code. */
export async function runSearch(request: RunRequest): Promise<ExitCode> {
  const terminal = terminalOf(process);
  const consent = new CommandConsent(request.flags);
  const opened = await openRun(request, consent);
  // The system's timers do not keep the process alive, so that it would exit while a search waits for its model.
  const alive = setInterval(() => undefined, 60_000);
  try {
    if (!request.create && (await opened.search.left()) === 'report') {
      sayNothingLeft(opened, request, terminal);
      return EXIT.finished;
    }
    if (request.create && !request.flags.json)
      await showPlan(opened, shownPath(request.place.folder), consent, terminal.err);
    const mirror = await RunMirror.open(request.flags.mirror, opened, request.place);
    const outcome = await showRun(opened, { ...request, mirror }, terminal);
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
  const stopper = new Stopper(search, search.kind.face.words, (text) => view.notice(text), isFree);
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
    const wanted = { kinds, place, limits, concurrency, model, judge };
    const free = isFree(opened);
    const forecast = free ? undefined : await RunningForecast.open(wanted, search.file, search.record);
    return new LiveView(search, { label, free, forecast }, terminal.live, terminal.err.palette);
  }
  for (const line of [search.file.title, label, inWords(say.filesIn({ folder: shownPath(place.folder) }))])
    terminal.out.line(oneLine(line, 500));
  return new LineView(terminal.out);
}

function isFree({ model, judge }: OpenedSearch): boolean {
  return model.free && (judge?.free ?? true);
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
    const tree = [[], ...treeRows(search.tree, FINAL_ROWS, search.kind.face), []];
    const columns = terminal.live?.columns || 80;
    for (const row of [[{ text: search.file.title, style: 'bold' } as const], ...tree])
      line(renderRow(row, columns, palette));
  }
  const resume =
    request.resume ??
    ((...more: string[]): string =>
      resumeCommand(place, { ...withGuards(flags, search.limits.guards), unremembered }, ...more));
  const folder = shownPath(place.folder);
  const command = (name: string): string => shellCommand([...commandName(), name, folder]);
  const { tree, limits } = search;
  const { words } = search.kind.face;
  const hasReport = existsSync(join(place.folder, 'report.md'));
  const ending = { outcome, tree, limits, words, free: isFree(opened), hasReport, folder, resume, command };
  // If every event was shown, the last one has said that all is done, or who is waited for.
  const isSaid = outcome.state !== 'paused' && !isLive;
  const answer = thoughtRows(search, outcome);
  const rows = [...answer, ...farewellRows(ending).slice(isSaid ? 1 : 0), ...nextRows(search, outcome, command)];
  for (const row of rows) line(renderRow(row, Number.POSITIVE_INFINITY, palette));
}

/** Reports what could not be read, from the `from`-th on; returns the number of problems. */
function tellProblems(problems: readonly Problem[], terminal: Terminal, from: number): number {
  for (const problem of problems.slice(from)) terminal.err.line(problemText(problem));
  return problems.length;
}
