import assert from 'node:assert/strict';
import { foreign } from '../../../../src/core/messages/message.ts';
import type { Model, ModelAnswer, ModelRequest } from '../../../../src/core/ports/model.ts';
import type { Clock } from '../../../../src/core/ports/ports.ts';
import type { Store } from '../../../../src/core/ports/store.ts';
import { ThoughtTreeError } from '../../../../src/core/search/errors.ts';
import type { SearchFile } from '../../../../src/core/search/search-file.ts';
import { digest } from '../../../../src/core/text/text.ts';
import { knowsItsLimits } from '../../../../src/searches/models/prepare-model.ts';
import { SearchStore } from '../../../../src/store/search-store.ts';
import { CrashingFiles } from '../../../support/crashing-files.ts';
import { someUpTo } from '../../../support/effort.ts';
import { type LedManner, ledAnswer, ledFile, simulateLed } from '../../../support/investigation/led-investigation.ts';
import { createMemoryStore, MemoryFiles } from '../../../support/memory-store.ts';
import { simulatedModel } from '../../../support/models/simulated-model.ts';
import { thoughtModel } from '../../../support/models/thought-model.ts';
import { snapshotOf } from '../../../support/searches/search-snapshot.ts';
import { QUESTION, simulate } from '../../../support/searches/simulated-search.ts';
import { simulateThoughts, thoughtFile } from '../../../support/searches/simulated-thoughts.ts';
import { scriptedTree } from '../../../support/servers/server-tree.ts';
import type { VirtualClock } from '../../../support/virtual-clock.ts';
import { type FakeState, fakeState } from '../../../support/work-graph/fake-workshop.ts';
import { goalFile, simulateWork } from '../../../support/work-graph/work-search.ts';

const right = { check: () => undefined, release: async () => undefined };
let runs = 0; // no two runs of a process draw the same ids

const output = (value: unknown): string => `<output>${JSON.stringify(value)}</output>`;

/** Any text will do for an answer to these. */
const ANY_TEXT: ReadonlySet<string> = new Set(['document', 'write-draft']);

/** A server that counts what it is asked for. A first answer is of no use; the one to a correction is, or is not, either. */
class Server {
  readonly log: string[] = [];
  /** The process dies while this call is under way, from 1. */
  killAt = Number.POSITIVE_INFINITY;
  files: CrashingFiles | undefined;
  readonly #isStubborn: (request: ModelRequest) => boolean;

  constructor(isStubborn: (request: ModelRequest) => boolean = () => false) {
    this.#isStubborn = isStubborn;
  }

  /** Returns a model that this server answers for. */
  over(model: Model): Model {
    const generate: Model['generate'] = async (request, call): Promise<ModelAnswer> => {
      const isCorrection = request.prompt.startsWith('That answer cannot be used: ');
      this.log.push(`${request.purpose} ${request.node}${isCorrection ? ', corrected' : ''}`);
      if (this.log.length === this.killAt) this.files?.die();
      if (this.files?.crashed) return new Promise<never>(() => undefined);
      const [first] = isCorrection ? request.turns.slice(-2) : [];
      const asked = first ? { ...request, turns: request.turns.slice(0, -2), prompt: first.text } : request;
      const answer = await model.generate(asked, call);
      if (request.purpose === 'synthesize') return answer; // as it comes
      return isCorrection && !this.#isStubborn(asked)
        ? answer
        : { ...answer, text: ANY_TEXT.has(request.purpose) ? '' : 'Sorry.' };
    };
    return { ...model, generate };
  }
}

/** Told by chance, but the same at each asking: nothing comes of a few of the nodes. */
const isStubborn = ({ node, purpose }: ModelRequest): boolean =>
  node !== '' && purpose !== 'pick' && Number.parseInt(digest(node, purpose).at(-1) ?? '', 16) < 3;

type Opened = Promise<{ readonly run: () => Promise<unknown>; readonly clock: VirtualClock }>;

interface Case {
  readonly file: SearchFile;
  readonly isStubborn?: typeof isStubborn;
  /** The purposes of questions whose answers are corrected. */
  readonly corrected: readonly string[];
  /** Opens it anew, each time with what is outside of its folder and outlives a kill. */
  readonly world: () => (at: { readonly store: Store; readonly server: Server; readonly slots: number }) => Opened;
}

