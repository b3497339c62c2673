import type { Turn } from '../../../core/ports/model.ts';
import { turnOf } from '../../../core/search/conversation.ts';
import type { TreeNode } from '../../../core/tree/tree.ts';
import { answerThatFits } from '../../../engine/budget/answer-that-fits.ts';
import type { CountedTools } from '../../../engine/calls/question.ts';
import { ROOT_SESSION } from '../../../engine/calls/root-session.ts';
import { toolWords } from '../../../engine/calls/tool-rounds.ts';
import type { CleanAnswer } from '../../../engine/report/clean-answer.ts';
import { documentLink, placeOf, webAddress } from '../../../engine/report/link-target.ts';
import type { LinkRule } from '../../../engine/report/safe-markdown.ts';
import { toolsForAnswer, writtenAnswer } from '../../../engine/report/written-answer.ts';
import { isSmallSurvey } from '../conversation/node-words.ts';
import { synthesisPrompt } from '../prompts/synthesis-prompt.ts';
import type { ResearchSearch } from '../research-search.ts';
import type { Material } from './material.ts';
import { citedPages } from './sources.ts';
import { type FirstAnswer, PROMPT_BYTES, synthesisData } from './synthesis-data.ts';

/** The rounds in which the model may read files before it answers, where it has what the survey read. */
const ROUNDS_IN_SURVEY = 1;

/** The call for the opening: a page in any language, and the model's thinking before it. */
export const OPENING_CALL = { purpose: 'synthesize', bytes: PROMPT_BYTES, maxOutputTokens: 4000 } as const;

/**
 * Asks the model for the report's opening: `text` is Markdown that can be used in the report as it is, `why` says why there
 * is none. Where the survey's conversation fits, it goes on in it: what was read there decides many a doubt.
 * @param first the answer that the search began with
 * @throws ThoughtTreeError if another process now holds the search, or its files cannot be written
 */
export async function askForOpening(ctx: ResearchSearch, material: Material, first: FirstAnswer): Promise<CleanAnswer> {
  const { turns, tools } = await wayOfAsking(ctx);
  const asking = { reads: tools !== undefined, isForked: turns.length > 0 };
  const { data, findings, nodeLinks } = await synthesisData(material, first, asking);
  const prompt = [synthesisPrompt(data), ...(tools ? [toolWords(tools.toolbox.tools, tools.rounds)] : [])].join('\n\n');
  const { purpose } = OPENING_CALL;
  const maxOutputTokens = answerThatFits(ctx.modelFor(purpose), OPENING_CALL.maxOutputTokens);
  const words = { prompt, turns, data, maxOutputTokens, ...(tools && { tools }) };
  return await writtenAnswer(ctx, { purpose, words, findings, link: linksFrom(material, nodeLinks) });
}

interface WayOfAsking {
  /** The survey's conversation; empty where it is asked apart. */
  readonly turns: readonly Turn[];
  readonly tools: CountedTools | undefined;
}

/** Takes the best way that the budget has room for. */
async function wayOfAsking(ctx: ResearchSearch): Promise<WayOfAsking> {
  const turns = await surveyTurns(ctx);
  const tools = turns.length > 0 ? toolsForAnswer(ctx, OPENING_CALL, ROUNDS_IN_SURVEY, turns) : undefined;
  return tools ? { turns, tools } : { turns: [], tools: toolsForAnswer(ctx, OPENING_CALL) };
}

/** The conversation that surveyed the workspace; empty if there is none that read files, or if it is too large for the model. */
async function surveyTurns(ctx: ResearchSearch): Promise<Turn[]> {
  const kept = ctx.surveys ? await ctx.store.readConversation(ROOT_SESSION) : undefined;
  const turns = (kept?.turns ?? []).map(turnOf);
  const hasRead = turns.some(({ toolCalls }) => toolCalls);
  return hasRead && isSmallSurvey(ctx, turns, ctx.modelFor(OPENING_CALL.purpose)) ? turns : [];
}

/** Links lead to the given nodes, and to pages that the documents cite. */
export function linksFrom(material: Material, nodeLinks: ReadonlyMap<string, TreeNode>): LinkRule {
  const { tree, folder } = material.ctx;
  const pages = citedPages(material.digests);
  return (target) => {
    const page = webAddress(target);
    if (page !== undefined) return pages.has(page) ? page : undefined;
    const node = placeOf(tree, folder, '', target)?.node;
    const link = node && documentLink(node);
    return link !== undefined && nodeLinks.get(link) === node ? link : undefined;
  };
}
