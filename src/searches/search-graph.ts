import { actionsOf } from '../core/actions/actions.ts';
import { type KindDescriptor, type KindDrawing, type RoleView, UNKNOWN_TERMS } from '../core/kind/kind-descriptor.ts';
import { type Message, messageOf } from '../core/messages/message.ts';
import type { Receipt } from '../core/search/events.ts';
import { expansionsOf, type SpendLimit } from '../core/search/limits.ts';
import { ledWords } from '../core/search/messages.ts';
import { progressWords } from '../core/search/progress.ts';
import type { NodeSpend } from '../core/search/record/nodes-seen.ts';
import { wishesThatLead } from '../core/search/record/steering.ts';
import { oneLine, withoutCode } from '../core/text/text.ts';
import type { Evaluation } from '../core/tree/node-file.ts';
import { bestPathOf, isPruned, nodeAt, pathOf, type Tree, type TreeNode } from '../core/tree/tree.ts';
import { descriptorOf, type Kinds } from '../engine/kind.ts';
import type { CallStory, Calls } from '../engine-parts/transcripts/transcript.ts';
import type {
  GraphCall,
  GraphDetails,
  GraphLimit,
  GraphLink,
  GraphNode,
  GraphSearch,
  GraphSibling,
  GraphSlot,
  GraphTerms,
  GraphTimedCall,
  GraphTranscript,
} from '../protocol/graph-node.ts';
import * as say from './messages.ts';
import type { NodeLink } from './reader/node-details.ts';
import { answerOf, findingsOf, overviewOf, receiptsIn, type SearchOverview } from './reader/search-overview.ts';
import type { SearchReader } from './reader/search-reader.ts';
import { ownUse } from './trust/own-search.ts';

/** The most open leaves that are numbered. */
const IN_LINE = 30;
const LONGEST_TITLE = 1000;
const LONGEST_ANSWER = 20_000;

/** Puts a message into the reader's language. */
export type Show = (message: Message) => string;

/** The parts besides a search that its drawing needs. */
export interface GraphParts {
  /** The known kinds, for their terms. */
  readonly kinds: Kinds;
  readonly show: Show;
}

/**
 * Returns the search as a whole, in the form in which the panel gets it; without what can be done, and what will be.
 */
export function graphSearchOf(
  search: SearchReader,
  tree: Tree | undefined,
  { kinds, show }: GraphParts,
): Omit<GraphSearch, 'actions' | 'forecast'> {
  const { calls, prompt, cached, completion, worstCase, usd, usdComplete, minutes, booked } = search.spend;
  const tokens = prompt + completion + worstCase;
  const size = search.limits ? expansionsOf(search.limits.size) : Number.POSITIVE_INFINITY;
  const used: Record<SpendLimit, number> = { calls, tokens, usd, minutes };
  return {
    title: oneLine(search.title, LONGEST_TITLE),
    question: search.file?.prompt ?? '',
    kind: search.file?.kind ?? '',
    words: graphWords(search, kinds),
    ...drawnLinksOf(search, kinds),
    state: search.state,
    isHeld: search.isHeld,
    ...ledOf(search, show),
    reason: oneLine(reasonText(search, show), 1000),
    model: search.model ?? '',
    progress: show(progressWords(search.progress, descriptorOf(kinds, search.file?.kind ?? '')?.words)),
    worked: search.progress.done,
    size: Number.isFinite(size) ? size : null,
    guards: guardsOf(search, used),
    calls,
    tokens,
    prompt,
    cached,
    usd,
    usdComplete,
    ...(booked.calls > 0 ? { booked } : {}),
    minutes: Math.round(minutes * 10) / 10,
    slots: search.isActive ? slotsOf(search) : [],
    order: tree ? orderOf(search, tree, kinds) : [],
    bestPath: tree ? bestPathOf(tree, search.bestPath) : [...(search.bestPath ?? [])],
    ...solutionOf(search, tree),
  };
}

