import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { fake } from '../fake-vscode.ts';

const { tellOfAgent } = await import('../../../../src/extension/library/open-run.ts');
const { settingsFor } = await import('../../../../src/extension/settings.ts');

describe('what models see of files with secrets', () => {
  beforeEach(() => fake.reset());

  it('is told once of an agent, which reads files as they are, and never of other models', () => {
    tellOfAgent({ name: 'openai/gpt' });
    const agent = { name: 'claude/sonnet', most: { tokens: 1 } };
    tellOfAgent(agent);
    tellOfAgent(agent);
    const told = 'claude/sonnet reads the folder by itself: secrets in its files are not left out of what it sees.';
    assert.deepEqual(fake.messages, [told]);
  });

  it('is widened by the settings; what is no path is none', () => {
    assert.deepEqual(settingsFor(undefined).allowedFiles, []);
    fake.settings = { 'thoughtTree.allowedFiles': ['.env.example', 7, '.github'] };
    assert.deepEqual(settingsFor(undefined).allowedFiles, ['.env.example', '.github']);
  });
});
