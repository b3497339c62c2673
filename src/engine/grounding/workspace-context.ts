import type { FileLines } from '../../core/citations/citation.ts';
import type { Topic } from '../../core/ports/prompt-data.ts';
import type { FoundQuotations, QuotationRequest } from '../../core/ports/workspace-text.ts';
import type { SearchContext } from '../search-context.ts';
import { CITATION_RULES } from './citation-rules.ts';
import { contextSection, type Heard, linesShown, quotationsThatFit } from './context-section.ts';

/** How long the quotations in one prompt may be, in bytes; no tokenizer in use makes more tokens of a text than bytes. */
export const CONTEXT_BYTES = 6000;
/** For a model whose context is known, the bytes are one for so many of its tokens: the conversations below grow. */
const TOKENS_A_BYTE = 16;
/** How long a prompt waits for the index of a large workspace, in milliseconds; then it goes without. */
const WAIT_MS = 30_000;

/** What of the search's context the workspace's text is found with. */
export interface Grounding extends Pick<SearchContext, 'workspaceText' | 'quotesContext' | 'model' | 'clock' | 'file'> {
  readonly asks?: Pick<SearchContext['asks'], 'tools'>;
}

/** What may be a file's name: `queue.ts`, `src/queue`. */
const NAME = /[\p{L}\p{N}_-]\.\p{L}|[\p{L}\p{N}_.-]\/[\p{L}\p{N}_.]/u;

const NOTHING: FoundQuotations = { touches: false, quotations: [] };

/** A part of a prompt, and what it tells of. */
interface ToldContext {
  readonly text: string;
  readonly quoted: FileLines[];
  /** Whether it says how to cite. */
  readonly citing: boolean;
}

/**
 * What a document's prompt says of the workspace, to stand below its own words: the best lines for the node, none that the
 * conversation has, and how to cite, if that was not said above. Empty where the question has nothing to do with the
 * workspace, where the person wants none, and where the index fails: no node fails for it.
 * @param heard the turns above the prompt
 */
export async function workspaceContext(
  grounding: Grounding,
  { question, lineage }: { readonly question: string; readonly lineage: readonly Topic[] },
  heard: readonly Heard[],
  signal: AbortSignal,
): Promise<ToldContext> {
  const { model, workspaceText, asks } = grounding;
  if (!workspaceText || model.prose === false) return { text: '', quoted: [], citing: false };
  const titles = lineage.map(({ title }) => title);
  const found = await find(grounding, { question, titles, shown: linesShown(heard) }, signal);
  // A model with tools, or an agent, sees files whatever its prompt shows.
  const readsByItself = (model.tools === true && asks?.tools !== undefined) || model.most !== undefined;
  const isWanted = found.touches || (readsByItself && !grounding.quotesContext);
  const citing = isWanted && !heard.some(saysHowToCite);
  const section = contextSection(found.quotations, bytesFor(model));
  const parts = [section, citing ? CITATION_RULES : ''].filter((part) => part !== '');
  const quoted = quotationsThatFit(found.quotations, bytesFor(model)).map(({ path, from, to }) => ({ path, from, to }));
  return { text: parts.join('\n\n'), quoted, citing };
}

/** Version 0.1 did not note it with its prompts. */
function saysHowToCite({ role, text, citing }: Heard): boolean {
  return citing ?? (role === 'user' && text.includes(CITATION_RULES));
}

/**
 * The same for thoughts: lines of the files that they name, best for what the problem asks; empty where they name none.
 * @param texts the thoughts from the first level down, and whatever else the prompt is about; the last counts most
 */
export async function namedFilesContext(
  grounding: Grounding,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const { model, file, workspaceText } = grounding;
  // Most problems name no file, and need no workspace read for them.
  if (!workspaceText || model.prose === false || ![file.prompt, ...texts].some((text) => NAME.test(text))) return '';
  const request = { question: file.prompt, titles: [], naming: [file.prompt, ...texts], shown: [] };
  return contextSection((await find(grounding, request, signal)).quotations, bytesFor(model));
}

async function find(
  { workspaceText, quotesContext, clock }: Grounding,
  request: QuotationRequest,
  signal: AbortSignal,
): Promise<FoundQuotations> {
  if (!workspaceText || !quotesContext) return NOTHING;
  const stop = new AbortController();
  const end = (): void => stop.abort();
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  const late = clock.sleep(WAIT_MS, stop.signal).then(() => NOTHING);
  try {
    return await Promise.race([workspaceText.find(request, stop.signal).catch(() => NOTHING), late]);
  } finally {
    signal.removeEventListener('abort', end);
    end();
  }
}

function bytesFor({ contextTokens }: Grounding['model']): number {
  return contextTokens === undefined
    ? CONTEXT_BYTES
    : Math.min(CONTEXT_BYTES, Math.floor(contextTokens / TOKENS_A_BYTE));
}
