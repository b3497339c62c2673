import assert from 'node:assert/strict';
import type { Model, ModelAnswer, ModelRequest } from '../../../../src/core/ports/model.ts';
import type { Store } from '../../../../src/core/ports/store.ts';
import { wordsOf } from '../../../../src/core/ports/tool.ts';
import { nodeAt, pathOf, walk } from '../../../../src/core/tree/tree.ts';
import type { Kinds } from '../../../../src/engine/kind.ts';
import { type CallStory, nodeStory, transcriptOf } from '../../../../src/engine-parts/transcripts/transcript.ts';
import { researchDescriptor } from '../../../../src/kinds/research/descriptor.ts';
import { research } from '../../../../src/kinds/research/research.ts';
import { SearchStore } from '../../../../src/store/search-store.ts';
import { CrashingFiles } from '../../../support/crashing-files.ts';
import { someOf } from '../../../support/effort.ts';
import { createMemoryStore, MemoryFiles } from '../../../support/memory-store.ts';
import { simulatedModel } from '../../../support/models/simulated-model.ts';
import { thoughtModel } from '../../../support/models/thought-model.ts';
import { sampleToolbox, toolModel } from '../../../support/models/tool-model.ts';
import { QUESTION, type Simulation, simulate } from '../../../support/searches/simulated-search.ts';
import { simulateThoughts, thoughtFile } from '../../../support/searches/simulated-thoughts.ts';
import { scriptedTree } from '../../../support/servers/server-tree.ts';
import { VirtualClock } from '../../../support/virtual-clock.ts';
import { heldText } from '../citations/held-text.ts';

const NOT_KEPT = 'not shown';
const right = { check: () => undefined, release: async () => undefined };

interface Sent {
  readonly request: ModelRequest;
  readonly question: string;
  answer?: ModelAnswer;
}

/** A model that remembers what each call sent. */
function remembering(model: Model, sent: Map<string, Sent>): Model {
  return {
    ...model,
    generate: async (request, call) => {
      assert.ok(!sent.has(call.call), 'no two calls share an id');
      const one: Sent = { request, question: call.question };
      sent.set(call.call, one);
      one.answer = await model.generate(request, call);
      return one.answer;
    },
  };
}

/** By the calls of all nodes, what is shown of each and what was sent. */
async function shownAndSent(store: Store, paths: Iterable<string>, sent: ReadonlyMap<string, Sent>) {
  const journal = await store.readJournal();
  const found: { call: CallStory; shown: unknown; sent: { system: string; answer: string | undefined } }[] = [];
  for (const path of paths) {
    const story = nodeStory(journal, path, false);
    for (const call of story.calls) {
      const one = sent.get(call.call);
      if (!one) continue; // killed before it was sent
      const words = await transcriptOf({ store, journal, story }, call);
      const { system, turns, prompt, toolResults } = one.request;
      const said = turns.map((turn) => ({ role: turn.role, text: wordsOf(turn) }));
      const request = { system, turns: said, prompt: wordsOf({ text: prompt, toolResults }) };
      const isAnswered = call.outcome === 'ok' || call.outcome === 'tools';
      const answer = isAnswered && one.answer ? wordsOf(one.answer) : undefined;
      const shown = 'exchange' in words ? words.exchange : NOT_KEPT;
      found.push({ call, shown, sent: { ...request, answer } });
    }
  }
  return found;
}

const pathsOf = ({ search }: Pick<Simulation, 'search'>): string[] => [
  '',
  ...[...walk(search.tree.root)].filter(({ parent }) => parent).map(pathOf),
];

const TREE = { fanout: (_path: string, depth: number) => [3, 2][depth] ?? 0 };
const WRONG = '[src/a.ts:1]\n\n```ts\nnever there\n```';