/** Returns the solution that a finished search has found. */
function solutionOf(
  { state, record, file }: SearchReader,
  tree: Tree | undefined,
): Pick<GraphSearch, 'isSolved' | 'answer'> {
  const findings = file && tree && findingsOf({ state, record, file });
  if (!findings) return {};
  const answer = answerOf({ state, record, file, tree });
  const { solved: isSolved } = findings;
  return typeof answer === 'object' ? { isSolved, answer: answer.text.slice(0, LONGEST_ANSWER) } : { isSolved };
}

function graphWords({ file }: SearchReader, kinds: Kinds): GraphTerms {
  const descriptor = file && descriptorOf(kinds, file.kind);
  const { one, several, label, addNode, findNodes } = descriptor?.words ?? UNKNOWN_TERMS;
  const doing = Object.fromEntries(
    Object.entries(descriptor?.purposes ?? {}).map(([name, traits]) => [name, traits.doing]),
  );
  return { one, several, label, addNode, findNodes, doing };
}

function drawnLinksOf({ file }: SearchReader, kinds: Kinds): Pick<GraphSearch, 'drawnLinks'> {
  const drawing = file && descriptorOf(kinds, file.kind)?.graph?.drawing;
  return drawing ? { drawnLinks: drawing.links } : {};
}

/** Wishes first, then the first level in order, then the picker's ranking; nothing is in line once it is finished. */
function orderOf({ record, file, state }: SearchReader, tree: Tree, kinds: Kinds): string[] {
  if (state === 'finished') return [];
  const isByLinks = descriptorOf(kinds, file?.kind ?? '')?.graph !== undefined;
  const first = isByLinks ? [] : tree.root.children.filter(isOpenLeaf).map(pathOf);
  const inLine = new Set<string>();
  const wishes = wishesThatLead(record.wishes, actionsOf(descriptorOf(kinds, file?.kind ?? '')));
  for (const path of [...wishes.map(({ node }) => node), ...first, ...record.ranking]) {
    if (inLine.size >= IN_LINE) break;
    const node = nodeAt(tree, path);
    if (node && isOpenLeaf(node)) inLine.add(path);
  }
  return [...inLine];
}

function slotsOf({ record }: SearchReader): GraphSlot[] {
  return [...record.callsUnderWay.all].map(({ node, purpose, since }) => ({ node, purpose, since }));
}

function guardsOf({ limits }: SearchReader, used: Record<SpendLimit, number>): GraphLimit[] {
  const names = ['calls', 'tokens', 'usd', 'minutes'] as const;
  return names.flatMap((name) => {
    const limit = limits?.guards[name];
    return limit === undefined ? [] : [{ name, used: used[name], limit }];
  });
}

/** The facts that are known of a node besides its files. */
interface NodeContext {
  /** The links of its tree. */
  readonly links: Tree['links'];
  /** Its origin, where that was checked. */
  readonly receipt?: Receipt['by'] | undefined;
  /** The cost of the calls for it. */
  readonly spend?: NodeSpend | undefined;
}

