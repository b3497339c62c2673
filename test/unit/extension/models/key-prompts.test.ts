import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { fake } from '../fake-vscode.ts';
import { keysIn } from './fake-keys.ts';

const { KeyPrompts } = await import('../../../../src/extension/models/key-prompts.ts');

interface Item {
  readonly label: string;
  readonly description: string;
}

describe('keys of servers', () => {
  const theirs = process.env['OPENAI_API_KEY'];
  beforeEach(() => {
    fake.reset();
    process.env['OPENAI_API_KEY'] = 'sk-of-the-environment';
    delete process.env['ANTHROPIC_API_KEY'];
  });
  after(() => {
    if (theirs === undefined) delete process.env['OPENAI_API_KEY'];
    else process.env['OPENAI_API_KEY'] = theirs;
  });

  it('are set, not set, or set by a variable: the list says which', async () => {
    const keys = keysIn(new Map());
    await keys.set('http://gpu:8000/v1', 'sk-1');
    fake.settings = { 'thoughtTree.servers': { lab: 'http://gpu:8000/v1' } };
    await new KeyPrompts(keys).setKey();
    const said = Object.fromEntries(
      (fake.picks[0] as unknown as Item[]).map(({ label, description }) => [label, description]),
    );
    assert.equal(said['$(pass) lab'], 'http://gpu:8000 · set');
    assert.equal(said['$(pass) openai'], 'https://api.openai.com · set by OPENAI_API_KEY');
    assert.equal(said['$(circle-large-outline) anthropic'], 'https://api.anthropic.com · not set');
    assert.ok(!JSON.stringify(said).includes('sk-'));
  });

  it('are removed with the password of a queue, where the settings name one', async () => {
    fake.settings = { 'thoughtTree.queue': 'postgres://queue.example/fleet' };
    fake.answer = (items) => (items as { label: string }[]).find(({ label }) => label === 'The password of the queue');
    let removed = 0;
    await new KeyPrompts(keysIn(new Map())).removeKey(async () => void removed++);
    assert.equal(removed, 1);
  });

  it('are removed only where they are set', async () => {
    const noPassword = (): Promise<void> => assert.fail('no queue is named');
    const secrets = new Map<string, string>();
    const prompts = new KeyPrompts(keysIn(secrets));
    await prompts.removeKey(noPassword);
    assert.deepEqual([fake.picks, fake.messages], [[], ['No key is set here.']]);
    await keysIn(secrets).set('https://api.anthropic.com/v1', 'sk-1');
    fake.answer = (items) => (items as unknown[])[0];
    await prompts.removeKey(noPassword);
    assert.equal(fake.picks[0]?.length, 1);
    assert.equal(secrets.size, 0);
  });
});
