import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isOfThisUser, proveUser } from '../../../../src/searches/act-on-search.ts';
import { statePath } from '../../../../src/searches/trust/state-folder.ts';

const REQUEST = { id: 'a', by: 'test', time: '2026-01-01T00:00:00Z', lease: 'token', action: { action: 'grow' } };

describe('a request of this user', () => {
  it('is known as theirs, also where a full disk left their key empty', () => {
    const folder = statePath() ?? '';
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, 'request-key'), '');
    const proof = proveUser(REQUEST) ?? '';
    assert.match(proof, /^[\da-f]{64}$/);
    assert.ok(isOfThisUser({ ...REQUEST, proof }));
    assert.ok(!isOfThisUser({ ...REQUEST, lease: 'another', proof }));
    assert.ok(!isOfThisUser(REQUEST));
  });
});