/** Returns a node in the form in which the panel gets it. */
export function graphNodeOf(
  node: TreeNode,
  descriptor: KindDescriptor | undefined,
  show: Show,
  { links, receipt, spend }: NodeContext,
): GraphNode {
  const { title, status, index, summary, evaluation, selected, sameAs, leafReason, prunedBy, failure, citations } =
    node;
  return {
    path: pathOf(node),
    title: oneLine(title, LONGEST_TITLE),
    status,
    index,
    ...(summary === undefined ? {} : { summary: oneLine(descriptor?.marks ? withoutCode(summary) : summary, 2000) }),
    ...(evaluation === undefined ? {} : { score: evaluation.score }),
    ...(evaluation?.confidence === undefined ? {} : { confidence: evaluation.confidence }),
    ...(evaluation?.low_confidence ? { isLowConfidence: true } : {}),
    ...(selected === false ? { selected } : {}),
    ...(sameAs === undefined ? {} : { sameAs }),
    ...(leafReason === undefined ? {} : { leafReason }),
    ...(prunedBy === undefined ? {} : { prunedBy }),
    ...(failure === undefined ? {} : { failure: oneLine(show(messageOf(failure.message, failure.say)), 2000) }),
    ...(citations === undefined ? {} : { citations }),
    ...(spend && spend.usd > 0 ? { usd: Number(spend.usd.toPrecision(6)) } : {}),
    ...(spend && spend.tokens > 0 ? { tokens: spend.tokens } : {}),
    ...markedOf(node, descriptor, receipt),
    ...drawnOf(node, descriptor?.graph?.drawing, links),
  };
}

/** Returns the marks that a kind gives a node, and the look that goes with them. */
function markedOf(
  node: TreeNode,
  descriptor: KindDescriptor | undefined,
  receipt: Receipt['by'] | undefined,
): Pick<GraphNode, 'marks' | 'look'> {
  if (!descriptor?.marks || !node.parent) return {};
  const below = node.children.map(({ file }) => file?.own);
  const marks = descriptor.marks.of(node.file?.own, below, receipt);
  if (marks.length === 0) return {};
  const { status, leafReason, prunedBy } = node;
  return { marks, look: descriptor.look({ status, leafReason, prunedBy, own: node.file?.own, below }) };
}

/** The most links of a node that are drawn. */
const MOST_LINKS = 300;

/** Returns its place in a drawing in layers. */
function drawnOf(
  node: TreeNode,
  drawing: KindDrawing | undefined,
  links: Tree['links'],
): Pick<GraphNode, 'links' | 'role'> {
  if (!drawing || !node.parent) return {};
  const drawn = links
    .from(node)
    .flatMap(({ type, to }) => (to && Object.hasOwn(drawing.links, type) ? [{ type, path: pathOf(to) }] : []))
    .slice(0, MOST_LINKS);
  const { parent, index } = node;
  const siblings = (): RoleView[] => parent.children.map(({ status, file }) => ({ status, own: file?.own }));
  const role = drawing.roleOf(node.file?.own, parent.file?.own, { index, siblings });
  return { ...(drawn.length > 0 ? { links: drawn } : {}), ...(role === undefined ? {} : { role }) };
}

function isOpenLeaf(node: TreeNode): boolean {
  return node.status === 'unexpanded' && node.selected !== false && !isPruned(node);
}

/** Returns its progress, where no word for a state tells it. */
function ledOf(search: SearchReader, show: Show): Pick<GraphSearch, 'led'> {
  const words = ledWords(search);
  return words ? { led: show(words) } : {};
}

/** Says why it cannot be read, or does not run. */
function reasonText({ problem, state, reason }: SearchReader, show: Show): string {
  const why = problem ?? (state === 'running' ? undefined : reason);
  return why ? show(why) : '';
}

/** The longest document that is shown next to the drawing, in characters. */
const LONGEST_DOCUMENT = 200_000;
/** The longest text of an exchange, in characters; the prompt and the answer of a call stay whole far beyond it. */
const LONGEST_TEXT = 1_000_000;
/** The most recent calls; a search's root can have thousands. */
const MOST_CALLS = 300;
const MOST_DIMENSIONS = 50;

