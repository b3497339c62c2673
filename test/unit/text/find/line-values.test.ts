import assert from 'node:assert/strict';
import { Research } from '../../../../src/text/find/research.ts';
import { indexWorkspace } from '../../../../src/text/index/workspace-indexes.ts';
import { makeWorkspace, removeWorkspaces } from '../../../support/quotes/quotes-workspace.ts';

const RETRY = `const scale = 12;
const pause = 250;

export function connect(host) {
  open(host);
}

export function retryDelivery(message) {
  // Each failed delivery waits longer.
  wait(Math.min(pause * message.failures, limitOf(message)));
}
`;

describe('the worth of a line', () => {
  after(removeWorkspaces);

  it('is more for the declaration of a constant that the lines about the question use, if a value is asked for', async () => {
    const index = await indexWorkspace(makeWorkspace({ 'retry.ts': RETRY }));
    const [file] = index.files;
    assert.ok(file);
    const difference = (question: string): number => {
      const { values } = new Research(index, question);
      return values.of(file, 1) - values.of(file, 0);
    };
    assert.ok(difference('How long is the wait after a failed delivery of a message?') > 0.5);
    assert.ok(Math.abs(difference('Who is told of a failed delivery of a message?')) < 0.1);
  });
});
