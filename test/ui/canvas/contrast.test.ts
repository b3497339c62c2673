import assert from 'node:assert/strict';
import { expectedIn, placeOf, roomOf } from '../support/drawn.ts';
import { PanelPage } from '../support/panel-page.ts';
import { sampleNodes, sampleSearch, sampleThoughts } from '../support/sample-tree.ts';
import { THEMES, type ThemeName } from '../support/themes.ts';
import { useBrowser } from '../support/use-browser.ts';

interface Part {
  readonly what: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Of each part of the drawing, the highest contrast that one of its pixels has with the theme's background. */
function contrastsIn(panel: PanelPage, parts: readonly Part[]): Promise<number[]> {
  return panel.page.evaluate((all) => {
    const canvas = document.querySelector('canvas') as HTMLCanvasElement;
    const context = canvas.getContext('2d') as CanvasRenderingContext2D;
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.color = 'var(--vscode-editor-background)';
    const ground = (getComputedStyle(probe).color.match(/\d+/g) ?? []).map(Number);
    probe.remove();
    const light = (rgb: readonly number[]): number => {
      const [r = 0, g = 0, b = 0] = rgb.map((value) => {
        const part = value / 255;
        return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const below = light(ground);
    return all.map(({ x, y, width, height }) => {
      const { data } = context.getImageData(Math.round(x), Math.round(y), width, height);
      let most = 1;
      for (let i = 0; i < data.length; i += 4) {
        const own = light([data[i] ?? 0, data[i + 1] ?? 0, data[i + 2] ?? 0]);
        most = Math.max(most, (Math.max(own, below) + 0.05) / (Math.min(own, below) + 0.05));
      }
      return most;
    });
  }, parts);
}

describe('what is drawn can be told from what is behind it', () => {
  const opened = useBrowser();

  for (const theme of Object.keys(THEMES) as ThemeName[])
    it(`by the pixels of its shapes (3 to 1) and words (4.5 to 1), in ${theme}`, async () => {
      const panel = await PanelPage.open(opened.browser, { theme, width: 1280, height: 720 });
      try {
        for (const nodes of [sampleNodes(30), sampleThoughts()]) {
          const search = sampleSearch(nodes, { slots: [], order: [] });
          await panel.snapshot(search, nodes);
          await panel.passes(200);
          const expected = expectedIn(await roomOf(panel), search, nodes);
          const icons: Part[] = [];
          const words: Part[] = [];
          for (const placed of expected.layout.placed) {
            const { left, right, y } = placeOf(expected, placed);
            if (left < 0 || right > expected.room.width) continue;
            const { path, data } = placed.node;
            const what = `${path} (${data.status})`;
            icons.push({ what, x: left + 3, y: y - 7, width: 18, height: 14 });
            // What a person took out is as faint as the editor's own disabled texts.
            if (!placed.isCutOff) words.push({ what, x: left + 32, y: y - 6, width: 40, height: 12 });
          }
          const faint = async (parts: readonly Part[], least: number): Promise<string[]> => {
            const found = await contrastsIn(panel, parts);
            return parts.flatMap(({ what }, i) =>
              (found[i] ?? 0) < least ? [`${what}: ${found[i]?.toFixed(2)}`] : [],
            );
          };
          assert.ok(icons.length > 10 && words.length > 8);
          assert.deepEqual(await faint(icons, 3), [], 'shapes');
          assert.deepEqual(await faint(words, 4.5), [], 'words');
          await panel.page.reload();
          await panel.posted('ready');
        }
      } finally {
        await panel.close();
      }
    });
});
