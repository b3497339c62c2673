import assert from 'node:assert/strict';
import type { Turn } from '../../../../src/core/ports/model.ts';
import type { Toolbox } from '../../../../src/core/ports/tool.ts';
import { TOOL_ROUNDS, turnsAsked } from '../../../../src/engine/calls/tool-rounds.ts';
import { exchangeOf } from '../../../../src/engine/exchanges/call-exchange.ts';
import { nodeStory } from '../../../../src/engine/exchanges/node-story.ts';
import { MemoryFiles } from '../../../../src/store/files/memory-files.ts';
import { createMemoryStore } from '../../../../src/store/memory-store.ts';
import { SearchStore } from '../../../../src/store/search-store.ts';
import { CrashingFiles } from '../../../support/crashing-files.ts';
import { sampleToolbox, type ToolModel, toolModel, withoutTools } from '../../../support/models/tool-model.ts';
import { snapshotOf } from '../../../support/searches/search-snapshot.ts';
import { QUESTION, type Simulation, simulate } from '../../../support/searches/simulated-search.ts';

const tree = { fanout: (_path: string, depth: number) => [2, 1][depth] ?? 0 };
const limits = { size: 'all' as const };
const inDocuments = ({ purpose }: { purpose: string }): number => (purpose === 'document' ? 2 : 0);

function begin(model: ToolModel, files = new MemoryFiles(), tools = true, seed = 1): Promise<Simulation> {
  const store = createMemoryStore(QUESTION, files);
  return simulate({ store, seed, search: { model, limits, toolbox: sampleToolbox, tools } });
}

