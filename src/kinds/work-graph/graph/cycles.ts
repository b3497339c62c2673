import { type Order, orderOf, placeOf } from './order.ts';
import type { AtomName, WorkGraph } from './work-graph.ts';

/** The most circles that are named: one is usually enough to see what is wrong. */
const MOST_CYCLES = 10;

/**
 * The atoms and groups that wait for themselves, also through groups, parts and fallbacks: each circle as the names in it, of
 * which each waits for the next, and the last for the first. At most ten.
 */
export function cyclesIn(graph: WorkGraph): AtomName[][] {
  const order = orderOf(graph);
  const found: AtomName[][] = [];
  const state = new Uint8Array(order.after.length);
  for (let moment = 0; moment < order.after.length && found.length < MOST_CYCLES; moment++)
    if (state[moment] === 0) search(order, moment, state, found);
  return found;
}

/** Where a moment is: not seen yet, on the way that is followed, or done with. */
const ON_WAY = 1;
const DONE = 2;

function search({ names, after }: Order, from: number, state: Uint8Array, found: AtomName[][]): void {
  const way: { moment: number; next: number }[] = [{ moment: from, next: 0 }];
  state[from] = ON_WAY;
  for (let at = way.at(-1); at; at = way.at(-1)) {
    const next = after[at.moment]?.[at.next++];
    if (next === undefined) {
      state[at.moment] = DONE;
      way.pop();
    } else if (state[next] === 0) {
      state[next] = ON_WAY;
      way.push({ moment: next, next: 0 });
    } else if (state[next] === ON_WAY && found.length < MOST_CYCLES) {
      const start = way.findIndex(({ moment }) => moment === next);
      found.push(
        circleOf(
          way.slice(start).map(({ moment }) => placeOf(moment)),
          names,
        ),
      );
    }
  }
}

/** @param places what comes before what; atoms first, in the order of the plan */
function circleOf(places: readonly number[], names: readonly AtomName[]): AtomName[] {
  const waiting = [...new Set(places)].reverse();
  const first = waiting.indexOf(waiting.reduce((a, b) => Math.min(a, b)));
  return [...waiting.slice(first), ...waiting.slice(0, first)].flatMap((place) => names[place] ?? []);
}
