import * as z from 'zod';
import { oneLine } from '../../../core/text/text.ts';
import { lineageOf, type TreeNode } from '../../../core/tree/tree.ts';
import { notesFor, notesText } from '../../../engine-parts/transcripts/conversations.ts';
import { decompositionOf } from '../moves/decompose.ts';
import { restsOn } from '../strategy/whole-solutions.ts';
import { thoughtAt } from '../thought-document.ts';
import { byRank, thoughtId, worthOf } from '../thought-node.ts';
import type { ThoughtSearch } from '../thought-search.ts';
import { Account } from './answer-prompts.ts';
import type { DraftData } from './draft-prompts.ts';
import type { BesideData, PathData, PlanData } from './prompts.ts';
import { eachOnce } from './thought-answers.ts';
import {
  criteriaOf,
  type Decomposition,
  type EvaluateThoughts,
  type GenerateThoughts,
  type ThoughtNode,
} from './thought-messages.ts';

/** This project's statuses in the source's messages. */
export function sourceStatus({ status, children }: TreeNode): ThoughtNode['status'] {
  if (status === 'pruned' || status === 'failed') return 'pruned';
  if (status === 'leaf') return 'terminal';
  return status === 'expanded' || children.length > 0 ? 'expanded' : 'pending';
}

/** Returns how the problem was taken apart, for every request. */
export async function planData(ctx: ThoughtSearch): Promise<PlanData> {
  return { decomposition: await decompositionOf(ctx), mostSteps: ctx.limits.now.maxDepth };
}

/** Returns a node in the source's messages. */
async function messageNode(ctx: ThoughtSearch, node: TreeNode): Promise<ThoughtNode> {
  const { content, action_type, metadata } = await thoughtAt(ctx, node);
  const { score, confidence, reasoning } = node.evaluation ?? {};
  return {
    id: thoughtId(node),
    parent_id: node.parent ? thoughtId(node.parent) : null,
    children_ids: node.children.slice(0, 1000).map(thoughtId),
    depth: node.depth,
    content,
    ...(action_type === undefined ? {} : { action_type }),
    evaluation:
      score === undefined
        ? null
        : { score, ...(confidence !== undefined && { confidence }), ...(reasoning && { reasoning }) },
    status: node.parent ? sourceStatus(node) : node.listed ? 'expanded' : 'pending',
    ...(metadata === undefined ? {} : { metadata }),
  };
}

/** Asks for next thoughts at a node. */
export async function generateMessage(
  ctx: ThoughtSearch,
  node: TreeNode,
  count: number,
  path: PathData,
  earlier: readonly string[],
): Promise<GenerateThoughts> {
  const { settings } = ctx;
  const decomposition = await decompositionOf(ctx);
  return {
    type: 'generate_thoughts',
    payload: {
      parent_node: { ...(await messageNode(ctx, node)), children_ids: [], evaluation: null, status: 'pending' },
      generation_strategy: settings.generation,
      num_candidates: count,
      context: {
        problem: ctx.file.prompt,
        goal: criteriaOf(decomposition).join('; '),
        constraints: decomposition.constraints,
        path: path.steps.map(({ content }) => content),
        earlier: [...earlier],
      },
    },
  };
}

/** Returns the paths that candidates continue, by the ids of their parents. */
export async function pathsOf(ctx: ThoughtSearch, nodes: readonly TreeNode[]): Promise<Record<string, PathData>> {
  const parents = [...new Set(nodes.map(({ parent }) => parent as TreeNode))];
  const paths = await Promise.all(parents.map((parent) => judgedPath(ctx, parent)));
  return Object.fromEntries(parents.map((parent, at) => [thoughtId(parent), paths[at] as PathData]));
}

/** Asks for a judgement of nodes. */
export async function evaluateMessage(
  ctx: ThoughtSearch,
  nodes: readonly TreeNode[],
  paths: Readonly<Record<string, PathData>>,
): Promise<EvaluateThoughts> {
  const { settings } = ctx;
  const decomposition = await decompositionOf(ctx);
  const criteria = criteriaOf(decomposition);
  const contents = ([id, { steps }]: [string, PathData]) => [id, steps.map(({ content }) => content)] as const;
  return {
    type: 'evaluate_thoughts',
    payload: {
      candidates: await Promise.all(nodes.map((node) => messageNode(ctx, node))),
      evaluation_strategy: settings.evaluation,
      evaluation_criteria: [...criteria],
      context: {
        problem: ctx.file.prompt,
        goal: criteria.join('; '),
        constraints: decomposition.constraints,
        current_depth: nodes[0]?.depth ?? 0,
        max_depth: ctx.limits.now.maxDepth,
        paths: Object.fromEntries(Object.entries(paths).map(contents)),
      },
    },
  };
}

/** From this score on, a criterion counts as met. */
const MET_FROM = 9;
/** The most defects of one path that a request names; more would hide the latest. */
const MOST_DEFECTS = 30;
const MOST_BESIDE = 4;
const LONGEST_KEY = 100;

/** Returns a criterion as the key of its score. */
export function criterionKey(criterion: string): string {
  return oneLine(criterion, LONGEST_KEY);
}

