import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { investigationDescriptor } from '../../src/kinds/investigation/descriptor.ts';
import type { GraphNode } from '../../src/protocol/graph-node.ts';
import { takeWords, watchWords } from './support/drawn.ts';
import { PanelPage } from './support/panel-page.ts';
import { sampleSearch } from './support/sample-tree.ts';
import type { ThemeName } from './support/themes.ts';
import { useBrowser } from './support/use-browser.ts';

const PICTURES = join(import.meta.dirname, '../../out/pictures');
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A node of an investigation, with what its kind says of it. */
function lead(path: string, title: string, own: object | undefined, below: readonly object[] = []): GraphNode {
  const status = own && 'state' in own ? (below.length > 0 ? 'expanded' : 'leaf') : 'unexpanded';
  const base = { path, title, status, index: 0, ...(status === 'leaf' && { leafReason: 'model' as const }) } as const;
  const marks = investigationDescriptor.marks?.of(own, below) ?? [];
  return marks.length === 0
    ? { ...base, status: 'expanded' }
    : { ...base, marks, look: investigationDescriptor.look({ status, own, below }) };
}

const own = (nodeId: string, state?: string, more: object = {}): object => ({
  nodeId,
  round: Number(nodeId[1]),
  ...(state && { state, commit: Number(nodeId[1]), isVerified: true }),
  ...more,
});

const NODES: readonly GraphNode[] = [
  lead('', 'Where do requests wait?', undefined),
  lead('a', 'Where requests wait', own('R1.A', 'EXPLORE', { isVerified: false }), [{}, {}]),
  lead('a/a1', 'The queue', own('R2.A1', 'EXPLORE'), [{}]),
  { ...lead('a/a2', 'The network', own('R2.A2', 'DEAD')), index: 1 },
  lead('a/a1/f', 'Workers start late', own('R4.A1a', 'FOUND'), [own('R5.A1a1', 'VERIFY')]),
  { ...lead('a/a1/g', 'The clock is wrong', own('R4.A1b', 'FOUND'), [own('R5.A1b1', 'DEAD')]), index: 1 },
  { ...lead('a/a1/h', 'Every other queue', own('R4.A1c', 'EXHAUST')), index: 2 },
  lead('a/a1/f/v', 'It starts late here too', own('R5.A1a1', 'VERIFY')),
  lead('a/a1/g/v', 'Checked the clock', own('R5.A1b1', 'DEAD')),
  lead('a/a1/h/p', 'One more queue', own('R5.A1c1')),
];

describe('an investigation in the panel', () => {
  const opened = useBrowser();

  for (const theme of ['dark', 'light', 'hc-dark', 'hc-light'] as ThemeName[])
    it(`shows rounds, states, receipts and what is pending, in ${theme}`, async () => {
      mkdirSync(PICTURES, { recursive: true });
      const panel = await PanelPage.open(opened.browser, { theme, width: 1500 });
      try {
        await panel.snapshot({ ...sampleSearch(NODES), bestPath: [] }, NODES);
        await panel.page.locator('canvas').focus();
        await panel.page.keyboard.press('Home');
        const said = panel.page.locator('[aria-live=polite]');
        for (const [key, says] of [
          ['ArrowRight', /Where requests wait, round 1, looked into, unverified/],
          ['ArrowRight', /The queue, round 2, looked into,/],
          ['ArrowRight', /Workers start late, round 4, found,/],
          ['ArrowDown', /The clock is wrong, round 4, found, refuted/],
          ['ArrowDown', /Every other queue, round 4, exhausted/],
          ['ArrowRight', /One more queue, round 5, pending/],
        ] as const) {
          await panel.page.keyboard.press(key);
          await said.filter({ hasText: says }).waitFor({ state: 'attached' });
        }
        await panel.send({
          type: 'details',
          details: { path: 'a/a1/h/p', receipt: 'Nothing says how it came about.', calls: [], steered: [] },
        });
        await panel.page.getByText('Nothing says how it came about.').waitFor();
        await panel.page.screenshot({ path: join(PICTURES, `investigation-${theme}.png`) });
        assert.deepEqual(await panel.audit(AXE), []);
      } finally {
        await panel.close();
      }
    });

  it('has a column for each round, whole titles, states by shape and colour, and a verdict above', async () => {
    const panel = await PanelPage.open(opened.browser, { width: 1280, height: 720 });
    try {
      await watchWords(panel);
      const title = 'Workers start late, and another queue waits for them';
      const nodes = NODES.map((node) => (node.path === 'a/a1/f' ? { ...node, title } : node));
      await panel.snapshot({ ...sampleSearch(nodes), slots: [], order: [], bestPath: [] }, nodes);
      const drawn = (await takeWords(panel)).map(({ text }) => text);
      for (const round of [1, 2, 4, 5]) assert.ok(drawn.includes(`round ${round}`), `round ${round}`);
      assert.deepEqual(
        drawn.filter((text) => /\b(?:R\d|EXPLORE|FOUND|found|looked into|unverified)$/.test(text)),
        [],
      );
      const words = drawn.filter((text) => title.includes(text));
      assert.ok(words.join(' ').includes(title), 'nothing of the title is cut off');
      const verdict = await panel.page.getByRole('list', { name: 'Verdict' }).getByRole('listitem').allTextContents();
      assert.deepEqual(
        verdict.map((text) => text.trim()),
        ['2 found', '1 confirmed', '2 led nowhere', '2 looked into'],
      );
    } finally {
      await panel.close();
    }
  });
});
