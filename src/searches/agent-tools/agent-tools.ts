import pLimit from 'p-limit';
import type * as z from 'zod';
import type { ActionCall } from '../../core/actions/action-call.ts';
import { type Message, messageOf } from '../../core/messages/message.ts';
import { wrongField } from '../../core/messages/wrong-field.ts';
import type { Model } from '../../core/ports/model.ts';
import { isThoughtTreeError, ThoughtTreeError, toThoughtTreeError } from '../../core/search/errors.ts';
import { ledWords } from '../../core/search/messages.ts';
import type { LimitReached } from '../../core/search/record/search-state.ts';
import { withoutCommands } from '../../core/text/text.ts';
import { nodeAt, type TreeNode } from '../../core/tree/tree.ts';
import type { Kinds } from '../../engine/kind.ts';
import type { Search } from '../../engine/search.ts';
import type { CallStory } from '../../engine-parts/transcripts/transcript.ts';
import type { FoundSearch } from '../../store/open-store.ts';
import { type ActionOutcome, actOnSearch, serveRequests } from '../act-on-search.ts';
import {
  compareSides,
  comparisonLines,
  figuresLine,
  readSide,
  type Side,
  type SideFigures,
} from '../history/compare-searches.ts';
import { overviewAt } from '../history/past-overview.ts';
import { openSearch } from '../open-search.ts';
import type { WorkRequest } from '../open-work.ts';
import type { Place } from '../place.ts';
import { findNode } from '../reader/find-node.ts';
import type { NodeDetails } from '../reader/node-details.ts';
import { outlineNodes, type SearchOverview } from '../reader/search-overview.ts';
import { SearchReader } from '../reader/search-reader.ts';
import type { ActWithin, AgentHost, AgentRun, Plan, ToolAnswer, ToolCall, Wanted } from './agent-host.ts';
import { askSearch, DocumentChanges, documentPaths, listDocuments, readDocument, searchNames } from './documents.ts';
import { foundSearches, nameOf, placeNamed } from './find-place.ts';
import {
  noCallsYet,
  noReportYet,
  noSuchCall,
  runsAlready,
  stopped,
  stoppedAndPaused,
  tooMany,
  wrongArguments,
} from './messages.ts';
import { pageOf, shownTitle, withRest } from './safe-text.ts';
import { nodeRow, offeredActions, statusAnswer } from './status-of.ts';
import {
  type CompareArgs,
  type ComparedTwo,
  type Listed,
  type Read,
  type ReadArgs,
  TREE_TOOLS,
  type TreeToolName,
} from './tool-descriptors.ts';
import { planAct } from './tree-act.ts';
import { planStart, waitFor } from './tree-start.ts';

/** The most nodes of an outline, and calls of a node, in one answer. */
const MOST_NODES = 200;
const MOST_CALLS = 100;

/** `tree_read`: a part of a search. */
async function readAnswer(host: AgentHost, args: ReadArgs): Promise<ToolAnswer> {
  const place = await placeNamed(host, args.search);
  const path = args.node === undefined ? '' : await findNode(place.folder, args.node);
  const overview = await overviewAt(host.kinds, place.folder);
  const { whole, ...more } = await READERS[args.what](host, overview, path, args);
  const page = pageOf(whole, args.offset);
  const node = path === '' ? undefined : nodeAt(overview.tree, path);
  const data: Read = {
    search: nameOf(host, place),
    what: args.what,
    node: path,
    title: shownTitle(node?.title ?? overview.file.title),
    ...(node && { status: node.status }),
    ...page,
    ...more,
  };
  const file = args.what === 'report' ? 'report.md' : path !== '' && args.what === 'node' ? `${path}/document.md` : '';
  const files = file === '' ? [] : [{ search: data.search, path: file, title: data.title }];
  return { text: withRest(page), data, files };
}

type Part = { readonly whole: string } & Pick<Read, 'nodes' | 'calls' | 'actions'>;
type Reader = (host: AgentHost, overview: SearchOverview, path: string, args: ReadArgs) => Promise<Part>;

