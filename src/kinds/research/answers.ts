import TinyQueue from 'tinyqueue';
import * as z from 'zod';
import * as say from '../../core/messages/answers.ts';
import { noCandidate, noPaths } from '../../core/messages/answers.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { dataIn, lastOutput, listIn } from '../../core/text/model-output.ts';
import { oneLine } from '../../core/text/text.ts';
import { childSlug } from '../../core/tree/slug.ts';
import { byPosition, isPruned, lineageOf, pathOf, type Tree, type TreeNode, walk } from '../../core/tree/tree.ts';
import type { NodeId, NodePatch } from '../../core/tree/tree-node.ts';
import type { Child } from '../../engine/nodes.ts';

/** One child as proposed by a model; `score` is how much it expects of it, 0 to 10. */
export interface ProposedChild {
  readonly title: string;
  readonly score?: number;
  readonly why?: string;
}

const LONGEST_TITLE = 200;

const Proposed = z.array(
  z.union([
    z.looseObject({
      title: z.union([z.string(), z.number()]),
      score: z.union([z.number(), z.string()]).nullish().catch(undefined),
      why: z.string().nullish().catch(undefined),
    }),
    z.string().transform((title) => ({ title, score: undefined, why: undefined })),
  ]),
);

/**
 * The list of children in an answer: titles reduced to one line, empty and repeated ones dropped, cut to `maxChildren`.
 * @throws ThoughtTreeError `bad-answer` saying what is wrong, in words for the model
 */
export function readChildren(answer: string, maxChildren: number): ProposedChild[] {
  const parsed = Proposed.safeParse(listIn(dataIn(answer)));
  if (!parsed.success)
    throw new ThoughtTreeError('bad-answer', say.wrongList({ why: oneLine(z.prettifyError(parsed.error), 500) }));
  return dropRepeated(parsed.data).slice(0, maxChildren);
}

function dropRepeated(list: z.infer<typeof Proposed>): ProposedChild[] {
  const seen = new Set<string>();
  const children: ProposedChild[] = [];
  for (const each of list) {
    const title = oneLine(String(each.title), LONGEST_TITLE);
    const key = titleKey(title);
    if (title === '' || seen.has(key)) continue;
    seen.add(key);
    const score = scoreOf(each.score);
    children.push({
      title,
      ...(score === undefined ? {} : { score }),
      ...(each.why ? { why: oneLine(each.why, 500) } : {}),
    });
  }
  return children;
}

/** Returns a score as a number from 0 to 10; undefined if it is not a number. */
function scoreOf(said: number | string | null | undefined): number | undefined {
  const score = typeof said === 'string' && said.trim() !== '' ? Number(said) : said;
  if (typeof score !== 'number' || !Number.isFinite(score)) return undefined;
  return Math.min(10, Math.max(0, score)) + 0; // no -0: it would not survive being written
}

/**
 * The complete list of a node's children: the existing ones (made by a killed run, or a person), then the model's
 * proposals. A proposal with the title of an existing child is that child.
 * @param same finds a topic that has the same title: a proposal that repeats one above or a child is dropped, and one that
 * repeats another becomes a leaf with a link to it
 */
export function placeChildren(
  node: TreeNode,
  proposals: readonly ProposedChild[],
  same: (title: string) => TreeNode | undefined = () => undefined,
  longestName?: number,
): Child[] {
  const path = pathOf(node);
  const placed: Child[] = [];
  const byTitle = new Map([...node.children].reverse().map((child) => [child.title, child])); // the first of two with the same title
  const slugs = new Set(node.children.map((child) => child.slug));
  const proposed = new Set(proposals.map(({ title }) => title));
  for (const child of node.children)
    if (!proposed.has(child.title) || byTitle.get(child.title) !== child) placed.push(asItIs(child));
  for (const proposal of proposals) {
    const existing = byTitle.get(proposal.title);
    const other = existing ? undefined : same(proposal.title);
    // A node above, or beside it, is no topic below.
    if (other && (other.parent === node || lineageOf(node).includes(other))) continue;
    const slug = existing?.slug ?? childSlug(proposal.title, path, slugs, longestName);
    slugs.add(slug);
    if (existing) placed.push(asItIs(existing, proposal));
    else {
      const merged = other && { status: 'leaf' as const, leafReason: 'duplicate' as const, sameAs: pathOf(other) };
      placed.push({
        slug,
        title: proposal.title,
        fields: merged ? { ...expected(proposal), ...merged } : expected(proposal),
      });
    }
  }
  return placed;
}

