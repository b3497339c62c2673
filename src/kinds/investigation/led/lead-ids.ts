import { suffixOf } from '../protocol/investigation.ts';

/** The id of the root. */
export const ROOT_ID = 'R1.A';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/**
 * The next free id below a node: the round that it belongs to, and its parent's suffix with digits and letters in turn:
 * `R2.A1`, `R3.A1a`, `R5.A1a1`.
 * @param parent the id of a committed node
 */
export function nextId(parent: string, round: number, isTaken: (id: string) => boolean): string {
  const suffix = suffixOf(parent);
  const isNumbered = !/\d$/.test(suffix);
  for (let n = 0; ; n++) {
    const id = `R${round}.${suffix}${isNumbered ? n + 1 : lettersOf(n)}`;
    if (!isTaken(id)) return id;
  }
}

/** `a` to `z`, then `aa`, `ab` and so on. */
function lettersOf(n: number): string {
  const last = LETTERS[n % LETTERS.length] as string;
  return n < LETTERS.length ? last : lettersOf(Math.floor(n / LETTERS.length) - 1) + last;
}