describe('tools in a search', () => {
  it('are used, journaled and paid for, each round as a request of its own', async () => {
    const model = toolModel(tree, inDocuments);
    const { run, events, search } = await begin(model);
    assert.equal((await run()).state, 'finished');
    const documents = model.requests.filter(({ purpose }) => purpose === 'document');
    assert.equal(documents.length, 4 * 3);
    const used = events.filter((event) => event.type === 'tool-used');
    assert.equal(used.length, 4 * 2);
    const tools = events.filter((event) => event.type === 'call-ended' && event.outcome === 'tools');
    assert.deepEqual(
      used.map(({ call }) => call).sort(),
      tools.map((event) => ('call' in event ? event.call : '')).sort(),
    );
    assert.deepEqual(
      used.slice(0, 2).map(({ what, tool }) => [tool, what]),
      [
        ['read_lines', 'file-0'],
        ['read_lines', 'file-0'],
      ],
    );
    assert.ok(used.some(({ isRefused, what }) => isRefused && what === 'file-1'));
    assert.equal(search.results.calls, model.requests.length);
    assert.equal(search.results.tokens.prompt, 10 * model.requests.length);
  });

  it('are in the conversation, so that children send what their parent sent', async () => {
    const files = new MemoryFiles();
    const model = toolModel(tree, inDocuments);
    const { run, store, search } = await begin(model, files);
    await run();
    const [first] = search.tree.root.children;
    const stored = await store.readConversation(String(first?.sessionId));
    assert.deepEqual(
      stored?.turns.map(({ role, toolCalls, toolResults }) => [role, toolCalls?.length, toolResults?.length]),
      [
        ['user', undefined, undefined],
        ['assistant', 1, undefined],
        ['user', undefined, 1],
        ['assistant', 1, undefined],
        ['user', undefined, 1],
        ['assistant', undefined, undefined],
        ['user', undefined, undefined],
        ['assistant', undefined, undefined],
      ],
    );
    const asked = (node: string, purpose: string): Turn[] => {
      const request = model.requests.findLast((each) => each.node === node && each.purpose === purpose);
      assert.ok(request);
      return turnsAsked(request);
    };
    const child = first?.children[0];
    assert.ok(first && child);
    const above = asked(first.slug, 'children');
    const below = asked(`${first.slug}/${child.slug}`, 'document');
    assert.equal(JSON.stringify(below.slice(0, above.length)), JSON.stringify(above));
  });

  it('are shown with the words of each call', async () => {
    const { run, store } = await begin(toolModel(tree, inDocuments));
    await run();
    const journal = await store.readJournal();
    const file = (await store.readRootChildren()).children?.[0];
    const path = String(file?.slug);
    const story = nodeStory(journal, path, false);
    const source = { store, journal, purposes01: [], system: '', path, story };
    const shown = await Promise.all(story.calls.map((call) => exchangeOf(source, call)));
    const words = shown.map((found) => ('exchange' in found ? found.exchange : undefined));
    assert.deepEqual(
      words.map((each) => [each?.turns.length, each?.prompt.slice(0, 22), each?.answer?.slice(0, 25)]),
      [
        [0, 'The question was divid', 'I look.\n[uses read_lines '],
        [2, '[read_lines gave]\nIn f', 'I look.\n[uses read_lines '],
        [4, '[read_lines gave]\nNo.', words[2]?.answer?.slice(0, 25)],
        [6, 'List the subtopics of ', words[3]?.answer?.slice(0, 25)],
      ],
    );
    assert.match(String(words[2]?.answer), /^---\ntitle/);
    assert.match(String(words[3]?.answer), /<output>/);
  });

  it('are bounded: a model that never has enough has to answer', async () => {
    const model = toolModel(tree, ({ purpose, turns }) =>
      purpose === 'document' && !/No tool can be used/.test(turns.at(-1)?.text ?? '') ? 1000 : 0,
    );
    const { run, events, search } = await begin(model);
    const finished = await run();
    assert.equal(finished.state, 'finished');
    const [node] = search.tree.root.children;
    const of = model.requests.filter((each) => each.purpose === 'document' && each.node === node?.slug);
    const over = of.filter(({ toolsAreOver }) => toolsAreOver);
    assert.equal(of.length - over.length, TOOL_ROUNDS);
    assert.equal(events.filter((event) => event.type === 'tool-used' && event.node === node?.slug).length, TOOL_ROUNDS);
    assert.match(over[0]?.toolResults?.at(-1)?.text ?? '', /Answer now, with what is known\.$/);
  });

  it('are not given where nobody wants them, nor to a model that takes none', async () => {
    for (const [model, wanted] of [
      [toolModel(tree, inDocuments), false],
      [withoutTools(toolModel(tree, inDocuments)), true],
    ] as const) {
      const { run } = await begin(model, new MemoryFiles(), wanted);
      await run();
      assert.ok(model.requests.every(({ tools, toolResults }) => !tools && !toolResults));
    }
  });

  it('are left out of what a model without tools is sent', async () => {
    const files = new MemoryFiles();
    const first = await begin(toolModel(tree, inDocuments), files);
    const stopped = first.run();
    first.search.listen((event) => {
      if (event.type === 'node-status' && event.status === 'expanded') first.search.pause(true);
    });
    await stopped;
    const model = toolModel(tree, inDocuments);
    const { run } = await begin(model, files, false, 2);
    assert.equal((await run()).state, 'finished');
    const turns = model.requests.flatMap((request) => request.turns);
    assert.ok(turns.length > 0 && turns.every(({ toolCalls, toolResults }) => !toolCalls && !toolResults));
  });

  it('leave nothing in the conversation that a stop made of them', async () => {
    const files = new MemoryFiles();
    let stop = (): void => undefined;
    const toolbox: Toolbox = {
      ...sampleToolbox,
      async use() {
        stop();
        return { text: 'No line holds that text.', isRefused: false, what: 'x' };
      },
    };
    const store = createMemoryStore(QUESTION, files);
    const model = toolModel(tree, inDocuments);
    const { run, events, search } = await simulate({ store, search: { model, limits, toolbox, tools: true } });
    stop = () => search.pause(true);
    assert.equal((await run()).state, 'paused');
    assert.ok(events.some((event) => event.type === 'call-ended' && event.outcome === 'tools'));
    assert.deepEqual(
      events.filter(({ type }) => type === 'tool-used'),
      [],
    );
    const again = toolModel(tree, inDocuments);
    assert.equal((await (await begin(again, files, true, 2)).run()).state, 'finished');
    const told = again.requests.flatMap((request) =>
      turnsAsked(request).flatMap(({ toolResults = [] }) => toolResults),
    );
    assert.ok(told.length > 0 && told.every(({ text }) => text !== 'No line holds that text.'));
  });

  it('are not paid for again by a search that was killed among them', async () => {
    const right = { check: () => undefined, release: async () => undefined };
    const whole = new MemoryFiles();
    const all = toolModel(tree, inDocuments);
    await (await begin(all, whole)).run();
    const expected = await snapshotOf(whole);
    const isPaid = ({ purpose }: { purpose: string }): boolean => purpose !== 'pick';
    const needed = all.requests.filter(isPaid).length;
    let seed = 10;
    for (let crashAt = 8; crashAt < 160; crashAt += 5) {
      const files = new MemoryFiles();
      createMemoryStore(QUESTION, files);
      const crashing = new CrashingFiles(files, crashAt, true);
      const killed = toolModel(tree, inDocuments);
      const search = { model: killed, limits, toolbox: sampleToolbox, tools: true, concurrency: 1 };
      const dying = await simulate({ store: new SearchStore(crashing, right), seed: seed++, search });
      await crashing.ended(dying.run());
      dying.clock.stop();
      const model = toolModel(tree, inDocuments);
      await (await begin(model, files, true, seed++)).run();
      assert.deepEqual(await snapshotOf(files), expected, `killed at change ${crashAt}`);
      const made = [...killed.requests, ...model.requests].filter(isPaid).length;
      assert.ok(made <= needed + 1, `killed at change ${crashAt}: ${made} requests instead of ${needed}`);
    }
  }).timeout(120_000);
});
