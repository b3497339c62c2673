import type { AtomName, WorkGraph } from '../graph/work-graph.ts';

/**
 * Names that wait for each other in a circle; undefined if none do. Each has a beginning and an end: an end waits for its
 * beginning and for the ends of its parts, a beginning for the ends of what it depends on and for the beginning of what it is
 * part of. One alternative of a group stands for the group, except where another begins if it failed.
 */
export function cycleIn(graph: WorkGraph): AtomName[] | undefined {
  const waits = waitsIn(graph);
  const done = new Set<string>();
  for (const first of waits.keys()) {
    const path: string[] = [];
    const onPath = new Set<string>();
    const stack: { readonly name: string; readonly left: string[] }[] = [];
    const enter = (name: string) => {
      path.push(name);
      onPath.add(name);
      stack.push({ name, left: [...(waits.get(name) ?? [])] });
    };
    if (!done.has(first)) enter(first);
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const next = top.left.pop();
      if (next === undefined) {
        done.add(top.name);
        onPath.delete(top.name);
        path.pop();
        stack.pop();
      } else if (onPath.has(next)) return namesOf(path.slice(path.indexOf(next)));
      else if (!done.has(next)) enter(next);
    }
  }
  return undefined;
}

const begin = (name: AtomName) => `+${name}`;
const end = (name: AtomName) => `-${name}`;

function waitsIn({ atoms, groups }: WorkGraph): Map<string, Set<string>> {
  const waits = new Map<string, Set<string>>();
  const wait = (from: string, to: string) => {
    const all = waits.get(from) ?? new Set();
    waits.set(from, all.add(to));
  };
  const placed = (name: AtomName, above: AtomName | undefined) => {
    wait(end(name), begin(name));
    if (above === undefined) return;
    wait(begin(name), begin(above));
    wait(end(above), end(name));
  };
  for (const { name, parent } of groups.values()) placed(name, parent);
  for (const { name, group, parent, dependsOn, ifFailed } of atoms.values()) {
    placed(name, group ?? parent);
    for (const other of dependsOn) wait(begin(name), end(atoms.get(other)?.group ?? other));
    if (ifFailed !== undefined) wait(begin(name), end(ifFailed));
  }
  return waits;
}

/** The names on a path, each once, in the order in which one waits for the next. */
function namesOf(path: readonly string[]): AtomName[] {
  return [...new Set(path.map((vertex) => vertex.slice(1)))];
}
