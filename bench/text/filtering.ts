import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listFiles } from '../../src/text/files/list-files.ts';
import { readSource } from '../../src/text/files/read-source.ts';
import { indexWorkspace } from '../../src/text/index/workspace-indexes.ts';
import { SecretFilter } from '../../src/text/secrets/secret-filter.ts';
import { type Figure, median, type Part } from '../harness/figure.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Returns what leaving out secrets adds to the index of this project's own source, and to reading a file again. */
export const filtering: Part = async ({ quick, say }) => {
  const folder = mkdtempSync(join(tmpdir(), 'filtering-'));
  try {
    for (const name of ['src', 'test/unit', 'webview-ui', 'doc', 'README.md'])
      cpSync(join(ROOT, name), join(folder, name), { recursive: true });
    const files = await listFiles(folder, new SecretFilter(folder));
    say(`indexing ${files.length} files`);
    const index = (allowed: readonly string[]): Promise<number> => timeOf(() => indexWorkspace(folder, allowed));
    const runs: { plain: number; filtered: number }[] = [];
    // One after the other, so that both meet the same machine; the first only warms the process up.
    for (let run = 0; run <= (quick ? 3 : 9); run++)
      runs.push({ plain: await index(files), filtered: await index([]) });
    runs.shift();
    const filter = new SecretFilter(folder);
    const read = (): Promise<number> =>
      timeOf(async () => {
        for (const path of files) await readSource(folder, path, filter);
      });
    return [ratio(runs, files.length), reading(await read(), await read(), files.length)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Processor time in milliseconds: the machine may be busy with other things. */
async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function ratio(runs: readonly { plain: number; filtered: number }[], files: number): Figure {
  const [plain, filtered] = [median(runs.map((run) => run.plain)), median(runs.map((run) => run.filtered))];
  return {
    part: 'filtering',
    what: 'index without secrets over the index of files as they are',
    value: median(runs.map((run) => run.filtered / run.plain)),
    unit: '×',
    target: { atMost: 1.5 },
    note: `processor time for ${files} files: ${filtered.toFixed(0)} ms over ${plain.toFixed(0)} ms`,
  };
}

function reading(first: number, again: number, files: number): Figure {
  return {
    part: 'filtering',
    what: 'reading all files again over the first time',
    value: again / first,
    unit: '×',
    target: { atMost: 1 },
    note: `${files} files: ${first.toFixed(0)} ms, then ${again.toFixed(0)} ms`,
  };
}