const READERS: Readonly<Record<ReadArgs['what'], Reader>> = {
  outline: async (_host, { tree }, path) => {
    const root = (path === '' ? undefined : nodeAt(tree, path)) ?? tree.root;
    const shown = outlineNodes(tree, MOST_NODES, [], root);
    const lines = shown.map(({ node, hidden }) => outlineLine(node, hidden, root.depth));
    const whole = lines.join('\n') || 'There are no nodes yet.';
    return { whole, nodes: shown.map(({ node, hidden }) => nodeRow(node, hidden)) };
  },
  node: async (host, overview, path) => {
    const details = await overview.reader.details(path);
    const actions = await offeredActions(host.kinds, overview, path);
    const calls = details.story.calls.slice(-MOST_CALLS).map(callRow);
    return { whole: nodeText(overview, details), calls, actions: actions.map(({ name }) => name) };
  },
  report: async (_host, { store }) => {
    const whole = await store.readReport();
    if (whole === undefined) throw new ThoughtTreeError('not-found', noReportYet());
    return { whole };
  },
  words: async (_host, { reader }, path, { call }) => {
    const { calls } = (await reader.details(path)).story;
    if (calls.length === 0) throw new ThoughtTreeError('not-found', noCallsYet());
    const number = call ?? calls.length;
    const found = await reader.exchange(path, number);
    if (!found)
      throw new ThoughtTreeError('not-found', noSuchCall({ number: String(number), count: String(calls.length) }));
    return { whole: wordsText(found.call, found.found), calls: [callRow(found.call)] };
  },
};

function outlineLine(node: TreeNode, hidden: number, above: number): string {
  const { node: path, title, status, score } = nodeRow(node);
  const indent = '  '.repeat(Math.min(node.depth - above - 1, 20));
  const said = [
    status,
    ...(score === undefined ? [] : [`${score}/10`]),
    ...(hidden > 0 ? [`${hidden} more below`] : []),
  ];
  return `${indent}- ${title} [${said.join(', ')}] ${path}`;
}

function nodeText({ tree, file, state }: SearchOverview, details: NodeDetails): string {
  const { path, document, note, links, story } = details;
  const node = path === '' ? undefined : nodeAt(tree, path);
  const { failure, evaluation, summary } = node ?? {};
  const lines = [
    `# ${shownTitle(node?.title ?? file.title)}`,
    ...(node ? [`Status: ${node.status}`] : [`Question: ${file.prompt}`, `State: ${state}`]),
    ...(summary === undefined ? [] : [`Summary: ${shownTitle(summary)}`]),
    ...(evaluation ? [`Score: ${evaluation.score}/10 ${shownTitle(evaluation.reasoning ?? '')}`.trimEnd()] : []),
    ...(failure ? [`Failed: ${shownTitle(messageOf(failure.message, failure.say).text)}`] : []),
    ...(note === undefined ? [] : [`Note: ${note}`]),
    ...links.map(({ type, isIncoming, other, id }) =>
      shownTitle(`${isIncoming ? 'Linked by' : 'Link'}: ${type} ${other?.path ?? id}`),
    ),
    ...(node && node.children.length > 0
      ? ['Children:', ...node.children.slice(0, MOST_NODES).map((child) => outlineLine(child, 0, node.depth))]
      : []),
    `Calls: ${story.calls.length}`,
  ];
  return document === undefined ? lines.join('\n') : `${lines.join('\n')}\n\n${document}`;
}

function callRow({ number, purpose, outcome }: CallStory): NonNullable<Read['calls']>[0] {
  return { call: number, purpose: shownTitle(purpose), outcome };
}

type Words = NonNullable<Awaited<ReturnType<SearchOverview['reader']['exchange']>>>['found'];

function wordsText(call: CallStory, found: Words): string {
  if ('unknown' in found) return found.unknown.text;
  const { system, turns, prompt, answer } = found.exchange;
  const parts: [string, string][] = [
    ['system', system],
    ...turns.map(({ role, text }): [string, string] => [role, text]),
    ['prompt', prompt],
    ['answer', answer ?? `(none: ${call.outcome})`],
  ];
  return parts.map(([label, text]) => `── ${label}\n${text}`).join('\n\n');
}

