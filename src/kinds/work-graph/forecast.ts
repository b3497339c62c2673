import { type KindForecast, MOST_EXPANSIONS, type Part, type PartsRequest } from '../../core/money/forecast.ts';
import { workGraphPurposes } from './purposes.ts';

/** Atoms of a plan that nobody has made yet. */
const USUAL_ATOMS = 8;

/** What a model that works is asked: one plan, and each atom once, some of them twice. */
export const workGraphForecast: KindForecast = {
  parts: (request) => partsOf(request, 1.3),
  most: (request) => partsOf(request, 3),
  purposes: workGraphPurposes,
  ofNode: ['work-on'],
};

function partsOf({ expansions, open }: PartsRequest, tries: number): Part[] {
  const atoms = open ? open.reduce((sum, count) => sum + count, 0) : USUAL_ATOMS;
  const count = Math.min(expansions, MOST_EXPANSIONS, atoms) * tries;
  const plan: Part[] = open
    ? []
    : [
        { purpose: 'align', depth: 0, count: 1 },
        { purpose: 'plan', depth: 0, count: 1 },
      ];
  return count > 0 ? [...plan, { purpose: 'work-on', depth: 1, count }] : plan;
}
