import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Mirror } from '../../../../src/core/kind/kind-format.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { workGraph } from '../../../../src/kinds/work-graph/work-graph.ts';
import { importSnapshot } from '../../../../src/searches/import-snapshot.ts';
import { findProgram, MirrorFile, type MirrorRequest } from '../../../../src/searches/mirror-file.ts';
import { overviewOf } from '../../../../src/searches/reader/search-overview.ts';
import '../../../support/own-state.ts';
import { stateFile } from '../../../support/work-graph/state-files.ts';

const mirror = workGraph.formats.find((format) => format.mirror)?.mirror as Mirror;

describe('a file that is kept true for other programs', () => {
  let workspace: string;
  let file: string;
  let request: MirrorRequest;
  beforeEach(async () => {
    workspace = await mkdtemp(join(tmpdir(), 'thought-tree-mirror-'));
    const original = join(workspace, 'original.md');
    await writeFile(original, stateFile('good', 'template.md'));
    const { place } = await importSnapshot({ kinds: KINDS, file: original, workspace, dir: join(workspace, 'search') });
    file = join(workspace, '.claude', 'aot-loop-state.md');
    const search = await overviewOf(KINDS, place.folder);
    request = { file, mirror, id: `mirror-${Math.round(performance.now() * 1000)}`, search };
  });
  afterEach(() => rm(workspace, { recursive: true, force: true }));

  const saved = () => readFile(file, 'utf8');

  it('is made, kept true, and known again by the next run', async () => {
    const first = await MirrorFile.open(request);
    assert.equal(await first.update('running'), undefined);
    assert.match(await saved(), /\n {2}status: running\n/);
    const next = await MirrorFile.open(request);
    assert.equal(await next.update('completed'), undefined);
    assert.match(await saved(), /\n {2}status: completed\n/);
    assert.deepEqual(await readdir(join(workspace, '.claude')), ['aot-loop-state.md'], 'nothing else is left');
  });

  it('takes over the file that the search was imported from, and no other', async () => {
    await mkdir(join(workspace, '.claude'));
    await writeFile(file, stateFile('good', 'template.md'));
    assert.equal(await (await MirrorFile.open(request)).update('running'), undefined);
    const other = { ...request, id: 'mirror-of-another' };
    await assert.rejects(MirrorFile.open(other), /was not written for this search/);
    await rm(file);
    await mkdir(file);
    await assert.rejects(MirrorFile.open(request), /was not written for this search/);
  });

  it('is never written over what others changed, also not by the next run', async () => {
    const first = await MirrorFile.open(request);
    await first.update('running');
    const changed = (await saved()).replace('max_iterations: 20', 'max_iterations: 5 # mine');
    await writeFile(file, changed);
    for (const mine of [first, await MirrorFile.open(request)]) {
      const asked = await mine.update('stopped');
      assert.deepEqual(asked?.changes, [
        { type: 'constraint', change: { limits: { iterations: 5, parallel: 3, stall: 3 } } },
      ]);
      assert.equal(await saved(), changed);
    }
    await rm(file);
    assert.deepEqual(
      (await first.update('running'))?.redirect,
      true,
      'nor is it made again behind the back of who removed it',
    );
    assert.equal(await (await MirrorFile.open(request)).update('running'), undefined, 'the next run makes it anew');
  });

  it('obeys a stop, and then says stopped', async () => {
    const mine = await MirrorFile.open(request);
    await mine.update('running');
    await writeFile(file, (await saved()).replace('stop_requested: false', 'stop_requested: true'));
    assert.deepEqual(await mine.update('running'), { stop: true, redirect: false, changes: [], notes: [] });
    await mine.obeyStop();
    assert.match(await saved(), /\n {2}status: stopped\n[\s\S]*stop_requested: true/);
    assert.equal(await (await MirrorFile.open(request)).asked(), undefined, 'the next run may begin');
  });

  it('knows where the program that reads it is installed', async () => {
    const home = join(workspace, 'home');
    assert.equal(await findProgram('ralph-wiggum-aot', workspace, home), undefined);
    await mkdir(join(home, 'plugins', 'cache', 'ralph-wiggum-aot'), { recursive: true });
    assert.equal(
      await findProgram('ralph-wiggum-aot', workspace, home),
      join(home, 'plugins', 'cache', 'ralph-wiggum-aot'),
    );
    await mkdir(join(workspace, '.claude'));
    await writeFile(join(workspace, '.claude', 'settings.json'), '{"enabledPlugins": {"ralph-wiggum-aot@x": true}}');
    assert.equal(await findProgram('ralph-wiggum-aot', workspace, home), join(workspace, '.claude', 'settings.json'));
  });
});
