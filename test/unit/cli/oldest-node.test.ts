import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { isTooOld, OLDEST_NODE } from '../../../src/cli/run-cli.ts';

describe('the oldest Node', () => {
  it('is the one that package.json names, and older ones are refused at the start', () => {
    const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } };
    assert.equal(engines.node, `>=${OLDEST_NODE}`);
    assert.deepEqual(['20.20.2', '22.12.0', '22.13.0', '24.21.0'].map(isTooOld), [true, true, false, false]);
  });
});
