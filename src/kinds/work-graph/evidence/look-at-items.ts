import type { Check, CheckItem } from '../plan/plan.ts';
import type { Evidence } from '../run/tree/own-fields.ts';
import { allOf, anyOf } from './combine.ts';
import { type Found, type Looking, lookAt } from './look-at-check.ts';

/** Finds out what checks say at one commit; each distinct one is looked at once, whoever asks. */
export class Findings {
  readonly #looking: Looking;
  readonly #known = new Map<string, Promise<Found>>();

  constructor(looking: Looking) {
    this.#looking = looking;
  }

  /**
   * Looks at every item.
   * @param asserted what a person said of items of this work: it counts, whatever the check
   */
  async of(items: readonly CheckItem[], asserted: readonly Evidence[] = []): Promise<Evidence[]> {
    const evidence: Evidence[] = [];
    for (const [i, item] of items.entries()) evidence.push(...(await this.#item(item, String(i), asserted)));
    return evidence;
  }

  /** The entry of an item, followed by those of its parts. */
  async #item(item: CheckItem, place: string, asserted: readonly Evidence[]): Promise<Evidence[]> {
    const said = asserted.find((each) => each.item === place && each.by !== undefined);
    if (said) return [said];
    if (item.check) return [await this.#check(item.item, item.check, place)];
    const parts = item.all_of ?? item.any_of ?? [];
    const below: Evidence[][] = [];
    for (const [i, part] of parts.entries()) {
      const entries = await this.#item(part, `${place}.${i}`, asserted);
      below.push(entries);
      if (item.any_of && entries[0]?.word === 'verified') break; // one is enough
    }
    const words = below.flatMap(([own]) => (own ? [own.word] : []));
    const word = (item.any_of ? anyOf : allOf)(words);
    return [{ item: place, word, commit: this.#looking.commit, time: this.#time }, ...below.flat()];
  }

  async #check(item: string, check: Check, place: string): Promise<Evidence> {
    const key = JSON.stringify(check);
    const found = this.#known.get(key) ?? lookAt(this.#looking, item, check);
    this.#known.set(key, found);
    return { item: place, commit: this.#looking.commit, time: this.#time, ...(await found) };
  }

  get #time(): string {
    return new Date(this.#looking.search.clock.now()).toISOString();
  }
}
