import * as say from '../messages.ts';
import { baseCaseFrom, lineOf } from './base-case.ts';
import type { Part } from './part.ts';
import type { StateObjective } from './state.ts';

const LONGEST_TEXT = 20_000;
const LONGEST_ANSWER = 4000;
const MOST_LINES = 200;
const MOST_CLARIFICATIONS = 50;
const LIMITS = { max_iterations: 'iterations', max_parallel_agents: 'parallel', max_stall_count: 'stall' } as const;
const MOST = { iterations: 1000, parallel: 64, stall: 100 } as const;

/** The objective of a state file. Only its goal and base case have to be there. */
export function objectiveFrom(part: Part): StateObjective {
  const goal = part.need('goal');
  if (goal.text().trim() === '') throw goal.wrong(say.missingPart({ name: 'goal' }));
  const constraints = part.get('constraints');
  const scope = part.get('scope');
  return {
    goal: goal.text().trim().slice(0, LONGEST_TEXT).toWellFormed(),
    background: lines(part.get('background_intent')).join('\n').slice(0, LONGEST_TEXT).toWellFormed(),
    deliverables: lines(part.get('deliverables')),
    done: lines(part.get('definition_of_done')),
    constraints: constraints?.isMapping ? otherConstraints(constraints) : lines(constraints),
    limits: constraints?.isMapping ? limitsIn(constraints) : {},
    inScope: scope?.isMapping ? lines(scope.get('in_scope')) : lines(scope),
    outOfScope: scope?.isMapping ? lines(scope.get('out_of_scope')) : [],
    clarifications: clarificationsIn(part.get('clarifications')),
    baseCase: baseCaseFrom(part.need('base_case')),
  };
}

function limitsIn(constraints: Part): StateObjective['limits'] {
  return Object.fromEntries(
    Object.entries(LIMITS).flatMap(([theirs, ours]) => {
      const given = constraints.get(theirs);
      return given ? [[ours, Math.min(given.count(1), MOST[ours])]] : [];
    }),
  );
}

/** Where we write constraints that are texts. */
const OURS = 'others';

function otherConstraints(constraints: Part): string[] {
  const others = constraints.entries().filter(([name, { value }]) => !Object.hasOwn(LIMITS, name) && value !== null);
  return others
    .flatMap(([name, each]) => lines(each).map((text) => lineOf(name === OURS ? text : `${name}: ${text}`)))
    .slice(0, MOST_LINES);
}

function clarificationsIn(part: Part | undefined): StateObjective['clarifications'] {
  const all = (part?.items() ?? []).map((each) => {
    if (!each.isMapping) return { question: lineOf(each.text()), answer: '' };
    const answer = each.get('resolution') ?? each.get('answer');
    return { question: lineOf(each.need('question').text()), answer: (answer?.text() ?? '').slice(0, LONGEST_ANSWER) };
  });
  return all.filter(({ question }) => question !== '').slice(0, MOST_CLARIFICATIONS);
}

/** Texts of a list, or of one text; of what is neither, what it says in short. */
export function lines(part: Part | undefined): string[] {
  if (!part) return [];
  const texts = part.isList ? part.items().map(shown) : [shown(part)];
  return texts
    .map(lineOf)
    .filter((text) => text !== '')
    .slice(0, MOST_LINES);
}

function shown(part: Part): string {
  if (part.value === null) return '';
  return part.isMapping || part.isList ? (JSON.stringify(part.value) ?? '') : part.text();
}
