import { isThoughtTreeError } from '../../../core/search/errors.ts';
import type { MirrorAsk } from '../../../engine/kind/kind-format.ts';
import { readYaml } from '../yaml/read-yaml.ts';
import { fieldOf, isSame } from '../yaml/same.ts';
import * as say from './messages.ts';
import { splitState } from './state-file/front-matter.ts';
import { readState } from './state-file/read-state.ts';
import type { State, StateAtom } from './state-file/state.ts';
import { planOfState } from './state-file/state-plan.ts';

const FILE = 'the state file';
type Change = MirrorAsk['changes'][number];

/**
 * Finds what a state file asks for that we wrote as `ours`, and that others may have changed. Whatever they changed is
 * proposed as redirects, which a person accepts or not.
 */
export function mirrorAsks(ours: string, found: string): MirrorAsk {
  if (ours === found) return { stop: false, redirect: false, changes: [], notes: [] };
  let states: readonly [State, State];
  try {
    states = [readState(ours, FILE).state, readState(found, FILE).state];
  } catch (error) {
    if (!isThoughtTreeError(error)) throw error;
    return { stop: false, redirect: true, changes: [], notes: [say.mirrorUnreadable({ why: error.say })] };
  }
  const [stop, redirect] = [isAsked(found, 'stop_requested'), isAsked(found, 'redirect_requested')];
  const [before, now] = states;
  const changes = [...goalChanges(before, now), ...graphChanges(before, now), ...bindingChanges(before, now)];
  const names = statusesIn(before, now);
  const notes = [
    ...(names.length > 0 ? [say.mirrorStatuses({ names: names.join(', ') })] : []),
    ...(!redirect && !stop && changes.length === 0 && names.length === 0 ? [say.mirrorOthers()] : []),
  ];
  const isOnlyStop = stop && !redirect && changes.length === 0 && names.length === 0;
  return { stop, redirect: !isOnlyStop, changes, notes };
}

function isAsked(text: string, name: string): boolean {
  const { value } = readYaml(splitState(text, FILE).yaml, { file: FILE });
  return fieldOf(fieldOf(value, 'control'), name) === true;
}

/** Fields of the plan that differ, as one redirect each for the goal and for its limits. */
function goalChanges(before: State, now: State): Change[] {
  const [earlier, later] = [planOfState(before), planOfState(now)];
  const differing = (names: readonly (keyof typeof later)[]): Record<string, unknown> =>
    Object.fromEntries(names.filter((name) => !isSame(earlier[name], later[name])).map((name) => [name, later[name]]));
  const objective = differing(['goal', 'background', 'deliverables', 'done', 'in_scope', 'out_of_scope', 'base_case']);
  const constraint = differing(['constraints', 'limits']);
  return [
    ...(Object.keys(objective).length > 0 ? [{ type: 'objective', change: objective }] : []),
    ...(Object.keys(constraint).length > 0 ? [{ type: 'constraint', change: constraint }] : []),
  ];
}

function graphChanges(before: State, now: State): Change[] {
  const earlier = new Map(before.atoms.map((atom) => [atom.id, atom]));
  const later = new Map(now.atoms.map((atom) => [atom.id, atom]));
  const planned = new Map(planOfState(now).atoms.map((atom) => [atom.id, atom]));
  const add = now.atoms.flatMap(({ id }) => (earlier.has(id) ? [] : withoutDefaults(planned.get(id))));
  const drop = before.atoms.flatMap(({ id }) => (later.has(id) ? [] : [id]));
  const change = Object.fromEntries(
    now.atoms.flatMap((atom) => {
      const fields = changedFields(earlier.get(atom.id), atom, planned.get(atom.id));
      return fields ? [[atom.id, fields]] : [];
    }),
  );
  if (add.length + drop.length + Object.keys(change).length === 0) return [];
  const all = { ...(add.length > 0 && { add }), ...(drop.length > 0 && { drop }) };
  return [{ type: 'graph', change: { ...all, ...(Object.keys(change).length > 0 && { change }) } }];
}

function changedFields(
  earlier: StateAtom | undefined,
  atom: StateAtom,
  planned: { title: string; does?: string | undefined } | undefined,
): object | undefined {
  if (!earlier || !planned) return undefined;
  const isOther = earlier.description !== atom.description;
  const hasMoved = !isSame(earlier.dependsOn, atom.dependsOn);
  if (!isOther && !hasMoved) return undefined;
  return {
    ...(isOther && { title: planned.title, does: planned.does ?? null }),
    ...(hasMoved && { depends_on: [...atom.dependsOn] }),
  };
}

function withoutDefaults(atom: object | undefined): object[] {
  if (!atom) return [];
  const kept = Object.entries(atom).filter(
    ([, value]) => value !== false && !(Array.isArray(value) && value.length === 0),
  );
  return [Object.fromEntries(kept)];
}

/** Returns changed words about what came of atoms that both say are resolved. */
function bindingChanges(before: State, now: State): Change[] {
  const resolved = new Set(before.atoms.flatMap(({ id, isResolved }) => (isResolved ? id : [])));
  return now.atoms.flatMap(({ id, isResolved }) => {
    const binding = now.bindings.get(id);
    if (!isResolved || !resolved.has(id) || !binding || isSame(binding, before.bindings.get(id))) return [];
    const { summary, artifacts } = binding;
    return [{ type: 'binding', change: { atom: id, ...(summary.trim() !== '' && { summary }), artifacts } }];
  });
}

function statusesIn(before: State, now: State): string[] {
  const earlier = new Map(before.atoms.map(({ id, isResolved }) => [id, isResolved]));
  return now.atoms.flatMap(({ id, isResolved }) => (earlier.get(id) === !isResolved ? [id] : []));
}
