import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { QueuePassword } from '../../../../src/extension/fleet/open-fleet.ts';
import type { FollowedSearch } from '../../../../src/extension/library/followed-search.ts';
import type { FleetView } from '../../../../src/fleet/look-at-fleet.ts';
import { queueOf, searchKey } from '../../../../src/fleet/names.ts';
import { PROTOCOL } from '../../../../src/fleet/protocol.ts';
import { FakeFleet, modelOf, NAME } from '../../../support/fleet/fake-fleet.ts';
import { MemoryBoard, MemoryQueue } from '../../../support/fleet/memory-queue.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { fake } from '../fake-vscode.ts';
import { available } from '../sidebar/available.ts';
import { sampleLibrary, sampleSearch } from '../sidebar/sample.ts';

const { FleetLanes } = await import('../../../../src/extension/fleet/window-fleet.ts');
const { FleetWatch } = await import('../../../../src/fleet/look-at-fleet.ts');
const { StatusBar } = await import('../../../../src/extension/sidebar/status-bar.ts');

describe('the fleet of a search', () => {
  beforeEach(() => fake.reset());

  it('is seen again and again, also after the queue was away', async () => {
    const fleet = new FakeFleet();
    const seen: (FleetView | string)[] = [];
    let next = Promise.withResolvers<void>();
    const tell = (what: FleetView | string): void => {
      seen.push(what);
      next.resolve();
      next = Promise.withResolvers<void>();
    };
    let opened = 0;
    const watch = new FleetWatch({
      onView: tell,
      onAway: (error) => tell(String(error)),
      open: async () => {
        if (opened++ === 0) throw new Error('away');
        return fleet.queue();
      },
    });
    try {
      await fleet.worker(
        modelOf(async () => assert.fail()),
        { slots: 3 },
      );
      while (typeof seen.at(-1) !== 'object') await next.promise;
      assert.equal(seen[0], 'Error: away');
      const view = seen.at(-1) as FleetView;
      assert.deepEqual(
        view.workers.map(({ slots }) => slots),
        [3],
      );
      assert.deepEqual(view.models, [{ name: NAME, waiting: 0 }]);
      assert.ok((view.workers[0]?.silentMs ?? -1) >= 0);
    } finally {
      await watch.close();
      await fleet.close();
    }
    const { length } = seen;
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(seen.length, length);
  });

  it('is at the searches whose calls it makes, and gone with them', async () => {
    const folder = join(temporaryFolder('lanes'), 'thought-trees/why');
    mkdirSync(join(folder, '.search'), { recursive: true });
    writeFileSync(join(folder, '.search/id'), '0123456789abcdef\n');
    const key = searchKey('0123456789abcdef', folder);
    const [served, other] = [sampleSearch({ folder }), sampleSearch({ folder: `${folder}-2`, title: 'Other' })];
    const { library, tell } = sampleLibrary(served, other);
    const told = new Set<FollowedSearch>();
    let isShown = Promise.withResolvers<void>();
    Object.assign(library, {
      tell: (search: FollowedSearch) => {
        told.add(search);
        isShown.resolve();
        isShown = Promise.withResolvers<void>();
      },
    });
    new StatusBar(library, available);
    const board = new MemoryBoard();
    let isAway = false;
    const queue = new MemoryQueue(board);
    const registrations = queue.registrations.bind(queue);
    queue.registrations = () => (isAway ? Promise.reject(new Error('gone')) : registrations());
    const models = [{ name: NAME }];
    await queue.register({
      kind: 'leader',
      protocol: PROTOCOL,
      id: 'l',
      title: 'Why?',
      search: key,
      models,
      underWay: 3,
    });
    const own = { model: NAME, node: 'a', purpose: 'document', since: 1, search: key };
    await queue.register({
      ...{ kind: 'worker', protocol: PROTOCOL, version: '1', id: 'w', host: 'gpu', pid: 7, slots: 1, state: 'working' },
      ...{ models: [], calls: [own], spent: { calls: 1, tokens: 2, usd: 0 } },
    });
    for (const id of ['a', 'b'])
      await queue.send({ id, queue: queueOf(NAME, undefined), payload: {} as never, seconds: 1 });
    const password = { get: async () => undefined } as unknown as QueuePassword;
    const log = { debug: () => undefined };
    const parts = { address: 'postgres://db/tree', password, library, log, openQueue: async () => queue };
    const shown = isShown.promise;
    const lanes = await new FleetLanes(parts).open();
    await shown;
    assert.deepEqual(
      served.fleet?.workers.map(({ calls }) => calls.map(({ node }) => node)),
      [['a']],
    );
    assert.equal(other.fleet, undefined);
    assert.deepEqual([...told], [served]);
    tell();
    assert.equal(fake.statusBar?.text, '$(sync~spin) 2 searches running · 1 worker, 2 calls wait');
    assert.match(fake.statusBar?.tooltip ?? '', /\nFleet: 1 worker, 2 calls wait$/);
    isAway = true;
    while (!served.fleet?.isAway) await isShown.promise;
    tell();
    assert.match(fake.statusBar?.text ?? '', / · queue away$/);
    lanes.dispose();
    assert.equal(served.fleet, undefined);
    tell();
    assert.equal(fake.statusBar?.text, '$(sync~spin) 2 searches running');
  });
});
