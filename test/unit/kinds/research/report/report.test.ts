import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Model } from '../../../../../src/core/ports/model.ts';
import type { JournalEvent } from '../../../../../src/core/search/events.ts';
import { EFFORT } from '../../../../support/effort.ts';
import { createMemoryStore, MemoryFiles } from '../../../../support/memory-store.ts';
import { simulatedModel } from '../../../../support/models/simulated-model.ts';
import { assertLinksResolve, assertSafe, linksIn } from '../../../../support/report-links.ts';
import {
  QUESTION,
  type Simulation,
  type SimulationOptions,
  simulate,
} from '../../../../support/searches/simulated-search.ts';
import { scriptedTree } from '../../../../support/servers/server-tree.ts';
import { VirtualClock } from '../../../../support/virtual-clock.ts';

/** What reports are compared with, byte for byte; `UPDATE_GOLDEN=1` rewrites them. */
const GOLDEN = new URL('../../../../golden/report/', import.meta.url);
const updates = process.env['UPDATE_GOLDEN'] !== undefined;

const latencyMs = ({ purpose, node }: { purpose: string; node: string }): number =>
  purpose === 'synthesize' ? 9000 : 500 + (node.length % 5) * 100;
const price = { prompt: 3, cached: 0.3, completion: 15 };
const file = { ...QUESTION, prompt: 'Why is the build slow?\n\nIt was fast in <spring>. Leave out `tests`.' };

const OPENING = `The build is slow **because** of [the first topic](fallow-queue-1/document.md).

It rests on [one of them](nowhere/document.md) and on [a page](https://example.org/unknown).
`;

async function reportOf(
  options: SimulationOptions = {},
  during?: (simulation: Simulation) => void,
): Promise<{ report: string; files: MemoryFiles; simulation: Simulation }> {
  const files = new MemoryFiles();
  const store = createMemoryStore({ ...QUESTION, ...options.file }, files);
  const simulation = await simulate({ ...options, store });
  during?.(simulation);
  await simulation.run();
  const report = files.readNow('report.md') ?? '';
  assertSafe(report);
  assertLinksResolve(report, files);
  return { report, files, simulation };
}

function finishWhen(isTime: (event: JournalEvent) => boolean): (simulation: Simulation) => void {
  return ({ search }) => {
    let done = false;
    search.listen((event) => {
      if (done || !isTime(event)) return;
      done = true;
      void search.finish();
    });
  };
}

function finishAfter(ms: number): (simulation: Simulation) => void {
  return ({ search, clock }) => void clock.sleep(ms).then(() => search.finish());
}

function afterDocuments(count: number): (event: JournalEvent) => boolean {
  let left = count;
  return (event) =>
    event.type === 'node-status' && (event.status === 'expanded' || event.status === 'leaf') && --left === 0;
}

/** Documents with all that a report has to make something of. */
const rich = (path: string): string => `---
title: ${JSON.stringify(path)}
summary: "What matters of ${path}: *this*, [that](x) and <b>more</b>."
---

# ${path}

The cache of \`${path}\` is cold, says [the manual](https://example.org/manual_(old)?a=1&b=2), and so does
[the code](${'../'.repeat(path.split('/').length + 1)}../src/cache.ts#L3-L9). See [its sibling](../no-such-topic/document.md).

## Details

\`\`\`ts
const code = '[no link](https://example.org/code)';
\`\`\`

- One more page: https://example.org/bare.
- ![A picture](https://example.org/picture.png)
`;

const goldens: Record<string, () => Promise<string>> = {
  finished: async () => {
    const instead = ({ purpose }: { purpose: string }): string | undefined =>
      purpose === 'synthesize' ? OPENING : undefined;
    const { report } = await reportOf({
      file,
      model: { latencyMs, price, instead },
      search: { limits: { size: 'small' } },
    });
    return report;
  },
  'finished-early': async () => (await reportOf({ model: { latencyMs } }, finishWhen(afterDocuments(4)))).report,
  'no-documents': async () => (await reportOf({ model: { latencyMs } }, finishAfter(200))).report,
  'no-prose': withoutProse,
  'opening-prompt': async () => {
    let asked = '';
    const instead = ({
      purpose,
      node,
      prompt,
    }: {
      purpose: string;
      node: string;
      prompt: string;
    }): string | undefined => {
      if (purpose === 'synthesize') asked = prompt;
      return richDocuments({ purpose, node });
    };
    await reportOf({ model: { latencyMs, instead } }, finishWhen(afterDocuments(4)));
    return `${asked}\n`;
  },
  'failed-and-pruned': async () => {
    const instead = ({ purpose, node }: { purpose: string; node: string }): Error | undefined =>
      purpose === 'document' && node.endsWith('-2') ? new Error('No answer today: *never*.') : undefined;
    const { report } = await reportOf(
      { model: { latencyMs, instead }, search: { limits: { size: 'small' } } },
      (each) => {
        each.search.listen((event) => {
          if (event.type !== 'node-status' || event.status !== 'expanded' || !event.node.endsWith('-3')) return;
          if (!event.node.includes('/')) void each.search.act({ action: 'prune', node: event.node }, 'test');
        });
      },
    );
    return report;
  },
};