/** A child that was made from its list alone, after a kill, still lacks the model's expectation. */
function asItIs(existing: TreeNode, proposal?: ProposedChild): Child {
  const { slug, title } = existing;
  return { slug, title, fields: proposal && !existing.evaluation ? expected(proposal) : undefined };
}

/** Returns the model's expectation of a child, as its first evaluation. */
function expected({ score, why }: ProposedChild): NodePatch | undefined {
  return score === undefined ? undefined : { evaluation: { score, ...(why ? { reasoning: why } : {}) } };
}

/** The topics of a search by their titles, so that none is researched twice. Built on first use, then kept up. */
export class KnownTitles {
  readonly #tree: Tree;
  #byTitle: Map<string, NodeId> | undefined;

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  /** Returns the topic with a title, letter case, white space and punctuation apart; none that is pruned or a duplicate. */
  find(title: string): TreeNode | undefined {
    const id = this.#titles().get(titleKey(title));
    const node = id === undefined ? undefined : this.#tree.get(id);
    const isSame = node?.depth && titleKey(node.title) === titleKey(title) && node.leafReason !== 'duplicate';
    return isSame && !isPruned(node) ? node : undefined;
  }

  add(nodes: Iterable<TreeNode>): void {
    const titles = this.#titles();
    for (const { title, id } of nodes) {
      const key = titleKey(title);
      if (this.find(title) === undefined) titles.set(key, id);
    }
  }