/** Answers come at once. */
const STILL: Clock = { now: () => 0, monotonic: () => 0, sleep: async () => undefined };

const scripted = (answer?: (request: ModelRequest) => string): Model =>
  simulatedModel({
    clock: STILL,
    tree: scriptedTree({ fanout: (_, depth) => [4, 3][depth] ?? 0 }),
    ...(answer && { instead: answer }),
  });

const research: Case = {
  file: { ...QUESTION, options: { size: 'all' } },
  corrected: ['children', 'document', 'pick'],
  world:
    () =>
    ({ store, server, slots }) =>
      simulate({ store, seed: ++runs, search: { concurrency: slots, model: server.over(scripted()) } }),
};

/** A server that takes no schema, which each process has to learn; a refusal costs nothing. */
function withoutSchemas(model: Model): Model {
  const refusal = new ThoughtTreeError('bad-request', foreign({ text: 'No.' }), {
    charged: false,
    refusesSchema: true,
  });
  return knowsItsLimits({
    ...model,
    label: `Process ${runs}`,
    takesSchemas: true,
    generate: (request, call) => (request.schema ? Promise.reject(refusal) : model.generate(request, call)),
  });
}

function thoughts(
  strategy: string,
  options: SearchFile['options'],
  corrected: readonly string[],
  wrapped = (model: Model): Model => model,
): Case {
  const given = { strategy, options: { candidates: 2, maxDepth: 2, threshold: 0, seed: 7, ...options } };
  const model = (): Model => thoughtModel({ graded: true, score: (content) => content.length % 10 });
  return {
    file: thoughtFile(given),
    corrected,
    world:
      () =>
      ({ store, server, slots }) =>
        simulateThoughts({
          ...given,
          store,
          seed: ++runs,
          search: { concurrency: slots, model: wrapped(server.over(model())) },
        }),
  };
}

const investigation: Case = {
  file: ledFile(),
  corrected: ['investigate', 'propose-leads', 'verify-finding'],
  world:
    () =>
    ({ store, server, slots }) => {
      const manner: LedManner = { leads: (round) => (round < 4 ? [`Lead ${round}`, `Other ${round}`] : []) };
      const model = server.over(scripted((request) => ledAnswer(request, manner)));
      return simulateLed(manner, { store, seed: ++runs, search: { concurrency: slots, model } });
    },
};

const CHECK = { item: 'it is there', check: { file: 'one' } };
const PLAN = {
  base_case: [{ item: 'good', check: { quality: { rubric: [{ criterion: 'Good', weight: 1 }], threshold: 3 } } }],
  atoms: [
    { id: 'A1', title: 'One', touches: ['one'], probe: true, checks: [CHECK] },
    { id: 'A2', title: 'Two', touches: ['two'], depends_on: ['A1'], checks: [{ item: 'b', check: { file: 'two' } }] },
  ],
};

/** An agent that works in the folder of a checkout. */
function agent(shop: FakeState): Model {
  const answer = ({ purpose, prompt, turns, workplace }: ModelRequest): string => {
    if (purpose === 'align') return output({ goal: 'All of it.', done: ['it is there'], clarifications: [] });
    if (purpose === 'plan') return output(PLAN);
    if (purpose === 'probe') return output({ feasible: true, findings: 'A file is enough.' });
    if (purpose === 'judge-quality') return output({ scores: [4] });
    const { files } = shop.checkouts.get(workplace?.folder?.split('/').at(-1) ?? '') ?? assert.fail('no checkout');
    const all = [...turns.map(({ text }) => text), prompt].join();
    Object.assign(files, { [all.includes('A2:') ? 'two' : 'one']: 'x' });
    return output({ success: true, summary: 'It is done.', artifacts: [], next_steps: [] });
  };
  return {
    ...scripted(answer),
    worksByItself: true,
  };
}

const workGraph: Case = {
  file: goalFile(),
  corrected: ['align', 'plan', 'probe', 'work-on', 'judge-quality'],
  world: () => {
    const shop = fakeState({ 'README.md': 'x' });
    return ({ store, server }) =>
      simulateWork({ store, shop, seed: ++runs, commands: {}, model: () => server.over(agent(shop)) });
  },
};

