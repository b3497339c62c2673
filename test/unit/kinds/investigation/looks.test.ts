import assert from 'node:assert/strict';
import { investigationDescriptor } from '../../../../src/kinds/investigation/descriptor.ts';

const lead = (state?: string, more: object = {}): object => ({
  nodeId: 'R4.A1',
  round: 4,
  ...(state && { state }),
  ...more,
});
const marksOf = (own: unknown, below: readonly unknown[] = [], receipt?: 'engine' | 'agent' | 'unverified'): string =>
  (investigationDescriptor.marks?.of(own, below, receipt) ?? []).map(({ text }) => text).join(' ');
const glyphOf = (own: unknown, below: readonly unknown[] = [], status: 'leaf' | 'expanded' | 'unexpanded' = 'leaf') =>
  investigationDescriptor.look({ status, own, below }).glyph;

describe('what an investigation says of its nodes', () => {
  it('is round, state, and what a person should know before believing it', () => {
    assert.equal(marksOf(lead()), 'R4 pending');
    assert.equal(marksOf(lead('EXPLORE')), 'R4 looked into unverified');
    assert.equal(marksOf(lead('FOUND', { isVerified: true, agentId: 'a1' })), 'R4 found');
    assert.equal(marksOf(lead('DEAD', { receipt: { by: 'engine' } })), 'R4 led nowhere');
    for (const [state, word] of [
      ['VERIFY', 'confirmed'],
      ['EXHAUST', 'exhausted'],
      ['DRILL', 'followed up'],
      ['VALID', 'holds'],
      ['SPEC', 'a theory'],
    ] as const)
      assert.equal(marksOf(lead(state), [], 'agent'), `R4 ${word}`);
    assert.equal(marksOf(lead('FOUND', { receipt: { by: 'engine' } }), [], 'unverified'), 'R4 found unverified');
    assert.equal(marksOf(undefined), '');
    assert.equal(marksOf({ state: 'FOUND' }), '');
    assert.equal(marksOf(lead('__proto__')), 'R4 pending');
  });

  it('says that a solution is refuted until a later check holds', () => {
    const dead = lead('DEAD', { commit: 3 });
    assert.equal(marksOf(lead('FOUND'), [dead], 'agent'), 'R4 found refuted');
    assert.equal(marksOf(lead('FOUND'), [dead, lead('VERIFY', { commit: 3 })], 'agent'), 'R4 found refuted');
    assert.equal(marksOf(lead('FOUND'), [dead, lead('VERIFY', { commit: 4 })], 'agent'), 'R4 found');
    assert.equal(marksOf(lead('EXPLORE'), [dead], 'agent'), 'R4 looked into');
  });

  it('gives each state a shape of its own where they must not be confused', () => {
    assert.equal(glyphOf(lead(undefined), [], 'unexpanded'), 'aside');
    assert.equal(glyphOf(lead('EXPLORE')), 'open');
    assert.equal(glyphOf(lead('EXPLORE'), [lead('DEAD')], 'expanded'), 'done');
    assert.equal(glyphOf(lead('DEAD')), 'cut');
    assert.equal(glyphOf(lead('FOUND'), [lead('DEAD', { commit: 2 })], 'expanded'), 'failed');
    assert.deepEqual(
      investigationDescriptor.look({ status: 'expanded', own: lead('FOUND'), below: [lead('VERIFY')] }),
      {
        glyph: 'end',
        tone: 'good',
      },
    );
    assert.equal(investigationDescriptor.look({ status: 'pruned', own: lead('FOUND') }).glyph, 'cut');
    assert.equal(investigationDescriptor.look({ status: 'in-progress', own: lead() }).glyph, 'busy');
  });
});
