import { firstLook, type Room, readableRows, spreadFor } from '../../../src/drawing/camera.ts';
import { type Camera, columnX, nodeWidth, rowY } from '../../../src/drawing/geometry.ts';
import { firstLayers, firstLevels } from '../../../src/drawing/layout/first-levels.ts';
import { layersLayoutOf } from '../../../src/drawing/layout/layer-layout.ts';
import { type Layout, layoutOf, type Placed } from '../../../src/drawing/layout/tree-layout.ts';
import { TreeModel } from '../../../src/drawing/tree-model.ts';
import type { GraphNode, GraphSearch } from '../../../src/protocol/graph-node.ts';
import type { PanelPage } from './panel-page.ts';

/** Where a panel of some size draws everything as long as nobody touched it, found out without the panel. */
export interface Expected {
  readonly layout: Layout;
  readonly camera: Camera;
  readonly room: Room;
}

export function expectedIn(room: Room, search: GraphSearch, nodes: readonly GraphNode[]): Expected {
  const tree = new TreeModel();
  tree.reset({ nodes });
  const best = new Set(search.bestPath);
  const rows = readableRows(room.height);
  const descriptors = search.drawnLinks;
  const layout = descriptors
    ? layersLayoutOf(tree.root, firstLayers(tree, descriptors, rows), descriptors)
    : layoutOf(tree.root, firstLevels(tree, best, rows));
  return { layout, room, camera: firstLook(layout, room, spreadFor(layout, room), best) };
}

/** The size of the drawing, in pixels. */
export function roomOf(panel: PanelPage): Promise<Room> {
  return panel.page.evaluate(() => {
    const { clientWidth, clientHeight } = document.querySelector('canvas') as HTMLCanvasElement;
    return { width: clientWidth, height: clientHeight };
  });
}

/** A node's rectangle: its left and right end, and its middle line. */
export function placeOf({ camera }: Expected, { column, row }: Placed): { left: number; right: number; y: number } {
  const left = columnX(camera, column);
  return { left, right: left + nodeWidth(camera, column), y: rowY(camera, row) };
}

/** Whether all of a node is in the window. */
export function isInside(expected: Expected, placed: Placed): boolean {
  const { left, right, y } = placeOf(expected, placed);
  const { width, height } = expected.room;
  return left >= 0 && right <= width && y >= 7 && y <= height - 7;
}

/** For each point, how many pixels around it have a colour of the theme, or any colour but the background's. */
export function pixelsAt(
  panel: PanelPage,
  points: readonly (readonly [x: number, y: number])[],
  { colour, reach = 5 }: { readonly colour?: string; readonly reach?: number },
): Promise<number[]> {
  return panel.page.evaluate(
    ([all, variable, by]) => {
      const canvas = document.querySelector('canvas') as HTMLCanvasElement;
      const context = canvas.getContext('2d') as CanvasRenderingContext2D;
      const probe = document.body.appendChild(document.createElement('i'));
      probe.style.color = `var(--vscode-${variable || 'editor-background'})`;
      const [r, g, b] = (getComputedStyle(probe).color.match(/\d+/g) ?? []).map(Number);
      probe.remove();
      return all.map(([x, y]) => {
        const { data } = context.getImageData(Math.round(x) - by, Math.round(y) - by, 2 * by, 2 * by);
        let count = 0;
        for (let i = 0; i < data.length; i += 4) {
          const isIt = data[i] === r && data[i + 1] === g && data[i + 2] === b;
          if (isIt === (variable !== '')) count++;
        }
        return count;
      });
    },
    [points, colour ?? '', reach] as const,
  );
}

/** One text that was drawn. */
export interface DrawnText {
  readonly text: string;
  readonly colour: string;
}

/** Remembers the words that are drawn from now on; call before the first snapshot. */
export async function watchWords(panel: PanelPage): Promise<void> {
  await panel.page.evaluate(() => {
    const words: { text: string; colour: string }[] = [];
    Object.assign(window, { words });
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
      words.push({ text, colour: String(this.fillStyle) });
      fillText.call(this, text, ...rest);
    };
  });
}

/** The words drawn since the last time. */
export function takeWords(panel: PanelPage): Promise<DrawnText[]> {
  return panel.page.evaluate(() => (window as unknown as { words: DrawnText[] }).words.splice(0));
}
