import type { Model } from '../../core/ports/model.ts';
import type { SearchContext } from '../search-context.ts';
import { inTime } from './in-time.ts';

/** The longest overview, in tokens, and the largest share of a model's context. */
const [MOST_TOKENS, MOST_OF_CONTEXT] = [1500, 0.15];
/** The longest wait for the overview, in milliseconds: a large folder is read once, and all that follows gains. */
const WAIT_MS = 120_000;

type Surveying = Pick<SearchContext, 'workspaceText' | 'quotesContext' | 'model' | 'clock' | 'file'> &
  Partial<Pick<SearchContext, 'judge'>>;

/**
 * Describes the search's workspace as `WorkspaceText.overview` does, short enough for both of its models. Returns an
 * empty text where there is no workspace or nothing in it, where the person wants none of it quoted, where a model
 * reads no prose or is never asked, or where it cannot be made: no search fails because of it.
 */
export async function workspaceOverview(surveying: Surveying, signal: AbortSignal): Promise<string> {
  const { workspaceText, quotesContext, model, judge, clock, file } = surveying;
  if (!workspaceText || !quotesContext || model.prose === false || model.isSilent) return '';
  const request = { question: file.prompt, maxTokens: tokensFor(judge ? [model, judge] : [model]) };
  return inTime((stop) => workspaceText.overview(request, stop), '', { clock, waitMs: WAIT_MS, signal });
}

function tokensFor(models: readonly Model[]): number {
  const shares = models.flatMap(({ contextTokens }) =>
    contextTokens === undefined ? [] : [Math.floor(MOST_OF_CONTEXT * contextTokens)],
  );
  return Math.min(MOST_TOKENS, ...shares);
}
