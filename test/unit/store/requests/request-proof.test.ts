import assert from 'node:assert/strict';
import { ActionRequest } from '../../../../src/core/actions/action-call.ts';
import { isProven, proofOf } from '../../../../src/store/requests/request-files.ts';

describe('the proof of a request', () => {
  const asked: ActionRequest = {
    id: 'a',
    by: 'terminal',
    time: '2026-01-01T00:00:00Z',
    lease: 'token',
    action: { action: 'grow', size: 'all', guards: { usd: 3, calls: 2 } },
  };
  const proven = { ...asked, proof: proofOf(asked, 'key') };

  it('holds for what was asked, also as it is read again', () => {
    const { action, ...rest } = proven;
    const read = ActionRequest.parse(JSON.parse(JSON.stringify({ action, ...rest })));
    assert.ok(isProven(read, 'key'));
  });

  it('holds for nothing else, and with no other key', () => {
    assert.ok(!isProven(proven, 'another key'));
    assert.ok(!isProven(asked, 'key'));
    assert.ok(!isProven({ ...proven, lease: 'next' }, 'key'));
    assert.ok(!isProven({ ...proven, action: { ...asked.action, guards: { usd: 300, calls: 2 } } }, 'key'));
    assert.ok(!isProven({ ...proven, proof: 'x' }, 'key'));
  });
});
