import type { ExpectedCalls } from '../../core/money/expected-calls.ts';
import { type KindForecast, MOST_EXPANSIONS, type Part, type PartsRequest } from '../../core/money/forecast.ts';
import { USUAL_DEPTH } from '../../core/search/limits.ts';
import { optionsSchema } from '../../core/search/search-file.ts';
import type { Kind } from '../../engine/kind.ts';
import { type WorkGraphPurpose, workGraphDescriptor, workGraphPurposes } from './descriptor.ts';
import { workGraphFormats } from './exchange/formats.ts';
import { givenPlan } from './plan/plan-file.ts';
import { systemText } from './roles/prompts.ts';
import { rolesOf } from './roles/roles-of.ts';
import { documentAgain } from './run/documents.ts';
import { openWorkGraph } from './run/open-work-graph.ts';
import { OwnFields } from './run/own-fields.ts';
import { BeganWithout } from './run/readiness.ts';
import { workStatus } from './show/status.ts';

export const workGraphForecast: KindForecast = {
  parts: (request, expected) =>
    partsOf(request, expected, (purpose, times) => {
      const usual = times * USUAL[purpose];
      // The calls of earlier searches say nothing about how much is left of this plan.
      return request.open ? usual : expected.perSearch(purpose, usual);
    }),
  most: (request, expected) => partsOf(request, expected, (purpose, times) => times * MOST[purpose]),
  purposes: workGraphPurposes,
  ofNode: ['work-on'],
};

/** Atoms of a plan that nobody has made yet. */
const USUAL_ATOMS = 8;

/** Calls for each search, or each atom. A model with tools is asked again after each use of them; some atoms are tried twice. */
type Calls = Readonly<Record<WorkGraphPurpose, number>>;
const USUAL: Calls = { align: 1, plan: 1.3, probe: 0.3, 'work-on': 4, 'judge-quality': 0.4, decompose: 0.1 };
const MOST: Calls = { align: 3, plan: 3, probe: 2, 'work-on': 20, 'judge-quality': 6, decompose: 1 };

const ONCE: readonly WorkGraphPurpose[] = ['align', 'plan'];

/** @param callsFor the calls of a purpose for so many times that it is needed */
function partsOf(
  { expansions, open }: PartsRequest,
  expected: ExpectedCalls,
  callsFor: (purpose: WorkGraphPurpose, times: number) => number,
): Part[] {
  const known = open?.reduce((sum, count) => sum + count, 0);
  const atoms = Math.min(expansions, MOST_EXPANSIONS, known ?? USUAL_ATOMS);
  if (atoms === 0) return [];
  return (Object.keys(USUAL) as WorkGraphPurpose[]).flatMap((purpose) => {
    const isOnce = ONCE.includes(purpose);
    if (isOnce && known !== undefined) return []; // there is a plan
    const before = known === undefined ? expected.made(purpose) : 0;
    const count = Math.max(0, callsFor(purpose, isOnce ? 1 : atoms) - before);
    return count > 0 ? [{ purpose, depth: isOnce ? 0 : 1, count }] : [];
  });
}

/** "Reach a goal": a graph of atoms, each worked on apart from the others, until what was agreed on before holds. */
export const workGraph: Kind = {
  descriptor: workGraphDescriptor,
  options: optionsSchema(workGraphDescriptor.options),
  own: OwnFields,
  begin: ({ options }) => ({ options }),
  usualDepth: () => USUAL_DEPTH,
  forecast: workGraphForecast,
  formats: workGraphFormats,
  system: systemText,
  folds: () => [new BeganWithout()],
  documentAgain: async (node) => documentAgain(node),
  extras: { plans: { read: givenPlan }, status: workStatus },
  open: (ctx) => openWorkGraph(ctx, rolesOf(ctx)),
};
