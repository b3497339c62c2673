import type { Try } from '../run/own-fields.ts';
import { type Atom, type AtomName, lineOf, type WorkGraph } from './graph.ts';
import { groupsAround, nextAlternative } from './resolution.ts';

export interface LoopLimits {
  readonly iterations: number;
  readonly parallel: number;
  readonly stall: number;
  /** The last iteration before a person let the loop go on: this and those before count for no limit. */
  readonly since?: number | undefined;
}

/** An atom's tries, as the loop knows them. */
export interface AtomTries {
  readonly atom: AtomName;
  readonly tries: readonly Try[];
  /** The iteration of the try under way; undefined if nobody works on it, nor is its work about to be joined. */
  readonly underWay: number | undefined;
  /** True if its group went on to another alternative because of it. */
  readonly isSwitched: boolean;
}

/** Where the loop is. An iteration consists of the atoms taken at its start, and ends when they have ended. */
export interface Loop {
  /** The iteration under way, if any. */
  readonly running: number | undefined;
  /** The highest number of an iteration that any atom was taken in; 0 before the first. */
  readonly last: number;
  /** The number of iterations in a row that have ended without progress. */
  readonly stalls: number;
  /** The atoms that failed in the last of these. */
  readonly stuck: readonly AtomName[];
}

type Ended = NonNullable<Try['ended']>;

const FAILED: ReadonlySet<Ended | undefined> = new Set<Ended>(['failed', 'conflict', 'contradicted']);
/** The ends of tries that count as progress, the first time that an atom has one. */
const PROGRESS: Partial<Record<Ended, string>> = {
  resolved: 'resolved',
  decomposed: 'decomposed',
  probed: 'probe',
  infeasible: 'probe',
};

/** Returns where the loop is, according to the tries of all atoms. */
export function loopOf(atoms: readonly AtomTries[], since = 0): Loop {
  const running = least(atoms.flatMap(({ underWay }) => underWay ?? []));
  const counted = atoms.map((each) => ({ ...each, tries: each.tries.filter(hasCounted) }));
  const numbers = counted.flatMap(({ tries, underWay = 0 }) => [underWay, ...tries.map(({ iteration }) => iteration)]);
  const last = numbers.reduce((a, b) => Math.max(a, b), 0);
  const progress = progressIn(counted);
  const said = counted.flatMap(({ tries }) => withoutSentBack(tries).map(({ iteration }) => iteration));
  const ended = new Set(said.filter((n) => n > since && n < (running ?? Number.POSITIVE_INFINITY)));
  let stalls = 0;
  const newestFirst = [...ended].sort((a, b) => b - a);
  for (const iteration of newestFirst) {
    if (progress.has(iteration)) break;
    stalls++;
  }
  const latest = newestFirst[0];
  const stuck = stalls > 0 ? counted.flatMap((each) => (hasFailedIn(each, latest) ? each.atom : [])) : [];
  return { running, last, stalls, stuck };
}

/** Tells whether the last try of an atom in an iteration failed, apart from what went back to its worker. */
export function hasFailedIn({ tries }: Pick<AtomTries, 'tries'>, iteration: number | undefined): boolean {
  return FAILED.has(withoutSentBack(tries).findLast((each) => each.iteration === iteration)?.ended);
}

/** The number of times that work which fails goes back to whoever did it, before that counts for the loop. */
const MOST_SENT_BACK = 2;

/**
 * The tries whose work went back, with what was seen, to whoever did it: a check that fails at first is what usually happens to
 * them. A command would do the same once more. What is asked for since a redirection goes back anew.
 */
export function sentBack(tries: readonly Try[]): Try[] {
  const counts = new Map<string | undefined, number>();
  return tries.filter(({ by, ended, begunWith }) => {
    if (by === 'command' || (ended !== 'contradicted' && ended !== 'conflict')) return false;
    const count = (counts.get(begunWith) ?? 0) + 1;
    counts.set(begunWith, count);
    return count <= MOST_SENT_BACK;
  });
}

function withoutSentBack(tries: readonly Try[]): Try[] {
  const back = new Set(sentBack(tries));
  return tries.filter((each) => !back.has(each));
}

/** Tells whether a try counts: one that was stopped, or waits for a person, says nothing about the loop. */
function hasCounted({ ended }: Try): boolean {
  return ended !== undefined && ended !== 'dropped';
}

/** Returns the iterations with progress; each kind of it counts once for an atom. */
function progressIn(atoms: readonly AtomTries[]): Set<number> {
  const progress = new Set<number>();
  for (const { tries, isSwitched } of atoms) {
    const seen = new Set<string>();
    for (const { ended, iteration } of tries) {
      const kind = ended && PROGRESS[ended];
      if (kind === undefined || seen.has(kind)) continue;
      seen.add(kind);
      progress.add(iteration);
    }
    const lastFailed = isSwitched ? tries.at(-1)?.iteration : undefined;
    if (lastFailed !== undefined) progress.add(lastFailed);
  }
  return progress;
}

function least(numbers: readonly number[]): number | undefined {
  return numbers.length === 0 ? undefined : numbers.reduce((a, b) => Math.min(a, b));
}

/** A step about an atom that keeps failing, instead of trying it the same way again. */
export type StallStep =
  | { readonly kind: 'switch'; readonly group: AtomName; readonly to: AtomName }
  | { readonly kind: 'decompose' }
  | { readonly kind: 'probe' };

/** The abilities of those who work here. */
export interface Abilities {
  readonly probe: boolean;
  readonly decompose: boolean;
  /** True if failing items of the base case can become new atoms. */
  readonly extend: boolean;
}

interface Stalled {
  /** The number of iterations in a row without progress. */
  readonly stalls: number;
  readonly wasProbed: boolean;
}

/** The depth down to which an atom may be split once more: one that fails below is not too big. */
const MOST_DEPTH = 3;

/**
 * The next step after so many stalls in a row: another alternative of the innermost group that has one, then splitting it,
 * then finding out whether it can be done, once. Undefined if none of these is possible.
 */
export function stallStep(
  graph: WorkGraph,
  atom: Atom,
  { stalls, wasProbed }: Stalled,
  can: Abilities,
): StallStep | undefined {
  const group = groupsAround(graph, atom).find((each) => nextAlternative(graph, each) !== undefined);
  const to = group && nextAlternative(graph, group);
  const steps: StallStep[] = [];
  if (group && to !== undefined) steps.push({ kind: 'switch', group: group.name, to });
  if (can.decompose && lineOf(graph, atom).length <= MOST_DEPTH) steps.push({ kind: 'decompose' });
  if (can.probe && !wasProbed) steps.push({ kind: 'probe' });
  return steps[Math.min(stalls, steps.length) - 1];
}
