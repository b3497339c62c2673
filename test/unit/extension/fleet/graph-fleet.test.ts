import assert from 'node:assert/strict';
import fc from 'fast-check';
import '../use-fake-vscode.ts';
import type { FleetView } from '../../../../src/fleet/look-at-fleet.ts';
import { PROTOCOL, readRegistration } from '../../../../src/fleet/protocol.ts';
import { effort } from '../../../support/effort.ts';

const { graphFleetOf } = await import('../../../../src/extension/fleet/window-fleet.ts');

type Worker = FleetView['workers'][number];

const NOW = 1_000_000;
const NO_MORE = { unserved: [], caps: [], others: [] };

function worker(id: string, more: Partial<Worker> = {}): Worker {
  return {
    ...{ kind: 'worker', protocol: PROTOCOL, version: '1', id, host: 'gpu', pid: 7, slots: 2, state: 'working' },
    ...{ models: [], calls: [], spent: { calls: 3, tokens: 400, usd: 0.5 }, silentMs: 1500 },
    ...more,
  };
}

const call = (node: string, search?: string) => ({
  ...{ model: 'a/b', node, purpose: 'document', since: 5 },
  ...(search !== undefined && { search }),
});

function leader(search: string, title: string): FleetView['searches'][number] {
  return { kind: 'leader', protocol: PROTOCOL, id: search, title, search, models: [], underWay: 1, silentMs: 0 };
}

describe('a fleet as it is drawn', () => {
  it("has this search's calls first, by their nodes, and those of others by their titles alone", () => {
    const calls = [call('secret/path', 'bb'), call('x'), call('own/node', 'aa')];
    const view = {
      workers: [worker('1', { calls })],
      searches: [leader('aa', 'Mine'), leader('bb', 'Theirs')],
      models: [],
      ...NO_MORE,
    };
    const { workers } = graphFleetOf(view, 'aa', NOW);
    assert.deepEqual(
      workers[0]?.calls.map(({ node, other }) => [node, other]),
      [
        ['own/node', undefined],
        ['', 'Theirs'],
        ['', ''],
      ],
    );
    assert.equal(workers[0]?.seen, NOW - 1500);
    assert.deepEqual([workers[0]?.made, workers[0]?.tokens, workers[0]?.usd], [3, 400, 0.5]);
  });

  it('lists what waits, and keeps its workers in the same order', () => {
    const workers = [worker('2', { host: 'b' }), worker('3', { host: 'a' }), worker('1', { host: 'b' })];
    const models = [
      { name: 'a/idle', waiting: 0 },
      { name: 'a/busy', waiting: 3 },
    ];
    const shown = graphFleetOf({ workers, searches: [], models, ...NO_MORE }, 'aa', NOW);
    assert.deepEqual(
      shown.workers.map(({ id }) => id),
      ['3', '1', '2'],
    );
    assert.deepEqual(shown.waiting, [{ model: 'a/busy', calls: 3 }]);
  });

  it('is bounded whatever workers say of themselves', () => {
    const text = fc.string({ unit: 'binary', maxLength: 100, minLength: 1 });
    const registrations = fc.record({
      ...{
        kind: fc.constant('worker'),
        protocol: fc.constant(PROTOCOL),
        version: text,
        id: text,
        host: text,
        pid: fc.integer(),
      },
      ...{ slots: fc.nat(10_000), state: fc.constantFrom('working', 'draining', 'capped') },
      models: fc.array(
        fc.record({ queue: text, name: text, free: fc.boolean(), tools: fc.boolean(), warmsCache: fc.boolean() }),
      ),
      calls: fc.array(fc.record({ model: text, node: text, purpose: text, since: fc.double() })),
      spent: fc.record({ calls: fc.nat(), tokens: fc.nat(), usd: fc.nat() }),
    });
    fc.assert(
      fc.property(fc.array(registrations, { maxLength: 2 }), (all) => {
        const workers = all.flatMap((each) => {
          const known = readRegistration(each);
          return known?.kind === 'worker' ? [{ ...known, silentMs: 0 }] : [];
        });
        const many = Array.from({ length: 30 }, (_, index) =>
          workers.map((each) => ({ ...each, id: `${index}` })),
        ).flat();
        const long = call('n'.repeat(4000), 'aa');
        const calls = Array.from({ length: 500 }, () => ({
          ...long,
          purpose: 'p'.repeat(100),
          model: 'm'.repeat(300),
        }));
        const models = Array.from({ length: 100 }, () => ({ name: 'w'.repeat(300), waiting: 1 }));
        const view = { workers: [worker('0', { calls }), ...many], searches: [], models, ...NO_MORE };
        const shown = graphFleetOf(view, 'aa', NOW);
        assert.ok(JSON.stringify(shown).length < 1_000_000);
        assert.equal(shown.workers.length + shown.moreWorkers, view.workers.length);
        for (const { name, busy, calls: listed } of shown.workers) {
          assert.ok(name.length <= 80 && !/[\n\u202e]/.test(name), name);
          assert.ok(listed.length <= busy);
        }
      }),
      { numRuns: effort(10) },
    );
  });
});
