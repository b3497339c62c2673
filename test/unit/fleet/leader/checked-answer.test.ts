import assert from 'node:assert/strict';
import { isThoughtTreeError } from '../../../../src/core/search/errors.ts';
import { checkedAnswer, mostUsed } from '../../../../src/fleet/leader/checked-answer.ts';
import { answerFrom, requestFor } from '../../../support/fleet/fake-fleet.ts';

describe('a failure that a worker tells of', () => {
  const request = requestFor('Why?');

  for (const [asked, waited] of [
    [3000, 3000],
    [86_400_000, 60_000],
  ] as const)
    it(`lets a search wait ${waited} ms where its server asks for ${asked}`, () => {
      const say = { key: 'fleet.stopped', args: {} };
      const failure = { outcome: 'failure', reason: 'rate-limited', message: 'Later.', say, charged: true } as const;
      const answer = answerFrom('8f14e45f-ceea-8467-8d2a-1b2c3d4e5f60', { ...failure, retryAfterMs: asked });
      assert.throws(
        () => checkedAnswer(answer, request, mostUsed(request, undefined)),
        (error) => isThoughtTreeError(error, 'rate-limited') && error.details.retryAfterMs === waited,
      );
    });
});
