import type { Message } from '../../../core/messages/message.ts';
import type { ThoughtTreeError } from '../../../core/search/errors.ts';
import { isRecord } from '../../../core/text/loose-json.ts';
import { oneLine } from '../../../core/text/text.ts';
import type { Atom, OrGroup, WorkGraph } from '../graph/graph.ts';
import { cyclesIn } from '../graph/order.ts';
import type { CheckItem } from '../plan/plan.ts';
import { type ReadYaml, wrongLine } from '../yaml/read-yaml.ts';
import * as say from './messages.ts';

/** One atom of a state file. */
export interface StateAtom {
  readonly id: string;
  readonly description: string;
  readonly isResolved: boolean;
  readonly dependsOn: readonly string[];
  /** The group whose alternative it is, whoever says so. */
  readonly group: string | undefined;
  /** The atom that was split into it and others. */
  readonly parent: string | undefined;
}

export interface StateGroup {
  readonly name: string;
  readonly choices: readonly string[];
  readonly selected: string | undefined;
  readonly failed: readonly string[];
}

interface StateBinding {
  readonly summary: string;
  readonly artifacts: readonly string[];
}

export interface StateChoice {
  readonly group: string;
  readonly selected: string;
  readonly reason: string;
  readonly time: string;
}

interface StateCorrection {
  readonly time: string;
  readonly type: string;
  readonly what: string;
}

/** The content of a state file, checked, in our words. */
export interface State {
  readonly objective: StateObjective;
  /** True if its `control` says that the goal is reached. */
  readonly isCompleted: boolean;
  readonly iteration: number;
  readonly atoms: readonly StateAtom[];
  readonly groups: readonly StateGroup[];
  readonly bindings: ReadonlyMap<string, StateBinding>;
  readonly trail: readonly StateChoice[];
  readonly corrections: readonly StateCorrection[];
  /** Why atoms were split, by their names. */
  readonly reasons: ReadonlyMap<string, string>;
}

export interface StateObjective {
  readonly goal: string;
  readonly background: string;
  readonly deliverables: readonly string[];
  readonly done: readonly string[];
  readonly constraints: readonly string[];
  readonly limits: { readonly iterations?: number; readonly parallel?: number; readonly stall?: number };
  readonly inScope: readonly string[];
  readonly outOfScope: readonly string[];
  readonly clarifications: readonly { readonly question: string; readonly answer: string }[];
  readonly baseCase: readonly CheckItem[];
}

type Path = readonly (string | number)[];

/** A value in a state file, which knows where it is. What is null counts as missing, as an empty section is. */
export class Part {
  readonly value: unknown;
  readonly #path: Path;
  readonly #file: string;
  readonly #yaml: ReadYaml;

  constructor(yaml: ReadYaml, file: string, value: unknown = yaml.value, path: Path = []) {
    this.value = value;
    this.#path = path;
    this.#file = file;
    this.#yaml = yaml;
  }

  /** Its last name, for people. */
  get name(): string {
    return oneLine(String(this.#path.findLast((part) => typeof part === 'string') ?? this.#file), 100);
  }

  get isMapping(): boolean {
    return isRecord(this.value);
  }

  get isList(): boolean {
    return Array.isArray(this.value);
  }

  /**
   * Returns the value under a name; undefined if there is none. @throws ThoughtTreeError `damaged` if this is no
   * mapping
   */
  get(name: string): Part | undefined {
    return this.#below(this.#fields(), name);
  }

  /** @throws ThoughtTreeError `damaged` if there is none, with the line of its name if that is all there is */
  need(name: string): Part {
    const found = this.get(name);
    if (found) return found;
    const place = Object.hasOwn(this.#fields(), name) ? this.#at(undefined, name) : this;
    throw place.wrong(say.missingPart({ name }));
  }

  /** Returns all names with their values. */
  entries(): [string, Part][] {
    const fields = this.#fields();
    return Object.keys(fields).map((name) => [name, this.#at(fields[name], name)]);
  }

  /** Returns the items of a list. */
  items(): Part[] {
    if (!Array.isArray(this.value)) throw this.wrong(say.notList({ name: this.name }));
    return this.value.map((item: unknown, i) => this.#at(item, i));
  }

  /** Returns the items of a list; a single value is a list of one. */
  itemsOrOne(): Part[] {
    return this.isList || this.isMapping ? this.items() : [this];
  }

  /** Returns a text; numbers and `true` are texts as well. */
  text(): string {
    const { value } = this;
    if (typeof value === 'string') return value;
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    throw this.wrong(say.notText({ name: this.name }));
  }

  /** Returns a whole number of at least `least`. */
  count(least = 0): number {
    const { value } = this;
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value;
    throw this.wrong(say.notNumber({ name: this.name }));
  }

  isTrue(): boolean {
    if (typeof this.value === 'boolean') return this.value;
    throw this.wrong(say.notYesNo({ name: this.name }));
  }

  wrong(why: Message): ThoughtTreeError {
    return wrongLine(this.#file, this.#yaml.lineOf(this.#path), why);
  }

  #fields(): Readonly<Record<string, unknown>> {
    if (isRecord(this.value)) return this.value;
    throw this.wrong(say.notMapping({ name: this.name }));
  }

  #below(fields: Readonly<Record<string, unknown>>, name: string): Part | undefined {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return value === undefined || value === null ? undefined : this.#at(value, name);
  }

  #at(value: unknown, part: string | number): Part {
    return new Part(this.#yaml, this.#file, value, [...this.#path, part]);
  }
}

const MOST_SHOWN = 8;

/** Returns the atoms and groups of a state file as a graph. */
function graphOfState({ atoms, groups }: Pick<State, 'atoms' | 'groups'>): WorkGraph {
  const above = parentsOfGroups(atoms);
  const all = groups.map(({ name, choices, selected }): [string, OrGroup] => [
    name,
    { name, parent: above.get(name), choices, selected },
  ]);
  const pieces = atoms.map(({ id, isResolved, dependsOn, group, parent }): [string, Atom] => [
    id,
    {
      name: id,
      state: isResolved ? 'resolved' : 'pending',
      group,
      parent: group === undefined ? parent : above.get(group),
      dependsOn,
      ifFailed: undefined,
      touches: undefined,
      uses: [],
      needsProbe: false,
      isProposed: false,
    },
  ]);
  return { atoms: new Map(pieces), groups: new Map(all) };
}

/** Returns what groups are part of: as the first of their alternatives that says so. */
export function parentsOfGroups(atoms: State['atoms']): Map<string, string> {
  const parents = new Map<string, string>();
  for (const { group, parent } of atoms)
    if (group !== undefined && parent !== undefined && !parents.has(group)) parents.set(group, parent);
  return parents;
}

/** @throws ThoughtTreeError `damaged` naming an atom that waits for itself */
export function checkCycles(state: State, atoms: Part): void {
  const [cycle] = cyclesIn(graphOfState(state));
  if (!cycle) return;
  const names = cycle.length > MOST_SHOWN ? [...cycle.slice(0, MOST_SHOWN), '…'] : [...cycle, cycle[0]];
  const place = state.atoms.findIndex(({ id }) => cycle.includes(id));
  const item = atoms.items()[place];
  const at = item?.get('depends_on') ?? item?.get('decomposed_from') ?? item ?? atoms;
  throw at.wrong(say.inCircle({ names: names.join(' → ') }));
}