/** `tree_compare`: what differs between two searches, moments or nodes. */
async function compareAnswer(host: AgentHost, args: CompareArgs): Promise<ToolAnswer> {
  const [placeA, placeB] = [await placeNamed(host, args.search), await placeNamed(host, args.with)];
  const { node = '', with_node: other = node } = args;
  const sides = { a: await sideAt(host, placeA, node), b: await sideAt(host, placeB, other) };
  const compared = await compareSides(sides);
  const show = ({ text }: Message): string => text;
  const [a, b] = [nameOf(host, placeA), nameOf(host, placeB)];
  const lines = comparisonLines(compared, show).map(
    ({ sign, text, isParagraph }) => `${isParagraph ? '    ' : ''}${sign === '' ? '' : `${sign} `}${text}`,
  );
  const heads = [`A ${figuresLine(compared.a, a, show)}`, `B ${figuresLine(compared.b, b, show)}`];
  const page = pageOf([...heads, ...lines].join('\n'), args.offset);
  const only = (side: 'a' | 'b'): number =>
    compared.alone.reduce((sum, each) => sum + (each.side === side ? each.nodes : 0), 0);
  const sideOf = (search: string, { node: path, state, nodes, calls, tokens, usd }: SideFigures) => {
    return { search, node: path, state, nodes, calls, tokens, usd };
  };
  const data: ComparedTwo = {
    a: sideOf(a, compared.a),
    b: sideOf(b, compared.b),
    ...(compared.divergence?.after !== undefined && { same_until: compared.divergence.after }),
    same_nodes: compared.same,
    changed_nodes: compared.changed.length,
    only_a: only('a'),
    only_b: only('b'),
    ...page,
  };
  return { text: withRest(page), data };
}

async function sideAt({ kinds }: AgentHost, { folder }: Place, named: string): Promise<Side> {
  return await readSide(kinds, folder, named === '' ? '' : await findNode(folder, named));
}

const READ_AT_ONCE = 4;
/** The most searches in one answer. */
const MOST = 50;

/** `tree_list`: the searches of the host's folders, the latest first. */
async function listAnswer(host: AgentHost): Promise<ToolAnswer> {
  const found = await foundSearches(host);
  const begun = ({ search }: FoundSearch): string => search?.createdAt ?? '';
  const latest = found.sort((a, b) => (begun(a) < begun(b) ? 1 : begun(a) > begun(b) ? -1 : 0)).slice(0, MOST);
  const searches = await pLimit(READ_AT_ONCE).map(latest, (each) => rowOf(host, each));
  const more = found.length - latest.length;
  const data: Listed = { searches, more };
  const lines = searches.map(
    ({ search, title, state, reason, nodes, problem }) =>
      `- ${search}: ${title} (${problem ?? `${reason ?? state}, ${nodes === 1 ? '1 node' : `${nodes} nodes`}`})`,
  );
  if (more > 0) lines.push(`and ${more} more`);
  return { text: lines.join('\n') || 'There are no searches here. tree_start begins one.', data };
}

async function rowOf(host: AgentHost, { folder, search: file, problem }: FoundSearch): Promise<Listed['searches'][0]> {
  const search = nameOf(host, { folder });
  const created = file?.createdAt === undefined ? {} : { created: shownTitle(file.createdAt) };
  const known = { search, title: shownTitle(file?.title ?? search), kind: shownTitle(file?.kind ?? 'unknown') };
  const damaged = (why: string) => ({ ...known, state: 'damaged', nodes: 0, usd: 0, problem: shownTitle(why) });
  if (problem || !file) return damaged(problem?.message ?? 'search.json cannot be read');
  try {
    const overview = await overviewAt(host.kinds, folder);
    const { state, tree, results } = overview;
    const led = ledWords(overview);
    return {
      ...known,
      state,
      ...(led && { reason: shownTitle(led.text) }),
      nodes: tree.size,
      usd: results.usd,
      ...created,
    };
  } catch (error) {
    if (!isThoughtTreeError(error)) throw error;
    return damaged(error.message);
  }
}

/** Searches that one program runs for agents at the same time. */
const MOST_RUNS = 8;

interface Run {
  readonly place: Place;
  readonly search: Search;
  readonly over: Promise<void>;
}

