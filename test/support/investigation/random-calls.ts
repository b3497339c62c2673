import { type Investigation, roundOf, suffixOf } from '../../../src/kinds/investigation/protocol/investigation.ts';
import { profileOf, statesOf } from '../../../src/kinds/investigation/protocol/profiles.ts';
import { type PlayedCall, SOURCES } from './played.ts';

/** Chance for one run: numbers below a bound, as fast-check drew them. */
export class Dice {
  readonly #rolls: readonly number[];
  #next = 0;

  constructor(rolls: readonly number[]) {
    this.#rolls = rolls;
  }

  get isEmpty(): boolean {
    return this.#next >= this.#rolls.length;
  }

  below(bound: number): number {
    return (this.#rolls[this.#next++] ?? 0) % bound;
  }

  /** Returns one of a list; the last ones as often as the first. */
  one<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }
}

/** Returns a call as clients make them: most are sensible, some are not. */
export function drawCall(dice: Dice, at: Investigation): PlayedCall {
  const ids = [...at.nodes.keys()];
  const pending = [...at.pending.keys()];
  const states = statesOf(profileOf(at));
  const kind = dice.below(10);
  if (kind < 4) return { propose: Array.from({ length: 1 + dice.below(3) }, () => drawNode(dice, ids)) };
  if (kind < 8) {
    const isWild = dice.below(6) === 0;
    const from = isWild ? [...pending, ...ids, 'R1.Z'] : pending;
    const count = Math.min(from.length, 1 + dice.below(4));
    const agents = { aaaaaaa: 'found', bbbbbbb: 'missing' } as const;
    const results = Array.from({ length: count }, () => {
      const agentId = dice.one([
        undefined,
        undefined,
        'aaaaaaa',
        'bbbbbbb',
        'ccccccc',
        dice.below(1e6).toString(16).padStart(7, 'd'),
      ]);
      const findings = dice.one([SOURCES, SOURCES, SOURCES, 'nothing']);
      return [dice.one(from), dice.one(states), { findings, ...(agentId && { agentId }) }] as const;
    });
    const unique = isWild ? results : results.filter(([id], i) => results.findIndex((each) => each[0] === id) === i);
    return { commit: unique, agents, after: dice.one([60_000, 1000]) };
  }
  if (kind === 8 && ids.length > 0) return { reclassify: [dice.one(ids), dice.one(states)] };
  return { end: dice.one([{}, { minRounds: 1 }]) };
}

function drawNode(dice: Dice, ids: readonly string[]): [string, string | null] {
  const parent = ids.length === 0 || dice.below(12) === 0 ? null : dice.one(ids);
  if (parent === null) return [dice.one(['R1.A', 'R1.A', 'R1.B', 'R3.C']), null];
  const round = roundOf(parent) + dice.one([1, 1, 1, 1, 1, 3]);
  const suffix =
    dice.one([suffixOf(parent), suffixOf(parent), suffixOf(parent), 'A']) + dice.one(['1', '2', '3', 'a', '']);
  return [`R${round}.${suffix}`, parent];
}
