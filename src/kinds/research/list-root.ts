import type { MoveResult } from '../../core/kind/strategy.ts';
import { noted } from '../../core/messages/message.ts';
import { answerFor } from '../../core/search/conversation.ts';
import { firstParagraph } from '../../core/text/document.ts';
import { oneLine } from '../../core/text/text.ts';
import { ROOT_SESSION } from '../../engine-parts/transcripts/conversations.ts';
import { placeChildren } from './answers.ts';
import { readSurvey, type SurveyAnswer } from './document-answer.ts';
import * as say from './messages.ts';
import { childrenData } from './node-conversation.ts';
import { nodePrompt } from './node-prompt.ts';
import type { ResearchSearch } from './research-search.ts';

/**
 * Divides the question: a survey of the workspace with a provisional answer, and the topics of the first level. The root
 * has no node.json: the folders come first, and its list last, to mark completion.
 */
export async function listRoot(ctx: ResearchSearch, signal: AbortSignal): Promise<MoveResult> {
  const { root } = ctx.tree;
  const { topics, text } = await askForTopics(ctx, signal);
  const first = ctx.surveys ? keyText(text) : '';
  if (first !== '') ctx.history.note({ type: 'progress', ...noted(say.provisional({ answer: first })) });
  const made = await ctx.nodes.add(root, placeChildren(root, topics, undefined, ctx.file.longestName), 'list-last');
  ctx.titles?.add(made);
  // A report that cannot be written now is written at the end.
  if (first !== '') await ctx.closing.writeInterim().catch(() => undefined);
  return { outcome: 'done' };
}

/** Returns the survey that a search began with; undefined if it has none, as in a clone. */
export async function surveyOf(
  ctx: Pick<ResearchSearch, 'store'>,
  maxChildren = 200,
): Promise<SurveyAnswer | undefined> {
  const conversation = await ctx.store.readConversation(ROOT_SESSION);
  const answer = conversation && answerFor(conversation, 'children');
  if (!answer) return undefined;
  try {
    return readSurvey(answer.text, maxChildren);
  } catch {
    return undefined;
  }
}

async function askForTopics(ctx: ResearchSearch, signal: AbortSignal): Promise<SurveyAnswer> {
  const { root } = ctx.tree;
  const conversation = (await ctx.store.readConversation(ROOT_SESSION)) ?? { id: ROOT_SESSION, turns: [] };
  const { value } = await ctx.asks.ask(
    {
      purpose: 'children',
      keep: { conversation },
      words: (before) => {
        ctx.history.note({ type: 'progress', ...noted(ctx.surveys ? say.surveying() : say.rootExpanding()) });
        return nodePrompt(ctx, root, before, childrenData(ctx, root), signal);
      },
      check: (text) => readSurvey(text, ctx.maxChildren),
    },
    signal,
  );
  return value;
}

/** The first paragraph of a provisional answer, for the progress line. */
function keyText(text: string): string {
  return oneLine(firstParagraph(text), 400);
}
