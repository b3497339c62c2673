import type { PromptData } from '../../../src/core/ports/prompt-data.ts';
import type {
  CompareData,
  DecomposeData,
  EvaluateData,
  GenerateData,
} from '../../../src/kinds/thoughts/prompts/prompt-data.ts';

/** What a search for a solution says of its requests to models that read no prose; nothing of its report's. */
export function thoughtData(
  data: PromptData,
): DecomposeData | GenerateData | EvaluateData | CompareData | { purpose?: undefined } {
  return data as never;
}
