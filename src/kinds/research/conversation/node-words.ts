import type { Model, Turn } from '../../../core/ports/model.ts';
import { withoutToolTurns } from '../../../core/ports/tool-turns.ts';
import { type Conversation, type ConversationTurn, turnOf } from '../../../core/search/conversation.ts';
import { pathOf, type TreeNode } from '../../../core/tree/tree.ts';
import { bytesOf } from '../../../engine/budget/token-estimate.ts';
import { notesFor, unheard, withNotes } from '../../../engine/calls/notes.ts';
import type { CountedTools, Words } from '../../../engine/calls/question.ts';
import { TOOL_ROUNDS, toolWords } from '../../../engine/calls/tool-rounds.ts';
import { type ToldContext, workspaceContext } from '../../../engine/grounding/workspace-context.ts';
import { byRule, type ChildrenData, type DocumentData } from '../prompts/prompt-data.ts';
import type { ResearchSearch } from '../research-search.ts';
import { fitContext } from './fit-context.ts';
import { meanwhile } from './meanwhile.ts';
import { type Above, conversationsAbove } from './node-conversations.ts';

/** The longest answer requested, in tokens. */
const MAX_OUTPUT_TOKENS = { document: 8000, children: 4000, survey: 6000 } as const;

/** The most rounds of tools before a model has to answer; a search with a small limit of calls has fewer. */
const ROUNDS = { root: 10, document: TOOL_ROUNDS, children: 3 } as const;
/** The rounds below a survey that is shown whole: it was read for everybody, and each round sends all of it again. */
const ROUNDS_BELOW_SURVEY = 1;
/** The most that all rounds of a conversation return, in characters: each later request of its forks sends it again. */
const READS = { survey: 100_000, belowSurvey: 24_000 } as const;
/** The share of a search's calls that one conversation may take. */
const SHARE_OF_CALLS = { root: 0.2, document: 0.1, children: 0.05 } as const;
/** The share of a model's context that the survey may take in the conversations forked from it. */
const LARGEST_SURVEY = 0.25;
/** The fields of the topics in a list. */
const LIST = { title: 'string', score: 'number', why: 'string' } as const;

/**
 * Returns the words for a node's document or its children: after the conversations above it, with what others found
 * meanwhile, the notes that these do not contain yet, and made to fit into its model.
 * @throws ThoughtTreeError `bad-request` if they cannot be made to fit
 */
export async function nodeWords(
  ctx: ResearchSearch,
  node: TreeNode,
  conversation: Conversation,
  data: DocumentData | ChildrenData,
  signal: AbortSignal,
): Promise<Words> {
  const [all, notes] = await Promise.all([conversationsAbove(ctx, node), notesFor(ctx, node)]);
  const { purpose } = data;
  const model = ctx.modelFor(purpose);
  const short = all.map((each) => withSmallSurvey(ctx, each));
  const hasRead = short.some((each) => !each.node.parent && each.conversation.turns.some(({ toolCalls }) => toolCalls));
  const tools = toolsFor(ctx, node, data, hasRead);
  // A model without tools must not see any used.
  const above = tools ? short : all.map(withoutTools);
  const own = tools ? conversation.turns : withoutToolTurns(conversation.turns);
  const heard = [...above.flatMap((each) => each.conversation.turns), ...own];
  const fresh = unheard(notes, heard);
  const found = await quotedFor(ctx, data, heard, { hasRead: hasRead && tools !== undefined, signal });
  const parts = [
    purpose === 'document' ? ctx.prompts.document(data) : ctx.prompts.children({ ...data, reads: tools !== undefined }),
    found?.text ?? '',
    tools ? toolWords(tools.toolbox.tools, tools.rounds, tools.most) : '',
    purpose === 'document' && ctx.surveys ? await meanwhile(ctx, node, conversation.id) : '',
  ];
  const prompt = withNotes(parts.filter((part) => part !== '').join('\n\n'), fresh);
  const { shortened, ...fitted } = fitContext({
    model,
    node,
    above,
    own: own.map(turnOf),
    system: ctx.system,
    prompt,
    maxOutputTokens: MAX_OUTPUT_TOKENS[isSurvey(data) ? 'survey' : purpose],
    thinking: ctx.asks.roomFor(purpose),
    tokensOf: (bytes) => ctx.asks.tokensOf(model.name, bytes),
  });
  if (shortened) ctx.history.note({ type: 'context-shortened', node: pathOf(node), purpose, ...shortened });
  const isWhole = !shortened && own.length === conversation.turns.length && above.every(({ isStored }) => isStored);
  const noted = {
    ...(fresh.length > 0 ? { notes: fresh.map(({ id }) => id) } : {}),
    ...(found?.quoted.length ? { quoted: found.quoted } : {}),
    ...(found?.citing ? { citing: true } : {}),
  };
  const after = isWhole ? { after: above.map((each) => each.conversation) } : {};
  const list = purpose === 'children' && !isSurvey(data) ? { list: LIST } : {};
  return { prompt, noted, data: byRule(data), ...fitted, ...after, ...list, ...(tools && { tools }) };
}

