import assert from 'node:assert/strict';
import type { Atom, WorkGraph } from '../../../../../src/kinds/work-graph/graph/graph.ts';
import { cyclesIn, misplacedFallbacks } from '../../../../../src/kinds/work-graph/graph/order.ts';
import { EFFORT, effort } from '../../../../support/effort.ts';
import { canBeReached, isAllResolvedNaively } from './naive.ts';
import { type Choices, type Played, play } from './play.ts';
import { randomFrom, randomGraph } from './random-graphs.ts';
import { smallGraphs } from './small-graphs.ts';

/** Of all graphs with 4 atoms, listing them takes most of the time. */
const ATOMS = EFFORT < 10 ? 3 : 4;
const RANDOM_GRAPHS = EFFORT < 10 ? 3000 : effort(100_000);

/** What atoms keep for themselves: nothing, so that all may run at once; any file; one file or thing for every other atom. */
const SHARING: readonly ((atom: Atom, at: number) => Atom)[] = [
  (atom) => ({ ...atom, touches: [] }),
  (atom) => ({ ...atom, touches: undefined }),
  (atom, at) => ({ ...atom, touches: at % 2 === 0 ? ['a'] : [], uses: at % 3 === 0 ? ['db'] : [] }),
];

/** What must hold however a play ended. */
function check(start: WorkGraph, { end, graph, failing, log }: Played): void {
  const told = () => `${log.join(' ')} in ${JSON.stringify([...start.atoms.values(), ...start.groups.values()])}`;
  if (end === 'solved') {
    assert.ok(isAllResolvedNaively(graph), `solved too early: ${told()}`);
    return;
  }
  const had = (what: string) => log.some((each) => each.startsWith(what));
  if (had('conflict') && had('give-up')) return; // what was given up since nothing moved might have worked the next time
  const isReachable = canBeReached(start, (name) => failing.get(name) === true);
  assert.ok(!isReachable, `at rest, although the goal can be reached, with ${JSON.stringify(end)}: ${told()}`);
  assert.ok(end.kind === 'stall' || end.kind === 'exhausted' || end.kind === 'stuck', `${end.kind}: ${told()}`);
  if (end.kind === 'stuck') assert.ok(end.failed.length + end.never.length > 0, `stuck for no reason: ${told()}`);
}

/** Plays a graph once for each way in which the atoms that are worked on may fail; the order of endings is drawn. */
function playEachFailure(start: WorkGraph, seed: number): number {
  let plays = 0;
  for (let planned: boolean[] | undefined = []; planned; plays++) {
    const plan: readonly boolean[] = planned;
    const given: boolean[] = [];
    const fails = () => {
      given.push(plan[given.length] ?? false);
      return given.at(-1) === true;
    };
    check(start, play(start, { fails, pick: randomFrom(seed + plays) }));
    const last = given.lastIndexOf(false);
    planned = last < 0 ? undefined : [...given.slice(0, last), true];
  }
  return plays;
}

function drawn(seed: number): { readonly graph: WorkGraph; readonly choices: Choices } {
  const random = randomFrom(seed);
  const graph = randomGraph(random);
  const failing = random(3) === 0 ? 0 : random(6);
  const choices = {
    fails: () => random(10) < failing,
    pick: random,
    isOutside: (name: string) => seed % 3 === 0 && name.charCodeAt(0) % 4 === 0,
    conflicts: () => random(20) === 0,
    canDecompose: seed % 2 === 0,
    limits: { parallel: 1 + (seed % 4) },
  };
  return { graph, choices };
}

describe('work graphs, played by the real strategy', function () {
  this.timeout(900_000);

  it(`reach the goal wherever some choice of alternatives does: every graph up to ${ATOMS} atoms and 2 groups`, () => {
    let graphs = 0;
    let plays = 0;
    for (const graph of smallGraphs(ATOMS, 2)) {
      graphs++;
      for (const share of SHARING) {
        const atoms = new Map([...graph.atoms.values()].map((atom, at) => [atom.name, share(atom, at)]));
        plays += playEachFailure({ ...graph, atoms }, graphs);
      }
    }
    const [mostGraphs, mostPlays] = ATOMS < 4 ? [200, 1500] : [3000, 50_000];
    assert.ok(graphs > mostGraphs && plays > mostPlays, `${graphs} graphs, ${plays} plays`);
  });

  it('reach the goal wherever some choice of alternatives does: random graphs up to 12 atoms', () => {
    let graphs = 0;
    for (let seed = 1; graphs < RANDOM_GRAPHS; seed++) {
      const { graph, choices } = drawn(seed);
      if (cyclesIn(graph).length > 0 || misplacedFallbacks(graph).length > 0) continue;
      check(graph, play(graph, choices));
      graphs++;
    }
  });
});