function richDocuments({ purpose, node }: { purpose: string; node: string }): string | undefined {
  return purpose === 'document' ? rich(node) : undefined;
}

/** A search with a model that writes no words of its own. */
async function withoutProse(): Promise<string> {
  const files = new MemoryFiles();
  const store = createMemoryStore(QUESTION, files);
  const clock = new VirtualClock();
  const simulated = simulatedModel({ tree: scriptedTree(), clock, latencyMs, free: true, instead: richDocuments });
  const model: Model = { ...simulated, prose: false };
  const { search } = await simulate({ store, search: { model, clock, limits: { size: 'small' } } });
  await clock.run(search.run());
  assert.ok(!simulated.log.some(({ purpose }) => purpose === 'synthesize'));
  const report = files.readNow('report.md') ?? '';
  assertSafe(report);
  assertLinksResolve(report, files);
  return report;
}

describe('a report', () => {
  for (const [name, make] of Object.entries(goldens))
    it(`is unchanged: ${name}`, async () => {
      const report = await make();
      const place = new URL(`${name}.md`, GOLDEN);
      if (updates) {
        mkdirSync(GOLDEN, { recursive: true });
        writeFileSync(place, report);
      }
      assert.equal(report, readFileSync(place, 'utf8'));
    });

  it('names the topics that a person added, and counts what was worked on as the sidebar does', async () => {
    const below: string[] = [];
    const { report, simulation } = await reportOf(
      { model: { latencyMs }, search: { limits: { size: 'small' } } },
      ({ search }) =>
        search.listen((event) => {
          if (event.type !== 'node-status' || event.status !== 'expanded' || !event.node.includes('/')) return;
          below.push(event.node);
          if (below.length === 1) void search.act({ action: 'add', node: event.node, title: 'My own' }, 'test');
          const other = below.find((path) => path.split('/')[0] !== below[0]?.split('/')[0]);
          if (other === event.node) void search.act({ action: 'prune', node: other.split('/')[0] ?? '' }, 'test');
        }),
    );
    const { counts } = simulation.search.tree;
    assert.ok(counts.pruned > 0);
    assert.match(report, /\[My own\]\(\S+\) \(added by a person\)/);
    const done = `${counts.expanded + counts.leaf} topics worked on, .* in (?:a pruned branch|pruned branches)`;
    assert.match(report, new RegExp(done));
  });

  it('has no text kept of one that is gone', () => {
    assert.deepEqual(
      readdirSync(GOLDEN).sort(),
      Object.keys(goldens)
        .map((name) => `${name}.md`)
        .sort(),
    );
  });

  it('stays short for a large tree, and reads a bounded part of it', async () => {
    const files = new MemoryFiles();
    const store = createMemoryStore(QUESTION, files);
    const widths = EFFORT < 10 ? [20, 10, 3] : [20, 20, 6];
    const tree = { fanout: (_path: string, depth: number) => widths[depth] ?? 0, documentWords: 10 };
    const guards = { calls: 1e6, tokens: 1e10, usd: 1e6 };
    const search = { limits: { size: 'all' as const, guards }, concurrency: 64 };
    const simulation = await simulate({ store, tree, search });
    let reads = 0;
    const readDocument = store.readDocument.bind(store);
    simulation.search.listen((event) => {
      if (event.type === 'progress') return;
      reads = 0;
    });
    store.readDocument = (path) => {
      reads++;
      return readDocument(path);
    };
    await simulation.run();
    const report = files.readNow('report.md') ?? '';
    assert.equal(simulation.search.tree.size, EFFORT < 10 ? 20 + 200 + 600 : 20 + 400 + 2400);
    assert.ok(report.split('\n').length <= 450, `${report.split('\n').length} lines`);
    assert.ok(reads <= 100, `${reads} documents read`);
    assertSafe(report);
    assertLinksResolve(report, files);
  });

  it('does not link to what was removed by hand', async () => {
    const isTime = afterDocuments(4);
    let removed = '';
    const files = new MemoryFiles();
    const { search, run } = await simulate({ store: createMemoryStore(QUESTION, files), model: { latencyMs } });
    search.listen((event) => {
      if (!isTime(event) || event.type !== 'node-status') return;
      removed = `${event.node}/document.md`;
      void files.remove(removed).then(() => search.finish());
    });
    await run();
    const report = files.readNow('report.md') ?? '';
    assert.ok(removed !== '' && !linksIn(report).includes(removed));
    assertLinksResolve(report, files);
    assert.match(report, /Its document is missing/);
  });

  it('is the same when it is made again of the same tree', async () => {
    const { report, files } = await reportOf({ model: { latencyMs }, search: { limits: { size: 'small' } } });
    const again = await simulate({ store: createMemoryStore(QUESTION, files), seed: 2, model: { latencyMs } });
    await again.clock.run(again.search.finish());
    const upTo = (text: string): string => text.slice(0, text.indexOf('## What it cost'));
    assert.equal(upTo(files.readNow('report.md') ?? ''), upTo(report));
  });
});
