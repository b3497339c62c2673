import assert from 'node:assert/strict';
import fc from 'fast-check';
import { effort } from '../../../support/effort.ts';
import '../../../support/property-seed.ts';
import type { ActionCall } from '../../../../src/core/actions/action-call.ts';
import { isThoughtTreeError } from '../../../../src/core/search/errors.ts';
import type { JournalEvent } from '../../../../src/core/search/events.ts';
import { joinedPath, parentPath } from '../../../../src/core/tree/slug.ts';
import { pathOf, walk } from '../../../../src/core/tree/tree.ts';
import { TreeRecord } from '../../../../src/core/tree/tree-record.ts';
import type { Search } from '../../../../src/engine/search.ts';
import { SearchStore } from '../../../../src/store/search-store.ts';
import { CrashingFiles } from '../../../support/crashing-files.ts';
import { createMemoryStore, MemoryFiles } from '../../../support/memory-store.ts';
import { chanceTask } from '../../../support/models/thought-model.ts';
import { editByHand, HAND, pathsOn } from '../../../support/searches/hand-editor.ts';
import { assertKept } from '../../../support/searches/kept-folds.ts';
import { assertRecorded, assertTexts, TextsSeen, Unsettled } from '../../../support/searches/record-check.ts';
import { QUESTION, simulate } from '../../../support/searches/simulated-search.ts';
import { simulateThoughts, thoughtFile } from '../../../support/searches/simulated-thoughts.ts';
import type { VirtualClock } from '../../../support/virtual-clock.ts';

const RUNS = effort(1000);

const STEER = ['prune', 'restore', 'expand', 'retry', 'redo', 'add', 'note', 'grow'] as const;

/** Something a person does: after so many events of the search, or between two runs. */
interface Act {
  readonly what: (typeof HAND)[number] | (typeof STEER)[number] | 'by-hand-unseen';
  readonly hand: (typeof HAND)[number];
  readonly after: number;
  readonly at: number;
  readonly to: number;
}

const act: fc.Arbitrary<Act> = fc.record({
  what: fc.constantFrom(...HAND, ...HAND, ...STEER, 'by-hand-unseen' as const),
  hand: fc.constantFrom(...HAND),
  after: fc.nat(20),
  at: fc.nat(1000),
  to: fc.nat(1000),
});

