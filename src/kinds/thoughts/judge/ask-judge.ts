import { noted } from '../../../core/messages/kept.ts';
import { type Conversation, type ConversationTurn, isAnswer } from '../../../core/search/conversation.ts';
import { toThoughtTreeError } from '../../../core/search/errors.ts';
import { pathOf, type TreeNode } from '../../../core/tree/tree.ts';
import { notesFor, notesText } from '../../../engine/calls/notes.ts';
import type { Words } from '../../../engine/calls/question.ts';
import { consequenceOf } from '../../../engine/loop/consequence.ts';
import { simplerCriteria, unscored } from '../messages.ts';
import type { EvaluateData } from '../prompts/prompt-data.ts';
import { evaluatePrompt } from '../prompts/prompts.ts';
import { evaluateMessage } from '../prompts/source-messages.ts';
import { type ReadJudgement, readJudgements } from '../prompts/thought-answers.ts';
import { thoughtId } from '../thought-id.ts';
import type { ThoughtSearch } from '../thought-search.ts';
import { isPartOf, type Judging, judgementsOn } from './judgement-session.ts';

/** Tokens per candidate, and for the model's thinking before that. */
const TOKENS_A_CANDIDATE = 250;
const TOKENS_AT_LEAST = 2000;
/** The criteria to use if the usual ones yield no answer. */
const SIMPLER = ['progress'];

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
  const read = samplesIn(conversation, judging);
  let criteria = settings.criteria;
  let isPoor = isByLess(conversation, judging);
  while (read.length < settings.samplesAtOnce) {
    try {
      const simpler = criteria === settings.criteria ? {} : { simpler: true };
      const given = await ctx.asks.ask(
        {
          purpose: 'evaluate',
          node: parentOf(nodes),
          about: nodes.map(pathOf),
          words: () => wordsFor(ctx, nodes, criteria, read.length),
          check: (text) => readJudgements(text, nodes.map(thoughtId)),
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
      if (criteria !== settings.criteria || read.length > 0) {
        if (read.length === 0)
          ctx.history.note({ type: 'progress', ...noted(unscored({ code, count: nodes.length })) });
        break;
      }
      ctx.history.note({ type: 'progress', ...noted(simplerCriteria({ code })) });
      criteria = SIMPLER;
    }
  }
  return { samples: read, isPoor };
}

/** Whether a kept judgement was made by simpler criteria than requested. */
function isByLess(conversation: Conversation, judging: Judging): boolean {
  return answersOf(conversation, judging).some(({ simpler }) => simpler);
}

/** The samples of a judgement in a conversation. */
function samplesIn(conversation: Conversation, judging: Judging): ReadonlyMap<string, ReadJudgement>[] {
  const ids = judging.nodes.map(thoughtId);
  return answersOf(conversation, judging).map(({ text }) => readJudgements(text, ids));
}

function answersOf(conversation: Conversation, judging: Judging): ConversationTurn[] {
  const isLike = isPartOf(judging, conversation);
  return conversation.turns.filter((turn, at) => turn.purpose === 'evaluate' && isAnswer(turn) && isLike(turn, at));
}

async function wordsFor(
  ctx: ThoughtSearch,
  nodes: readonly TreeNode[],
  criteria: readonly string[],
  sample: number,
): Promise<Words> {
  const { settings } = ctx;
  const branches = await Promise.all(
    [...new Set(nodes.map(({ parent }) => parent))].map((at) => notesFor(ctx, at?.parent ? at : undefined)),
  );
  const data: EvaluateData = {
    purpose: 'evaluate',
    question: ctx.file.prompt,
    message: await evaluateMessage(ctx, nodes, criteria),
    sample,
    wording: settings.task?.wording?.evaluate ?? '',
    notes: notesText([...new Map(branches.flat().map((note) => [note.id, note])).values()]),
  };
  return {
    prompt: evaluatePrompt(data),
    data,
    maxOutputTokens: TOKENS_AT_LEAST + TOKENS_A_CANDIDATE * nodes.length,
  };
}

/** The common parent of all of them; undefined if there are several. */
function parentOf(nodes: readonly TreeNode[]): TreeNode | undefined {
  const [parent, ...others] = new Set(nodes.map((node) => node.parent));
  return others.length === 0 ? parent : undefined;
}
