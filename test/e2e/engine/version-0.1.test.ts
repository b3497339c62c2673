import assert from 'node:assert/strict';
import { changesBetween, diskState } from '../../support/e2e-disk.ts';
import { removeSearches } from '../../support/searches/e2e-search.ts';
import { OLD_SCRIPTS } from '../../support/searches/old-scripts.ts';
import { comparable, cutTo, goOn, openOld, readSaid, shownOf, statusOf } from '../../support/searches/old-search.ts';

/** Each command of these tests is a process of its own. */
const LONGEST = 120_000;

for (const [name, script] of Object.entries(OLD_SCRIPTS))
  describe(`a search that version 0.1 left behind: ${name}`, () => {
    afterEach(removeSearches);

    it('is shown as in 0.1, to the exact words of its calls, and stays unchanged', async () => {
      const [search, said] = [await openOld(name, script), await readSaid(name)];
      const before = diskState(search.folder);
      same(await statusOf(search), said.status);
      for (const node of script.shown) same(await shownOf(search, node), said.shown[node], node);
      assert.deepEqual(changesBetween(before, diskState(search.folder)), []);
    }).timeout(LONGEST);

    it('is continued to the result of 0.1, and nothing that was paid for is asked again', async () => {
      const [search, said] = [await openOld(name, script), await readSaid(name)];
      const spent = callsIn(said.status);
      const now = await goOn(search, name, script, said.paid);
      const before = new Set(said.status.nodes.map(({ path }) => path));
      const known = (nodes: typeof now.nodes) =>
        script.isOpenEnded ? nodes.filter(({ path }) => before.has(path)) : nodes;
      assert.equal(now.state, said.after.state);
      const wanted = said.after.nodes.map((node) => ({ ...node, status: script.now?.[node.path] ?? node.status }));
      assert.deepEqual(known(cutTo(wanted, now.nodes) as typeof now.nodes), known(wanted));
      for (const [node, words] of Object.entries(said.after.documents))
        if (!script.isOpenEnded || before.has(node)) assert.equal(now.documents[node], words, `document of ${node}`);
      assert.deepEqual(now.rewritten, said.after.rewritten);
      assert.deepEqual(now.askedAgain, said.after.askedAgain);
      assert.ok(callsIn(await statusOf(search)) >= spent + search.server.log.length, 'a call is missing in the spend');
    }).timeout(LONGEST);
  });

/** Compares what both versions have to say: fields that came later, and the wording of messages, are left out. */
function same(now: unknown, before: unknown, about?: string): void {
  assert.deepEqual(comparable(cutTo(before, now)), comparable(before), about);
}

function callsIn(status: Readonly<Record<string, unknown>>): number {
  return (status['results'] as { calls: number }).calls;
}
