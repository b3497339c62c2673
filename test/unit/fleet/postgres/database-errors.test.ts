import assert from 'node:assert/strict';
import { openingError } from '../../../../src/fleet/postgres/database-errors.ts';

describe('the reason why a queue cannot be opened', () => {
  const errorOf = (message: string, code?: string): Error => Object.assign(new Error(message), code && { code });
  for (const [error, reason, says] of [
    [errorOf('password authentication failed', '28P01'), 'key-refused', /asks for a password/],
    [
      errorOf('permission denied for database tree', '42501'),
      'unreachable',
      /tree\. Its owner .* thought-tree fleet --queue URL/,
    ],
    [errorOf('permission denied for schema thought_tree', '42501'), 'unreachable', /rights, as doc\/fleet\.md/],
    [errorOf('self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT'), 'unreachable', /\?sslrootcert=FILE/],
    [errorOf('unable to verify', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'), 'unreachable', /\?sslrootcert=FILE/],
    [errorOf('certificate has expired', 'CERT_HAS_EXPIRED'), 'unreachable', /cannot be used: certificate has expired/],
    [new AggregateError([errorOf('refused'), errorOf('no route')], ''), 'unreachable', /refused, no route/],
  ] as const)
    it(`says what to do about "${error.message || 'several'}" (${'code' in error ? error.code : ''})`, () => {
      const { message, reason: given, details } = openingError(error, 'postgres://me@db/tree');
      assert.match(message, says);
      assert.match(message, /postgres:\/\/me@db\/tree/);
      assert.deepEqual([given, details.charged], [reason, false]);
    });
});
