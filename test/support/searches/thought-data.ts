import type { PromptData } from '../../../src/core/ports/model.ts';
import type { ReviewData } from '../../../src/kinds/thoughts/prompts/answer-prompts.ts';
import type {
  CompareData,
  DecomposeData,
  EvaluateData,
  GenerateData,
} from '../../../src/kinds/thoughts/prompts/prompts.ts';

/** Returns what a search for a solution says of its requests to models that read no prose; nothing of its report's but its review. */
export function thoughtData(
  data: PromptData,
): DecomposeData | GenerateData | EvaluateData | CompareData | ReviewData | { purpose?: undefined } {
  return data as never;
}
