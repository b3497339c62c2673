import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { ActionCall } from '../../../src/core/actions/action-call.ts';
import type { Store } from '../../../src/core/ports/store.ts';
import type { SearchFile } from '../../../src/core/search/search-file.ts';
import type { Search } from '../../../src/engine/search.ts';
import { investigationIn } from '../../../src/kinds/investigation/run/read-investigation.ts';
import { openDiskFiles } from '../../../src/store/files/disk/disk-files.ts';
import type { Files } from '../../../src/store/files/files.ts';
import { createSearchJson } from '../../../src/store/json/search-json.ts';
import { openFilesForWriting } from '../../../src/store/open-store.ts';
import { SEED, someOf } from '../../support/effort.ts';
import { ledFile, simulateLed } from '../../support/investigation/led-investigation.ts';
import { ledSnapshot } from '../../support/investigation/led-snapshot.ts';
import { investigationFile, simulateInvestigation } from '../../support/investigation/simulated-investigation.ts';
import { ORDERS, PowerCuts, WAYS } from '../../support/power/power-cuts.ts';
import { PowerDisk } from '../../support/power/power-disk.ts';
import type { INode } from '../../support/power/power-log.ts';
import { snapshotOf } from '../../support/searches/search-snapshot.ts';
import { QUESTION, simulate } from '../../support/searches/simulated-search.ts';
import {
  simulateThoughts,
  type ThoughtSimulationOptions,
  thoughtFile,
} from '../../support/searches/simulated-thoughts.ts';
import { handsOf, MOVE_HOUSE, simulateErrands } from '../../support/toy-kind/simulated-errands.ts';
import { seededRandom, VirtualClock } from '../../support/virtual-clock.ts';

const CONCURRENCY = 3;
const latencyMs = ({ node }: { node: string }): number => 100 + (node.length % 7) * 30;
let runs = 0; // no two runs of a process draw the same ids

/** An answer of a scripted server, or of a client that had its confirmation. */
interface Answered {
  readonly what: string;
  readonly tokens: number;
}

/** A search in virtual time. */
interface Begun {
  readonly search: Search;
  readonly run: () => Promise<unknown>;
  readonly answered: () => readonly Answered[];
}

interface Case {
  readonly file: SearchFile;
  /** How many answers may be in flight. */
  readonly inFlight: number;
  readonly begin: (store: Store, seed: number) => Promise<Begun>;
  /** What is compared; by default everything that was found. */
  readonly snapshot?: (files: Files) => Promise<Record<string, string>>;
}

const research: Case = {
  file: QUESTION,
  inFlight: CONCURRENCY,
  begin: async (store, seed) => {
    const { search, run, model } = await simulate({
      tree: { fanout: (_path, depth) => [2, 1][depth] ?? 0 },
      model: { latencyMs },
      search: { limits: { size: 'all' }, concurrency: CONCURRENCY },
      store,
      seed,
    });
    const answered = (): Answered[] =>
      model.log.map(({ purpose, node, prompt, completion }) => ({
        what: `${purpose} ${node}`,
        tokens: prompt + completion,
      }));
    return { search, run, answered };
  },
};

function thoughts(given: ThoughtSimulationOptions): Case {
  return {
    file: thoughtFile(given),
    inFlight: CONCURRENCY,
    begin: async (store, seed) => {
      const { search, run, model } = await simulateThoughts({
        ...given,
        store,
        seed,
        model: { ...given.model, latencyMs },
        search: { concurrency: CONCURRENCY },
      });
      const answered = (): Answered[] =>
        model.log.map(({ purpose, about, tokens }) => ({ what: `${purpose} ${about}`, tokens }));
      return { search, run, answered };
    },
  };
}

const ERRANDS: Readonly<Record<string, unknown>> = {
  propose: { errands: ['Pack', 'Drive'] },
  Pack: { errands: ['Books', { title: '衣服', after: ['Books'] }] },
};