const CASES: Readonly<Record<string, Case>> = {
  research,
  'research, where nothing comes of some documents': { ...research, isStubborn },
  'thoughts, one after the other': thoughts('breadth-first', { beam: 2 }, ['decompose', 'generate', 'evaluate']),
  'thoughts, some of which cannot be judged as asked': {
    ...thoughts('breadth-first', { beam: 2, samples: 2, judge: 'parent' }, ['generate', 'evaluate']),
    isStubborn,
  },
  'thoughts, best first': thoughts('best-first', { beam: 2, tries: 2, threshold: 1 }, ['generate', 'evaluate']),
  'thoughts, by a model that takes no schema': thoughts(
    'breadth-first',
    { beam: 2 },
    ['generate', 'evaluate'],
    withoutSchemas,
  ),
  'whole drafts': thoughts('drafts', { size: 'small', maxDepth: 4 }, ['write-draft', 'read-draft']),
  investigation,
  'work graph': workGraph,
};

/** The number of calls. How many picks several slots ask for depends on which answer comes first. */
const countOf = (log: readonly string[], slots: number): number =>
  log.filter((each) => slots === 1 || !each.startsWith('pick ')).length;

/** Runs a search until its process is killed, and again, until nobody kills it; returns what came of it. */
async function searched(given: Case, slots: number, kills: readonly number[] = []) {
  const files = new MemoryFiles();
  createMemoryStore(given.file, files);
  const world = given.world();
  const server = new Server(given.isStubborn);
  for (const killAt of [...kills, Number.POSITIVE_INFINITY]) {
    server.killAt = server.log.length + killAt;
    server.files = new CrashingFiles(files);
    const dead: { clock?: VirtualClock } = {};
    const work = (async (): Promise<void> => {
      const { run, clock } = await world({
        store: new SearchStore(server.files as CrashingFiles, right),
        server,
        slots,
      });
      dead.clock = clock;
      await run();
    })();
    await server.files.ended(work);
    dead.clock?.stop();
  }
  return { tree: plain(await snapshotOf(files)), log: server.log };
}

/** The files of a search without times, and without what it cost to come to them. */
function plain(files: Record<string, string>): Record<string, string> {
  const texts = Object.entries(files).map(([path, text]): [string, string] => [
    path,
    text
      .replace(/\b[\da-f]{10,64}\b|\bid-\d+-\d+\b/g, '#')
      .replace(/\d{4}-\d\d-\d\d[T ][\d:.]+Z?/g, 'TIME')
      .replace(/"cached": \d+/g, '"cached": 0')
      .replace(/^- (?:\d+ iterations?,|Time:).*$/gm, ''),
  ]);
  return Object.fromEntries(texts);
}

describe('a search whose answers have to be corrected, killed during any of its calls', () => {
  for (const [name, given] of Object.entries(CASES))
    for (const slots of name === 'work graph' ? [1] : [1, 3])
      it(`${name}, ${slots} at once: comes to the same tree, and pays again only for what was under way`, async () => {
        const { tree, log } = await searched(given, slots);
        // A pick needs no slot.
        const atOnce = slots + (slots === 1 && given.corrected.includes('pick') ? 1 : 0);
        for (const purpose of given.corrected)
          assert.ok(
            log.some((each) => each.startsWith(`${purpose} `) && each.endsWith(', corrected')),
            `${purpose} is not corrected in ${log.join('; ')}`,
          );
        for (const at of someUpTo(log.length, 8)) {
          const once = await searched(given, slots, [at]);
          assert.deepEqual(once.tree, tree, `killed at call ${at}: ${log[at - 1]}`);
          const more = countOf(once.log, slots) - countOf(log, slots);
          assert.ok(more <= atOnce, `killed at call ${at}, ${log[at - 1]}: ${more} calls more`);
        }
        for (const at of someUpTo(log.length, 3)) {
          const twice = await searched(given, slots, [at, 1]);
          assert.deepEqual(twice.tree, tree, `killed at call ${at}, and at the next one`);
          const more = countOf(twice.log, slots) - countOf(log, slots);
          assert.ok(more <= 2 * atOnce, `killed at call ${at}, and at the next one: ${more} calls more`);
        }
      });
});