  #titles(): Map<string, NodeId> {
    if (this.#byTitle) return this.#byTitle;
    this.#byTitle = new Map();
    this.add(walk(this.#tree.root));
    return this.#byTitle;
  }
}

/** Returns what two titles have in common that differ in nothing but letter case, white space and punctuation. */
function titleKey(title: string): string {
  const plain = title.normalize('NFKC').toLowerCase();
  const words = plain.replace(/\p{P}/gu, (mark) => (TELLING.includes(mark) ? mark : ' '));
  return words.replace(/\s+/gu, ' ').trim() || plain;
}

/** Signs that tell names apart, such as C and C#. */
const TELLING = '#%&@*/';

/** A picker's answer about the candidates. */
export interface Ranking {
  /** Slug paths, most important first. */
  readonly order: readonly string[];
  /** Those on which nothing should be spent. */
  readonly dropped: readonly string[];
  /** Those that repeat another candidate: the path, and that of the other one. */
  readonly same: readonly (readonly [path: string, as: string])[];
}

const LONGEST_ANSWER = 1_000_000;
/** The characters that models put around or after a path. */
const MARKS: ReadonlySet<string> = new Set('`"\',');
const DROP = /^\W{0,4}drop(?:ped)?\W{0,4}:/i;
const SAME = /^\W{0,4}(?:same|merge)\W{0,4}:/i;
const ORDER = /^\W{0,4}(?:order|ranking)\W{0,4}:/i;

/**
 * Reads a picker's answer: candidates by their number or path, in its order, without repetitions, at most `limit` of them;
 * lines that begin with `drop:` or `same:` name those that are dropped or merged. List marks, quotes and code marks around
 * a path are removed.
 * @param candidates slug paths; the number of each is its place, from 1
 * @throws ThoughtTreeError `bad-answer` if it names no candidate at all
 */
export function readRanking(answer: string, candidates: readonly string[], limit: number): Ranking {
  // A folder made by hand may have another Unicode normal form than the model's answer.
  const byForm = new Map(candidates.map((path) => [path.normalize('NFC'), path]));
  const named = (text: string): string[] => namedIn(text, byForm, candidates);
  // Without a block, only lines that say nothing else.
  const names = (line: string): boolean => line.split(/[,;\s]+/).every((word) => word === '' || named(word).length > 0);
  const output =
    lastOutput(answer) ??
    answer
      .replaceAll(/<\/?output>/gi, '\n')
      .split('\n')
      .filter(names)
      .join('\n');
  const order = new Set<string>();
  const dropped = new Set<string>();
  const same = new Map<string, string>();
  for (const line of output.slice(0, LONGEST_ANSWER).split('\n')) {
    if (DROP.test(line)) for (const path of named(line.replace(DROP, ''))) dropped.add(path);
    else if (SAME.test(line))
      for (const pair of line.replace(SAME, '').split(/[,;]/)) {
        const [path, as] = pair.split('=').map((side) => named(side)[0]);
        if (path !== undefined && as !== undefined && path !== as && !same.has(as)) same.set(path, as);
      }
    else for (const path of named(line.replace(ORDER, ''))) order.add(path);
  }
  for (const path of [...same.keys(), ...order]) dropped.delete(path);
  for (const path of same.keys()) order.delete(path);
  if (order.size === 0 && dropped.size === 0 && same.size === 0)
    throw new ThoughtTreeError('bad-answer', /<output>/i.test(answer) ? noCandidate() : noPaths());
  return { order: [...order].slice(0, limit), dropped: [...dropped], same: [...same] };
}

function namedIn(text: string, byForm: ReadonlyMap<string, string>, candidates: readonly string[]): string[] {
  const whole = byForm.get(pathIn(text));
  if (whole !== undefined) return [whole];
  return text.split(/[,;\s]+/).flatMap((word) => {
    const number = /^\[?(\d{1,4})[\].):]?$/.exec(word)?.[1];
    const path = number === undefined ? byForm.get(pathIn(word)) : candidates[Number(number) - 1];
    return path ?? [];
  });
}

function pathIn(line: string): string {
  const item = line
    .trim()
    .replace(/^(?:[-*+]|\d+[.)])\s+/, '')
    .replace(/^[`"']+/, '');
  let end = item.length; // a loop, since a pattern at the end of a long line takes quadratic time
  while (end > 0 && MARKS.has(item[end - 1] as string)) end--;
  return item.slice(0, end).normalize('NFC');
}

const TITLE = 100;
const SUMMARY = 160;
const NONE: ReadonlyMap<TreeNode, number> = new Map();

/** A tree as text, and the nodes that have a line in it. */
export interface Outline {
  readonly text: string;
  readonly shown: ReadonlySet<TreeNode>;
}

/**
 * Returns the tree as text for a picker: one node per line, two spaces per level, `- [3] Title [status] 7.5 — summary`, where
 * the number is that of a candidate. At most
 * `lines` lines: always the first level, then nodes worked on, then the rest of the second level, as far as it fits; the
 * rest is given as a count. Visits no more of the tree than it needs.
 */
export function outlineOf(root: TreeNode, numbers: ReadonlyMap<TreeNode, number> = NONE, lines = 200): Outline {
  const shown = choose(root, root.children.length > lines ? lines - 1 : lines); // one line for those left out
  const out: string[] = [];
  for (const node of [...shown].sort(byPosition)) {
    const hidden = node.children.reduce((count, child) => count + (shown.has(child) ? 0 : 1), 0);
    out.push(
      '  '.repeat(node.depth - 1) + describe(node, numbers.get(node)) + (hidden > 0 ? ` (+${hidden} not shown)` : ''),
    );
  }
  const hidden = root.children.length - out.reduce((count, line) => count + (line.startsWith('-') ? 1 : 0), 0);
  if (hidden > 0) out.push(`(+${hidden} not shown)`);
  return { text: out.join('\n'), shown };
}

/** Returns the whole tree as text, however long. */
export function wholeOutline(root: TreeNode, numbers: ReadonlyMap<TreeNode, number> = NONE): Outline {
  const out: string[] = [];
  const shown = new Set<TreeNode>();
  for (const node of walk(root)) {
    if (node.depth === 0) continue;
    shown.add(node);
    out.push('  '.repeat(node.depth - 1) + describe(node, numbers.get(node)));
  }
  return { text: out.join('\n'), shown };
}

function choose(root: TreeNode, lines: number): Set<TreeNode> {
  const shown = new Set<TreeNode>();
  const queue = new TinyQueue<TreeNode>(root.children.slice(0, lines), byRank);
  for (let node = queue.pop(); node && shown.size < lines; node = queue.pop()) {
    shown.add(node);
    for (const child of node.children.slice(0, lines)) queue.push(child);
  }
  return shown;
}

function byRank(a: TreeNode, b: TreeNode): number {
  return rank(a) - rank(b) || a.depth - b.depth || byPosition(a, b);
}

function rank(node: TreeNode): number {
  if (node.depth === 1) return 0;
  return node.status === 'unexpanded' ? 2 : 1;
}

function describe({ evaluation, summary, title, status }: TreeNode, number: number | undefined): string {
  const score = evaluation ? ` ${Number(evaluation.score.toFixed(1))}` : '';
  const said = summary || (number === undefined ? '' : evaluation?.reasoning);
  const mark = number === undefined ? '' : `[${number}] `;
  return `- ${mark}${oneLine(title, TITLE)} [${status}]${score}${said ? ` — ${oneLine(said, SUMMARY)}` : ''}`;
}