describe('the exact words of a call', () => {
  it('are shown for all calls of a search with retries, corrections, notes, picks and documents sent back', async () => {
    const sent = new Map<string, Sent>();
    const clock = new VirtualClock();
    const tries = new Map<string, number>();
    const instead = ({ purpose, node }: ModelRequest): string | Error | undefined => {
      const n = (tries.get(`${purpose} ${node}`) ?? 0) + 1;
      tries.set(`${purpose} ${node}`, n);
      if (purpose === 'children' && n === 1) return 'no list';
      if (purpose === 'document' && node.length % 3 === 0 && n === 1) return new Error('It broke.');
      if (purpose === 'document' && node.length % 3 === 1 && n === 1)
        return `---\ntitle: A\nsummary: B\n---\nText.\n\n${WRONG}\n`;
      return undefined;
    };
    const model = remembering(simulatedModel({ tree: scriptedTree(TREE), clock, instead }), sent);
    const workspaceText = heldText({ 'src/a.ts': 'export const a = 1;\n' });
    const simulation = await simulate({
      search: { model, clock, workspaceText, limits: { size: 'all', maxDepth: 3 } },
    });
    const running = clock.run(simulation.search.run());
    simulation.search.listen((event) => {
      if (event.type === 'node-added' && event.node !== '')
        void simulation.search.act({ action: 'note', node: event.node, text: `Mind ${event.node}.` }, 'me');
    });
    await running;
    const found = await shownAndSent(simulation.store, pathsOf(simulation), sent);
    assert.equal(found.length, sent.size);
    for (const { call, shown, sent: was } of found) assert.deepEqual(shown, was, `${call.purpose} ${call.attempt}`);
    assert.ok(found.some(({ call }) => call.outcome === 'internal'));
    assert.ok([...sent.values()].some(({ request }) => request.prompt.includes('Mind ')));
  });

  it('are shown for uses of tools after a correction as well', async () => {
    const sent = new Map<string, Sent>();
    const uses = ({ purpose, turns }: ModelRequest): number =>
      purpose === 'document' ? (/cannot be used/.test(turns.map(({ text }) => text).join()) ? 3 : 1) : 0;
    const scripted = toolModel(TREE, uses);
    const wrong: Model = {
      ...scripted,
      generate: async (request, call) => {
        const given = await scripted.generate(request, call);
        const isFirst =
          given.finish === 'stop' && !/cannot be used/.test(JSON.stringify([request.turns, request.prompt]));
        return request.purpose === 'document' && isFirst ? { ...given, text: '---\ntitle: [\n---\n' } : given;
      },
    };
    const search = { limits: { size: 'all' as const, maxDepth: 1 }, toolbox: sampleToolbox, tools: true };
    const simulation = await simulate({ search: { ...search, model: remembering(wrong, sent) } });
    await simulation.run();
    const found = await shownAndSent(simulation.store, pathsOf(simulation), sent);
    assert.equal(found.length, sent.size);
    for (const { call, shown, sent: was } of found) assert.deepEqual(shown, was, `${call.purpose} ${call.attempt}`);
    assert.ok(found.some(({ call }) => call.outcome === 'tools' && call.attempt > 2));
  });

  it('are shown after a kill at any moment, and never those of another call', async () => {
    let shown = 0;
    let seed = 100;
    const moments = Array.from({ length: 15 }, (_, at) => 20 + 9 * at);
    for (const crashAt of someOf(moments, 5)) {
      const sent = new Map<string, Sent>();
      const files = new MemoryFiles();
      createMemoryStore(QUESTION, files);
      const crashing = new CrashingFiles(files, crashAt, crashAt % 2 === 0);
      const uses = ({ purpose }: ModelRequest): number => (purpose === 'document' ? 2 : 0);
      const search = { limits: { size: 'all' as const, maxDepth: 2 }, toolbox: sampleToolbox, tools: true };
      const begin = (store: Store): Promise<Simulation> =>
        simulate({ store, seed: seed++, search: { ...search, model: remembering(toolModel(TREE, uses), sent) } });
      const dying = await begin(new SearchStore(crashing, right));
      await crashing.ended(dying.run());
      dying.clock.stop();
      const second = await begin(createMemoryStore(QUESTION, files));
      await second.run();
      let lost = 0;
      for (const { shown: words, sent: was } of await shownAndSent(second.store, pathsOf(second), sent)) {
        if (words === NOT_KEPT || (words as Sent).answer === undefined) lost++;
        if (words !== NOT_KEPT) assert.deepEqual(words, { ...was, answer: (words as Sent).answer && was.answer });
        shown++;
      }
      assert.ok(lost <= 5, `killed at ${crashAt}: ${lost} answers are not shown; four slots and a pick were in flight`);
      const questions = Map.groupBy(sent.values(), ({ question }) => question);
      for (const of of questions.values())
        assert.equal(new Set(of.map(({ request }) => `${request.purpose} ${request.node}`)).size, 1);
    }
    assert.ok(shown > 30);
  });

  it('are shown for thoughts, with each judgement among the calls of what it judged, even if that was judged again', async () => {
    const sent = new Map<string, Sent>();
    const clock = new VirtualClock();
    const model = remembering(thoughtModel({ clock }), sent);
    const options = { candidates: 3, beam: 2, threshold: 0, maxDepth: 2, samples: 2 };
    const simulation = await simulateThoughts({ strategy: 'breadth-first', options, search: { model, clock } });
    await clock.run(simulation.search.run());
    await clock.run(simulation.search.act({ action: 'redo', node: 'node_3' }, 'me'));
    await clock.run(simulation.search.run());
    const found = await shownAndSent(simulation.store, pathsOf(simulation), sent);
    assert.deepEqual(new Set(found.map(({ call }) => call.call)), new Set(sent.keys()));
    for (const { call, shown, sent: was } of found) assert.deepEqual(shown, was, `${call.purpose} ${call.number}`);
    const of = nodeStory(await simulation.store.readJournal(), 'node_3', false).calls;
    assert.equal(of.filter(({ purpose }) => purpose === 'evaluate').length, 4);
    assert.equal(new Set([...sent.values()].map(({ question }) => question)).size, sent.size, 'no question is reused');
  });

  it('hold the system text that the search began with, also once ours is another one', async () => {
    const files = new MemoryFiles();
    const sent = new Map<string, Sent>();
    const begin = async (system: string) => {
      const clock = new VirtualClock();
      const model = remembering(simulatedModel({ tree: scriptedTree(TREE), clock }), sent);
      const store = createMemoryStore(QUESTION, files);
      const kinds: Kinds = [
        { descriptor: researchDescriptor, load: async () => ({ ...research, system: () => system }) },
      ];
      const search = { kinds, model, clock, limits: { size: 'small' as const } };
      const simulation = await simulate({ store, seed: sent.size + 1, search });
      return { ...simulation, run: () => clock.run(simulation.search.run()) };
    };
    const first = await begin('As it was.');
    const running = first.run();
    first.search.listen(({ type }) => type === 'node-added' && first.search.pause(true));
    await running;
    const second = await begin('As it is now.');
    await second.run();
    assert.ok(sent.size > 8);
    for (const { request } of sent.values()) assert.equal(request.system, 'As it was.');
    for (const { shown, sent: was } of await shownAndSent(second.store, pathsOf(second), sent))
      if (shown !== NOT_KEPT) assert.equal((shown as ModelRequest).system, was.system);
    const texts = (await second.store.readJournal()).filter(({ type }) => type === 'system-text');
    assert.equal(texts.length, 1);
  });
});

