import type { Kind } from '../../engine/kind.ts';
import { researchFace } from './face.ts';
import { researchForecast } from './forecast.ts';
import { researchOptionsIn, researchOptionsSchema } from './options.ts';
import { systemText01 } from './prompts/system-text-0.1.ts';
import { keptForReport } from './report/synthesis.ts';
import { writeReport } from './report/write-report.ts';
import { researchExecutors } from './research-executors.ts';
import { Research } from './strategy/research.ts';

/** "Research a question": a tree of documents, its first level walked, the rest guided by a picker. */
export const research: Kind = {
  face: researchFace,
  options: researchOptionsSchema,
  begin: ({ options }) => ({ strategy: 'research', options }),
  forecast: researchForecast,
  executors: researchExecutors,
  system01: systemText01,
  keptForReport,
  makeStrategy: ({ limits, options }, concurrency) =>
    new Research({ size: limits.size, concurrency, picker: researchOptionsIn(options).picker }),
  writeReport,
};