/**
 * The lines of the workspace that a prompt quotes, and how to cite. A survey says how to cite, for all that is forked from
 * it; below one that read files, a model that reads them itself gets no lines that were found by words alone.
 */
async function quotedFor(
  ctx: ResearchSearch,
  data: DocumentData | ChildrenData,
  heard: readonly ConversationTurn[],
  { hasRead, signal }: { readonly hasRead: boolean; readonly signal: AbortSignal },
): Promise<ToldContext | undefined> {
  if (data.purpose !== 'document' && !isSurvey(data)) return undefined;
  return workspaceContext(hasRead || isSurvey(data) ? { ...ctx, quotesContext: false } : ctx, data, heard, signal);
}

function isSurvey(data: DocumentData | ChildrenData): boolean {
  return data.purpose === 'children' && data.surveys === true;
}

/**
 * The tools for a question, with as many rounds as it may take of the search's calls; undefined where there are none.
 * @param hasRead whether the survey above it read files
 */
function toolsFor(
  ctx: ResearchSearch,
  { parent }: TreeNode,
  { purpose }: DocumentData | ChildrenData,
  hasRead: boolean,
): CountedTools | undefined {
  const { tools } = ctx.asks;
  // Dividing the question by a person's own prompt, or in the source's form, is one request.
  if (!tools || ctx.modelFor(purpose).tools !== true || (!parent && !ctx.surveys)) return undefined;
  const what = parent ? purpose : 'root';
  const { calls } = ctx.limits.now.guards;
  const most = hasRead ? ROUNDS_BELOW_SURVEY : ROUNDS[what];
  const rounds = Math.max(1, Math.min(most, Math.floor((calls ?? 1000) * SHARE_OF_CALLS[what])));
  const reads = hasRead ? READS.belowSurvey : parent ? undefined : READS.survey;
  return { toolbox: tools.toolbox, rounds, ...(reads === undefined ? {} : { most: reads }) };
}

/** A survey that would take too much of a small context is shown without what its tools returned. */
function withSmallSurvey(ctx: ResearchSearch, above: Above): Above {
  const isWhole =
    above.node.parent !== undefined || isSmallSurvey(ctx, above.conversation.turns.map(turnOf), ctx.model);
  return isWhole ? above : withoutTools(above);
}

/** Tells whether a model's context has room for a survey in the conversations that are forked from it. */
export function isSmallSurvey(
  { asks, system }: ResearchSearch,
  turns: readonly Turn[],
  { name, contextTokens = Number.POSITIVE_INFINITY }: Model,
): boolean {
  return asks.tokensOf(name, bytesOf({ system, turns, prompt: '' })) <= LARGEST_SURVEY * contextTokens;
}

function withoutTools({ node, conversation, isStored }: Above): Above {
  const turns = withoutToolTurns(conversation.turns);
  const isWhole = turns.length === conversation.turns.length;
  return { node, conversation: { ...conversation, turns }, isStored: isStored && isWhole };
}
