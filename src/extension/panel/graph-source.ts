import { actionsOf } from '../../core/actions/actions.ts';
import { expansionsOf, type Guard } from '../../core/search/limits.ts';
import { wishesThatLead } from '../../core/search/record/wishes.ts';
import { oneLine } from '../../core/text/text.ts';
import { bestBelow } from '../../core/tree/best-path.ts';
import { joinedPath } from '../../core/tree/slug-path.ts';
import { isPruned, nodeAt, pathOf, type Tree, type TreeNode, walk } from '../../core/tree/tree.ts';
import { faceOf, type Kinds } from '../../engine/kind/kinds.ts';
import type { GraphGuard, GraphNode, GraphSearch, GraphSlot, GraphWords } from '../../protocol/graph-node.ts';
import { wordsOf } from '../kind-words.ts';
import type { FollowedSearch } from '../library/followed-search.ts';
import { keptText, messageText } from '../message-text.ts';

/** How many open leaves are numbered. */
const IN_LINE = 30;
const LONGEST_TITLE = 1000;

/** What changed since the last update. */
export interface GraphChange {
  readonly upserts: readonly GraphNode[];
  readonly removals: readonly string[];
}

/** One search as the panel draws it, read from its files and its journal, whoever runs it. */
export class GraphSource {
  readonly #search: FollowedSearch;
  readonly #kinds: Kinds;
  #tree: Tree | undefined;
  /** The last message about each node, as text, so that only changes are sent. */
  readonly #told = new Map<string, string>();
  /** The children in those messages, by slug. */
  readonly #childrenTold = new Map<string, string[]>();

  /** @param kinds the known ones, for their terms */
  constructor(search: FollowedSearch, kinds: Kinds) {
    this.#search = search;
    this.#kinds = kinds;
  }

