import { EFFORT, effort } from '../../../support/effort.ts';
import '../../../support/property-seed.ts';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  changed,
  emptyInvestigation,
  type Investigation,
  ProtocolFault,
  roundOf,
  suffixOf,
} from '../../../../src/kinds/investigation/protocol/investigation.ts';
import {
  PROFILES,
  type ProfileName,
  profileOf,
  statesOf,
} from '../../../../src/kinds/investigation/protocol/profiles.ts';
import { setupFor } from '../../../../src/kinds/investigation/protocol/start.ts';
import { Played, type PlayedCall } from '../../../support/investigation/played.ts';
import { Dice, drawCall } from '../../../support/investigation/random-calls.ts';

/** Every rule that has to hold at any moment of any run. */
function checkStep(before: Investigation, after: Investigation, reply: Readonly<Record<string, unknown>>): void {
  const known = new Set(statesOf(profileOf(after)));
  for (const { state } of after.nodes.values()) assert.ok(known.has(state), `the state ${state}`);
  if (reply['status'] === 'REJECTED') assert.equal(after, before, 'a refused call changes nothing');
  for (const [id, node] of before.nodes) {
    const { state: _, children: was, ...same } = node;
    const { state: __, children, ...now } = after.nodes.get(id) ?? assert.fail(`${id} is lost`);
    assert.deepEqual(now, same);
    assert.deepEqual(children.slice(0, was.length), was, 'children are added at the end');
  }
  for (const id of before.pending.keys()) assert.ok(after.pending.has(id) || after.nodes.has(id), `${id} is lost`);
  for (const [id, { parent, children }] of after.nodes) {
    assert.ok(!after.pending.has(id) || after.profile !== 'strict', `${id} is pending and committed`);
    if (parent !== null) assert.ok(after.nodes.get(parent)?.children.includes(id));
    for (const child of children) assert.equal(after.nodes.get(child)?.parent, id);
  }
  const committed = [...after.nodes.keys()].filter((id) => !before.nodes.has(id));
  if (committed.length > 0)
    assert.ok(
      committed.every((id) => before.pending.has(id)),
      'nothing is committed that was not proposed',
    );
}

/** What strict adds: none of the ways around the original's rules. */
function checkStrict(
  before: Investigation,
  after: Investigation,
  call: PlayedCall,
  reply: Readonly<Record<string, unknown>>,
): void {
  const nodes = [...after.nodes.values()];
  const roots = [...nodes, ...after.pending.values()].filter(({ parent }) => parent === null);
  assert.ok(roots.length <= 1 && roots.every(({ id }) => id === 'R1.A'));
  for (const { id, parent } of [...nodes, ...after.pending.values()])
    if (parent !== null) {
      assert.equal(roundOf(id), roundOf(parent) + 1);
      assert.ok(suffixOf(id).startsWith(suffixOf(parent)) && suffixOf(id) !== suffixOf(parent));
    }
  for (const [id, proposal] of before.pending)
    if (after.pending.has(id)) assert.equal(after.pending.get(id), proposal, 'nothing pending is overwritten');
  const agents = nodes.flatMap(({ agentId }) => agentId ?? []);
  assert.equal(new Set(agents).size, agents.length, 'an agent for each node');
  for (const { agentId, isVerified } of nodes)
    if (isVerified) assert.equal(agentId, 'aaaaaaa', 'only what was found is verified');
  for (const { state, round, parent } of nodes) {
    if (state === 'FOUND' || state === 'EXHAUST') assert.ok(round >= 4);
    if (parent === null) assert.ok(state !== 'DEAD' && state !== 'VERIFY');
  }
  for (const node of nodes)
    if (!before.nodes.has(node.id) && node.state === 'VERIFY')
      assert.equal(before.nodes.get(node.parent ?? '')?.state, 'FOUND', 'a check is made below what was found');
  if ('end' in call && reply['status'] === 'OK') checkStrictEnd(after);
}

function checkStrictEnd(at: Investigation): void {
  assert.equal(at.pending.size, 0);
  assert.ok(at.currentRound >= at.minRounds);
  for (const { id, state, children } of at.nodes.values()) {
    const below = children.flatMap((child) => at.nodes.get(child) ?? []);
    if (state === 'EXPLORE') assert.ok(below.length >= 2, id);
    if (state === 'EXHAUST') assert.ok(below.length > 0 && below.every((child) => child.state === 'DEAD'), id);
    if (state !== 'FOUND') continue;
    const checks = below.filter((child) => child.state === 'VERIFY').map(({ commit }) => commit);
    const failed = below.filter((child) => child.state === 'DEAD').map(({ commit }) => commit);
    assert.ok(
      checks.length > 0 && Math.max(...checks) > Math.max(0, ...failed),
      `${id} is checked, and no check failed since`,
    );
  }
}

/** Plays a run, checking every step; says how it went. */
function playRun(profile: ProfileName, rolls: readonly number[]): { ended: number; refused: number; nodes: number } {
  const minRounds = profile === 'strict' ? 2 : undefined;
  const played = new Played(profile, { minRoots: 1 }, { minRounds });
  const dice = new Dice(rolls);
  const counts = { ended: 0, refused: 0, nodes: 0 };
  while (!dice.isEmpty) {
    const before = played.at;
    const call = drawCall(dice, before);
    try {
      const reply = played.play(call);
      checkStep(before, played.at, reply);
      if (profile === 'strict') checkStrict(before, played.at, call, reply);
      if (reply['status'] === 'REJECTED') counts.refused++;
      else if ('end' in call) counts.ended++;
    } catch (error) {
      if (!(error instanceof ProtocolFault)) throw error;
      assert.ok(profile !== 'strict');
      assert.equal(played.at, before);
    }
  }
  const setup = setupFor(profile, { query: 'Why?', minRoots: 1 }, { sessionId: 'played', minRounds });
  const again = played.changes.reduce((at, change) => changed(changed(at, change), change), emptyInvestigation(setup));
  assert.deepEqual(again, played.at, 'its changes, each applied twice, come to the same');
  return { ...counts, nodes: played.at.nodes.size };
}

describe('random runs of the protocol', () => {
  for (const profile of PROFILES)
    it(`keep every rule of ${profile}`, () => {
      let [ended, refused, nodes] = [0, 0, 0];
      const rolls = fc.array(fc.nat(0xffff), { minLength: 100, maxLength: 400, size: 'max' });
      fc.assert(
        fc.property(rolls, (drawn) => {
          const run = playRun(profile, drawn);
          ended += run.ended;
          refused += run.refused;
          nodes += run.nodes;
        }),
        { numRuns: effort(2000) },
      );
      const told = `${nodes} nodes, ${refused} refusals, ${ended} ends`;
      assert.ok(nodes > effort(3000) && refused > effort(2000), told);
      assert.ok(EFFORT < 10 || ended > 20, told);
    });
});
