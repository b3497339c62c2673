import { withoutCommands } from '../../../../core/text/text.ts';
import { PlanFile, type PlannedAtom, type PlannedGroup } from '../../plan/plan.ts';
import * as say from '../messages.ts';
import { lineOf } from './base-case.ts';
import type { State, StateAtom } from './state.ts';
import { parentsOfGroups } from './state-circles.ts';

const LONGEST_TITLE = 200;
const LONGEST_DOES = 8000;
const MOST_CORRECTIONS = 500;
const CORRECTIONS = {
  objective_change: 'objective',
  dag_adjustment: 'graph',
  constraint_change: 'constraint',
  bindings_override: 'binding',
} as const;

/** Makes a plan of what a state file asks for. A dependency on what does not exist is kept with the nodes alone. */
export function planOfState(state: State): PlanFile {
  const { objective, atoms, corrections } = state;
  const { goal, background, deliverables, done, constraints, inScope, outOfScope, baseCase } = objective;
  const from = say.clarifiedBefore().text;
  const known = new Set([...atoms.map(({ id }) => id), ...state.groups.map(({ name }) => name)]);
  return PlanFile.parse({
    goal,
    ...(background === '' ? {} : { background }),
    deliverables,
    done,
    constraints,
    in_scope: inScope,
    out_of_scope: outOfScope,
    clarifications: objective.clarifications.map((each) => ({ ...each, from })),
    base_case: baseCase,
    limits: objective.limits,
    atoms: atoms.map((atom) => plannedAtom(atom, known)),
    groups: plannedGroups(state),
    corrections: corrections.slice(-MOST_CORRECTIONS).map(({ time, type, what }) => ({
      time: time.slice(0, 40),
      type: correctionType(type),
      what: what.slice(0, 4000),
    })),
  });
}

/** An atom's description: one line of it is the title. */
export function titleOf({ id, description }: Pick<StateAtom, 'id' | 'description'>): string {
  const line = lineOf(description);
  return line.length > LONGEST_TITLE ? `${line.slice(0, LONGEST_TITLE - 1).toWellFormed()}…` : line || id;
}

/** The whole of a description that its title does not say. */
export function detailsOf(atom: Pick<StateAtom, 'id' | 'description'>): string | undefined {
  const details = withoutCommands(atom.description).slice(0, LONGEST_DOES).toWellFormed();
  return details.trim() === '' || details === titleOf(atom) ? undefined : details;
}

function plannedAtom(atom: StateAtom, known: ReadonlySet<string>): Partial<PlannedAtom> {
  const { id, dependsOn, group, parent } = atom;
  const does = detailsOf(atom);
  return {
    id,
    title: titleOf(atom),
    ...(does === undefined ? {} : { does }),
    depends_on: dependsOn.filter((name) => known.has(name)),
    ...(group === undefined ? {} : { group }),
    ...(group === undefined && parent !== undefined ? { part_of: parent } : {}),
  };
}

function plannedGroups(state: State): Partial<PlannedGroup>[] {
  const parents = parentsOfGroups(state.atoms);
  return state.groups.map(({ name, choices, selected }) => {
    const part_of = parents.get(name);
    return {
      name,
      choices: [...choices],
      ...(selected === undefined ? {} : { selected }),
      ...(part_of === undefined ? {} : { part_of }),
    };
  });
}

function correctionType(type: string): PlanFile['corrections'][number]['type'] {
  return Object.hasOwn(CORRECTIONS, type) ? CORRECTIONS[type as keyof typeof CORRECTIONS] : 'graph';
}
