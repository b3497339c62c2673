import { stringify } from 'yaml';
import type { Model } from '../../../src/core/ports/model.ts';
import type { Store } from '../../../src/core/ports/store.ts';
import type { JournalEvent } from '../../../src/core/search/events.ts';
import type { SearchFile } from '../../../src/core/search/search-file.ts';
import { type TreeNode, walk } from '../../../src/core/tree/tree.ts';
import type { Outcome, RunOptions } from '../../../src/engine/loop.ts';
import type { Search } from '../../../src/engine/search.ts';
import { openHeldSearch } from '../../../src/engine-parts/opening/open-held-search.ts';
import { KINDS } from '../../../src/kinds/kinds.ts';
import { type OwnFields, ownFieldsOf } from '../../../src/kinds/work-graph/run/own-fields.ts';
import { createMemoryStore, MemoryFiles } from '../memory-store.ts';
import { simulatedModel } from '../models/simulated-model.ts';
import { scriptedTree } from '../servers/server-tree.ts';
import { seededRandom, VirtualClock } from '../virtual-clock.ts';
import { type FakeOptions, type FakeState, type FakeTree, fakeState, fakeWorkshop } from './fake-workshop.ts';

/** A plan as a person writes it. */
interface GivenPlan {
  readonly goal?: string;
  readonly base_case: readonly object[];
  readonly atoms: readonly object[];
  readonly groups?: readonly object[];
  readonly limits?: object;
}

export function goalFile(options: SearchFile['options'] = {}): SearchFile {
  return { version: 1, kind: 'work-graph', title: 'A goal', prompt: 'A goal', options };
}

export interface WorkSimulation {
  readonly clock: VirtualClock;
  readonly store: Store;
  readonly search: Search;
  readonly shop: FakeState;
  readonly events: JournalEvent[];
  readonly run: (options?: RunOptions) => Promise<Outcome>;
  /** The node of an atom or a group. */
  readonly node: (name: string) => TreeNode;
  readonly own: (name: string) => OwnFields;
}

export interface WorkOptions extends FakeOptions {
  readonly plan?: GivenPlan;
  readonly workspace?: FakeTree;
  /** What an earlier run left outside. */
  readonly shop?: FakeState;
  readonly store?: Store;
  readonly seed?: number;
  /** By default one that cannot write. */
  readonly model?: (clock: VirtualClock) => Model;
  /** Hears the events of the opening, too. */
  readonly listener?: (event: JournalEvent) => void;
}

/** Returns a search for a goal in memory and in virtual time, without a model. */
export async function simulateWork(options: WorkOptions): Promise<WorkSimulation> {
  const clock = new VirtualClock();
  const store = options.store ?? (await createMemoryStore(goalFile(), new MemoryFiles()));
  if (options.plan) await store.writePlan(stringify({ goal: 'A goal', ...options.plan }));
  const shop = options.shop ?? fakeState(options.workspace ?? {});
  const search = await openHeldSearch({
    kinds: KINDS,
    store,
    model: options.model?.(clock) ?? { ...simulatedModel({ tree: scriptedTree(), clock }), prose: false, tools: false },
    clock,
    random: seededRandom(options.seed ?? 1),
    folder: 'thought-trees/goal',
    workshop: fakeWorkshop(shop, options),
    ...(options.listener && { listener: options.listener }),
  });
  const events: JournalEvent[] = [];
  search.listen((event) => events.push(event));
  const node = (name: string): TreeNode => {
    const found = [...walk(search.tree.root)].find((each) => {
      const own = ownFieldsOf(each.file?.own);
      return own?.type === 'goal' ? name === 'goal' : own?.name === name;
    });
    if (!found) throw new RangeError(`no node is called ${name}`);
    return found;
  };
  return {
    clock,
    store,
    search,
    shop,
    events,
    run: (run) => clock.run(search.run(run)),
    node,
    own: (name) => ownFieldsOf(node(name).file?.own) as OwnFields,
  };
}

/** Returns a command that writes files. */
export function writes(files: FakeTree): FakeOptions['commands'][string] {
  return (at) => {
    Object.assign(at, files);
    return {};
  };
}

/** Returns a command that succeeds if a file has, or contains, a text. */
export function has(path: string, text = ''): FakeOptions['commands'][string] {
  return (at) => ({ exitCode: at[path]?.includes(text) ? 0 : 1, output: `${path}: ${at[path] ?? 'missing'}` });
}