describe('a question to a model', () => {
  it('has one id over its retries and corrections, which its start and its end name', async () => {
    const instead = ({ purpose }: ModelRequest, attempt: number): string | Error | undefined =>
      purpose !== 'children' || attempt > 2 ? undefined : attempt === 1 ? new Error('It broke.') : 'no list';
    const { run, events } = await simulate({ tree: TREE, model: { instead }, search: { limits: { size: 'small' } } });
    await run();
    const started = events.flatMap((event) => (event.type === 'call-started' && event.node === '' ? [event] : []));
    const root = started.filter(({ purpose }) => purpose === 'children');
    assert.deepEqual(
      root.map(({ question, attempt }) => [question, attempt]),
      [1, 2, 3].map((attempt) => ['root.0', attempt]),
    );
    const ended = events.flatMap((event) => (event.type === 'call-ended' ? [event] : []));
    for (const { call, question } of started)
      assert.equal(ended.find((each) => each.call === call)?.question, question);
  });

  it('keeps its id in a process that takes the search up', async () => {
    const files = new MemoryFiles();
    createMemoryStore(thoughtFile({}), files);
    const asked: [string, string][] = [];
    for (const seed of [1, 2]) {
      const clock = new VirtualClock();
      const plain = thoughtModel({ clock, latencyMs: () => 1000 });
      const model: Model = {
        ...plain,
        generate: (request, call) => {
          asked.push([`${request.purpose} ${request.node}`, call.question]);
          return plain.generate(request, call);
        },
      };
      const store = createMemoryStore(thoughtFile({}), files);
      const simulation = await simulateThoughts({ store, seed, search: { model, clock } });
      const running = clock.run(simulation.search.run());
      if (seed === 1)
        simulation.search.listen((event) => {
          if (event.type === 'call-started' && event.purpose === 'generate')
            void clock.sleep(10).then(() => simulation.search.pause(true));
        });
      await running;
      if (seed === 1) assert.equal(nodeAt(simulation.search.tree, 'node_1'), undefined);
    }
    const generating = asked.filter(([what]) => what === 'generate ');
    assert.equal(generating.length, 2);
    assert.equal(generating[0]?.[1], generating[1]?.[1]);
  });
});
