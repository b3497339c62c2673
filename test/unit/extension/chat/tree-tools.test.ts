import assert from 'node:assert/strict';
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { CancellationTokenSource, fake, type LanguageModelTextPart, Uri, workspace } from '../fake-vscode.ts';
import { ChatBench } from './chat-parts.ts';

const NODE = 'limits-limits-md';

describe('the tools for the editor’s own agents', () => {
  let folder: string;
  let bench: ChatBench;
  const token = () => new CancellationTokenSource().token;
  const call = async (name: 'tree_start' | 'tree_act' | 'tree_read' | 'tree_status', input: object) => {
    const { tools } = bench.chat;
    const prepared = await tools.prepare(name, input as Record<string, unknown>);
    const run = async () => {
      const { content } = await tools.invoke(name, input as Record<string, unknown>, token() as never);
      return (content[0] as LanguageModelTextPart).value;
    };
    return { prepared, run };
  };
  const card = (prepared: { confirmationMessages?: unknown }): string =>
    JSON.stringify(prepared.confirmationMessages ?? null);

  before(() => {
    fake.reset();
    folder = temporaryFolder('chat-tools');
    writeFileSync(join(folder, 'limits.md'), '# Limits\n\nRequests are limited by a token bucket.\n');
    bench = new ChatBench(folder);
  });
  beforeEach(() => {
    fake.reset();
  });
  after(() => bench.close());

  it('show no card before what is free, and begin it', async () => {
    const { prepared, run } = await call('tree_start', { question: 'How are requests limited?', size: 'small' });
    assert.equal(card(prepared), 'null');
    assert.equal(prepared.invocationMessage, 'Starting a tree search');
    assert.match(await run(), /^How are requests limited\? \(how-are-requests-limited, research\)/);
    await bench.end('how-are-requests-limited');
    assert.ok(existsSync(join(folder, 'thought-trees/how-are-requests-limited/report.md')));
  });

  it('show the forecast before what costs money, and begin nothing by showing it', async () => {
    fake.settings['thoughtTree.maxUsd'] = 3;
    const input = { question: 'What does it cost?', model: 'openai/gpt-5-mini', max_usd: 2 };
    const { prepared } = await call('tree_start', input);
    assert.match(card(prepared), /Start the search \\"What does it cost\?\\"\?/);
    assert.match(card(prepared), /Forecast: about/);
    assert.match(card(prepared), /not one that you chose/);
    assert.match(card(prepared), /before it spends more than \\\\\$2/);
    assert.ok(!existsSync(join(folder, 'thought-trees/what-does-it-cost')));
  });

  it('propose a size that ends within the limit, where an agent names none', async () => {
    fake.settings['thoughtTree.size'] = 'medium';
    const cardFor = async (calls: number, size?: string): Promise<string> => {
      fake.settings['thoughtTree.maxCalls'] = calls;
      const input = { question: 'What fits?', model: 'openai/gpt-5-mini', ...(size && { size }) };
      return card((await call('tree_start', input)).prepared);
    };
    const callsIn = (text: string): number => Number(/about (\d+) calls/.exec(text)?.[1]);
    const [roomy, tight, asked] = [await cardFor(1000), await cardFor(40), await cardFor(40, 'medium')];
    assert.ok(callsIn(roomy) > 40 && callsIn(tight) <= 40, `${roomy}\n${tight}`);
    assert.equal(callsIn(asked), callsIn(roomy), 'a size that was asked for stays');
  });

  it('ask by themselves where no card was shown, and do nothing then', async () => {
    const input = { search: 'how-are-requests-limited', action: 'redo', node: NODE };
    await assert.rejects(bench.chat.tools.invoke('tree_act', input, token() as never), /Nobody allowed it\./);
    assert.match(fake.messages.join(), /in the search/);
  });

  it('ask again where a card said nothing of money, and the search that ran then rests by now', async () => {
    const came = join(folder, 'thought-trees/came');
    cpSync(join(folder, 'thought-trees/how-are-requests-limited'), came, { recursive: true });
    for (const name of ['search.json', '.search/journal.jsonl']) {
      const text = readFileSync(join(came, name), 'utf8');
      writeFileSync(join(came, name), text.replaceAll('workspace/quotes', 'openai/gpt-5-mini'));
    }
    bench.runsHere = true;
    const { prepared, run } = await call('tree_act', { search: 'came', action: 'redo', node: NODE });
    assert.match(card(prepared), /Rewrite document/);
    assert.doesNotMatch(card(prepared), /Forecast/);
    bench.runsHere = false;
    await assert.rejects(run, /Nobody allowed it\./);
    assert.match(fake.messages.join(), /Rewrite document/);
  });

  it('show a card before a branch is removed, once for each call', async () => {
    const input = { search: 'how-are-requests-limited', action: 'prune', node: NODE };
    const { prepared, run } = await call('tree_act', input);
    assert.match(card(prepared), /Prune branch/);
    assert.match(await run(), /What can be done with/);
    assert.deepEqual(fake.messages, [], 'the card was the question');
    const node = readFileSync(join(folder, `thought-trees/how-are-requests-limited/${NODE}/node.json`), 'utf8');
    assert.match(node, /"status": "pruned"/);
    await assert.rejects(bench.chat.tools.invoke('tree_act', input, token() as never));
  });

  it('begin a search with what the settings say of tools and quotations, whatever an agent asks for', async () => {
    for (const [setting, value] of [
      ['tools', true],
      ['context', false],
      ['modelsMayRead', 'nothing'],
    ] as const) {
      fake.reset();
      fake.settings[`thoughtTree.${setting}`] = value;
      const question = `Are ${setting} kept?`;
      const { data } = await bench.chat.tools.read(
        'tree_start',
        { question, size: 'small' },
        AbortSignal.timeout(60_000),
      );
      await bench.end(data['search'] as string);
      const file = readFileSync(join(folder, 'thought-trees', data['search'] as string, 'search.json'), 'utf8');
      const kept = setting === 'modelsMayRead' ? 'read' : setting;
      assert.equal((JSON.parse(file) as { options: Record<string, unknown> }).options[kept], value);
      await assert.rejects(
        bench.chat.tools.read('tree_start', { question, options: { [kept]: 'tools' } }, AbortSignal.timeout(60_000)),
        /have no option/,
      );
    }
  });

  it('neither begin nor show searches where a link came in the place of their folder', async () => {
    const linked = temporaryFolder('chat-linked');
    const elsewhere = temporaryFolder('chat-elsewhere');
    cpSync(join(folder, 'thought-trees'), elsewhere, { recursive: true });
    symlinkSync(elsewhere, join(linked, 'thought-trees'), 'junction');
    const before = readdirSync(elsewhere);
    workspace.workspaceFolders = [{ uri: Uri.file(linked), name: 'linked' }];
    const { read } = bench.chat.tools;
    const tell = (...[name, input]: [Parameters<typeof read>[0], object]) =>
      read.call(bench.chat.tools, name, input as Record<string, unknown>, AbortSignal.timeout(60_000));
    await assert.rejects(tell('tree_list', {}), /is a link to another folder/);
    await assert.rejects(tell('tree_start', { question: 'Where does it lead?', size: 'small' }), /is a link/);
    assert.deepEqual(readdirSync(elsewhere), before);
    workspace.workspaceFolders = [{ uri: Uri.file(folder), name: 'work' }];
  });

  it('say what is wrong in words, without a card', async () => {
    const { prepared, run } = await call('tree_status', { search: '../../etc' });
    assert.equal(card(prepared), 'null');
    await assert.rejects(run, /There is no search/);
  });
});
