import type { FileLines } from '../../core/citations/citation.ts';
import type { Topic } from '../../core/ports/prompt-data.ts';
import type { QuotationRequest, WorkspaceQuotation } from '../../core/ports/workspace-text.ts';
import type { ConversationTurn } from '../../core/search/conversation.ts';
import { WORKSPACE, withoutVarying } from '../../core/text/varying-parts.ts';
import type { SearchContext } from '../search-context.ts';
import { contextSection, quotationsThatFit } from './context-section.ts';
import { inTime } from './in-time.ts';

/** The maximum length of quotations in one prompt, in bytes, which is also an upper bound for their tokens. */
export const CONTEXT_BYTES = 6000;
/** For a model with a known context, one byte per so many of its tokens: the conversations below grow. */
const TOKENS_A_BYTE = 16;
/** The longest time that a prompt waits for the index of a large workspace, in milliseconds; then it goes without. */
const WAIT_MS = 30_000;

/** The parts of the search's context that are needed to find quotations. */
export interface Grounding
  extends Pick<SearchContext, 'workspaceText' | 'quotesContext' | 'model' | 'clock' | 'file' | 'system'> {
  readonly asks?: Pick<SearchContext['asks'], 'tools'>;
}

/** Matches what may be a file's name: `queue.ts`, `src/queue`. */
const NAME = /[\p{L}\p{N}_-]\.\p{L}|[\p{L}\p{N}_.-]\/[\p{L}\p{N}_.]/u;

/** A section of a prompt, and what it contains. */
export interface ToldContext {
  readonly text: string;
  readonly quoted: FileLines[];
  /** True if it says how to cite. */
  readonly citing: boolean;
}

/**
 * The section of a document's prompt about the workspace, to come after the prompt itself: the best lines for the node,
 * none that the conversation already contains, and how to cite, unless that was said above. No lines
 * if nothing is found, or if the index fails: no node fails because of it; nothing at all if the person wants none.
 * @param heard the turns above the prompt
 */
export async function workspaceContext(
  grounding: Grounding,
  { question, lineage }: { readonly question: string; readonly lineage: readonly Topic[] },
  heard: readonly Pick<ConversationTurn, 'quoted' | 'citing'>[],
  signal: AbortSignal,
): Promise<ToldContext> {
  const { model, workspaceText, asks } = grounding;
  if (!workspaceText || model.prose === false) return { text: '', quoted: [], citing: false };
  const titles = lineage.map(({ title }) => title);
  const found = await find(grounding, { question, titles, shown: heard.flatMap(({ quoted = [] }) => quoted) }, signal);
  // A model with tools, or an agent, sees files whatever its prompt shows.
  const readsByItself = (model.tools === true && asks?.tools !== undefined) || model.most !== undefined;
  // So does one that is told what the workspace is: that names places.
  const isTold = grounding.quotesContext && withoutVarying(grounding.system, WORKSPACE) !== grounding.system;
  const isShown = found.length > 0 || readsByItself || isTold;
  const citing = isShown && !heard.some((turn) => turn.citing);
  const section = contextSection(found, bytesFor(model));
  const parts = [section, citing ? CITATION_RULES : ''].filter((part) => part !== '');
  const quoted = quotationsThatFit(found, bytesFor(model)).map(({ path, from, to }) => ({ path, from, to }));
  return { text: parts.join('\n\n'), quoted, citing };
}

/**
 * Quotes lines of the files that thoughts name, the best for the problem; returns an empty text if they name none.
 * @param texts the thoughts from the first level down, and further subjects of the prompt; the last counts most
 */
export async function namedFilesContext(
  grounding: Grounding,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const { model, file, workspaceText } = grounding;
  // Most problems name no file, and need no workspace to be read.
  if (!workspaceText || model.prose === false || ![file.prompt, ...texts].some((text) => NAME.test(text))) return '';
  const request = { question: file.prompt, titles: [], naming: [file.prompt, ...texts], shown: [] };
  return contextSection(await find(grounding, request, signal), bytesFor(model));
}

async function find(
  { workspaceText, quotesContext, clock }: Grounding,
  request: QuotationRequest,
  signal: AbortSignal,
): Promise<readonly WorkspaceQuotation[]> {
  if (!workspaceText || !quotesContext) return [];
  const ask = (stop: AbortSignal): Promise<readonly WorkspaceQuotation[]> => workspaceText.find(request, stop);
  return inTime(ask, [], { clock, waitMs: WAIT_MS, signal });
}

function bytesFor({ contextTokens }: Grounding['model']): number {
  return contextTokens === undefined
    ? CONTEXT_BYTES
    : Math.min(CONTEXT_BYTES, Math.floor(contextTokens / TOKENS_A_BYTE));
}

/**
 * The instructions to a model on how to cite: part of the first prompt of a line of topics that concerns files; the
 * topics below have it in their conversation.
 */
export const CITATION_RULES = `Cite files of the workspace where they bear out what you say: in a sentence as PATH:FIRST-LAST, and the few lines whose very words decide in this form: a line with the path and the lines in brackets, an empty line, and those lines word for word in a code fence.

[src/queue.ts:12-13]

\`\`\`ts
  push(job: Job): void {
    this.jobs.push(job);
\`\`\`

Quote whole lines. Every place and every quotation is compared with the file; cite nothing that you have not seen. Quotations and tables do not count as words of the document.`;
