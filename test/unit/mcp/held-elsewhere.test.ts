import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Investigations, MCP_KINDS } from '../../../src/mcp/investigations.ts';
import { serveRequests, silentModel } from '../../../src/searches/act-on-search.ts';
import { openSearch } from '../../../src/searches/open-search.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('an investigation that another program holds', () => {
  it('takes the largest commit that a call may have', async () => {
    const workspace = temporaryFolder('held-elsewhere');
    const folder = join(workspace, 'thought-trees');
    const at = new Investigations({ workspace, folder, profile: 'strict', requireAgents: false });
    const { sessionId } = (await at.start({ query: 'Why is it slow?' })) as { sessionId: string };
    const found = await at.find(sessionId);
    assert.ok(found);
    const place = { workspace, folder: found.folder };
    const openModel = async () => silentModel('workspace/quotes');
    const { search, store } = await openSearch({ kinds: MCP_KINDS, place, openModel });
    const running = search.run({ wait: true });
    const stopServing = await serveRequests(found.folder, search, store, () => undefined);
    try {
      const call = async (call: Parameters<typeof at.call>[1]): Promise<unknown> =>
        (await at.call(found, call))['status'];
      const node = (id: string, parent: string | null) => ({ id, parent, title: id, plannedAction: 'Look' });
      assert.equal(await call({ action: 'propose', nodes: [node('R1.A', null)] }), 'OK');
      // In bytes it is three times as long, and line breaks become two characters.
      const findings = `${'原因\n'.repeat(25_000)}\n\n## References\n- src/a.ts - it`;
      const first = [{ nodeId: 'R1.A', state: 'EXPLORE', findings }];
      assert.equal(await call({ action: 'commit', results: first }), 'OK');
      const ids = [1, 2, 3, 4, 5, 6, 7, 8].map((i) => `R2.A${i}`);
      assert.equal(await call({ action: 'propose', nodes: ids.map((id) => node(id, 'R1.A')) }), 'OK');
      const results = ids.map((nodeId) => ({ nodeId, state: 'DEAD', findings }));
      assert.equal(await call({ action: 'commit', results }), 'OK');
    } finally {
      search.pause(true);
      await running;
      await stopServing();
      await search.close();
    }
  });
});
