import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { foreign } from '../../../../src/core/messages/message.ts';
import { fake, workspace } from '../fake-vscode.ts';

const { askForCommands, askForProgram } = await import('../../../../src/extension/library/open-run.ts');

describe('the consent to a program of a model', () => {
  beforeEach(() => fake.reset());

  const ask = (): Promise<boolean> =>
    askForProgram('Why?', { language: 'python', program: 'print(1)\nprint("\u202e")' }, [foreign({ text: 'Held.' })]);

  it('shows the program whole, and takes nothing but a yes', async () => {
    fake.settings['thoughtTree.allowExperiments'] = true;
    fake.answer = () => 'Run It';
    assert.equal(await ask(), true);
    assert.equal(fake.messages.at(-1), 'Allow "Why?" to run a program of its model?');
    assert.equal(fake.detail, 'print(1)\nprint("\\u{202e}")\n\nHeld.');
    fake.answer = () => undefined;
    assert.equal(await ask(), false);
  });

  it('asks nobody where the person does not let models try anything, or does not trust the folder', async () => {
    fake.answer = () => 'Run It';
    assert.equal(await ask(), false);
    fake.settings['thoughtTree.allowExperiments'] = true;
    workspace.isTrusted = false;
    assert.equal(await ask(), false);
    assert.deepEqual(fake.messages, []);
  });
});

describe('the consent to commands', () => {
  beforeEach(() => fake.reset());

  it('names the search and the exact commands, with what nobody would see written out', async () => {
    fake.answer = () => 'Run Them';
    assert.equal(
      await askForCommands(
        'Make\nit\u202egreen',
        ['npm test', 'echo a\u0007\nrm -rf\u00a0x\u202e'],
        [foreign({ text: 'Held.' })],
      ),
      true,
    );
    assert.equal(fake.messages.at(-1), 'Allow "Make it green" to run 2 commands?');
    assert.equal(fake.detail, 'npm test\necho a\\u{7}\\u{a}rm -rf\\u{a0}x\\u{202e}\n\nHeld.');
  });

  it('takes nothing but a yes for one', async () => {
    for (const [answer, allowed] of [
      ['Run It', true],
      ['Not Now', false],
      [undefined, false],
    ] as const) {
      fake.answer = () => answer;
      assert.equal(await askForCommands('a', ['make']), allowed);
    }
  });

  it('shows every line of a long list before it asks', async () => {
    const lines = Array.from({ length: 40 }, (_, i) => `make step-${i}`);
    fake.answer = () => 'Run Them';
    assert.equal(await askForCommands('a', lines), true);
    const shown = fake.executed.find(([name]) => name === 'show')?.[1];
    assert.equal(shown, `${lines.join('\n')}\n`);
    assert.equal(fake.detail, undefined);
  });
});