/** Everything about one node that is not part of the drawing. */
export async function detailsOf(search: SearchReader, kinds: Kinds, path: string, show: Show): Promise<GraphDetails> {
  if (!search.store) return { path, calls: [], steered: [] };
  const { file, document: text, note, quotations, links, story } = await search.details(path);
  const document = text === undefined ? undefined : withoutFrontMatter(text);
  return {
    path,
    ...(document === undefined ? {} : { document: document.slice(0, LONGEST_DOCUMENT) }),
    ...(document !== undefined && document.length > LONGEST_DOCUMENT ? { isCut: true } : {}),
    ...(quotations.length > 0 ? { citations: quotations } : {}),
    ...(await tablesOf(search, kinds, file?.own)),
    ...(links.length > 0 ? { links: links.map(graphLink) } : {}),
    ...reasonsOf(file?.evaluation),
    ...judgeOf(story.calls, search.file && descriptorOf(kinds, search.file.kind)),
    ...(await besideOf(search, kinds, path)),
    ...(file?.model ? { model: file.model } : {}),
    ...(note === undefined ? {} : { note }),
    calls: story.calls.slice(-MOST_CALLS).map((call) => graphCall(call, show)),
    steered: story.steered
      .slice(-MOST_CALLS)
      .map(({ time, by, message, say: kept }) => ({ time, by, message: show(messageOf(message, kept)) })),
  };
}

/** Returns the tables in which its kind describes it. */
async function tablesOf({ file }: SearchReader, kinds: Kinds, own: unknown): Promise<Pick<GraphDetails, 'tables'>> {
  const details = await (file && descriptorOf(kinds, file.kind)?.graph?.details());
  const tables = details?.of(own) ?? [];
  return tables.length > 0 ? { tables } : {};
}

function withoutFrontMatter(text: string): string {
  return text.replace(/^\ufeff?---[^\S\n]*\r?\n[\s\S]*?\r?\n---[^\S\n]*(?:\r?\n|$)/, '');
}

function reasonsOf(evaluation: Evaluation | undefined): Pick<GraphDetails, 'reasoning' | 'votes' | 'dimensions'> {
  const { reasoning, votes = [], dimension_scores = {} } = evaluation ?? {};
  const dimensions = Object.entries(dimension_scores).slice(0, MOST_DIMENSIONS);
  return {
    ...(reasoning ? { reasoning } : {}),
    ...(votes.length > 0 ? { votes } : {}),
    ...(dimensions.length > 0 ? { dimensions: dimensions.map(([name, score]) => ({ name, score })) } : {}),
  };
}

/** Returns the model of the last call that judged it. */
function judgeOf(
  calls: readonly Pick<CallStory, 'purpose' | 'model' | 'outcome'>[],
  descriptor: KindDescriptor | undefined,
): Pick<GraphDetails, 'judge'> {
  const judged = calls.findLast(({ purpose, outcome }) => outcome === 'ok' && descriptor?.purposes[purpose]?.judged);
  return judged ? { judge: judged.model } : {};
}

/** The most siblings that are compared, and the longest reasons for a score beside others. */
const MOST_SIBLINGS = 30;
const LONGEST_REASONS = 1000;

/** Returns a node and its siblings with their scores, the reasons for them, and who judged, the best first. */
async function besideOf(search: SearchReader, kinds: Kinds, path: string): Promise<Pick<GraphDetails, 'beside'>> {
  const tree = path === '' ? undefined : await search.tree().catch(() => undefined);
  const siblings = (tree && nodeAt(tree, path)?.parent?.children) ?? [];
  const scored = siblings.flatMap((node): GraphSibling[] => {
    const { evaluation } = node;
    if (!evaluation) return [];
    const reasoning = oneLine(evaluation.reasoning ?? '', LONGEST_REASONS);
    const title = oneLine(node.title, LONGEST_TITLE);
    return [{ path: pathOf(node), title, score: evaluation.score, ...(reasoning && { reasoning }) }];
  });
  if (scored.length < 2) return {};
  const descriptor = search.file && descriptorOf(kinds, search.file.kind);
  const best = scored.sort((a, b) => b.score - a.score).slice(0, MOST_SIBLINGS);
  const beside = best.map(async (each) => ({ ...each, ...judgeOf(await search.callsOf(each.path), descriptor) }));
  return { beside: await Promise.all(beside) };
}

