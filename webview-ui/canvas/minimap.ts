import type { Room } from '../../src/drawing/camera.ts';
import { clamp } from '../../src/drawing/geometry.ts';
import { isWholeIn, minimapFrame, minimapPaths, minimapStep } from '../../src/drawing/minimap.ts';
import type { Scene } from '../../src/drawing/scene.ts';
import type { GraphView } from './graph-view.ts';

/** Trees with fewer nodes need no map. */
const FROM_NODES = 1000;
/** A smaller window has no room for a map, in pixels. */
const LEAST: Room = { width: 500, height: 300 };
const SVG = 'http://www.w3.org/2000/svg';

/** The whole drawing in a corner, with a frame around what is in the window, which can be dragged. */
export class Minimap {
  readonly #box: HTMLElement;
  readonly #view: GraphView;
  readonly #svg = document.createElementNS(SVG, 'svg');
  readonly #frame = document.createElement('div');
  #drawn: (Pick<Scene, 'layout' | 'palette' | 'best' | 'found'> & { columns: Scene['camera']['columns'] }) | undefined;
  #room: Room = { width: 0, height: 0 };
  #dragged: { x: number; y: number } | undefined;

  /** @param box an empty element over the drawing */
  constructor(box: HTMLElement, view: GraphView) {
    this.#box = box;
    this.#view = view;
    this.#frame.className = 'minimap-frame';
    box.replaceChildren(this.#svg, this.#frame);
    box.addEventListener('pointerdown', this.#take);
    box.addEventListener('pointermove', this.#drag);
    for (const end of ['pointerup', 'pointercancel']) box.addEventListener(end, this.#release);
  }

  /** Shows where the window is; draws the map again if the drawing is another one. */
  follow(scene: Scene | undefined, window: Room, nodes: number): void {
    const hasRoom = window.width >= LEAST.width && window.height >= LEAST.height;
    const isShown = scene && nodes >= FROM_NODES && hasRoom && !isWholeIn(scene, window);
    this.#box.hidden = !isShown;
    if (!isShown) return;
    this.#resize(window);
    this.#draw(scene);
    const { left, top, right, bottom } = minimapFrame(scene, window, this.#room);
    Object.assign(this.#frame.style, {
      transform: `translate(${left.toFixed(1)}px, ${top.toFixed(1)}px)`,
      width: `${(right - left).toFixed(1)}px`,
      height: `${(bottom - top).toFixed(1)}px`,
    });
  }

  #resize({ width, height }: Room): void {
    const room = { width: Math.round(clamp(width * 0.14, 96, 180)), height: Math.round(clamp(height * 0.26, 90, 200)) };
    if (room.width === this.#room.width && room.height === this.#room.height) return;
    this.#room = room;
    this.#drawn = undefined;
    Object.assign(this.#box.style, { width: `${room.width}px`, height: `${room.height}px` });
    this.#svg.setAttribute('viewBox', `0 0 ${room.width} ${room.height}`);
  }

  #draw({ layout, palette, best, found, camera }: Scene): void {
    const next = { layout, palette, best, found, columns: camera.columns };
    const before = this.#drawn;
    if (before && (Object.keys(next) as (keyof typeof next)[]).every((key) => before[key] === next[key])) return;
    this.#drawn = next;
    const paths = minimapPaths({ ...next, camera }, this.#room).map(({ colour, d }) => {
      const path = document.createElementNS(SVG, 'path');
      path.setAttribute('d', d);
      path.setAttribute('fill', colour);
      return path;
    });
    this.#svg.replaceChildren(...paths);
  }

  readonly #take = (event: PointerEvent): void => {
    const { left, top, width, height } = this.#frame.getBoundingClientRect();
    this.#box.setPointerCapture(event.pointerId);
    this.#dragged = { x: left + width / 2, y: top + height / 2 };
    const isOnFrame =
      Math.abs(event.clientX - this.#dragged.x) <= width / 2 && Math.abs(event.clientY - this.#dragged.y) <= height / 2;
    if (isOnFrame) this.#dragged = { x: event.clientX, y: event.clientY };
    else this.#drag(event);
    event.preventDefault(); // the keyboard's focus stays where it is
  };

  readonly #drag = ({ clientX, clientY }: PointerEvent): void => {
    const scene = this.#view.scene;
    if (!this.#dragged || !scene) return;
    const step = minimapStep(scene, this.#room);
    this.#view.pan((this.#dragged.x - clientX) * step.x, (this.#dragged.y - clientY) * step.y);
    this.#dragged = { x: clientX, y: clientY };
  };

  readonly #release = (): void => {
    this.#dragged = undefined;
  };
}
