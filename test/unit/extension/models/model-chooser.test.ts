import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ModelItem } from '../../../../src/extension/models/model-items.ts';
import { fake } from '../fake-vscode.ts';
import { settled } from '../sidebar/sample.ts';
import { chatOf } from './fake-chat.ts';
import { keysIn } from './fake-keys.ts';

const { choosing } = await import('../../../../src/extension/models/choosing.ts');
const { ModelOpener } = await import('../../../../src/extension/models/model-opener.ts');

beforeEach(() => fake.reset());

describe('choosing a model', () => {
  let server: Server;
  let asked: string[];
  const variables = ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'];
  const theirs = new Map(variables.map((name) => [name, process.env[name]]));
  before(async () => {
    for (const name of variables) delete process.env[name];
    server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? 'without a key'}`);
      response.setHeader('content-type', 'application/json');
      if (request.url === '/api/tags') response.end('{"models":[{"name":"qwen3"}]}');
      else if (request.url === '/v1/models' && request.headers.authorization === 'Bearer sk-1')
        response.end('{"data":[{"id":"own-model"}]}');
      else if (request.url === '/v1/models') response.writeHead(401).end('{}');
      else response.writeHead(500).end('{}');
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  after(() => {
    for (const [name, value] of theirs) if (value !== undefined) process.env[name] = value;
    server.close();
    server.closeAllConnections();
  });
  const address = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const chooserWith = (secrets = new Map<string, string>()) => {
    const keys = keysIn(secrets);
    return choosing.open(keys, new ModelOpener(keys)).chooser;
  };
  const items = (): ModelItem[] => (fake.picks.at(-1) ?? []) as unknown as ModelItem[];
  const choices = (): string[] =>
    items().flatMap(({ choice }) => (choice ? [Object.values(choice).reverse().join(' ')] : []));
  beforeEach(() => {
    asked = [];
    fake.settings = { 'thoughtTree.servers': { ollama: address() } };
  });

  it('offers what can be used now first, then how to get more', async () => {
    fake.models = [chatOf(['']), { ...chatOf(['']), id: 'gpt-5-mini', name: 'GPT-5 mini' }];
    fake.settings['thoughtTree.model'] = 'vscode/gpt-5-mini';
    assert.equal(await chooserWith().choose(), undefined);
    assert.deepEqual(choices(), [
      'vscode/any model',
      'vscode/gpt-5-mini model',
      'ollama/qwen3 model',
      'workspace/quotes model',
      'anthropic key',
      'openai key',
      'google key',
      'server',
      'typed',
      'judge',
    ]);
    assert.equal(items()[2]?.label, '$(check) GPT-5 mini');
    assert.deepEqual(fake.updates, [], 'nothing was chosen');
  });

  it('does not wait for a provider that answers late', async () => {
    fake.models = [chatOf([''])];
    let held: ServerResponse | undefined;
    const late = createServer((_request, response) => {
      held = response;
      fake.quickPick?.accept(fake.quickPick.items.find(({ label }) => label === 'Any') as { label: string });
    });
    await once(late.listen(0, '127.0.0.1'), 'listening');
    fake.settings = { 'thoughtTree.servers': { ollama: `http://127.0.0.1:${(late.address() as AddressInfo).port}` } };
    assert.equal(await chooserWith().choose(), 'vscode/any');
    assert.ok(held && !held.writableEnded, 'it was chosen before the server answered');
    late.close();
    late.closeAllConnections();
  });

  it('moves nothing already shown when answers arrive', async () => {
    fake.models = [chatOf([''])];
    const isShown = Promise.withResolvers<void>();
    const slow = createServer((_request, response) => {
      void isShown.promise.then(() => response.end('{"models":[{"name":"qwen3"}]}'));
    });
    await once(slow.listen(0, '127.0.0.1'), 'listening');
    fake.settings = {
      'thoughtTree.servers': { ollama: `http://127.0.0.1:${(slow.address() as AddressInfo).port}` },
      'thoughtTree.model': 'ollama/qwen3',
    };
    const chosen = chooserWith().choose();
    while (fake.quickPick === undefined || fake.quickPick.items.length === 0) await settled();
    const early = fake.quickPick.items.map(({ label }) => label);
    isShown.resolve();
    await chosen;
    slow.close();
    slow.closeAllConnections();
    const late = items().map(({ label }) => label);
    assert.ok(late.length > early.length);
    assert.deepEqual(late.slice(0, early.length), early);
  });

  it('reports unreachable providers in one line', async () => {
    fake.settings = { 'thoughtTree.servers': { ollama: `${address()}/elsewhere` } };
    await chooserWith().choose();
    const [line, ...more] = items().filter(({ choice }) => choice?.kind === 'again');
    assert.equal(line?.label, '$(warning) ollama cannot be reached');
    assert.deepEqual(more, []);
  });

  it('asks for the key that a provider lacks, binds it to its host, and lists once more', async () => {
    const secrets = new Map<string, string>();
    let lists = 0;
    fake.answer = (question) => {
      if (!Array.isArray(question)) return 'sk-1';
      lists++;
      return lists > 1 ? undefined : (question as ModelItem[]).find(({ choice }) => choice?.kind === 'key');
    };
    const keys = keysIn(secrets);
    keys.keyAt = async () => undefined; // or the provider would be asked, over the network
    const { chooser } = choosing.open(keys, new ModelOpener(keys));
    assert.equal(await chooser.choose(), undefined);
    assert.deepEqual([...secrets.keys()], ['thoughtTree.apiKey:https://api.anthropic.com']);
    assert.equal(lists, 2);
  });

  it('has a row for Enter from the first list on, though no model of the editor is in it', async () => {
    await chooserWith().choose();
    assert.equal((fake.quickPick?.activeItems[0] as ModelItem | undefined)?.label, 'qwen3');
  });

  it('names premium requests, and lists what is chosen once', async () => {
    fake.models = [{ ...chatOf(['']), id: 'gpt-5-mini', name: 'GPT-5 mini', vendor: 'copilot' }];
    fake.settings['thoughtTree.model'] = 'ollama/qwen3';
    await chooserWith().choose();
    assert.match(items().find(({ label }) => label === 'GPT-5 mini')?.detail ?? '', /each call is a premium request/);
    assert.deepEqual(
      choices().filter((choice) => choice === 'ollama/qwen3 model'),
      ['ollama/qwen3 model'],
    );
  });

  it('finds the models at hand without asking a person for anything', async () => {
    fake.models = [chatOf([''])];
    assert.deepEqual(await chooserWith().atHand(undefined), ['vscode/any', 'ollama/qwen3']);
    assert.deepEqual([fake.picks, fake.updates], [[], []]);
  });

  it('keeps the model of one search to that search', async () => {
    fake.answer = (all) => (all as ModelItem[]).find(({ label }) => label === 'No model: quotes');
    assert.equal(await chooserWith().chooseAt(undefined, undefined, false, false), 'workspace/quotes');
    assert.deepEqual(fake.updates, []);
  });

  it('remembers what is chosen, and says so', async () => {
    fake.answer = (all) => (all as ModelItem[]).find(({ label }) => label === 'No model: quotes');
    assert.equal(await chooserWith().choose(), 'workspace/quotes');
    assert.deepEqual(fake.updates, [['thoughtTree.model', 'workspace/quotes']]);
    assert.ok(fake.messages.includes('New searches use workspace/quotes.'), fake.messages.join());
  });

  it('offers no quotes if text is needed, but keeps them as the default', async () => {
    fake.settings['thoughtTree.model'] = 'workspace/quotes';
    fake.answer = (all) => (all as ModelItem[]).find(({ label }) => label === 'qwen3');
    assert.equal(await chooserWith().choose(undefined, true), 'ollama/qwen3');
    assert.ok(!choices().includes('workspace/quotes model'));
    assert.deepEqual(fake.updates, []);
  });

  it('lets another model pick and score, or the same one', async () => {
    fake.answer = (all) => (all as ModelItem[]).find(({ label }) => label === 'qwen3');
    await chooserWith().chooseJudge();
    fake.settings['thoughtTree.judgeModel'] = 'ollama/qwen3';
    fake.answer = (all) => (all as unknown[])[0];
    await chooserWith().chooseJudge();
    assert.deepEqual(fake.updates, [
      ['thoughtTree.judgeModel', 'ollama/qwen3'],
      ['thoughtTree.judgeModel', undefined],
    ]);
  });

  it('tests a model with one real call, and shows the result', async () => {
    fake.models = [chatOf(['yes']), { ...chatOf(new Error('socket hang up')), id: 'broken', name: 'Broken' }];
    fake.answer = () => 'wait';
    const chosen = chooserWith().choose();
    while (items().length === 0) await settled();
    const detailOf = async (label: string): Promise<string> => {
      const find = () => fake.quickPick?.items.find((each) => each.label === label) as ModelItem | undefined;
      fake.quickPick?.press(find());
      while (!/^It /.test(find()?.detail ?? '')) await settled();
      return find()?.detail ?? '';
    };
    assert.match(await detailOf('Any'), /^It answers, after \d+\.\d s · \d+ \+ 3 tokens$/);
    assert.match(await detailOf('Broken'), /^It does not answer: Broken: socket hang up/);
    fake.quickPick?.hide();
    await chosen;
  });

  it('asks a server of one’s own for its models by its host alone, and for its key at once, remembers it, and says whether the chosen one answers', async () => {
    const secrets = new Map<string, string>();
    fake.settings = {};
    fake.answer = (question) => {
      if (Array.isArray(question))
        return (question as ModelItem[]).find(
          ({ choice, label }) => choice?.kind === 'server' || label === 'own-model',
        );
      const { password } = question as { password?: boolean };
      return password ? 'sk-1' : address();
    };
    assert.equal(await chooserWith(secrets).choose(), 'openai-compatible/own-model');
    assert.deepEqual([...secrets.values()], ['sk-1']);
    assert.deepEqual(fake.updates, [
      ['thoughtTree.servers', { 'openai-compatible': address() }],
      ['thoughtTree.model', 'openai-compatible/own-model'],
    ]);
    while (!fake.messages.some((each) => /^openai-compatible\/own-model: It /.test(each))) await settled();
  });

  it('gives a second server a name, under which it is listed, asked and opened, with its own key alone', async () => {
    const secrets = new Map<string, string>();
    process.env['THOUGHT_TREE_API_KEY'] = 'sk-elsewhere';
    try {
      await keysIn(secrets).set(address(), 'sk-1');
      fake.settings = { 'thoughtTree.baseUrl': 'http://first.example/v1' };
      fake.answer = (question) => {
        if (Array.isArray(question))
          return (question as ModelItem[]).find(
            ({ choice, label }) => choice?.kind === 'server' || label === 'own-model',
          );
        return /called/.test((question as { title: string }).title) ? 'lab' : `${address()}/v1`;
      };
      assert.equal(await chooserWith(secrets).choose(), 'lab/own-model');
      assert.deepEqual(fake.updates[0], ['thoughtTree.servers', { lab: `${address()}/v1` }]);
      fake.settings = { 'thoughtTree.servers': { lab: `${address()}/v1`, ollama: address() } };
      fake.answer = () => undefined;
      asked = [];
      await chooserWith(secrets).choose();
      assert.ok(choices().includes('lab/own-model model'), choices().join());
      const model = await new ModelOpener(keysIn(secrets)).open('lab/own-model', '/w');
      assert.equal(model.name, 'lab/own-model');
      secrets.clear();
      await chooserWith(secrets).choose();
      const ofServer = asked.filter((each) => each.includes('/v1/models'));
      // Whoever opens it asks as well, for its context.
      assert.deepEqual([...new Set(ofServer)], ['GET /v1/models Bearer sk-1', 'GET /v1/models without a key']);
    } finally {
      delete process.env['THOUGHT_TREE_API_KEY'];
    }
  });

  it('says what to do about a server that cannot be reached, and takes another address', async () => {
    fake.settings = {};
    const addresses = ['http://127.0.0.1:1/v1', `${address()}/v1`];
    const titles: string[] = [];
    fake.answer = (question) => {
      if (Array.isArray(question)) {
        titles.push((question as ModelItem[]).map(({ label }) => label).join());
        return (question as ModelItem[]).find(
          ({ choice, label }) => choice?.kind === 'server' || /own-model|Change the address|Enter its key/.test(label),
        );
      }
      return (question as { password?: boolean }).password ? 'sk-1' : addresses.shift();
    };
    assert.equal(await chooserWith().choose(), 'openai-compatible/own-model');
    assert.ok(titles.some((each) => /Try again.*Change the address.*Name the model anyway/.test(each)));
  });

  it('says that a key was refused, where another one can be entered', async () => {
    fake.settings = {};
    const keys = ['sk-wrong', 'sk-1'];
    const said: string[] = [];
    fake.answer = (question) => {
      if (Array.isArray(question)) {
        said.push((fake.asked.at(-1) as { placeHolder?: string } | undefined)?.placeHolder ?? '');
        return (question as ModelItem[]).find(
          ({ choice, label }) => choice?.kind === 'server' || /own-model|Enter its key/.test(label),
        );
      }
      return (question as { password?: boolean }).password ? keys.shift() : `${address()}/v1`;
    };
    assert.equal(await chooserWith().choose(), 'openai-compatible/own-model');
    assert.ok(said.includes('It does not accept the key that it was given.'), said.join());
  });

  it('tells how to get models where there are none: Copilot, Ollama, keys', async () => {
    fake.settings = {};
    fake.answer = () => undefined;
    await chooserWith().choose();
    const shown = items();
    const first = shown.findIndex(({ choice }) => choice?.kind === 'model');
    assert.equal(shown[first]?.label, 'No model: quotes', 'the only one that works comes first');
    const get = shown.slice(shown.findIndex(({ label }) => label === 'Get more models'));
    const labels = get.map(({ label }) => label).join();
    assert.match(labels, /GitHub Copilot models….*Ollama: models on this machine.*A server of your own…/);
    assert.match(get.find(({ label }) => /Ollama/.test(label))?.detail ?? '', /ollama\.com.*ollama pull/);
  });

  it('sends an address neither another one’s key nor another provider’s requests', async () => {
    const keys = keysIn(new Map());
    await keys.set('https://api.openai.com', 'sk-openai');
    fake.settings = { 'thoughtTree.baseUrl': `${address()}/v1`, 'thoughtTree.servers': { ollama: address() } };
    fake.answer = () => undefined;
    await keys.remove('https://api.openai.com'); // or it would be asked, over the network
    await choosing.open(keys, new ModelOpener(keys)).chooser.choose();
    assert.deepEqual(asked.toSorted(), ['GET /api/tags without a key', 'GET /v1/models without a key']);
  });
});
