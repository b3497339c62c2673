import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isThoughtTreeError } from '../../../src/core/search/errors.ts';
import { Allowance } from '../../../src/mcp/tree-program.ts';
import type { Permit, Wanted } from '../../../src/searches/agent-tools/agent-host.ts';

const wanted = (more: Partial<Wanted> = {}): Wanted => ({
  spends: true,
  removes: false,
  title: 'A search',
  question: 'Start it?',
  details: [],
  mostUsd: 2,
  isPriced: true,
  isFree: false,
  models: ['openai/x'],
  areModelsOwn: true,
  isElsewhere: false,
  ...more,
});

const refused = (allowance: Allowance, more: Partial<Wanted>): string => {
  try {
    allowance.permit(wanted(more));
  } catch (error) {
    assert.ok(isThoughtTreeError(error, 'declined'));
    return error.message;
  }
  return 'permitted';
};

describe('what a person allowed on the command line of a server', () => {
  it('is nothing by default, and each refusal names what would help', () => {
    const none = new Allowance(0, false);
    assert.match(refused(none, {}), /--allow-usd/);
    assert.match(refused(none, { removes: true, spends: false }), /--allow-delete/);
    assert.match(refused(none, { areModelsOwn: false }), /--model/);
    assert.equal(refused(none, { isFree: true }), 'permitted');
    const some = new Allowance(1, false);
    assert.match(refused(some, { isPriced: false, mostUsd: undefined }), /--price/);
    assert.match(refused(some, { isElsewhere: true }), /another program/);
    assert.match(refused(some, { removes: true }), /--allow-delete/);
    assert.match(refused(some, { mostUsd: 0 }), /max_usd is 0/);
    assert.equal(refused(new Allowance(0, true), { removes: true, spends: false }), 'permitted');
    assert.match(refused(new Allowance(0, true), { removes: true }), /--allow-usd/);
  });

  it('is never exceeded by all searches together, in whatever order they are asked for and end', () => {
    const step = fc.oneof(
      fc.record({ asks: fc.double({ min: 0, max: 5, noNaN: true }) }),
      fc.record({ ends: fc.nat(20), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
    );
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 10, noNaN: true }), fc.array(step, { maxLength: 60 }), (usd, steps) => {
        const allowance = new Allowance(usd, false);
        const running: Permit[] = [];
        let spent = 0;
        for (const each of steps)
          if ('asks' in each)
            try {
              const permit = allowance.permit(wanted({ mostUsd: each.asks }));
              assert.ok((permit.mostUsd ?? Number.POSITIVE_INFINITY) <= each.asks);
              running.push(permit);
            } catch (error) {
              assert.ok(isThoughtTreeError(error, 'declined'));
            }
          else {
            const [permit] = running.splice(each.ends, 1);
            const cost = each.share * (permit?.mostUsd ?? 0);
            spent += cost;
            permit?.settle?.(cost);
            permit?.settle?.(0); // a second time changes nothing
          }
        const open = running.reduce((sum, { mostUsd = 0 }) => sum + mostUsd, 0);
        assert.ok(spent + open <= usd * (1 + 1e-9), `${spent} + ${open} of ${usd}`);
      }),
    );
  });
});
