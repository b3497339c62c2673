import type { PromptData } from '../../../src/core/ports/model.ts';
import type { ReviewData } from '../../../src/kinds/thoughts/prompts/answer-prompts.ts';
import type { CompareDraftsData, DraftData, ReadDraftData } from '../../../src/kinds/thoughts/prompts/draft-prompts.ts';
import type {
  CompareData,
  DecomposeData,
  EvaluateData,
  GenerateData,
} from '../../../src/kinds/thoughts/prompts/prompts.ts';

/** Returns what a search of whole drafts says of its requests. */
export function draftData(data: PromptData): DraftData | ReadDraftData | CompareDraftsData | undefined {
  const said = data as never as DraftData | ReadDraftData | CompareDraftsData;
  if (said.purpose === 'compare-solutions') return typeof said.a === 'string' ? said : undefined;
  return 'draft' in said ? said : undefined;
}

/** Returns what a search for a solution says of its requests to models that read no prose; nothing of its report's but its review. */
export function thoughtData(
  data: PromptData,
): DecomposeData | GenerateData | EvaluateData | CompareData | ReviewData | { purpose?: undefined } {
  return data as never;
}
