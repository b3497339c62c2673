import {
  anchorIn,
  firstLook,
  fitting,
  isInSight,
  kept,
  nodeAt,
  type Room,
  type Spread,
  showing,
  spreadFor,
  zoomed,
} from '../../src/drawing/camera.ts';
import {
  type Camera,
  clamp,
  columnX,
  detailAt,
  evenColumns,
  nodeHeight,
  ROW,
  rowY,
} from '../../src/drawing/geometry.ts';
import { EMPTY_LAYOUT, type Layout, type Placed } from '../../src/drawing/layout/tree-layout.ts';
import type { Region, Scene } from '../../src/drawing/scene.ts';
import { eased, Growth } from '../state/growth.ts';
import { Words } from '../state/words.ts';
import { KeptPicture } from './kept-picture.ts';
import { paint, paintHeads, paintHover, paintPulses } from './paint/paint.ts';

/** What the drawing shows besides positions. */
export type Showing = Pick<
  Scene,
  'palette' | 'selected' | 'best' | 'ranks' | 'found' | 'running' | 'descriptors' | 'related'
>;

/** What the drawing tells the rest of the panel. */
export interface Listener {
  /** The camera that is to be kept; null while the drawing looks after itself. */
  readonly onCamera: (camera: Camera | null) => void;
  /** A person moved it. */
  readonly onTouch: () => void;
  readonly onRoom: (room: Room) => void;
  /** A frame is drawn. */
  readonly onFrame: () => void;
}

const TURN_MS = 220;
const PULSE_MS = 1600;
/** After this long without a move the picture is redrawn sharp, in milliseconds. */
const STILL_MS = 90;
const NO_SPREAD: Spread = { least: 1, columns: evenColumns(0) };

/** The picture in the window: its camera, its animations, and when something is drawn. */
export class GraphView {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  readonly #words = new Words();
  readonly #growth = new Growth();
  readonly #calm = window.matchMedia('(prefers-reduced-motion: reduce)');
  readonly #listener: Listener;
  readonly #picture = new KeptPicture();
  #layout: Layout = EMPTY_LAYOUT;
  #showing: Showing | undefined;
  #camera: Camera = { x: 0, y: 0, scale: 1, ...NO_SPREAD };
  #spread = NO_SPREAD;
  /** Whether all columns are in the window, however narrow: until a person zooms, and wants to read. */
  #isWhole = false;
  /** Until a person moves it, the growing picture is kept in the window: a first look, or all of it. */
  #auto: 'look' | 'whole' | undefined;
  #turn: { from: Camera; to: Camera; began: number } | undefined;
  #hovered: string | null = null;
  #isStale = true;
  #movedAt = Number.NEGATIVE_INFINITY;
  #frame = 0;
  #room: Room = { width: 0, height: 0 };
  /** The room that its columns are made for: details that open beside it push no word around. */
  #wide: Room = this.#room;
  #windowWidth = 0;

  constructor(canvas: HTMLCanvasElement, camera: Omit<Camera, keyof Spread> | null, listener: Listener) {
    this.#canvas = canvas;
    this.#context = canvas.getContext('2d', { alpha: false }) as CanvasRenderingContext2D;
    this.#listener = listener;
    if (camera) this.#camera = { ...camera, ...NO_SPREAD };
    this.#auto = camera ? undefined : 'look';
  }

  get room(): Room {
    return this.#room;
  }

  /** The current picture, for an export. */
  get scene(): Scene | undefined {
    return this.#showing && this.#scene(this.#showing);
  }

