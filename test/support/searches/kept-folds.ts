import assert from 'node:assert/strict';
import type { JournalEvent } from '../../../src/core/search/events.ts';
import { NodesSeen } from '../../../src/core/search/record/nodes-seen.ts';
import { SearchRecord } from '../../../src/core/search/record/search-record.ts';
import { type ToldNode, TreeRecord } from '../../../src/core/tree/tree-record.ts';
import { Attempts } from '../../../src/engine/history.ts';
import { Tries, Wanted } from '../../../src/kinds/thoughts/thought-search.ts';

/** Every fold that can be kept. */
class AllFolds {
  readonly #parts = [new NodesSeen(), new Attempts(), new Tries(), new Wanted()];
  readonly #record = new SearchRecord(...this.#parts);
  readonly #tree = new TreeRecord();

  /** @param kept the states of others, as `kept` gives them */
  static async from(kept: string): Promise<AllFolds> {
    const folds = new AllFolds();
    const [tree, record, ...parts] = JSON.parse(kept);
    await folds.#tree.restore(tree, oneByOne(tree.nodes));
    folds.#record.restore(record);
    for (const [index, part] of folds.#parts.entries()) part.restore(parts[index]);
    return folds;
  }

  apply(events: readonly JournalEvent[]): this {
    for (const event of events) {
      this.#record.apply(event);
      this.#tree.apply(event);
    }
    return this;
  }

  get kept(): string {
    return JSON.stringify([this.#tree, this.#record, ...this.#parts].map(({ state }) => state));
  }
}

async function* oneByOne(nodes: readonly ToldNode[]): AsyncGenerator<ToldNode> {
  yield* nodes;
}

/** Asserts that what was kept at some of the events, and all events after each, say the same as the whole journal. */
export async function assertKept(journal: readonly JournalEvent[], ...places: readonly number[]): Promise<void> {
  const whole = JSON.parse(new AllFolds().apply(journal).kept);
  const before = new AllFolds();
  let applied = 0;
  for (const at of places.toSorted((a, b) => a - b)) {
    const { kept } = before.apply(journal.slice(applied, at));
    applied = at;
    const from = await AllFolds.from(kept);
    assert.deepEqual(JSON.parse(from.kept), JSON.parse(kept), `what was kept after ${at} events`);
    const later = JSON.parse(from.apply(journal.slice(at)).kept);
    assert.deepEqual(later, whole, `the rest after ${at} of ${journal.length} events`);
  }
}
