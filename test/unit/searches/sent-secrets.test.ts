import assert from 'node:assert/strict';
import type { ModelAnswer, ModelRequest } from '../../../src/core/ports/model.ts';
import { prepareModel } from '../../../src/searches/models/prepare-model.ts';
import { systemClock } from '../../../src/store/system-ports.ts';
import { createMemoryStore, MemoryFiles } from '../../support/memory-store.ts';
import { simulatedModel } from '../../support/models/simulated-model.ts';
import { QUESTION, simulate } from '../../support/searches/simulated-search.ts';
import { scriptedTree } from '../../support/servers/server-tree.ts';
import { modelRequest } from '../models/model-request.ts';

const TOKEN = ['ghp', '16C7e42F292c6912E7710c838347Ae178B4a'].join('_');

/** What a model is sent when a search is continued whose folder came with a clone: its document and its notes hold a token. */
async function sentFor(allowedFiles: readonly string[]): Promise<string> {
  const files = new MemoryFiles();
  const store = createMemoryStore({ ...QUESTION, options: { size: 'all', maxDepth: 2 } }, files);
  const node = { title: 'Deploying', slug: 'deploying', status: 'expanded' };
  files.put('children.json', JSON.stringify([{ title: 'Deploying', slug: 'deploying' }]));
  files.put('deploying/node.json', JSON.stringify(node));
  files.put('deploying/children.json', JSON.stringify([{ title: 'Keys', slug: 'keys' }]));
  files.put('deploying/document.md', `---\ntitle: Deploying\nsummary: How.\n---\n\nUse the token ${TOKEN}.\n`);
  files.put('deploying/keys/node.json', JSON.stringify({ title: 'Keys', slug: 'keys', status: 'unexpanded' }));
  files.put('notes.md', `Remember ${TOKEN}\n`);
  const sent: ModelRequest[] = [];
  const scripted = simulatedModel({ tree: scriptedTree({ fanout: () => 0 }), clock: systemClock });
  const generate: typeof scripted.generate = (request, call) => {
    sent.push(request);
    return scripted.generate(request, call);
  };
  const model = prepareModel({ ...scripted, generate }, { allowedFiles });
  const { search } = await simulate({ store, search: { model, clock: systemClock } });
  assert.equal((await search.run()).state, 'finished');
  assert.ok(sent.some(({ purpose }) => purpose === 'document'));
  return JSON.stringify(sent.map(({ system, turns, prompt }) => [system, turns, prompt]));
}

describe('what lies in the folder of a search', () => {
  it('reaches no model where it looks like a secret', async () => {
    const sent = await sentFor([]);
    assert.ok(!sent.includes(TOKEN));
    assert.match(sent, /Use the token \[secret left out\]/);
  });

  it('nor does it as a rule of the whole search, or as what a tool once answered', async () => {
    const sent: ModelRequest[] = [];
    const scripted = simulatedModel({ tree: scriptedTree({ fanout: () => 0 }), clock: systemClock });
    const generate = async (request: ModelRequest): Promise<ModelAnswer> => {
      sent.push(request);
      return { text: '', finish: 'stop' };
    };
    const model = prepareModel({ ...scripted, generate }, {});
    const toolResults = [{ id: '1', name: 'read', text: `KEY=${TOKEN}` }];
    await model.generate(
      modelRequest({
        system: `Use ${TOKEN}.`,
        turns: [{ role: 'user', text: '', toolResults }],
        prompt: '',
        toolResults,
      }),
      { question: '1', call: '1', signal: new AbortController().signal },
    );
    assert.equal(JSON.stringify(sent).split('[secret left out]').length, 4);
    assert.ok(!JSON.stringify(sent).includes(TOKEN));
  });

  it('is sent as it is where this person allows files with secrets', async () => {
    assert.ok((await sentFor(['.env.example'])).includes(TOKEN));
  });
});
