import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KINDS } from '../../../src/kinds/kinds.ts';
import { Investigations } from '../../../src/mcp/investigations.ts';
import { verifySearch } from '../../../src/searches/verify-search.ts';

const AGENT = 'a0123456789abcdef';

describe('the receipts of agents', () => {
  let workspace: string;
  beforeEach(async () => {
    workspace = await mkdtemp(join(tmpdir(), 'thought-tree-verify-'));
  });
  afterEach(() => rm(workspace, { recursive: true, force: true }));

  it('hold while the session file is there and nobody changed what was committed', async () => {
    const folder = join(workspace, 'thought-trees');
    await mkdir(folder);
    const server = new Investigations({ workspace, folder, profile: 'strict', requireAgents: false });
    const { sessionId } = await server.start({ query: 'Why?' });
    const found = await server.find(String(sessionId));
    assert.ok(found);
    const root = { id: 'R1.A', parent: null, title: 'Why?', plannedAction: 'Look.' };
    await server.call(found, { action: 'propose', nodes: [root] });
    const results = [{ nodeId: 'R1.A', state: 'EXPLORE', findings: 'It is so.', agentId: AGENT }];
    await server.call(found, { action: 'commit', results, agents: { [AGENT]: 'found' } });
    const place = { folder: found.folder, workspace };
    const check = async (isThere: boolean) => {
      const { checks } = await verifySearch(KINDS, place, async (_, agent) => isThere && agent === AGENT);
      return checks.map(({ what, about, result, why }) => [what, about, result, why?.text ?? '']);
    };
    assert.deepEqual(await check(true), [['receipt', AGENT, 'holds', '']]);
    assert.deepEqual(await check(false), [
      ['receipt', AGENT, 'unknown', `The session file of the agent ${AGENT} is not here.`],
    ]);

    // Who says that another agent was found, without having called.
    const path = join(found.folder, 'r1-a-why', 'node.json');
    const node = await readFile(path, 'utf8');
    await writeFile(path, node.replace(AGENT, 'afedcba9876543210'));
    assert.deepEqual(
      (await check(true)).map(([, , result]) => result),
      ['fails'],
    );
    await writeFile(path, node.replace('"isVerified": true', '"isVerified": false'));
    assert.deepEqual(
      (await check(true)).map(([, , result]) => result),
      ['unknown'],
    );
    await writeFile(path, node);
    assert.deepEqual(
      (await check(true)).map(([, , result]) => result),
      ['holds'],
    );

    // A journal that is not, to its last byte, as this user's programs left it, shows nothing.
    const journal = join(found.folder, '.search/journal.jsonl');
    const text = await readFile(journal, 'utf8');
    const seal = join(found.folder, '.search/journal-seal.json');
    const sealed = await readFile(seal, 'utf8');
    const forged = [
      [journal, text.replace('"by":"mcp"', '"by":"abc"')],
      [journal, text.slice(0, text.lastIndexOf('{'))],
      [journal, `${text}${text.slice(text.lastIndexOf('{'))}`],
      [seal, sealed.replace(/"seal":"./, '"seal":"x')],
      [seal, '{"bytes":0,"seal":""}'],
      [seal, 'no JSON'],
    ] as const;
    for (const [file, other] of forged) {
      assert.notEqual(other, file === journal ? text : sealed);
      await writeFile(file, other);
      assert.deepEqual(
        (await check(true)).map(([, , result, why]) => [result, why]),
        [['unknown', "Nothing shows that this user's programs left the journal as it is here."]],
      );
      await writeFile(journal, text);
      await writeFile(seal, sealed);
    }
    assert.deepEqual(
      (await check(true)).map(([, , result]) => result),
      ['holds'],
    );
  });
});
