import type { ExpectedCalls } from '../../core/money/expected-calls.ts';
import { type KindForecast, MOST_EXPANSIONS, type Part, type PartsRequest } from '../../core/money/forecast.ts';
import type { InvestigationOptions } from './face.ts';
import { lastRoundFor } from './led/led-investigation.ts';
import { type InvestigationPurpose, investigationPurposes } from './purposes.ts';

export const investigationForecast: KindForecast = {
  parts: (request, expected) => partsOf(usualCourse(request), request, expected),
  most: (request, expected) => partsOf(fullCourse(request), request, expected, true),
  purposes: investigationPurposes,
  ofNode: ['investigate', 'propose-leads'],
};

/** The calls of a whole investigation. */
type Course = Readonly<Record<InvestigationPurpose, number>>;

/** Leads of the second round, and of each later one: about as many end as are added. */
const SECOND_ROUND = 4;
const LATER_ROUND = 6;
/** How many of them find something. */
const FINDINGS = 4;
const USUAL_ROUNDS = 5;

function roundsOf({ maxDepth, options }: PartsRequest): number {
  return lastRoundFor(maxDepth, (options as InvestigationOptions).minRounds ?? USUAL_ROUNDS);
}

function usualCourse(request: PartsRequest): Course {
  const later = roundsOf(request) - 2;
  const leads = 1 + SECOND_ROUND + LATER_ROUND * later;
  const proposals = 1 + SECOND_ROUND + (LATER_ROUND / 2) * (later - 1);
  return { investigate: leads, 'propose-leads': proposals, 'verify-finding': FINDINGS };
}

/** Every lead goes on to the last round, and is checked there. */
function fullCourse(request: PartsRequest): Course {
  let here = 5;
  let leads = 1 + here;
  for (let round = 3; round <= roundsOf(request); round++) {
    here *= 2;
    leads += here;
  }
  return { investigate: leads, 'propose-leads': leads - here, 'verify-finding': 2 * here };
}

function partsOf(course: Course, request: PartsRequest, expected: ExpectedCalls, atMost = false): Part[] {
  const room = Math.min(request.expansions, MOST_EXPANSIONS);
  const nodes = course.investigate + course['verify-finding'];
  const share = nodes > 0 ? Math.min(1, (room + made(expected)) / nodes) : 0;
  return (Object.keys(course) as InvestigationPurpose[]).flatMap((purpose) => {
    const whole = atMost ? course[purpose] * share : expected.perSearch(purpose, course[purpose] * share);
    const count = room > 0 ? Math.max(0, whole - expected.made(purpose)) : 0;
    return count > 0 ? [{ purpose, depth: 1, count }] : [];
  });
}

function made(expected: ExpectedCalls): number {
  return expected.made('investigate') + expected.made('verify-finding');
}