/** The parts of their program that runs need. */
interface OwnRunsParts {
  readonly kinds: Kinds;
  /** Who asks, in journals. */
  readonly by: string;
  /** Opens a model, prepared with its price and without secrets. */
  readonly openModel: (name: string, place: Place, isJudge: boolean) => Promise<Model>;
  /** For searches that change files and run commands; without it, they cannot. */
  readonly work?: WorkRequest | undefined;
  /** Tells a person, in one line, what nobody else hears. */
  readonly tell: (text: string) => void;
  /** Called when a search has begun or ended here. */
  readonly onChange?: ((place: Place) => void) | undefined;
}

/** Runs searches for agents within this process, in the background; others can steer them as any other search. */
class OwnRuns implements Pick<AgentHost['runs'], 'isHere' | 'start' | 'pause' | 'act'> {
  readonly #parts: OwnRunsParts;
  readonly #runs = new Map<string, Run>();
  /** The folders of searches that are being opened. */
  readonly #opening = new Map<string, Promise<void>>();
  #isClosed = false;

  constructor(parts: OwnRunsParts) {
    this.#parts = parts;
  }

  isHere(folder: string): boolean {
    return this.#runs.has(folder);
  }

  /** @throws ThoughtTreeError `held`, and the errors of opening a model and a search; then nothing is begun */
  async start(run: AgentRun): Promise<void> {
    const { folder } = run.place;
    try {
      if (this.#runs.has(folder) || this.#opening.has(folder)) throw new ThoughtTreeError('held', runsAlready());
      if (this.#runs.size + this.#opening.size >= MOST_RUNS)
        throw new ThoughtTreeError('bad-input', tooMany({ count: MOST_RUNS }));
      const opening = this.#open(run);
      this.#opening.set(folder, opening);
      await opening;
    } catch (error) {
      run.permit.settle?.(0);
      throw error;
    } finally {
      this.#opening.delete(folder);
    }
  }

  async #open({ place, create, model, judge, plan, limits, permit, signal }: AgentRun): Promise<void> {
    const { kinds, openModel, onChange, work } = this.#parts;
    const hasJudge = judge !== undefined && judge !== model;
    const { search, store } = await openSearch({
      kinds,
      place,
      create,
      plan,
      limits,
      work,
      openModel: () => openModel(model, place, false),
      openJudge: hasJudge ? () => openModel(judge, place, true) : undefined,
      openMember: (name) => openModel(name, place, false),
    });
    if (this.#isClosed || signal?.aborted) {
      await search.close();
      throw new ThoughtTreeError('aborted', signal?.aborted ? stoppedAndPaused() : stopped());
    }
    if (!create) await search.closeIfDone();
    const before = search.record.spend.usd;
    const running = search.run();
    // Only once it runs, since an earlier pause would be lost.
    const served = serveRequests(place.folder, search, store, ({ text }) => this.#parts.tell(text));
    const over = this.#follow(place, search, running, served, () =>
      permit.settle?.(Math.max(0, search.record.ledger.spendAtWorst.usd - before)),
    );
    this.#runs.set(place.folder, { place, search, over });
    onChange?.(place);
  }

  async #follow(
    place: Place,
    search: Search,
    running: Promise<unknown>,
    served: Promise<() => Promise<void>>,
    settle: () => void,
  ): Promise<void> {
    const tell = (error: unknown): void => this.#parts.tell(`${place.folder}: ${toThoughtTreeError(error).message}`);
    // The system's timers do not keep the process alive, so that it would exit while a search waits for its model.
    const alive = setInterval(() => undefined, 60_000);
    await running.catch(tell);
    await served.then((stop) => stop()).catch(tell);
    await search.close().catch(tell);
    clearInterval(alive);
    settle();
    this.#runs.delete(place.folder);
    this.#parts.onChange?.(place);
  }

  async pause(folder: string): Promise<void> {
    const run = this.#runs.get(folder);
    run?.search.pause(true);
    await run?.over;
  }