function graphLink({ type, isIncoming, other, id }: NodeLink): GraphLink {
  return { type, isIncoming, ...(other ?? { title: id }) };
}

function graphCall(
  { number, purpose, model, attempt, time, outcome, message, say: kept, ms, usage, worst, charged }: CallStory,
  show: Show,
): GraphCall {
  return {
    number,
    purpose,
    model,
    attempt,
    time,
    outcome,
    ...(message === undefined ? {} : { message: show(messageOf(message, kept)) }),
    ...(ms === undefined ? {} : { ms }),
    ...(usage ? { prompt: usage.prompt, cached: usage.cached, completion: usage.completion } : {}),
    ...(usage?.usd === undefined ? {} : { usd: usage.usd }),
    ...(!usage && charged && worst.tokens > 0 ? { worst: worst.tokens } : {}),
  };
}

/** The last moment that is a date, in milliseconds since 1970. */
const LAST_DATE = 8.64e15;

/**
 * Returns calls in time, in the form in which the panel gets them. A journal may come from anybody: a call that began at no date is
 * left out, an end that is none, or before the beginning, is not told.
 * @param told with their places among all
 */
export function graphCallsOf(told: ReturnType<Calls['since']>, show: Show): GraphTimedCall[] {
  return told.flatMap(({ at, call }) => {
    const { node, time, ms, cutOff } = call;
    const start = Date.parse(time);
    if (Number.isNaN(start)) return [];
    const end = ms === undefined ? Date.parse(cutOff ?? '') : start + ms;
    return [{ id: at, node, ...graphCall(call, show), ...(end >= start && end <= LAST_DATE ? { end } : {}) }];
  });
}

/** Returns the transcript of one call. */
export async function graphTranscript(
  search: SearchReader,
  path: string,
  number: number,
  show: Show,
): Promise<GraphTranscript> {
  const base = { path, call: number };
  if (!search.store || !search.file) return { ...base, unknown: show(say.cannotBeRead()) };
  const words = await search.exchange(path, number);
  if (!words) return { ...base, unknown: show(say.unknownCall()) };
  if ('unknown' in words.found) return { ...base, unknown: show(words.found.unknown) };
  const { system, turns, prompt, answer } = words.found.exchange;
  return {
    ...base,
    system: system.slice(0, LONGEST_TEXT),
    turns: turns.map(({ role, text }) => ({ role, text: text.slice(0, LONGEST_TEXT) })),
    prompt: prompt.slice(0, LONGEST_TEXT),
    ...(answer === undefined ? {} : { answer: answer.slice(0, LONGEST_TEXT) }),
  };
}

/** Tells a node's origin in a line, as far as this user's own journal tells the same; undefined without receipts. */
export function receiptLine(
  { tree, receiptOf }: Pick<SearchOverview, 'tree' | 'receiptOf'>,
  path: string,
  show: Show,
): string | undefined {
  const node = path === '' ? undefined : nodeAt(tree, path);
  const receipt = node && receiptOf(node);
  if (!receipt) return undefined;
  if (receipt.by === 'engine') return show(say.receiptOfEngine({ call: receipt.call, model: receipt.model }));
  return show(receipt.by === 'agent' ? say.receiptOfAgent({ agent: receipt.agent }) : say.noReceipt());
}

/** Reads that line for a search that is only followed: with what its kind knows, if its kind has marks. */
export async function readReceiptLine(
  search: SearchReader,
  kinds: Kinds,
  path: string,
  show: Show,
): Promise<string | undefined> {
  const { folder, file, at } = search;
  if (!file || !descriptorOf(kinds, file.kind)?.marks) return undefined;
  if (!at) return receiptLine(await overviewOf(kinds, folder), path, show);
  return receiptLine(
    { tree: await search.tree(), receiptOf: receiptsIn(search, await ownUse(folder, undefined, at)) },
    path,
    show,
  );
}