const story = fc.record({
  kind: fc.constantFrom('research', 'thoughts'),
  seed: fc.nat(1_000_000),
  /** What is done in each run; between two runs, edits alone. */
  runs: fc.array(
    fc.record({
      before: fc.array(act, { maxLength: 2 }),
      during: fc.array(act, { maxLength: 4 }),
      /** At which change the process is killed. */
      kill: fc.option(fc.integer({ min: 1, max: 60 }), { freq: 3 }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});

type Story = typeof story extends fc.Arbitrary<infer T> ? T : never;

function steering(search: Search, { what, at, to }: Act): ActionCall | undefined {
  const nodes = [...walk(search.tree.root)].filter((node) => node.parent).map(pathOf);
  const node = nodes[at % Math.max(1, nodes.length)];
  if (node === undefined) return undefined;
  const actions: Partial<Record<string, ActionCall>> = {
    prune: { action: 'prune', node },
    restore: { action: 'restore', node },
    expand: { action: 'expand', node },
    retry: { action: 'retry' },
    redo: { action: 'redo', node, force: true },
    add: { action: 'add', node, title: `Added ${to}` },
    note: { action: 'note', node, text: `Mind ${to}.` },
    grow: { action: 'grow', maxDepth: 4 },
  };
  return actions[what];
}

interface Opened {
  readonly clock: VirtualClock;
  readonly search: Search;
  readonly run: () => Promise<unknown>;
}

/** Nodes whose parent or own lines an event settles. */
function toldBy(event: JournalEvent): string[] {
  if (event.type === 'node-added')
    return [event.node, ...event.children.map(({ slug }) => joinedPath(event.node, slug))];
  if (event.type === 'node-moved') return [event.node, event.from];
  const isTold = event.type === 'node-status' || event.type === 'node-removed' || event.type === 'node-order';
  return isTold ? [event.node] : [];
}

/** One search with all that happens to it. */
class Told {
  readonly files = new MemoryFiles();
  record = new TreeRecord();
  readonly unsettled = new Unsettled();
  readonly #texts = new TextsSeen();
  readonly #story: Story;
  events = 0;

  constructor(told: Story) {
    this.#story = told;
    const { kind } = told;
    createMemoryStore(kind === 'research' ? QUESTION : THOUGHTS, this.files);
    const { files } = this;
    const writeAtomic = files.writeAtomic.bind(files);
    files.writeAtomic = async (path, text, options) => {
      this.unsettled.write(path);
      await writeAtomic(path, text, options);
    };
  }

  async go(): Promise<void> {
    let number = 0;
    for (const run of this.#story.runs) {
      number++;
      for (const each of run.before) editByHand(this.files, each, each.hand);
      await this.#run(number, run);
    }
  }

  async #open(files: CrashingFiles, number: number, listener: (event: JournalEvent) => void): Promise<Opened> {
    const store = new SearchStore(files, { check: () => undefined, release: async () => undefined });
    const { seed, kind } = this.#story;
    const limits = { size: 'all' as const, maxDepth: 3 };
    const search = { limits, concurrency: 3, listener };
    if (kind === 'research') {
      const tree = { seed, fanout: (_: string, depth: number) => [3, 2, 1][depth] ?? 0, documentWords: 4 };
      const latencyMs = ({ node }: { node: string }): number => 50 + ((node.length * 37) % 90);
      return simulate({ tree, model: { latencyMs }, search, store, seed: seed + 7919 * number });
    }
    const options = { candidates: 2, beam: 2 };
    return simulateThoughts({ options, task: chanceTask, search, store, seed: seed + 7919 * number });
  }

  async #run(number: number, { during, kill }: Story['runs'][number]): Promise<void> {
    const crashing = new CrashingFiles(this.files, kill ?? undefined, true);
    const wanted = during.map((each) => ({ ...each, after: this.events + 1 + each.after }));
    const doing: Promise<unknown>[] = [];
    const held = { opened: undefined as Opened | undefined, isOpening: true };
    // What was done between two runs is known once the search is open.
    const listener = (event: JournalEvent): void => {
      this.events++;
      this.record.apply(event);
      this.unsettled.told(...toldBy(event));
      const where = `event ${event.seq} of run ${number}, ${event.type}`;
      if (!held.isOpening && !crashing.crashed) {
        assertRecorded(this.record, this.files, (path) => this.unsettled.isOpen(path), where);
        this.#texts.see(this.record, this.files, (path) => this.unsettled.isOpen(path));
      }
      for (const each of wanted.filter(({ after }) => after === this.events))
        if (held.opened && !crashing.crashed) doing.push(this.#do(held.opened, each, doing.at(-1)));
    };
    const work = (async (): Promise<void> => {
      const opened = await this.#open(crashing, number, listener);
      held.opened = opened;
      this.unsettled.seen();
      assertRecorded(this.record, this.files, () => false, `opening ${number}`);
      await assertTexts(opened.search.record.texts, this.files, `opening ${number}`);
      held.isOpening = false;
      await opened.run();
      for (let done = 0; done < doing.length; ) {
        done = doing.length;
        await opened.clock.run(Promise.all(doing));
      }
      await opened.clock.run(this.#look(opened.search, ['', ...pathsOn(this.files), ...this.unsettled.edited]));
      await opened.clock.run(this.#look(opened.search, ['', ...pathsOn(this.files)]));
      this.unsettled.seen();
      assertRecorded(this.record, this.files, () => false, `end of run ${number}`);
      await this.#assertTexts(opened.search, `end of run ${number}`);
    })();
    await crashing.ended(work);
    held.opened?.clock.stop();
    // What a killed process did not write is known to nobody.
    this.record = new TreeRecord();
    const journal = await createMemoryStore(QUESTION, this.files).readJournal();
    for (const event of journal) this.record.apply(event);
    if (crashing.crashed) this.#texts.keepOnly(journal);
    await assertKept(journal, ...[0.2, 0.5, 0.9, 1].map((part) => Math.round(part * journal.length)));
  }

  /** A person does one thing after the other; what they see of the search is what it is by then. */
  async #do({ search }: Opened, each: Act, before: Promise<unknown> | undefined): Promise<void> {
    await before;
    const action = steering(search, each);
    if (action) {
      await search.act(action, 'test').catch((error: unknown) => {
        assert.ok(isThoughtTreeError(error, 'bad-input', 'edited', 'not-found'), String(error));
      });
      return;
    }
    const isUnseen = each.what === 'by-hand-unseen';
    const touched = editByHand(this.files, each, isUnseen ? each.hand : (each.what as Act['hand']));
    this.unsettled.edit(...touched, ...touched.map(parentPath).filter((path) => path !== ''));
    if (!isUnseen) await this.#look(search, each.to % 2 === 0 ? touched : touched.toReversed());
  }

  async #assertTexts({ record }: Search, where: string): Promise<void> {
    this.#texts.see(this.record, this.files, () => false);
    await this.#texts.assertKept(this.files, where);
    await assertTexts(record.texts, this.files, where);
  }

  async #look(search: Search, paths: readonly string[]): Promise<void> {
    for (const path of paths) await search.reconcile(path);
  }
}

const THOUGHTS = thoughtFile({ options: { candidates: 2, beam: 2 }, task: chanceTask });

describe('the record of a tree', () => {
  it(`says at every event what the disk holds (${RUNS} searches)`, async () => {
    await fc.assert(
      fc.asyncProperty(story, async (told) => new Told(told).go()),
      { numRuns: RUNS, includeErrorInReport: true },
    );
  }).timeout(600_000);
});
