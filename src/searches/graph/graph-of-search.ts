import { actionsOf } from '../../core/actions/actions.ts';
import type { KindDrawing, RoleView } from '../../core/kind/kind-drawing.ts';
import { type KindFace, UNKNOWN_WORDS } from '../../core/kind/kind-face.ts';
import { messageOf } from '../../core/messages/kept.ts';
import type { Message } from '../../core/messages/message.ts';
import { expansionsOf, type Guard } from '../../core/search/limits.ts';
import { ledWords } from '../../core/search/messages.ts';
import { progressWords } from '../../core/search/progress.ts';
import type { Receipt } from '../../core/search/receipt.ts';
import type { NodeSpend } from '../../core/search/record/nodes-seen.ts';
import { wishesThatLead } from '../../core/search/record/wishes.ts';
import { oneLine } from '../../core/text/text.ts';
import { bestBelow } from '../../core/tree/best-path.ts';
import { isPruned, nodeAt, pathOf, type Tree, type TreeNode } from '../../core/tree/tree.ts';
import { faceOf, type Kinds } from '../../engine/kind/kinds.ts';
import type { GraphGuard, GraphNode, GraphSearch, GraphSlot, GraphWords } from '../../protocol/graph-node.ts';
import { answerOf, findingsOf } from '../reader/answer-of.ts';
import type { SearchReader } from '../reader/search-reader.ts';

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

/** The search as a whole, in the form in which the panel gets it; without what can be done, and what will be. */
export function graphSearchOf(
  search: SearchReader,
  tree: Tree | undefined,
  { kinds, show }: GraphParts,
): Omit<GraphSearch, 'actions' | 'forecast'> {
  const { calls, prompt, cached, completion, worstCase, usd, usdComplete, minutes, booked } = search.spend;
  const tokens = prompt + completion + worstCase;
  const size = search.limits ? expansionsOf(search.limits.size) : Number.POSITIVE_INFINITY;
  const used: Record<Guard, number> = { calls, tokens, usd, minutes };
  return {
    title: oneLine(search.title, LONGEST_TITLE),
    question: search.file?.prompt ?? '',
    kind: search.file?.kind ?? '',
    words: graphWords(search, kinds),
    ...drawnLinksOf(search, kinds),
    state: search.state,
    ...ledOf(search, show),
    reason: oneLine(reasonText(search, show), 1000),
    model: search.model ?? '',
    progress: show(progressWords(search.progress, faceOf(kinds, search.file?.kind ?? '')?.words)),
    worked: tree?.finished ?? 0,
    size: Number.isFinite(size) ? size : null,
    guards: guardsOf(search, used),
    calls,
    tokens,
    cached,
    usd,
    usdComplete,
    ...(booked.calls > 0 ? { booked } : {}),
    minutes: Math.round(minutes * 10) / 10,
    slots: search.isActive ? slotsOf(search) : [],
    order: tree ? orderOf(search, tree, kinds) : [],
    bestPath: bestPathOf(search, tree),
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

function graphWords({ file }: SearchReader, kinds: Kinds): GraphWords {
  const face = file && faceOf(kinds, file.kind);
  const { one, several, label, addNode, findNodes } = face?.words ?? UNKNOWN_WORDS;
  const doing = Object.fromEntries(Object.entries(face?.purposes ?? {}).map(([name, traits]) => [name, traits.doing]));
  return { one, several, label, addNode, findNodes, doing };
}

function drawnLinksOf({ file }: SearchReader, kinds: Kinds): Pick<GraphSearch, 'drawnLinks'> {
  const drawing = file && faceOf(kinds, file.kind)?.drawing;
  return drawing ? { drawnLinks: drawing.links } : {};
}

function bestPathOf({ bestPath }: SearchReader, tree: Tree | undefined): string[] {
  if (bestPath) return [...bestPath];
  return tree ? bestBelow(tree.root).map(pathOf) : [];
}

/** Wishes first, then the first level in order, then the picker's ranking; nothing is in line once it is finished. */
function orderOf({ record, file, state }: SearchReader, tree: Tree, kinds: Kinds): string[] {
  if (state === 'finished') return [];
  const isByLinks = faceOf(kinds, file?.kind ?? '')?.drawing !== undefined;
  const first = isByLinks ? [] : tree.root.children.filter(isOpenLeaf).map(pathOf);
  const inLine = new Set<string>();
  const wishes = wishesThatLead(record.wishes, actionsOf(faceOf(kinds, file?.kind ?? '')));
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

function guardsOf({ limits }: SearchReader, used: Record<Guard, number>): GraphGuard[] {
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

/** A node in the form in which the panel gets it. */
export function graphNodeOf(
  node: TreeNode,
  face: KindFace | undefined,
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
    ...(summary === undefined ? {} : { summary: oneLine(summary, 2000) }),
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
    ...markedOf(node, face, receipt),
    ...drawnOf(node, face?.drawing, links),
  };
}

/** Returns the marks that a kind gives a node, and the look that goes with them. */
function markedOf(
  node: TreeNode,
  face: KindFace | undefined,
  receipt: Receipt['by'] | undefined,
): Pick<GraphNode, 'marks' | 'look'> {
  if (!face?.marks || !node.parent) return {};
  const below = node.children.map(({ file }) => file?.own);
  const marks = face.marks.of(node.file?.own, below, receipt);
  if (marks.length === 0) return {};
  const { status, leafReason, prunedBy } = node;
  return { marks, look: face.look({ status, leafReason, prunedBy, own: node.file?.own, below }) };
}

/** The most links of a node that are drawn. */
const MOST_LINKS = 300;

/** Its place in a drawing in layers. */
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

/** Why it cannot be read, or does not run. */
function reasonText({ problem, state, reason }: SearchReader, show: Show): string {
  const why = problem ?? (state === 'running' ? undefined : reason);
  return why ? show(why) : '';
}
