import type { ExpectedCalls } from '../../core/money/expected-calls.ts';
import { type KindForecast, MOST_EXPANSIONS, type Part, type PartsRequest } from '../../core/money/forecast.ts';
import { lastRoundFor, minRoundsIn } from './led/led-investigation.ts';
import { type InvestigationPurpose, investigationPurposes } from './purposes.ts';

export const investigationForecast: KindForecast = {
  parts: (request, expected) => partsOf(usualCourse(request), request, expected),
  most: (request, expected) => partsOf(fullCourse(request), request, expected, true),
  purposes: investigationPurposes,
  ofNode: ['investigate', 'propose-leads'],
};

/** The calls of a whole investigation. */
type Course = Readonly<Record<InvestigationPurpose, number>>;

/** Leads of a usual round, and of the largest; how many rounds a question usually needs. */
const USUAL_LEADS = 2;
const MOST_LEADS = 5;
const USUAL_ROUNDS = 3;

/** Requests for one answer of a model that reads files, and what each of them sends: measured in one search of a strong model. */
const READING: Readonly<Partial<Record<InvestigationPurpose, { requests: number; guess: Part['guess'] & object }>>> = {
  investigate: { requests: 3, guess: { prompt: 7500, completion: 500, cached: 0.6 } },
  'verify-finding': { requests: 3, guess: { prompt: 6000, completion: 400, cached: 0.6 } },
};

function usualCourse(request: PartsRequest): Course {
  const rounds = Math.max(minRoundsIn(request.options), Math.min(USUAL_ROUNDS, roundsOf(request)));
  return course(rounds, USUAL_LEADS);
}

/** Every round has as many leads as it may. */
function fullCourse(request: PartsRequest): Course {
  return course(roundsOf(request), MOST_LEADS);
}

/** The question, the leads of every further round, their checks, and a plan before and behind each. */
function course(rounds: number, leads: number): Course {
  const all = 1 + leads * (rounds - 1);
  return { investigate: all, 'verify-finding': all, 'propose-leads': rounds, synthesize: 1 };
}

function roundsOf({ maxDepth, options }: PartsRequest): number {
  return lastRoundFor(maxDepth, minRoundsIn(options));
}

function partsOf(whole: Course, request: PartsRequest, expected: ExpectedCalls, atMost = false): Part[] {
  const room = Math.min(request.expansions, MOST_EXPANSIONS);
  const nodes = whole.investigate + whole['verify-finding'];
  const share = nodes > 0 ? Math.min(1, (room + made(expected)) / nodes) : 0;
  return (Object.keys(whole) as InvestigationPurpose[]).flatMap((purpose) => {
    const isLast = purpose === 'synthesize';
    const reading = request.reads === true ? READING[purpose] : undefined;
    const count = isLast ? Number(request.hasOpening) : whole[purpose] * share * (reading?.requests ?? 1);
    const more = atMost || isLast ? count : expected.perSearch(purpose, count);
    const left = room > 0 ? Math.max(0, more - expected.made(purpose)) : 0;
    return left > 0 ? [{ purpose, depth: 1, count: left, ...(reading && { guess: reading.guess }) }] : [];
  });
}

function made(expected: ExpectedCalls): number {
  return expected.made('investigate') + expected.made('verify-finding');
}
