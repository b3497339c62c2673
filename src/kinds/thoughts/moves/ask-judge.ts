import { noted } from '../../../core/messages/message.ts';
import { type Conversation, type ConversationTurn, isAnswer, withExchange } from '../../../core/search/conversation.ts';
import { toThoughtTreeError } from '../../../core/search/errors.ts';
import { digest } from '../../../core/text/text.ts';
import { nodeAt, pathOf, type TreeNode } from '../../../core/tree/tree.ts';
import type { SearchContext } from '../../../engine/context.ts';
import { consequenceOf } from '../../../engine/loop.ts';
import type { Prompt, Question } from '../../../engine/question.ts';
import { notesFor, notesText } from '../../../engine-parts/transcripts/conversations.ts';
import { simplerCriteria, unscored } from '../messages.ts';
import { type ReadDraftData, readDraftPrompt } from '../prompts/draft-prompts.ts';
import { type EvaluateData, evaluatePrompt, type PathData } from '../prompts/prompts.ts';
import { type JudgedAbout, type ReadJudgement, readJudgements, readReading } from '../prompts/thought-answers.ts';
import { criterionKey, evaluateMessage, pathsOf, planData } from '../prompts/thought-data.ts';
import { criteriaOf } from '../prompts/thought-messages.ts';
import { thoughtAt } from '../thought-document.ts';
import { thoughtId } from '../thought-node.ts';
import type { ThoughtSearch } from '../thought-search.ts';
import { decompositionOf } from './decompose.ts';

/** Tokens per candidate, and for the model's thinking before that. */
const TOKENS_A_CANDIDATE = 250;
/** Tokens per candidate where its defects are named. */
const TOKENS_WITH_DEFECTS = 400;
const TOKENS_AT_LEAST = 2000;
/** Tokens for what a reader says of one draft. */
const TOKENS_A_READING = 4000;
const JUDGES: ReadonlySet<string> = new Set(['evaluate', 'read-draft']);

/** The samples of a judgement, and whether they are fewer, or by simpler criteria, than requested. */
export interface Judged {
  readonly samples: readonly ReadonlyMap<string, ReadJudgement>[];
  readonly isPoor: boolean;
}

/**
 * Asks the judge about nodes, with one call per sample. Each answer is kept before it is used, under the first node's
 * name; samples that an earlier run kept are not asked for again. If the usual criteria yield no answer, simpler ones are
 * tried once; without any answer there are no samples.
 */
export async function askJudge(ctx: ThoughtSearch, judging: Judging, signal: AbortSignal): Promise<Judged> {
  const { settings } = ctx;
  const { nodes, before } = judging;
  let conversation = await judgementsOn(ctx, nodes[0] as TreeNode);
  const about = await judgedAbout(ctx, nodes);
  const read = answersOf(conversation, judging).map(({ text }) => readerOf(ctx)(text, about));
  let isSimple = false;
  let isPoor = isByLess(conversation, judging);
  while (read.length < settings.samplesAtOnce) {
    try {
      const simpler = isSimple ? { simpler: true } : {};
      const given = await ctx.asks.ask(
        {
          ...judgementQuestion(ctx, nodes, about, { isSimple, isVerdict: false, sample: read.length }),
          node: parentOf(nodes),
          about: nodes.map(pathOf),
          keep: {
            conversation,
            nth: read.length,
            isLike: isPartOf(judging, conversation),
            marks: { about: nodes.map(pathOf), before: [...before], ...simpler },
          },
        },
        signal,
      );
      conversation = given.conversation;
      read.push(given.value);
    } catch (error) {
      if (consequenceOf(error) !== 'fail') throw error;
      isPoor = true;
      const code = toThoughtTreeError(error).reason === 'timed-out' ? 'EVALUATION_TIMEOUT' : 'INVALID_FORMAT';
      if (isSimple || read.length > 0 || settings.writesDrafts) {
        if (read.length === 0)
          ctx.history.note({ type: 'progress', ...noted(unscored({ code, count: nodes.length })) });
        break;
      }
      ctx.history.note({ type: 'progress', ...noted(simplerCriteria({ code })) });
      isSimple = true;
    }
  }
  return { samples: read, isPoor };
}

/** Tells whether a kept judgement was made by simpler criteria than requested. */
function isByLess(conversation: Conversation, judging: Judging): boolean {
  return answersOf(conversation, judging).some(({ simpler }) => simpler);
}

/** Returns how to read a judgement: of steps, or of one whole draft. */
function readerOf({ settings }: ThoughtSearch): typeof readJudgements {
  return settings.writesDrafts ? readReading : readJudgements;
}

/** Returns the question for a judgement of nodes. */
export function judgementQuestion(
  ctx: ThoughtSearch,
  nodes: readonly TreeNode[],
  about: JudgedAbout,
  form: Form,
): Pick<Question<Map<string, ReadJudgement>>, 'purpose' | 'words' | 'check'> {
  const [node] = nodes;
  const check = (text: string): Map<string, ReadJudgement> => readerOf(ctx)(text, about);
  if (ctx.settings.writesDrafts && node)
    return { purpose: 'read-draft', words: () => readingWords(ctx, node, form), check };
  return { purpose: 'evaluate', words: () => wordsFor(ctx, nodes, form), check };
}

/** Returns the words that ask for a reading of a draft: of its text alone, as if nobody had read it before. */
async function readingWords(ctx: ThoughtSearch, node: TreeNode, { isVerdict, sample }: Form): Promise<Prompt> {
  const data: ReadDraftData = {
    purpose: 'read-draft',
    question: ctx.file.prompt,
    plan: await decompositionOf(ctx),
    draft: (await thoughtAt(ctx, node)).content,
    isVerdict,
    sample,
    notes: notesText(await notesFor(ctx, undefined)),
  };
  return { prompt: readDraftPrompt(data), data, maxOutputTokens: TOKENS_A_READING };
}

