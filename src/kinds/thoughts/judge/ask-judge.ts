import { noted } from '../../../core/messages/kept.ts';
import { type Conversation, type ConversationTurn, isAnswer } from '../../../core/search/conversation.ts';
import { toThoughtTreeError } from '../../../core/search/errors.ts';
import { pathOf, type TreeNode } from '../../../core/tree/tree.ts';
import { notesFor, notesText } from '../../../engine/calls/notes.ts';
import type { Words } from '../../../engine/calls/question.ts';
import { consequenceOf } from '../../../engine/loop/consequence.ts';
import { decompositionOf } from '../decompose.ts';
import { simplerCriteria, unscored } from '../messages.ts';
import type { EvaluateData, PathData } from '../prompts/prompt-data.ts';
import { evaluatePrompt } from '../prompts/prompts.ts';
import { evaluateMessage, pathsOf, planData } from '../prompts/source-messages.ts';
import { type JudgedAbout, type ReadJudgement, readJudgements } from '../prompts/thought-answers.ts';
import { criteriaOf } from '../prompts/thought-messages.ts';
import { thoughtAt } from '../thought-document.ts';
import { thoughtId } from '../thought-id.ts';
import type { ThoughtSearch } from '../thought-search.ts';
import { isPartOf, type Judging, judgementsOn } from './judgement-session.ts';
import { criterionKey } from './standing.ts';

/** Tokens per candidate, and for the model's thinking before that. */
const TOKENS_A_CANDIDATE = 250;
/** Tokens per candidate where its defects are named. */
const TOKENS_WITH_DEFECTS = 400;
const TOKENS_AT_LEAST = 2000;

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
  const read = samplesIn(conversation, judging, about);
  let isSimple = false;
  let isPoor = isByLess(conversation, judging);
  while (read.length < settings.samplesAtOnce) {
    try {
      const simpler = isSimple ? { simpler: true } : {};
      const given = await ctx.asks.ask(
        {
          purpose: 'evaluate',
          node: parentOf(nodes),
          about: nodes.map(pathOf),
          words: () => wordsFor(ctx, nodes, { isSimple, isVerdict: false, sample: read.length }),
          check: (text) => readJudgements(text, about),
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
      if (isSimple || read.length > 0) {
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

/** The samples of a judgement in a conversation. */
function samplesIn(
  conversation: Conversation,
  judging: Judging,
  about: JudgedAbout,
): ReadonlyMap<string, ReadJudgement>[] {
  return answersOf(conversation, judging).map(({ text }) => readJudgements(text, about));
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
  return conversation.turns.filter((turn, at) => turn.purpose === 'evaluate' && isAnswer(turn) && isLike(turn, at));
}

/** The form in which a judgement is asked for. */
type Form = Pick<EvaluateData, 'isSimple' | 'isVerdict' | 'sample'>;

/** The words that ask for a judgement of nodes. */
export async function wordsFor(ctx: ThoughtSearch, nodes: readonly TreeNode[], form: Form): Promise<Words> {
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

/** The common parent of all of them; undefined if there are several. */
function parentOf(nodes: readonly TreeNode[]): TreeNode | undefined {
  const [parent, ...others] = new Set(nodes.map((node) => node.parent));
  return others.length === 0 ? parent : undefined;
}
