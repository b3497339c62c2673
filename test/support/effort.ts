import { seededRandom } from './virtual-clock.ts';

/**
 * One bound for everything that tests repeat: seeds, kills, runs of a property. `TEST_EFFORT=10` runs everything, 1 (the
 * default) about a tenth of it; more than 10 tries more than everybody does, where there is more to try.
 */
export const EFFORT = positive('TEST_EFFORT', process.env['TEST_EFFORT'] || '1');
const FULL = 10;

/** The seed of properties and of samples: fixed, so that a test that turns red tells of the change at hand. */
export const SEED = process.env['PROPERTY_SEED'] === 'random' ? drawnSeed() : seedFrom(process.env['PROPERTY_SEED']);

/** Scales what is done `full` times at full effort, down to `least` times at the least effort. */
export function effort(full: number, least = 3): number {
  return Math.max(Math.min(full, least), Math.round((full * EFFORT) / FULL));
}

/** Runs something for the seeds from 1 on, `full` of them at full effort; an error tells of its seed. */
export async function forEverySeed(full: number, run: (seed: number) => unknown): Promise<void> {
  for (let seed = 1; seed <= effort(full); seed++)
    try {
      await run(seed);
    } catch (error) {
      if (error instanceof Error) error.message = `seed ${seed}: ${error.message}`;
      throw error;
    }
}

/** Returns all at full effort; with less, one from each of as many equal stretches, in order, drawn by the seed. */
export function someOf<T>(all: readonly T[], least = 3): T[] {
  const count = Math.min(all.length, effort(all.length, least));
  if (count === all.length) return [...all];
  const random = seededRandom(SEED);
  return Array.from({ length: count }, (_, at) => all[Math.floor(((at + random.next()) * all.length) / count)] as T);
}

/** Returns whole numbers from 1 to `last`, all at full effort; with less, some of them. */
export function someUpTo(last: number, least = 3): number[] {
  return someOf(
    Array.from({ length: last }, (_, at) => at + 1),
    least,
  );
}

function positive(name: string, given: string): number {
  const value = Number(given);
  if (!(value > 0 && value < Number.POSITIVE_INFINITY)) throw new Error(`${name} is not a positive number: ${given}`);
  return value;
}

function seedFrom(given = '20261101'): number {
  const seed = Number(given);
  if (!Number.isInteger(seed)) throw new Error(`PROPERTY_SEED is neither a whole number nor "random": ${given}`);
  return seed;
}

/** Draws a seed, and keeps it for the processes that run the tests. */
function drawnSeed(): number {
  const seed = Math.floor(Math.random() * 2 ** 31);
  process.env['PROPERTY_SEED'] = String(seed);
  return seed;
}
