// Runs inside a real extension host, see extension.ts: measures once and writes the results to BENCH_RESULT.
import { writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as vscode from 'vscode';
import { FollowedSearch } from '../../src/extension/library/followed-search.ts';
import { GraphSource } from '../../src/extension/panel/graph-source.ts';
import { TreeReader } from '../../src/extension/sidebar/tree-reader.ts';
import { KINDS } from '../../src/kinds/kinds.ts';
import type { HostResult } from './extension.ts';

const folders = JSON.parse(process.env['BENCH_FOLDERS'] ?? '[]') as string[];

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
function heap(): number {
  for (let i = 0; i < 4; i++) collect();
  return process.memoryUsage().heapUsed;
}

/** How long to wait for a machine that never becomes quiet, in milliseconds. */
const PATIENCE_MS = 30_000;

/** Waits until the starting editor is done: until fifty timers in a row are on time. */
async function quiet(): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  for (let onTime = 0; onTime < 50 && performance.now() < end; ) {
    const begun = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 10));
    onTime = performance.now() - begun < 13 ? onTime + 1 : 0;
  }
}

describe('the extension', () => {
  it('is measured', async () => {
    await quiet();
    const before = heap();
    const cpu = process.cpuUsage();
    const begun = performance.now();
    await vscode.extensions.getExtension('thought-tree.thought-tree')?.activate();
    const activationMs = performance.now() - begun;
    const { user, system } = process.cpuUsage(cpu);
    const activationCpuMs = (user + system) / 1000;
    const activationBytes = heap() - before;
    const paints: HostResult['paints'][number][] = [];
    for (const folder of folders) {
      await quiet();
      const empty = heap();
      const start = performance.now();
      const search = new FollowedSearch(folder, folder);
      await search.open();
      // Concurrently, as in the sidebar, and without the returned events, which nobody keeps.
      const reading = search.refresh().then(() => undefined);
      const page = await new TreeReader().list({ kind: 'search', search, folder, path: '', isOpen: true }, 200);
      const painted = performance.now();
      if (page.nodes.length === 0) throw new Error(`nothing was read: ${search.problem}`);
      await reading;
      const read = performance.now();
      const bytes = heap() - empty;
      // What the drawing of it holds besides, every node read.
      const drawing = new GraphSource(search, KINDS);
      await drawing.open();
      await drawing.read();
      const { rss } = process.memoryUsage();
      paints.push({ nodes: search.size, pageMs: painted - start, journalMs: read - start, bytes, rss });
      drawing.close();
      search.close();
    }
    writeFileSync(
      process.env['BENCH_RESULT'] ?? '',
      JSON.stringify({ activationMs, activationCpuMs, activationBytes, paints }),
    );
  }).timeout(300_000);
});
