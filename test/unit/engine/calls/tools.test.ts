import assert from 'node:assert/strict';
import { foreign } from '../../../../src/core/messages/message.ts';
import { type ModelRequest, type Turn, wrappedModel } from '../../../../src/core/ports/model.ts';
import type { Toolbox, ToolCall } from '../../../../src/core/ports/tool.ts';
import { ThoughtTreeError } from '../../../../src/core/search/errors.ts';
import { nextRound, type RoundBounds, TOOL_ROUNDS, toolPrompt, turnsAsked } from '../../../../src/engine/tools.ts';
import { nodeStory, transcriptOf } from '../../../../src/engine-parts/transcripts/transcript.ts';
import { prepareModel } from '../../../../src/searches/models/prepare-model.ts';
import { SearchStore } from '../../../../src/store/search-store.ts';
import { CrashingFiles } from '../../../support/crashing-files.ts';
import { someOf } from '../../../support/effort.ts';
import { createMemoryStore, MemoryFiles } from '../../../support/memory-store.ts';
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

const call = (at: number): ToolCall => ({ id: `call_${at}`, name: 'read_lines', input: { path: `file-${at + 2}` } });

/** One round of a question. */
async function round(
  toolCalls: readonly ToolCall[],
  bounds: Partial<RoundBounds> = {},
  textOf: (id: string) => string = () => 'x'.repeat(2800),
): Promise<{ request: ModelRequest; used: string[] }> {
  const used: string[] = [];
  const toolbox: Toolbox = {
    ...sampleToolbox,
    async use({ id }) {
      used.push(id);
      return { text: textOf(id), isRefused: false, what: 'x' };
    },
  };
  const user = { toolbox, rounds: 8, history: { note: () => undefined as never } };
  const asked: ModelRequest = {
    ...{ purpose: 'document', node: '', system: '', turns: [], prompt: 'Write.', tools: toolbox.tools },
    ...{ data: { question: '' }, maxOutputTokens: 10 },
  };
  const answered = { call: 'c', answer: { text: '', finish: 'tools' as const, toolCalls } };
  const all = { done: 0, leavesRoom: () => true, ...bounds };
  return { request: await nextRound(user, asked, answered, all, new AbortController().signal), used };
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
    const source = { store, journal, story };
    const shown = await Promise.all(story.calls.map((call) => transcriptOf(source, call)));
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
    const ended = await run();
    assert.equal(ended.state, 'paused', 'all of it failed for this one reason');
    const [node] = search.tree.root.children;
    const of = model.requests.filter((each) => each.purpose === 'document' && each.node === node?.slug);
    const over = of.filter(({ toolsAreOver }) => toolsAreOver);
    assert.equal(of.length - over.length, TOOL_ROUNDS);
    assert.equal(events.filter((event) => event.type === 'tool-used' && event.node === node?.slug).length, TOOL_ROUNDS);
    assert.match(
      over[0]?.toolResults?.at(-1)?.text ?? '',
      /\n\nNo more tool calls are answered\. What was asked for is due/,
    );
    const before = of.at(of.indexOf(over[0] as (typeof of)[number]) - 1);
    assert.match(before?.toolResults?.at(-1)?.text ?? '', /\n\nOne more round of tool calls is answered\.$/);
  });

  it('are answered in words where there are more than eight in one answer', async () => {
    const { request, used } = await round(Array.from({ length: 11 }, (_, at) => call(at)));
    assert.equal(used.length, 8);
    assert.deepEqual(
      request.toolResults?.map(({ id, text, isRefused }) => [id, isRefused ?? false, /not carried out/.test(text)]),
      Array.from({ length: 11 }, (_, at) => [`call_${at}`, at >= 8, at >= 8]),
    );
    assert.equal(request.turns.at(-1)?.toolCalls?.length, 11);
    assert.equal(request.toolsAreOver, undefined);
  });

  it('are over where the context or the budget has no room for more, and results are cut to what there is', async () => {
    const cut = await round([call(0), call(1), call(2)], { room: 6000 });
    assert.deepEqual(
      cut.request.toolResults?.map(({ text }) => /there is no room for/.test(text)),
      [false, true, true],
    );
    const length = cut.request.toolResults?.reduce((sum, { text }) => sum + text.length, 0) ?? 0;
    assert.ok(length <= 6000 + 300, String(length));
    assert.equal(cut.request.toolsAreOver, true);
    assert.match(cut.request.toolResults?.at(-1)?.text ?? '', /No more tool calls are answered/);
    const poor = await round([call(0)], { leavesRoom: () => false });
    assert.equal(poor.request.toolsAreOver, true);
  });

  it('leave room for one another, and are cut behind a whole line', async () => {
    const long = Array.from({ length: 1000 }, (_, at) => `${at}\tline number ${at}`).join('\n');
    const texts = [long, 'short', long.slice(0, 5000), 'short too'];
    const { request } = await round(
      texts.map((_, at) => call(at)),
      { room: 18_000 },
      (id) => String(texts[Number(id.slice('call_'.length))]),
    );
    const shown = (request.toolResults ?? []).map(({ text }) => text.replace(/\n\n.*$/, ''));
    assert.deepEqual([shown[1], shown[3]], ['short', 'short too']);
    for (const [at, most] of [
      [0, 16_000],
      [2, 2500],
    ] as const) {
      const [cut, words] = [shown[at]?.split('\n').slice(0, -1), shown[at]?.split('\n').at(-1)];
      assert.equal(words, '(cut: there is no room for more)');
      assert.ok(Number(shown[at]?.length) > most - 600 && Number(shown[at]?.length) <= most, String(shown[at]?.length));
      assert.deepEqual(cut, long.split('\n').slice(0, cut?.length));
    }
  });

  it('are named in a prompt, with how often they may be used', () => {
    const words = toolPrompt(sampleToolbox.tools, 5);
    assert.match(words, /with these tools: read_lines\./);
    assert.match(words, /after 5 rounds of calls none is answered/);
    assert.equal(toolPrompt([]), '');
  });

  it('are done without where the model refuses them, which is told once and remembered', async () => {
    const name = `simulated/refusing-${process.pid}`;
    const told = toolModel(tree, inDocuments);
    let refused = 0;
    const refusing = wrappedModel(told, {
      name,
      generate: async (request, how) => {
        if (!request.tools) return told.generate(request, how);
        refused++;
        throw new ThoughtTreeError('bad-request', foreign({ text: 'no tools' }), {
          charged: false,
          refusesTools: true,
        });
      },
    });
    for (const times of [1, 0]) {
      refused = 0;
      const model = prepareModel(refusing, {}) as ToolModel;
      const store = createMemoryStore(QUESTION, new MemoryFiles());
      const search = { model, limits, toolbox: sampleToolbox, tools: true, concurrency: 1 };
      const { run, events } = await simulate({ store, search });
      assert.equal((await run()).state, 'finished');
      assert.equal(refused, times);
      const notes = events.filter((event) => event.type === 'progress' && /takes no tools/.test(event.text));
      assert.equal(notes.length, times);
    }
    assert.ok(told.requests.every(({ tools, toolResults }) => !tools && !toolResults));
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
    const moments = Array.from({ length: 31 }, (_, at) => 8 + 5 * at);
    for (const crashAt of someOf(moments, 5)) {
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
  });
});