/** Nobody is asked but a client, which has to be asked for nothing twice that it was told has arrived. */
const errands: Case = {
  file: MOVE_HOUSE,
  inFlight: 0,
  begin: async (store, seed) => {
    const { search, run } = await simulateErrands(store, seed);
    const log: Answered[] = [];
    const { next, act } = handsOf(search, run);
    const serve = async (): Promise<void> => {
      for (let offers = await next(); offers.length > 0; offers = await next())
        for (const offer of offers) {
          const { errand = 'propose' } = offer.ask as { errand?: string };
          const result = ERRANDS[errand] ?? { done: `${errand}: 好.` };
          await act({ action: 'answer', answers: [{ offer: offer.id, result }] });
          log.push({ what: `${offer.kind} ${offer.nodes.join(' ')}`, tokens: 0 });
        }
    };
    return { search, run: serve, answered: () => log };
  },
};

const lead = (id: string, parent: string | null): object => ({
  id,
  parent,
  title: `About ${id}`,
  plannedAction: 'Look',
});
const result = (nodeId: string, state: string): object => ({ nodeId, state, findings: `${nodeId}: 好. Read src/a.ts` });
/** Calls of an investigation, each with a node by which it is known that it was made. */
const CALLS: readonly (readonly [ActionCall, string, 'pending' | 'nodes'])[] = [
  [{ action: 'propose', nodes: [lead('R1.A', null)] }, 'R1.A', 'pending'],
  [{ action: 'commit', results: [result('R1.A', 'EXPLORE')] }, 'R1.A', 'nodes'],
  [{ action: 'propose', nodes: [lead('R2.A1', 'R1.A'), lead('R2.A2', 'R1.A')] }, 'R2.A2', 'pending'],
  [{ action: 'commit', results: [result('R2.A1', 'EXPLORE'), result('R2.A2', 'DEAD')] }, 'R2.A2', 'nodes'],
];

/** An agent makes each call until it is told that it has arrived, as it does over MCP. */
const investigation: Case = {
  file: investigationFile(),
  inFlight: 0,
  begin: async (store, seed) => {
    const { search } = await simulateInvestigation(store, seed);
    const log: Answered[] = [];
    const serve = async (): Promise<void> => {
      for (const [call, id, where] of CALLS) {
        const at = investigationIn(search.file, search.tree, search.record);
        if (at.nodes.has(id) || at[where].has(id)) continue;
        await search.act(call, 'client');
        log.push({ what: `${call.action} ${id}`, tokens: 0 });
      }
    };
    return { search, run: serve, answered: () => log };
  },
};

/** Leads that a model plans once, looks into and checks. */
const led: Case = {
  file: ledFile(),
  inFlight: CONCURRENCY,
  begin: async (store, seed) => {
    const { search, run, model } = await simulateLed(
      { latencyMs },
      { store, seed, search: { concurrency: CONCURRENCY, limits: { maxDepth: 2 } } },
    );
    const answered = (): Answered[] =>
      model.log.map(({ purpose, node, prompt, completion }) => ({
        what: `${purpose} ${node}`,
        tokens: prompt + completion,
      }));
    return { search, run, answered };
  },
  snapshot: async (files) =>
    Object.fromEntries(
      Object.entries(await ledSnapshot(files)).map(([path, file]) => [
        path,
        typeof file === 'string' ? file : JSON.stringify(file),
      ]),
    ),
};

const CASES: Readonly<Record<string, Case>> = {
  research,
  'thoughts, breadth-first': thoughts({
    strategy: 'breadth-first',
    options: { candidates: 2, beam: 1, maxDepth: 2, threshold: 3 },
  }),
  'errands of a client': errands,
  'an investigation': investigation,
  'an investigation that the engine leads': led,
};

/** A disk with nothing but a search that has not begun. */
async function newDisk({ file }: Case): Promise<Map<number, INode>> {
  const disk = new PowerDisk(() => 0);
  const files = await openDiskFiles(disk.folder, { operations: disk.operations });
  await files.makeFolder('.search');
  await createSearchJson(files, file);
  return disk.nodes;
}

interface Run {
  readonly search: Search;
  readonly answered: readonly Answered[];
  readonly snapshot: Record<string, string>;
  /** Files that could not be read. */
  readonly damaged: readonly string[];
}

