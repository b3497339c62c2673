// Some texts take tree-sitter time that grows with the square of their length. What it does is counted, and not timed, so
// that the same text gives the same marks on every computer: its module counts each of its calls and each turn of its loops
// (`meter-wasm.ts`). People's code took 30 to 90 for each character, and where it is tables or macros up to 170 and once 20
// million beside; a million take about 7 ms.

/** How much work each character of a text may take. */
const MOST_FOR_EACH = 200;
/** What a text may take whatever its length, in characters that it were longer: short ones may be full of macros. */
const BASE = 150_000;

/** How much work a text may take. @param length in characters */
export function mostWork(length: number): number {
  return MOST_FOR_EACH * (length + BASE);
}

/**
 * What was parsed before decides a little how much work a text is, as memory is managed by the same module. So much of the
 * bound is surely kept to, and so many times the bound is surely more, by a module that parsed something before.
 */
export const [SURELY_ENOUGH, SURELY_TOO_MUCH] = [0.9, 1.1];

/** A text took more work than one of its length may. */
export class TooMuchWork extends Error {
  constructor() {
    super('too much work');
  }
}