/**
 * Returns the defects that judges named of these nodes, each once, in order. Of those that say the same in nearly the same
 * words, as judges do who find a defect again in the next step, the one that says most stays.
 */
export function defectsOf(nodes: readonly TreeNode[]): string[] {
  const all = eachOnce(nodes.flatMap(({ evaluation }) => evaluation?.defects ?? []));
  const said = all.map((defect, at) => ({ defect, at, words: wordsIn(defect) }));
  const longestFirst = [...said].sort((a, b) => b.words.size - a.words.size || b.at - a.at);
  const kept: typeof said = [];
  for (const each of longestFirst) if (!kept.some(({ words }) => saySame(words, each.words))) kept.push(each);
  return kept.sort((a, b) => a.at - b.at).map(({ defect }) => defect);
}

/** Returns the defects that readers named of a draft, without what was rejected, for a reason, in an earlier version. */
export function defectsToMend(node: TreeNode): string[] {
  const rejected = rejectedAbove(node).map(({ defect }) => wordsIn(defect));
  const left = defectsOf([node]).filter((defect) => !rejected.some((words) => saySame(words, wordsIn(defect))));
  return left.slice(0, MOST_TO_MEND);
}

/** Returns what was said of earlier versions of a draft and not mended, with the reasons; what has none stays to be mended. */
function rejectedAbove(node: TreeNode): Account[] {
  return accountsOf(node).open.filter(({ how }) => how !== '');
}

/** Returns what a draft, and those that it came from, say about the defects that readers had named, each once. */
export function accountsOf(node: TreeNode): { readonly mended: readonly Account[]; readonly open: readonly Account[] } {
  const said = lineageOf(node).map(({ file }) => Accounts.parse(file?.own ?? {}));
  return { mended: said.flatMap(({ mended }) => mended), open: said.flatMap(({ open }) => open) };
}

/** More than so many at once are not mended, but crammed in. */
const MOST_TO_MEND = 12;

const Accounts = z.object({ mended: z.array(Account).catch([]), open: z.array(Account).catch([]) });

const WORD = /[\p{L}\p{N}]{3,50}/gu;
/** Shorter defects differ in a word or two, and are never taken for each other. */
const FEWEST_WORDS = 10;
/** The share of the shorter one's words from which two defects count as one: 17 of 60 that two long searches named, all rightly. */
const SHARE_OF_WORDS = 0.6;

function wordsIn(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(WORD));
}

function saySame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const fewer = Math.min(one.size, other.size);
  const both = [...one].filter((word) => other.has(word)).length;
  return fewer >= FEWEST_WORDS && both >= SHARE_OF_WORDS * fewer;
}

/** The success criteria that the last judged thought of a path leaves open; none where no judge said. */
function openAt(node: TreeNode, decomposition: Decomposition): PathData['open'] {
  const judged = lineageOf(node).findLast(({ evaluation }) => evaluation);
  const scores = judged?.evaluation?.dimension_scores;
  if (!scores) return [];
  const scored = criteriaOf(decomposition).map((each, at) => ({
    number: at + 1,
    score: scores[criterionKey(each)] ?? MET_FROM,
  }));
  return scored.filter(({ score }) => score < MET_FROM);
}

/** Returns the path to a node, with what judges said of it, and of what its thoughts were made from. */
export async function judgedPath(ctx: ThoughtSearch, node: TreeNode): Promise<PathData> {
  const path = lineageOf(node);
  const steps = await Promise.all(path.map((each) => thoughtAt(ctx, each)));
  const open = openAt(node, await decompositionOf(ctx));
  return { state: node.state, steps, objections: defectsOf(restsOn(ctx.tree, node)).slice(-MOST_DEFECTS), open };
}

/** Returns the best that were proposed beside a node and not chosen, with the objections to them. */
export async function besideOf(ctx: ThoughtSearch, node: TreeNode): Promise<BesideData[]> {
  const isWhole = ({ prunedBy, leafReason }: TreeNode): boolean =>
    prunedBy !== 'verifier' && prunedBy !== 'user' && leafReason !== 'duplicate';
  const others = (node.parent?.children ?? []).filter((each) => each !== node && isWhole(each) && !each.failure);
  const best = [...others].sort((a, b) => worthOf(b) - worthOf(a) || byRank(a, b)).slice(0, MOST_BESIDE);
  return await Promise.all(best.map((each) => besideAt(ctx, each)));
}

/** Returns a thought with what judges said against it. */
export async function besideAt(ctx: ThoughtSearch, node: TreeNode): Promise<BesideData> {
  return { thought: await thoughtAt(ctx, node), objections: node.evaluation?.defects ?? [] };
}

/** Returns all that a request for a draft below a node says. */
export async function draftData(ctx: ThoughtSearch, node: TreeNode, draw = 0): Promise<DraftData> {
  const isFirst = node.parent === undefined;
  return {
    purpose: 'write-draft',
    question: ctx.file.prompt,
    plan: await decompositionOf(ctx),
    draft: isFirst ? undefined : (await thoughtAt(ctx, node)).content,
    defects: defectsToMend(node),
    rejected: rejectedAbove(node),
    draw,
    notes: notesText(await notesFor(ctx, isFirst ? undefined : node)),
  };
}