  resize(room: Room): void {
    const { width, height } = this.#room;
    if (room.width === width && room.height === height) return;
    const grown = width === 0 ? 0 : (room.height - height) / 2;
    const camera = this.#turn?.to ?? this.#camera;
    const chosen = this.#layout.byPath.get(this.#showing?.selected ?? '');
    const watched = chosen && isInSight(camera, this.#room, chosen) ? chosen : undefined;
    const isByDetails = this.#windowWidth === window.innerWidth && this.#showing?.selected != null;
    this.#windowWidth = window.innerWidth;
    this.#room = room;
    if (!isByDetails) this.#wide = room;
    this.#listener.onRoom(room);
    this.#spread = spreadFor(this.#layout, this.#wide, this.#isWhole);
    const ratio = window.devicePixelRatio;
    this.#canvas.width = Math.round(room.width * ratio);
    this.#canvas.height = Math.round(room.height * ratio);
    this.#camera = { ...this.#carried(camera, undefined, 0), y: camera.y + grown };
    this.#turn = undefined;
    if (!isByDetails) this.#look(true);
    // Details that open beside or below must not push what they are about out of the window.
    if (watched) this.#camera = showing(this.#camera, watched, room);
    this.#change();
    this.#draw(performance.now()); // a resized canvas is empty: no frame may show it
  }

  /** Shows another tree, or more of it: what a person is looking at stays in place. */
  setLayout(layout: Layout): void {
    const before = this.#layout;
    if (layout === before) return;
    const { selected = null } = this.#showing ?? {};
    const anchor = anchorIn(before, this.#camera, this.#room, selected);
    const now = anchor && layout.byPath.get(anchor.node.path);
    const shift = anchor && now ? now.row - this.#growth.rowOf(anchor) : 0;
    this.#growth.begin(before, layout, shift, performance.now());
    if (this.#calm.matches) this.#growth.end();
    this.#layout = layout;
    this.#spread = spreadFor(layout, this.#wide, this.#isWhole);
    this.#camera = this.#carried(this.#camera, anchor, shift);
    const turn = this.#turn;
    if (turn)
      this.#turn = {
        ...turn,
        from: this.#carried(turn.from, anchor, shift),
        to: this.#carried(turn.to, anchor, shift),
      };
    const isFirst = before.placed.length === 0;
    if (selected === null || isFirst) this.#look(isFirst);
    this.#change();
  }

  show(showing: Showing): void {
    const before = this.#showing;
    this.#showing = showing;
    if (before?.best !== showing.best && showing.selected === null) this.#look(!before);
    this.#change();
  }

  hover(path: string | null): void {
    if (this.#hovered === path) return;
    this.#hovered = path;
    this.#wake();
  }

  /** Returns the node at a point of the window, and whether the point is on its number of hidden nodes. */
  nodeAt(x: number, y: number): { placed: Placed; isOnMore: boolean } | undefined {
    return nodeAt(this.#layout, this.#camera, x, y);
  }

  /** Returns the position of a node in the window, in pixels: its left end, its middle line, and its height. */
  placeOf(path: string): { x: number; y: number; height: number } | undefined {
    const placed = this.#layout.byPath.get(path);
    const camera = this.#camera;
    return placed && { x: columnX(camera, placed.column), y: rowY(camera, placed.row), height: nodeHeight(camera) };
  }

  pan(dx: number, dy: number): void {
    this.#listener.onTouch();
    this.#move({ ...this.#camera, x: this.#camera.x + dx, y: this.#camera.y + dy });
  }

  /** @param factor above 1 zooms in; the given point of the window stays in place */
  zoom(factor: number, x = this.#room.width / 2, y = this.#room.height / 2): void {
    this.#listener.onTouch();
    if (this.#isWhole) {
      this.#isWhole = false;
      this.#spread = spreadFor(this.#layout, this.#wide);
      const anchor = anchorIn(this.#layout, this.#camera, this.#room, this.#showing?.selected ?? null);
      this.#camera = this.#carried(this.#camera, anchor, 0);
      this.#isStale = true;
    }
    this.#move(zoomed(this.#camera, this.#camera.scale * factor, x, y));
  }

  fit(): void {
    this.#wide = this.#room;
    this.#isWhole = true;
    this.#spread = spreadFor(this.#layout, this.#room, true);
    this.#turnTo(fitting(this.#layout, this.#room, this.#spread));
    this.#auto = 'whole';
    this.#listener.onCamera(null);
  }

  /** Shows a node, moving as little as possible; zooms in until words are readable if requested. */
  reveal(path: string, readable = false): void {
    const placed = this.#layout.byPath.get(path);
    if (!placed) return;
    const from = this.#turn?.to ?? this.#camera;
    const isUnreadable = readable && detailAt(from) === 'mark';
    const close = isUnreadable ? zoomed(from, 0.9, columnX(from, placed.column), rowY(from, placed.row)) : from;
    const to = showing(close, placed, this.#room);
    if (to.x !== from.x || to.y !== from.y || to.scale !== from.scale) this.#turnTo(to);
  }

  dispose(): void {
    cancelAnimationFrame(this.#frame);
  }

  /** Returns a camera that keeps an anchor in place, though it moved by some rows and its column may be wider. */
  #carried(camera: Camera, anchor: Placed | undefined, shift: number): Camera {
    const to = { ...camera, ...this.#spread, y: camera.y - shift * ROW * camera.scale };
    const column = anchor?.column ?? 0;
    return { ...to, x: to.x + columnX(camera, column) - columnX(to, column) };
  }

  /** Keeps the picture in the window until somebody moves it. */
  #look(isFirst: boolean): void {
    if (!this.#auto || this.#room.width === 0 || this.#layout.placed.length === 0) return;
    const best = this.#showing?.best ?? new Set();
    const camera =
      this.#auto === 'whole'
        ? fitting(this.#layout, this.#room, this.#spread)
        : firstLook(this.#layout, this.#room, this.#spread, best);
    if (isFirst || this.#calm.matches) this.#camera = camera;
    else this.#turn = { from: this.#camera, to: camera, began: performance.now() };
  }

  #turnTo(to: Camera): void {
    this.#auto = undefined;
    const next = kept(to, this.#layout, this.#room);
    if (this.#calm.matches) this.#move(next);
    else {
      this.#turn = { from: this.#camera, to: next, began: performance.now() };
      this.#listener.onCamera(next);
      this.#wake();
    }
  }

  #move(camera: Camera): void {
    this.#auto = undefined;
    this.#turn = undefined;
    this.#camera = kept(camera, this.#layout, this.#room);
    this.#movedAt = performance.now();
    this.#listener.onCamera(this.#camera);
    this.#wake();
  }

  #change(): void {
    this.#isStale = true;
    this.#wake();
  }

  #wake(): void {
    if (this.#frame === 0) this.#frame = requestAnimationFrame((now) => this.#draw(now));
  }

  #draw(now: number): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    if (!this.#showing || this.#room.width === 0) return;
    this.#growth.at(now);
    this.#advance(now);
    const scene = this.#scene(this.#showing);
    const isGrowing = !this.#growth.isOver;
    if (isGrowing) this.#paintWindow(scene);
    else this.#blit(scene, now);
    const phase = this.#calm.matches ? 0 : (now % PULSE_MS) / PULSE_MS;
    const isPulsing = paintPulses(this.#context, scene, this.#window(), phase) && !this.#calm.matches;
    paintHover(this.#context, scene);
    paintHeads(this.#context, scene, this.#room.width);
    this.#listener.onFrame();
    const isBlurred = !this.#picture.isSharp(this.#camera);
    if (isGrowing) this.#isStale = true;
    if (isGrowing || isPulsing || isBlurred || this.#turn) this.#wake();
  }

  #advance(now: number): void {
    if (!this.#turn) return;
    const { from, to, began } = this.#turn;
    const t = clamp((now - began) / TURN_MS, 0, 1);
    const mix = (a: number, b: number): number => a + (b - a) * eased(t);
    this.#camera = { ...to, x: mix(from.x, to.x), y: mix(from.y, to.y), scale: mix(from.scale, to.scale) };
    this.#movedAt = now;
    if (t >= 1) this.#turn = undefined;
  }

  #scene(showing: Showing): Scene {
    return {
      ...showing,
      layout: this.#layout,
      camera: this.#camera,
      hovered: this.#hovered,
      rowOf: this.#growth.rowOf,
      isGrowing: !this.#growth.isOver,
      presence: this.#growth.presence,
    };
  }

  #window(): Region {
    return { left: 0, top: 0, right: this.#room.width, bottom: this.#room.height };
  }

  #paintWindow(scene: Scene): void {
    const ratio = window.devicePixelRatio;
    this.#context.setTransform(ratio, 0, 0, ratio, 0, 0);
    paint(this.#context, scene, this.#window(), this.#words);
  }

  /** Shows the kept picture moved; redraws it if it is stale or too small, or blurred while nothing moves. */
  #blit(scene: Scene, now: number): void {
    const picture = this.#picture;
    const isMoving = now - this.#movedAt < STILL_MS;
    const isGoodEnough = (): boolean => isMoving && !picture.isSharp(scene.camera) && picture.covers(scene.camera);
    if (this.#isStale || !(picture.follow(scene, this.#words) || isGoodEnough())) {
      picture.take(scene, this.#room, this.#words);
      this.#isStale = false;
    }
    picture.show(this.#context, scene);
  }
}
