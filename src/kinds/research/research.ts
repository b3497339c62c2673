import type { Kind } from '../../engine/kind.ts';
import { writeReport } from './report/write-report.ts';
import { researchExecutors } from './research-executors.ts';
import { Research } from './strategy/research.ts';

/** "Research a question": a tree of documents, its first level walked, the rest guided by a picker. */
export const research: Kind = {
  executors: researchExecutors,
  makeStrategy: ({ limits, picker }, concurrency) => new Research({ size: limits.size, concurrency, picker }),
  writeReport,
};
