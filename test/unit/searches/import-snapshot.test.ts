import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { foreign } from '../../../src/core/messages/message.ts';
import { ThoughtTreeError } from '../../../src/core/search/errors.ts';
import { KINDS } from '../../../src/kinds/kinds.ts';
import { MCP_KINDS } from '../../../src/mcp/investigations.ts';
import { importSnapshot } from '../../../src/searches/import-snapshot.ts';
import { openForReading } from '../../../src/store/open-store.ts';

const NODES = Object.fromEntries(
  Array.from({ length: 40 }, (_, n) => [`node_${n + 1}`, { content: `thought ${n + 1}`, parent_id: 'root' }]),
);
const SNAPSHOT = { problem: 'Why?', nodes: { root: { content: 'Why?', parent_id: null }, ...NODES }, root_id: 'root' };

describe('importing a snapshot into a folder', () => {
  let workspace: string;
  let file: string;
  beforeEach(async () => {
    workspace = await mkdtemp(join(tmpdir(), 'thought-tree-import-'));
    file = join(workspace, 'snapshot.json');
    await writeFile(file, JSON.stringify(SNAPSHOT));
  });
  afterEach(() => rm(workspace, { recursive: true, force: true }));

  it('creates a whole search, and nothing else', async () => {
    const { place, nodes } = await importSnapshot({ kinds: KINDS, file, workspace });
    assert.equal(nodes, 41, 'the root is one of them, as in the snapshot');
    assert.equal(place.folder, join(workspace, 'thought-trees', 'why'));
    assert.deepEqual(await readdir(join(workspace, 'thought-trees')), ['why']);
    const store = await openForReading(place.folder);
    assert.equal((await store.readRootChildren()).children?.length, 40);
    assert.match((await store.readDocument('node_7')) ?? '', /^---\nid: node_7\n.*\nthought 7\n$/s);
  });

  it('lets the kind read it whose format it has', async () => {
    const kinds = [...KINDS.filter(({ descriptor }) => descriptor.name !== 'investigation'), ...MCP_KINDS];
    const nodes = {
      'R1.A': { id: 'R1.A', parent: null, state: 'EXPLORE', title: 'Begin', findings: 'x', children: [] },
    };
    const investigation = { sessionId: 's', query: 'Why so slow?', nodes, createdAt: 1, updatedAt: 2 };
    await writeFile(file, JSON.stringify(investigation));
    const { place } = await importSnapshot({ kinds, file, workspace });
    assert.equal((await (await openForReading(place.folder)).readSearch()).kind, 'investigation');
    await writeFile(file, JSON.stringify({ ...investigation, nodes: { 'R1.A': { id: 'R1.B' } } }));
    await assert.rejects(importSnapshot({ kinds, file, workspace }), /an investigation as older servers keep it/);
    await writeFile(file, JSON.stringify(SNAPSHOT));
    const { place: other } = await importSnapshot({ kinds, file, workspace });
    assert.equal((await (await openForReading(other.folder)).readSearch()).kind, 'thoughts');
    await writeFile(file, '{}');
    await assert.rejects(importSnapshot({ kinds, file, workspace }), /This is not a tree of thoughts|nodes/);
  });

  it('accepts an empty folder, and no other', async () => {
    const dir = join(workspace, 'mine');
    await mkdir(dir);
    await importSnapshot({ kinds: KINDS, file, workspace, dir });
    const before = await readdir(dir);
    await assert.rejects(
      importSnapshot({ kinds: KINDS, file, workspace, dir }),
      /mine already exists and is not empty/,
    );
    await assert.rejects(
      importSnapshot({ kinds: KINDS, file, workspace, dir: file }),
      /snapshot\.json is a file\. Name a folder/,
    );
    assert.deepEqual(await readdir(dir), before);
  });

  it('leaves nothing behind if it is stopped in the middle', async () => {
    const stop = new AbortController();
    const signal = Object.create(stop.signal, {
      throwIfAborted: {
        value: () => {
          if (++looks > 20) throw new ThoughtTreeError('aborted', foreign({ text: 'stopped' }));
        },
      },
    }) as AbortSignal;
    let looks = 0;
    await assert.rejects(importSnapshot({ kinds: KINDS, file, workspace, signal }), /stopped/);
    assert.ok(looks > 20);
    assert.deepEqual(await readdir(join(workspace, 'thought-trees')), []);
  });

  it('does not read a huge file', async () => {
    await truncate(file, 300 * 1024 * 1024);
    await assert.rejects(importSnapshot({ kinds: KINDS, file, workspace }), /larger than 256 MB/);
    assert.deepEqual(await readdir(workspace), ['snapshot.json']);
  });
});