/** Opens the search on a disk and runs it to its end, on a computer that was just started. */
async function runOn(
  { begin, snapshot = snapshotOf }: Case,
  disk: PowerDisk,
  onBegun?: (begun: Begun) => void,
): Promise<Run> {
  const seed = ++runs;
  const files = await openDiskFiles(disk.folder, { operations: disk.operations, platform: 'linux' });
  const identity = { pid: seed, host: 'here', bootId: `boot-${seed}` };
  const startedAt = Date.now();
  const store = await openFilesForWriting(files, {
    clock: new VirtualClock(),
    random: seededRandom(seed),
    identity,
    startedAt,
  });
  const begun = await begin(store, seed);
  onBegun?.(begun);
  await begun.run();
  const damaged = store.problems.map(({ file }) => file);
  await begun.search.close();
  return { search: begun.search, answered: begun.answered(), snapshot: withoutEnds(await snapshot(files)), damaged };
}

/** A JSON file that lost its final newline is as good as before. */
function withoutEnds(snapshot: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(snapshot).map(([path, text]) => [path, text.trimEnd()]));
}

/** What is on a disk, apart from temporary files, which the next process removes. */
function digestOf(nodes: ReadonlyMap<number, INode>): string {
  const hash = createHash('sha1');
  const add = (ino: number): void => {
    const node = nodes.get(ino);
    if (node?.kind === 'file') hash.update(node.data());
    else
      for (const [name, each] of [...(node?.entries ?? [])].sort(([a], [b]) => (a < b ? -1 : 1)))
        if (name !== 'tmp') {
          hash.update(`${name}:`);
          add(each);
        }
    hash.update(';');
  };
  add(Math.min(...nodes.keys()));
  return hash.digest('hex');
}

interface Cut {
  readonly where: string;
  readonly left: Map<number, INode>;
  /** The number of answers that had been given. */
  readonly answers: number;
}

/** Everything that cuts may leave, each once. */
function* cutsOf(disk: PowerDisk, seed: number): Generator<Cut> {
  const seen = new Set<string>();
  const cuts = new PowerCuts(disk.log);
  const { next: random } = seededRandom(seed);
  do
    for (const order of ORDERS)
      for (const way of WAYS) {
        const left = cuts.left(way, order, random);
        const digest = `${digestOf(left)} ${cuts.mark}`;
        if (seen.has(digest)) continue;
        seen.add(digest);
        yield { where: `cut after change ${cuts.at}, left: ${way}, folders ${order}`, left, answers: cuts.mark };
      }
  while (cuts.next());
}

const tokensOf = (answered: readonly Answered[]): number => answered.reduce((sum, { tokens }) => sum + tokens, 0);

describe('a search whose power is cut at any of its writes', () => {
  for (const [name, given] of Object.entries(CASES))
    it(`${name}: the same tree, nothing paid for twice but calls in flight, nothing understated`, async () => {
      let begun: Begun | undefined;
      const disk = new PowerDisk(() => begun?.answered().length ?? 0, await newDisk(given));
      const whole = await runOn(given, disk, (each) => {
        begun = each;
      });
      const cuts = [...cutsOf(disk, SEED)];
      for (const { where, left, answers } of someOf(cuts)) {
        const first = whole.answered.slice(0, answers);
        const { search, answered, snapshot, damaged } = await runOn(given, new PowerDisk(() => 0, left));
        assert.deepEqual(snapshot, whole.snapshot, where);
        assert.deepEqual(damaged, [], where);
        const known = new Set(first.map(({ what }) => what).filter((what) => !/^(pick|synthesize)/.test(what)));
        const repeated = answered.filter(({ what }) => known.has(what)).map(({ what }) => what);
        assert.ok(repeated.length <= given.inFlight, `${where}: ${repeated.join(', ')} asked again`);
        const { tokens } = search.results;
        const booked = tokens.prompt + tokens.completion + tokens.worstCase;
        assert.ok(booked >= tokensOf(first) + tokensOf(answered), `${where}: ${booked} tokens said to be spent`);
      }
      assert.ok(cuts.length > 150, `${cuts.length} cuts`);
    });
});
