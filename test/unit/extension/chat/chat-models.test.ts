import assert from 'node:assert/strict';
import '../use-fake-vscode.ts';
import type { Memento } from 'vscode';
import { type FakeChat, fake } from '../fake-vscode.ts';

const { ChatModels } = await import('../../../../src/extension/chat/chat-models.ts');

describe('the chat of an editor without a language model', () => {
  const kept = new Map<string, unknown>();
  const memory = {
    get: (key: string) => kept.get(key),
    update: async (key: string, value: unknown) => void kept.set(key, value),
  } as unknown as Memento;
  const open = async (isSidebarShown = false): Promise<void> => {
    const models = new ChatModels(memory, () => isSidebarShown);
    await models.open();
    models.dispose();
  };
  beforeEach(() => {
    fake.reset();
    kept.clear();
  });

  it('is told of once, where the sidebar does not say it', async () => {
    await open();
    await open();
    assert.deepEqual(fake.messages.length, 1);
    assert.match(fake.messages[0] ?? '', /its chat cannot ask @tree\. Everything that @tree does is a command too/);
    assert.deepEqual(fake.contexts.at(-1), ['thoughtTree.noChatModel', true]);
  });

  it('is not told of where the sidebar says it', async () => {
    await open(true);
    assert.deepEqual(fake.messages, []);
    assert.deepEqual(fake.contexts, [['thoughtTree.noChatModel', true]]);
  });

  for (const [answer, command] of [
    ['Start Tree Search', 'thoughtTree.start'],
    ['How to Begin', 'workbench.action.openWalkthrough'],
  ] as const)
    it(`offers the same without a chat: ${answer}`, async () => {
      fake.answer = () => answer;
      await open();
      assert.equal(fake.executed.at(-1)?.[0], command);
    });

  it('is nothing to tell of where there is a model', async () => {
    fake.models = [{ id: 'one', name: 'One', vendor: 'some' } as FakeChat];
    await open();
    assert.deepEqual(fake.messages, []);
    assert.deepEqual(fake.contexts, [['thoughtTree.noChatModel', false]]);
  });
});
