import * as z from 'zod';
import { MEANWHILE, type Model, type Turn, varying } from '../../core/ports/model.ts';
import { withoutToolTurns } from '../../core/ports/tool.ts';
import { type Conversation, type ConversationTurn, turnOf } from '../../core/search/conversation.ts';
import type { JournalEvent, KeptFold } from '../../core/search/events.ts';
import { expansionsOf } from '../../core/search/limits.ts';
import { oneLine } from '../../core/text/text.ts';
import { lineageOf, pathOf, type TreeNode } from '../../core/tree/tree.ts';
import { bytesOf } from '../../engine/limits.ts';
import type { CountedTools, Prompt } from '../../engine/question.ts';
import { TOOL_ROUNDS, toolPrompt } from '../../engine/tools.ts';
import { type ToldContext, workspaceContext } from '../../engine-parts/citations/workspace-context.ts';
import { foundInDocument } from '../../engine-parts/report/findings.ts';
import { hasDocument } from '../../engine-parts/report/link-target.ts';
import { notesFor, unheard, withNotes } from '../../engine-parts/transcripts/conversations.ts';
import { type Above, conversationsAbove, fitContext } from './node-conversation.ts';
import { byRule, type ChildrenData, type DocumentData } from './prompts.ts';
import type { ResearchSearch } from './research-search.ts';

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
export async function nodePrompt(
  ctx: ResearchSearch,
  node: TreeNode,
  conversation: Conversation,
  data: DocumentData | ChildrenData,
  signal: AbortSignal,
): Promise<Prompt> {
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
    tools ? toolPrompt(tools.toolbox.tools, tools.rounds, tools.most) : '',
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

/** The most that a prompt shows of other branches: in topics, and in characters of one line. */
const MOST_FINISHED = 16;
const MOST_PLANNED = 16;
const LONGEST_TITLE = 100;
const LONGEST_SUMMARY = 220;
/** The findings that are shown of each of the nearest documents. */
const MOST_WITH_FINDINGS = 5;
const MOST_FINDINGS = 2;
/** As long as one may be: whoever builds on a finding needs its conditions, which come last. */
const LONGEST_FINDING = 400;
const LONGEST_WHY = 160;
/** The most topics of one list that are looked at, so that a prompt costs the same in a tree of any size. */
const MOST_LOOKED_AT = 60;

/**
 * Returns what a document's prompt tells of the rest of the search: how much of it is left, what others found, and what is
 * planned elsewhere. It depends on when it is asked for, so it is in the journal before the call, and a resumed search
 * uses that again; it stands in the last turn, so that prompt caches serve everything before it.
 * @param session the conversation of the node
 */
async function meanwhile(ctx: ResearchSearch, node: TreeNode, session: string): Promise<string> {
  const path = pathOf(node);
  const shown = ctx.history.past.part(Shown)?.of(path, session);
  if (shown !== undefined) return shown;
  const text = await toldNow(ctx, node);
  await ctx.history.record({ type: 'shown', node: path, session, text }, true);
  return text;
}

async function toldNow(ctx: ResearchSearch, node: TreeNode): Promise<string> {
  const { finished, planned } = elsewhere(node);
  const lines = [placeOf(ctx, node)];
  if (finished.length > 0) {
    const said = finished.map(async (each, at) => [
      withSummary(each),
      ...(at < MOST_WITH_FINDINGS ? await findingsOf(ctx, each) : []),
    ]);
    lines.push(
      'Documents of others so far; build on them, leave to them what is theirs, and say where you find otherwise:',
      ...(await Promise.all(said)).flat(),
    );
  }
  if (planned.length > 0) lines.push('Planned elsewhere:', ...planned.map(withWhy));
  return varying(MEANWHILE, lines.join('\n'));
}

function withSummary({ title, summary }: TreeNode): string {
  const said = oneLine(summary ?? '', LONGEST_SUMMARY);
  return `- ${oneLine(title, LONGEST_TITLE)}${said === '' ? '' : `: ${said}`}`;
}

function withWhy({ title, evaluation }: TreeNode): string {
  const why = oneLine(evaluation?.reasoning ?? '', LONGEST_WHY);
  return `- ${oneLine(title, LONGEST_TITLE)}${why === '' ? '' : `: ${why}`}`;
}

async function findingsOf({ store }: ResearchSearch, node: TreeNode): Promise<string[]> {
  const document = await store.readDocument(pathOf(node));
  const { findings } = document === undefined ? { findings: [] } : foundInDocument(document);
  return findings.slice(0, MOST_FINDINGS).map(({ text, cites }) => {
    const place = cites[0] === undefined ? '' : ` (${cites[0]})`;
    return `  - ${oneLine(text, LONGEST_FINDING)}${place}`;
  });
}

function placeOf({ limits, tree }: ResearchSearch, { depth }: TreeNode): string {
  const { size, maxDepth } = limits.now;
  const left = expansionsOf(size) - tree.worked - 1;
  const room = Number.isFinite(left) ? `, and about ${Math.max(0, left)} more will be written` : '';
  return `This document is on level ${depth} of at most ${maxDepth}; finished so far: ${tree.worked}${room}.`;
}

/**
 * Returns the topics beside the way down to a node: those with a document, and those still to be written; the nearest
 * first.
 */
function elsewhere(node: TreeNode): { finished: TreeNode[]; planned: TreeNode[] } {
  const finished: TreeNode[] = [];
  const planned: TreeNode[] = [];
  const way = new Set(lineageOf(node));
  const look = (list: readonly TreeNode[]): void => {
    for (const each of list.slice(0, MOST_LOOKED_AT)) {
      if (way.has(each) || each.status === 'pruned') continue;
      if (hasDocument(each)) finished.push(each);
      // Whoever is on the first level has read its list in the conversation that it is forked from.
      else if (each.depth > 1 && each.status !== 'failed' && each.leafReason !== 'duplicate') planned.push(each);
    }
  };
  for (const each of [...way].reverse()) look(each.parent?.children ?? []);
  for (const topic of (lineageOf(node)[0]?.parent?.children ?? []).slice(0, MOST_LOOKED_AT))
    if (!way.has(topic)) look(topic.children);
  return { finished: finished.slice(0, MOST_FINISHED), planned: planned.slice(0, MOST_PLANNED) };
}

const ShownState = z.array(z.tuple([z.string(), z.object({ session: z.string(), text: z.string() })]));

/** Keeps what prompts of nodes under way were shown of other branches, until the nodes are done. */
export class Shown implements KeptFold {
  static readonly part = 'shown';
  readonly name = Shown.part;
  readonly #byPath = new Map<string, { session: string; text: string }>();

  apply(event: JournalEvent): void {
    if (event.type === 'shown') this.#byPath.set(event.node, { session: event.session, text: event.text });
    else if (event.type === 'node-status' && event.status !== 'in-progress') this.#byPath.delete(event.node);
  }

  get state(): z.infer<typeof ShownState> {
    return [...this.#byPath];
  }

  restore(state: unknown): void {
    this.#byPath.clear();
    for (const [path, shown] of ShownState.parse(state)) this.#byPath.set(path, shown);
  }

  /** Returns what was shown at a node in a conversation; undefined if nothing was. */
  of(path: string, session: string): string | undefined {
    const shown = this.#byPath.get(path);
    return shown?.session === session ? shown.text : undefined;
  }
}