/** Returns the nodes and criteria that a judgement is about. */
export async function judgedAbout(ctx: ThoughtSearch, nodes: readonly TreeNode[]): Promise<JudgedAbout> {
  return {
    ids: nodes.map(thoughtId),
    criteria: criteriaOf(await decompositionOf(ctx)).map(criterionKey),
    isCompared: ctx.settings.evaluation === 'comparative_voting',
  };
}

function answersOf(conversation: Conversation, judging: Judging): ConversationTurn[] {
  const isLike = isPartOf(judging, conversation);
  return conversation.turns.filter((turn, at) => JUDGES.has(turn.purpose) && isAnswer(turn) && isLike(turn, at));
}

/** The form in which a judgement is asked for. */
type Form = Pick<EvaluateData, 'isSimple' | 'isVerdict' | 'sample'>;

/** Returns the words that ask for a judgement of nodes. */
async function wordsFor(ctx: ThoughtSearch, nodes: readonly TreeNode[], form: Form): Promise<Prompt> {
  const { settings } = ctx;
  const branches = await Promise.all(
    [...new Set(nodes.map(({ parent }) => parent))].map((at) => notesFor(ctx, at?.parent ? at : undefined)),
  );
  const said = await pathsOf(ctx, nodes);
  // A second judge does not know what the first ones said.
  const unjudged = ([id, { steps }]: [string, PathData]) => [id, { steps, objections: [], open: [] }] as const;
  const paths = form.isVerdict ? Object.fromEntries(Object.entries(said).map(unjudged)) : said;
  const data: EvaluateData = {
    purpose: 'evaluate',
    question: ctx.file.prompt,
    message: await evaluateMessage(ctx, nodes, paths),
    plan: await planData(ctx),
    paths,
    thoughts: await Promise.all(nodes.map((node) => thoughtAt(ctx, node))),
    states: nodes.map(({ state }) => state),
    ...form,
    wording: settings.task?.wording?.evaluate ?? '',
    notes: notesText([...new Map(branches.flat().map((note) => [note.id, note])).values()]),
  };
  return {
    prompt: evaluatePrompt(data),
    data,
    maxOutputTokens: TOKENS_AT_LEAST + (data.wording === '' ? TOKENS_WITH_DEFECTS : TOKENS_A_CANDIDATE) * nodes.length,
  };
}

/** Returns the common parent of all of them; undefined if there are several. */
function parentOf(nodes: readonly TreeNode[]): TreeNode | undefined {
  const [parent, ...others] = new Set(nodes.map((node) => node.parent));
  return others.length === 0 ? parent : undefined;
}

/**
 * The name under which a judgement is kept: that of the first node it is about, whose own file is written last, so that
 * it is found as long as one of them lacks its score. A short hash, since paths are not valid file names.
 */
function judgementSession(first: TreeNode): string {
  return `judge-${digest(pathOf(first))}`;
}

/** A judgement: the nodes it is about, and how often each of them had been judged before. */
export interface Judging {
  readonly nodes: readonly TreeNode[];
  readonly before: readonly number[];
}

/** One that was paid for and has not been applied: a node judged since then means that it has been. */
export interface KeptJudgement extends Judging {
  readonly conversation: Conversation;
}

/** Returns the conversation that keeps judgements under a node's name, one after the other. */
async function judgementsOn(ctx: SearchContext, first: TreeNode): Promise<Conversation> {
  const id = judgementSession(first);
  return (await ctx.store.readConversation(id)) ?? { id, turns: [] };
}

/** Returns the last judgement that is kept under a node's name, if all of its nodes exist. */
export async function keptJudgement(ctx: SearchContext, first: TreeNode): Promise<KeptJudgement | undefined> {
  const conversation = await judgementsOn(ctx, first);
  const { about, before = [] } = conversation.turns.findLast((turn) => turn.about ?? isDiscarded(turn)) ?? {};
  if (about?.[0] !== pathOf(first)) return undefined;
  const nodes = about.map((path) => nodeAt(ctx.tree, path));
  return nodes.every((node) => node !== undefined) ? { conversation, nodes, before } : undefined;
}

/** Returns the conversation of the second judgement of a node that was called a solution. */
export async function verdictOn(ctx: SearchContext, node: TreeNode): Promise<Conversation> {
  const id = `verdict-${digest(pathOf(node))}`;
  return (await ctx.store.readConversation(id)) ?? { id, turns: [] };
}

/** Makes nodes be judged again that were judged under this node's name: what is kept there no longer counts. */
export async function discardJudgements(ctx: SearchContext, first: TreeNode): Promise<void> {
  for (const kept of [await judgementsOn(ctx, first), await verdictOn(ctx, first)])
    if (kept.turns.length > 0)
      await ctx.store.writeConversation(
        withExchange(kept, DISCARDED, 'A person wants this judged again.', 'Understood.'),
      );
}

const DISCARDED = 'discarded';

function isDiscarded({ purpose }: ConversationTurn): boolean {
  return purpose === DISCARDED;
}

/** Distinguishes the answers of one judgement from earlier ones in the same conversation. */
export function isPartOf(
  { nodes, before }: Judging,
  { turns }: Conversation,
): (answer: ConversationTurn, at: number) => boolean {
  const since = turns.findLastIndex(isDiscarded);
  const about = JSON.stringify(nodes.map(pathOf));
  return (answer, at) =>
    at > since &&
    JSON.stringify(answer.about) === about &&
    JSON.stringify(answer.before ?? []) === JSON.stringify(before);
}
