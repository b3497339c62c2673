import assert from 'node:assert/strict';
import { ProtocolFault } from '../../../../src/kinds/investigation/protocol/investigation.ts';
import { PROFILES } from '../../../../src/kinds/investigation/protocol/profiles.ts';
import { Played, type PlayedCall } from '../../../support/investigation/played.ts';
import { checkVerdict, type VerdictCase, verdictCases } from '../../../support/investigation/verdict-table.ts';

for (const profile of PROFILES)
  describe(`the verdicts of ${profile}`, () => {
    for (const each of verdictCases(profile))
      it(each.name, () => check(new Played(profile, each.start, each.person), each));
  });

function check(played: Played, expected: VerdictCase): void {
  const { calls, fault } = expected;
  for (const call of calls.slice(0, -1)) played.play(call);
  const last = calls.at(-1) as PlayedCall;
  const before = played.at;
  if (fault) {
    assert.throws(() => played.play(last), ProtocolFault);
    assert.equal(played.at, before);
    return;
  }
  const reply = played.play(last);
  if (reply['status'] === 'REJECTED') assert.equal(played.at, before, 'what is refused changes nothing');
  checkVerdict(reply, expected);
}
