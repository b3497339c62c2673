import assert from 'node:assert/strict';
import { foreign } from '../../../../src/core/messages/message.ts';
import type { Model, ModelRequest } from '../../../../src/core/ports/model.ts';
import { ThoughtTreeError } from '../../../../src/core/search/errors.ts';
import { knowsItsLimits } from '../../../../src/searches/models/prepare-model.ts';
import { createMemoryStore } from '../../../support/memory-store.ts';
import { simulatedModel } from '../../../support/models/simulated-model.ts';
import { thoughtModel } from '../../../support/models/thought-model.ts';
import { sampleToolbox } from '../../../support/models/tool-model.ts';
import { QUESTION, simulate } from '../../../support/searches/simulated-search.ts';
import { simulateThoughts } from '../../../support/searches/simulated-thoughts.ts';
import { scriptedTree } from '../../../support/servers/server-tree.ts';
import { VirtualClock } from '../../../support/virtual-clock.ts';

describe('a list', () => {
  let sent: ModelRequest[];
  beforeEach(() => {
    sent = [];
  });

  /** A model that keeps to schemas: it thinks, quotes a block, and gives two topics. */
  function held(
    clock: VirtualClock,
    more: Partial<Model> = {},
    plain: Model = simulatedModel({ tree: scriptedTree({ fanout: () => 1 }), clock }),
  ): Model {
    return {
      ...plain,
      takesSchemas: true,
      async generate(request, call) {
        sent.push(request);
        if (!request.schema) return await plain.generate(request, call);
        const list = ['One', 'Two'].map((title) => ({ title, score: 7, why: 'It may.' }));
        return { text: JSON.stringify({ thinking: 'Not <output>["Three"]</output>.', list }), finish: 'stop' };
      },
      ...more,
    };
  }

  async function search(model: Model, clock: VirtualClock): Promise<readonly string[]> {
    const store = await createMemoryStore(QUESTION);
    const simulation = await simulate({ store, search: { model, clock, limits: { size: 'small', maxDepth: 1 } } });
    await clock.run(simulation.search.run());
    return simulation.search.tree.root.children.map(({ title }) => title);
  }

  it('is asked for with a schema that has a field to think in, and with words to match', async () => {
    const clock = new VirtualClock();
    assert.deepEqual(await search(held(clock), clock), ['One', 'Two']);
    const lists = sent.filter(({ schema }) => schema);
    assert.deepEqual(
      lists.map(({ purpose }) => purpose),
      ['children'],
    );
    const { properties, required } = (lists[0] as ModelRequest).schema as { properties: object; required: string[] };
    assert.deepEqual(
      [Object.keys(properties), required],
      [
        ['thinking', 'list'],
        ['thinking', 'list'],
      ],
    );
    assert.match(lists[0]?.prompt ?? '', /one JSON object, without tags/);
  });

  it('is asked for in the words of before where no schema is taken, or tools may be used', async () => {
    const clock = new VirtualClock();
    await search(held(clock, { takesSchemas: false }), clock);
    assert.ok(sent.every(({ schema, prompt }) => !schema && !prompt.includes('JSON object')));
    const withTools = held(clock, { tools: true });
    const toolbox = sampleToolbox;
    const simulation = await simulate({
      store: await createMemoryStore(QUESTION),
      search: { model: withTools, clock, toolbox, tools: true, limits: { size: 'small', maxDepth: 2 } },
    });
    await clock.run(simulation.search.run());
    assert.ok(sent.some(({ tools }) => tools));
    assert.ok(sent.every(({ schema, tools }) => !schema || !tools));
  });

  it('is asked for without it once it was refused, in all later requests, which is told once', async () => {
    const clock = new VirtualClock();
    const plain = held(clock, {}, thoughtModel({ clock }));
    const refuses = held(clock, {
      name: 'test/refuses',
      generate: (request, call) => {
        if (!request.schema) return plain.generate(request, call);
        sent.push(request);
        const why = foreign({ text: 'response_format is not supported' });
        return Promise.reject(new ThoughtTreeError('bad-request', why, { refusesSchema: true, charged: false }));
      },
    });
    const model = knowsItsLimits(refuses);
    const thoughts = await simulateThoughts({ strategy: 'breadth-first', search: { model, clock } });
    await clock.run(thoughts.search.run());
    assert.equal(sent.filter(({ schema }) => schema).length, 1);
    assert.ok(sent.filter(({ purpose }) => purpose === 'generate').length > 1);
    const told = thoughts.events.filter((event) => event.type === 'progress' && /no schema/.test(event.text));
    assert.equal(told.length, 1);
    assert.equal(model.takesSchemas, false);
  });
});
