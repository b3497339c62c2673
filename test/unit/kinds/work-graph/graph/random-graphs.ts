import type { AtomName, WorkGraph } from '../../../../../src/kinds/work-graph/graph/graph.ts';
import { type GivenAtom, graphOf } from './play.ts';

/** Draws numbers from 0 to below `count`, the same ones for the same seed. */
export function randomFrom(seed: number): (count: number) => number {
  let at = seed >>> 0;
  return (count) => {
    at = (at + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(at ^ (at >>> 15), at | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % count;
  };
}

const FILES = ['a', 'b', 'c', 'd'];

/** A graph of up to 12 atoms, with groups, parts, fallbacks, files and resources; some have circles. */
export function randomGraph(random: (count: number) => number): WorkGraph {
  const count = 1 + random(12);
  const names = Array.from({ length: count }, (_, at) => String.fromCharCode(65 + at));
  const groups = random(4);
  const parents = new Map<string, AtomName | undefined>();
  const placed = (at: number) => (random(4) === 0 && at > 0 ? names[random(at)] : undefined);
  for (let group = 0; group < groups; group++) parents.set(`g${group}`, undefined);
  const atoms = names.map((name, at): GivenAtom => {
    const group = groups > 0 && random(3) === 0 ? `g${random(groups)}` : undefined;
    const isFirst = group !== undefined && parents.get(group) === undefined && random(3) === 0;
    if (isFirst && group !== undefined) parents.set(group, placed(at));
    const dependsOn = names.slice(0, at).filter(() => random(Math.max(3, at)) === 0);
    if (groups > 0 && random(8) === 0) dependsOn.push(`g${random(groups)}`);
    const others = names.filter((each) => each !== name);
    const ifFailed = random(9) === 0 && others.length > 0 ? others[random(others.length)] : undefined;
    const touches = random(4) === 0 ? undefined : FILES.filter(() => random(4) === 0);
    const uses = random(6) === 0 ? ['db'] : [];
    return {
      name,
      group,
      parent: group === undefined ? placed(at) : undefined,
      dependsOn,
      ifFailed,
      touches,
      uses,
      needsProbe: random(8) === 0,
    };
  });
  const shuffled = atoms.toSorted(() => random(3) - 1);
  return graphOf(
    shuffled.map((each) => (each.group === undefined ? each : { ...each, parent: parents.get(each.group) })),
    [...parents].flatMap(([name, parent]) => (atoms.some(({ group }) => group === name) ? [{ name, parent }] : [])),
  );
}