  /** Reads the whole tree; forgets what was sent before. */
  async open(): Promise<GraphNode[]> {
    this.#told.clear();
    this.#childrenTold.clear();
    this.#tree = this.#search.store && (await this.#search.rereadTree());
    const nodes: GraphNode[] = [];
    for (const node of this.#tree ? walk(this.#tree.root) : []) {
      this.#tell(node, nodes);
      this.#childrenTold.set(
        pathOf(node),
        node.children.map(({ slug }) => slug),
      );
    }
    return nodes;
  }

  /** Reads nodes again. */
  async look(paths: Iterable<string>): Promise<GraphChange> {
    if (!this.#search.store || !this.#tree) return { upserts: [], removals: [] };
    return this.#differences(await this.#search.look(paths));
  }

  /** Nodes whose process is gone are open again: those in progress are read again when nobody works on the search. */
  inProgress(): string[] {
    return this.#tree ? [...walk(this.#tree.root)].filter(isInProgress).map(pathOf) : [];
  }

  /** The search as a whole. */
  get summary(): Omit<GraphSearch, 'actions'> {
    const search = this.#search;
    const { calls, prompt, cached, completion, worstCase, usd, usdComplete, minutes, booked } = search.spend;
    const tokens = prompt + completion + worstCase;
    const size = search.limits ? expansionsOf(search.limits.size) : Number.POSITIVE_INFINITY;
    const used: Record<Guard, number> = { calls, tokens, usd, minutes };
    return {
      title: oneLine(search.title, LONGEST_TITLE),
      question: search.file?.prompt ?? '',
      kind: search.file?.kind ?? '',
      words: this.#words,
      state: search.state,
      reason: oneLine(reasonText(search), 1000),
      model: search.model ?? '',
      worked: this.#tree?.finished ?? 0,
      size: Number.isFinite(size) ? size : null,
      guards: guardsOf(search, used),
      calls,
      tokens,
      cached,
      usd,
      usdComplete,
      ...(booked.calls > 0 ? { booked } : {}),
      minutes: Math.round(minutes * 10) / 10,
      ...forecastOf(search),
      slots: search.isActive ? slotsOf(search) : [],
      order: this.#order(),
      bestPath: this.#bestPath(),
    };
  }

  get #words(): GraphWords {
    const { one, several, label, addNode, findNodes } = wordsOf(this.#kinds, this.#search);
    const { file } = this.#search;
    const purposes = Object.entries((file && faceOf(this.#kinds, file.kind)?.purposes) ?? {});
    const doing = Object.fromEntries(purposes.map(([purpose, traits]) => [purpose, traits.doing]));
    return { one, several, label, addNode, findNodes, doing };
  }

  #differences(touched: ReadonlySet<TreeNode>): GraphChange {
    const tree = this.#tree as Tree;
    const upserts: GraphNode[] = [];
    const removals: string[] = [];
    for (const node of touched) {
      const path = pathOf(node);
      if (nodeAt(tree, path) !== node) {
        if (!nodeAt(tree, path)) this.#forget(path, removals);
        continue;
      }
      this.#forgetMissing(node, path, removals);
      for (const each of [node, ...node.children]) this.#tell(each, upserts);
    }
    return { upserts: upserts.sort((a, b) => depthOf(a) - depthOf(b)), removals };
  }

  #tell(node: TreeNode, upserts: GraphNode[]): void {
    const told = graphNode(node);
    const text = JSON.stringify(told);
    if (this.#told.get(told.path) === text) return;
    this.#told.set(told.path, text);
    upserts.push(told);
  }

  /** Children that were sent and are gone. */
  #forgetMissing(node: TreeNode, path: string, removals: string[]): void {
    const slugs = new Set(node.children.map(({ slug }) => slug));
    for (const known of this.#childrenTold.get(path) ?? [])
      if (!slugs.has(known)) this.#forget(joinedPath(path, known), removals);
    this.#childrenTold.set(path, [...slugs]);
  }

  #forget(path: string, removals: string[]): void {
    if (!this.#told.has(path)) return;
    removals.push(path);
    for (const known of this.#told.keys()) if (known === path || known.startsWith(`${path}/`)) this.#told.delete(known);
  }

  #bestPath(): string[] {
    if (this.#search.bestPath) return [...this.#search.bestPath];
    return this.#tree ? bestBelow(this.#tree.root).map(pathOf) : [];
  }

  /** Wishes first, then the first level in order, then the picker's ranking. */
  #order(): string[] {
    if (!this.#tree) return [];
    const { root } = this.#tree;
    const first = root.children.filter(isOpenLeaf).map(pathOf);
    const inLine = new Set<string>();
    const { record, file } = this.#search;
    const { ranking } = record;
    const wishes = wishesThatLead(record.wishes, actionsOf(faceOf(this.#kinds, file?.kind ?? '')));
    for (const path of [...wishes.map(({ node }) => node), ...first, ...ranking]) {
      if (inLine.size >= IN_LINE) break;
      const node = nodeAt(this.#tree, path);
      if (node && isOpenLeaf(node)) inLine.add(path);
    }
    return [...inLine];
  }
}

function slotsOf({ record }: FollowedSearch): GraphSlot[] {
  return [...record.callsUnderWay.all].map(({ node, purpose, since }) => ({ node, purpose, since }));
}

/** In dollars if prices are known; nothing for a free search, or one that another process runs. */
function forecastOf({ forecast }: FollowedSearch): Pick<GraphSearch, 'forecast'> {
  if (!forecast) return {};
  const { left, whole } = forecast();
  const unit = whole.usd ? 'usd' : 'tokens';
  const band = whole.usd ?? whole.tokens;
  const high = Math.max(band.high, whole.atMost?.[unit] ?? 0);
  return { forecast: { unit, ...band, high, minutes: left.minutes.likely } };
}

function guardsOf({ limits }: FollowedSearch, used: Record<Guard, number>): GraphGuard[] {
  const names = ['calls', 'tokens', 'usd', 'minutes'] as const;
  return names.flatMap((name) => {
    const limit = limits?.guards[name];
    return limit === undefined ? [] : [{ name, used: used[name], limit }];
  });
}

/** A node in the form in which the panel gets it. */
function graphNode(node: TreeNode): GraphNode {
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
    ...(failure === undefined ? {} : { failure: oneLine(keptText(failure.message, failure.say), 2000) }),
    ...(citations === undefined ? {} : { citations }),
  };
}

function isOpenLeaf(node: TreeNode): boolean {
  return node.status === 'unexpanded' && node.selected !== false && !isPruned(node);
}

function isInProgress({ status }: TreeNode): boolean {
  return status === 'in-progress';
}

function depthOf({ path }: GraphNode): number {
  return path === '' ? 0 : path.split('/').length;
}

/** Why it cannot be read, or does not run. */
function reasonText({ problem, state, reason }: FollowedSearch): string {
  const why = problem ?? (state === 'running' ? undefined : reason);
  return why ? messageText(why) : '';
}