describe('a plan that is made before a search begins', () => {
  const asked = {
    thoughts: { purpose: 'decompose', file: thoughtFile({ strategy: 'breadth-first' }) },
    'work graph': { purpose: 'align', file: goalFile() },
  };
  for (const [name, { purpose, file }] of Object.entries(asked))
    it(`${name}: a process that is killed in a correction leaves only that to the next one, again and again`, async () => {
      const files = new MemoryFiles();
      createMemoryStore(file, files);
      const server = new Server();
      for (const [epoch, kill] of [2, 1, 1, Number.POSITIVE_INFINITY].entries()) {
        server.killAt = server.log.length + kill;
        server.files = new CrashingFiles(files);
        const holder = { epoch, pid: epoch, host: 'h', token: 't' };
        const store = new SearchStore(server.files, { ...right, holder });
        const model = thoughtModel({ graded: true, score: () => 5 });
        const { search } =
          purpose === 'align'
            ? await simulateWork({ store, seed: ++runs, commands: {}, model: () => server.over(agent(fakeState({}))) })
            : await simulateThoughts({
                strategy: 'breadth-first',
                store,
                seed: ++runs,
                search: { model: server.over(model) },
              });
        await server.files.ended(search.prepare(async () => undefined));
      }
      const ofIt = server.log.filter((each) => each.startsWith(`${purpose} `));
      assert.deepEqual(ofIt, [`${purpose} `, ...Array.from({ length: 4 }, () => `${purpose} , corrected`)]);
    });
});

/** Returns the model, and what it was asked for; `asked` is called while it answers. */
function logged(model: Model, asked: (log: readonly string[]) => void) {
  const log: string[] = [];
  const generate: Model['generate'] = async (request, call): Promise<ModelAnswer> => {
    const isCorrection = request.prompt.startsWith('That answer cannot be used: ');
    log.push(`${request.purpose}${isCorrection ? ', corrected' : ''}`);
    asked(log);
    return await model.generate(request, call);
  };
  return { model: { ...model, generate }, log };
}

describe('a search whose answers have to be corrected, paused and resumed by the same process', () => {
  it('pays the first answer once, however often its correction is stopped', async () => {
    let pause = (): void => undefined;
    const useless = { ...scripted(), generate: async (): Promise<ModelAnswer> => ({ text: '', finish: 'stop' }) };
    const { model, log } = logged(useless, () => log.at(-1)?.endsWith(', corrected') && pause());
    const store = createMemoryStore(QUESTION);
    const { run, search } = await simulate({ store: await store, search: { concurrency: 1, model } });
    pause = () => search.pause(true);
    for (let i = 0; i < 3; i++) await run();
    assert.deepEqual(log, ['children', ...Array.from({ length: 3 }, () => 'children, corrected')]);
  });

  it('asks an agent each question about an atom, and takes no answer to an earlier one for it', async () => {
    const ATOM = { id: 'A1', title: 'One', touches: ['one'], checks: [CHECK] };
    const answer = ({ purpose }: ModelRequest): string => {
      if (purpose === 'align') return output({ goal: 'All of it.', done: ['it is there'], clarifications: [] });
      return purpose === 'plan' ? output({ base_case: [CHECK], atoms: [ATOM] }) : 'Sorry.';
    };
    const searched = async (isPaused: boolean): Promise<readonly string[]> => {
      let pause = (): void => undefined;
      const agent = { ...scripted(answer), worksByItself: true };
      const { model, log } = logged(agent, () => log.at(-1) === 'work-on, corrected' && pause());
      const store = await createMemoryStore(goalFile(), new MemoryFiles());
      const { run, search } = await simulateWork({ store, commands: {}, model: () => model });
      if (isPaused) pause = () => search.pause();
      await run();
      if (isPaused) await run();
      return log;
    };
    const log = await searched(false);
    assert.ok(log.includes('decompose'), log.join('; '));
    assert.deepEqual(await searched(true), log);
  });
});
