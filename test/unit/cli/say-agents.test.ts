import assert from 'node:assert/strict';
import { sayAgents } from '../../../src/cli/running/open-run.ts';
import type { Model } from '../../../src/core/ports/model.ts';

describe('what is said of agents', () => {
  it('is that they see files as they are, once for each; of other models, nothing', () => {
    const model: Pick<Model, 'name' | 'free' | 'label'> = { name: 'openai/gpt', label: 'gpt', free: false };
    const agent = { ...model, name: 'claude/sonnet', most: { tokens: 1 } };
    const write = process.stderr.write;
    let said = '';
    process.stderr.write = (text): boolean => {
      said += String(text);
      return true;
    };
    try {
      sayAgents([model as Model, agent as Model, agent as Model, undefined]);
    } finally {
      process.stderr.write = write;
    }
    const told = 'claude/sonnet reads the folder by itself: secrets in its files are not left out of what it sees.';
    assert.equal(said.trim(), told);
  });
});