  /** Pauses everything that runs here, and begins nothing more; the places of what was paused. */
  async close(): Promise<Place[]> {
    this.#isClosed = true;
    await Promise.allSettled(this.#opening.values());
    const runs = [...this.#runs.values()];
    for (const { search } of runs) search.pause(true);
    await Promise.all(runs.map(({ over }) => over));
    return runs.filter(({ search }) => search.state !== 'finished').map(({ place }) => place);
  }

  async act(
    place: Place,
    call: ActionCall,
    signal: AbortSignal,
    { model, mostUsd }: ActWithin,
  ): Promise<ActionOutcome> {
    const { kinds, by, openModel } = this.#parts;
    const run = this.#runs.get(place.folder);
    if (!run)
      return await actOnSearch(place, call, {
        kinds,
        by,
        signal,
        mostUsd,
        named: model,
        openModel: (name) => openModel(name, place, false),
      });
    try {
      return { ok: true, ...(await run.search.act(call, by)), isResting: false };
    } catch (error) {
      const { reason, say, details } = toThoughtTreeError(error);
      if (reason === 'internal') throw error;
      return { ok: false, reason, say, problems: details.problems, isResting: false };
    }
  }
}

/** A tool, as far as checking its arguments needs it. */
interface Tool<Args> {
  readonly name: TreeToolName;
  readonly input: z.ZodType<Args>;
}

type Taking<Args, Result> = (host: AgentHost, args: Args, call: ToolCall) => Promise<Result>;

/**
 * Returns a tool whose arguments are checked before it plans. @throws ThoughtTreeError `bad-input`, naming the wrong
 * argument
 */
function checking<Args>(tool: Tool<Args>, plan: Taking<Args, Plan>): Taking<unknown, Plan> {
  return async (host, args, call) => {
    const { data, error } = tool.input.safeParse(args ?? {});
    if (error) throw new ThoughtTreeError('bad-input', wrongArguments({ tool: tool.name, why: wrongField(error) }));
    return await plan(host, data, call);
  };
}

/** Returns a tool that asks nobody. */
function plainly<Args>(tool: Tool<Args>, run: Taking<Args, ToolAnswer>): Taking<unknown, Plan> {
  return checking(tool, async (host, args, call) => ({ carryOut: () => run(host, args, call) }));
}

const [START, WAIT, STATUS, READ, ACT, LIST, COMPARE] = TREE_TOOLS;

const PLANNERS: Readonly<Record<TreeToolName, Taking<unknown, Plan>>> = {
  [START.name]: checking(START, planStart),
  [WAIT.name]: plainly(WAIT, async (host, { search, seconds }, call) => {
    const place = await placeNamed(host, search);
    await waitFor(host, place, seconds, call);
    return await statusAnswer(host, place);
  }),
  [STATUS.name]: plainly(STATUS, async (host, { search }) => await statusAnswer(host, await placeNamed(host, search))),
  [READ.name]: plainly(READ, readAnswer),
  [ACT.name]: checking(ACT, planAct),
  [LIST.name]: plainly(LIST, listAnswer),
  [COMPARE.name]: plainly(COMPARE, compareAnswer),
};

/**
 * Calls a tool. Asks for permission first where it is needed; nothing is written or spent without it.
 * @throws ThoughtTreeError saying why not, and what to do; whatever the host's `permit` throws
 */
async function run(host: AgentHost, name: TreeToolName, args: unknown, call: ToolCall): Promise<ToolAnswer> {
  const { wanted, carryOut } = await PLANNERS[name](host, args, call);
  const answer = await carryOut(wanted ? await host.permit(wanted, call) : {});
  return { ...answer, text: withoutCommands(answer.text) };
}

/**
 * Returns what a person has to allow before a call, which changes nothing: for hosts that ask before they call.
 * @throws ThoughtTreeError if the call is not possible
 */
async function wanted(host: AgentHost, name: TreeToolName, args: unknown): Promise<Wanted | undefined> {
  return (await PLANNERS[name](host, args, { signal: new AbortController().signal })).wanted;
}

/** Returns the spend limit that a search rests at; undefined if it rests at none. @throws ThoughtTreeError `not-found` */
async function limitReached(host: Pick<AgentHost, 'folders'>, name: string): Promise<LimitReached | undefined> {
  const { isActive, record } = await SearchReader.read(await placeNamed(host, name));
  return isActive ? undefined : record.limitReached;
}

/** The tools over searches for agents: a part of `searches`, which is loaded when the first of them is called. */
export const agentTools = {
  run,
  wanted,
  OwnRuns,
  DocumentChanges,
  listDocuments,
  searchNames,
  documentPaths,
  readDocument,
  askSearch,
  limitReached,
};
