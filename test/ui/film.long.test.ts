import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { walk } from '../../src/core/tree/tree.ts';
import { descriptorOf } from '../../src/engine/kind.ts';
import { KINDS } from '../../src/kinds/kinds.ts';
import type { GraphNode, GraphSearch } from '../../src/protocol/graph-node.ts';
import type { HostMessage } from '../../src/protocol/host-message.ts';
import { Timeline } from '../../src/searches/history/timeline.ts';
import { graphNodeOf, graphSearchOf } from '../../src/searches/search-graph.ts';
import { runCli } from '../e2e/cli/run-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { Film } from './support/film.ts';
import { PanelPage } from './support/panel-page.ts';
import { useBrowser } from './support/use-browser.ts';

const ROOT = join(import.meta.dirname, '../..');
const RECORDED = join(ROOT, 'examples', 'recorded-puzzle.jsonl');
const SHOWN = join(ROOT, 'media', 'screenshots', 'demo.webp');
const SIZE = { width: 1000, height: 600 };
/** Milliseconds between two frames: fewer of them are enough where nobody will look at it. */
const STEP = process.env['PICTURES'] ? 50 : 300;
const MOST_BYTES = 1_000_000;

const parts = { kinds: KINDS, show: ({ text }: { text: string }) => text };

/** Runs the search that `npm start -- --demo` plays. @returns its folder */
async function playDemo(): Promise<string> {
  const { problem, options } = JSON.parse(readFileSync(`${RECORDED}.json`, 'utf8')) as {
    problem: string;
    options: string[];
  };
  const cwd = temporaryFolder('film');
  const start = ['start', problem, ...options, '--dir', 'demo', '--model', `replay/${RECORDED}`];
  const { code, stderr } = await runCli(start, { cwd });
  assert.equal(code, 0, stderr);
  return join(cwd, 'demo');
}

interface Shown {
  readonly search: GraphSearch;
  readonly nodes: readonly GraphNode[];
}

/** The search after each event that changed what a panel shows, from when it had a tree. */
async function changesOf(timeline: Timeline): Promise<Shown[]> {
  const shown = new Map<string, Shown>();
  for (let seq = timeline.graph.first.seq; seq <= timeline.graph.last.seq; seq++) {
    const each = await shownAt(timeline, seq);
    if (each.nodes.length > 1) shown.set(JSON.stringify(each), each);
  }
  return [...shown.values()];
}

/** Returns the search as it was after an event, as a panel that followed it got it. */
async function shownAt(timeline: Timeline, seq: number): Promise<Shown> {
  const moment = await timeline.at({ seq });
  const { reader, tree } = moment ?? assert.fail(`${seq}`);
  const descriptor = descriptorOf(KINDS, reader.file?.kind ?? '');
  return {
    search: { ...graphSearchOf(reader, tree, parts), actions: [] },
    nodes: [...walk(tree.root)].map((node) => graphNodeOf(node, descriptor, parts.show, { links: tree.links })),
  };
}

describe('a film of the search that npm start -- --demo plays', () => {
  const opened = useBrowser();

  it('begins with a tree, shows it grow, and ends with the answer', async () => {
    const folder = await playDemo();
    const { title } = JSON.parse(readFileSync(join(folder, 'search.json'), 'utf8')) as { title: string };
    const timeline = await Timeline.open({ folder, workspace: folder, title, kind: undefined });
    const moments = await changesOf(timeline);
    const panel = await PanelPage.open(opened.browser, { ...SIZE, reducedMotion: 'no-preference' });
    const { page } = panel;
    const { search, nodes } = moments.shift() ?? assert.fail();
    await panel.snapshot(search, nodes);
    const film = await Film.of(page, opened.browser, STEP);
    await film.run(600);
    for (const [at, moment] of moments.entries()) {
      const change: HostMessage = {
        type: 'change',
        seq: at + 1,
        search: moment.search,
        upserts: moment.nodes,
        removals: [],
      };
      await page.evaluate((each) => window.postMessage(each), change as never);
      await film.run(300);
    }
    await film.run(1200);
    await page.getByRole('button', { name: /^Solved/ }).click();
    await page.locator('.whole-answer td', { hasText: 'Perth' }).first().waitFor();
    await film.run(4200);
    const { webp, played } = await film.end();
    await panel.close();

    const { frames, milliseconds, isEndless, difference } = played;
    assert.ok(frames > 20 && isEndless, `${frames} frames`);
    assert.ok(milliseconds >= 8000 && milliseconds <= 15_000, `${milliseconds} ms`);
    assert.ok(difference < 3, `each colour is ${difference} off`);
    if (process.env['PICTURES']) writeFileSync(SHOWN, webp);
    assert.ok(statSync(SHOWN).size < MOST_BYTES);
  });
});
