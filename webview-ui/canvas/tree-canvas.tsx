import { effect, useSignalEffect } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { labelOf } from '../../src/drawing/labels.ts';
import type { Scene } from '../../src/drawing/scene.ts';
import type { MenuPlace } from '../inspector/node-menu.tsx';
import { l10n } from '../state/l10n.ts';
import { linkedTexts } from '../state/linked-texts.ts';
import type { PanelStore } from '../state/panel-store.ts';
import { nodesText, short, spoken } from '../state/texts.ts';
import { keyHandler } from './canvas-keys.ts';
import { pointerHandlers } from './canvas-pointer.ts';
import { GraphView } from './graph-view.ts';
import { Minimap } from './minimap.ts';
import { onThemeChange, readPalette } from './paint/read-palette.ts';

/** What the rest of the panel may ask of the drawing. */
export interface Drawing {
  readonly focus: () => void;
  readonly fit: () => void;
  readonly zoom: (factor: number) => void;
  readonly scene: () => Scene | undefined;
  readonly placeOf: GraphView['placeOf'];
}

interface Props {
  readonly store: PanelStore;
  readonly drawing: { current: Drawing | null };
  readonly onMenu: (place: MenuPlace) => void;
}

/** Draws the drawing: one control for keyboard and screen reader. */
export function TreeCanvas({ store, drawing, onMenu }: Props): VNode {
  const canvas = useRef<HTMLCanvasElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const view = useRef<GraphView | null>(null);
  useLayoutEffect(() => {
    const element = canvas.current;
    if (!element || !box.current) return undefined;
    let map: Minimap | undefined;
    const made = new GraphView(element, store.camera, {
      onCamera: (camera) => {
        store.camera = camera && { x: camera.x, y: camera.y, scale: camera.scale };
      },
      onTouch: () => store.branches.settle(),
      onRoom: ({ height }) => store.branches.setHeight(height),
      onFrame: () => map?.follow(made.scene, made.room, store.tree.size),
    });
    map = new Minimap(box.current, made);
    view.current = made;
    drawing.current = {
      focus: () => element.focus(),
      fit: () => made.fit(),
      zoom: (factor) => made.zoom(factor),
      scene: () => made.scene,
      placeOf: (path) => made.placeOf(path),
    };
    const resize = (): void => made.resize({ width: element.clientWidth, height: element.clientHeight });
    const size = new ResizeObserver(resize);
    size.observe(element);
    resize();
    return () => {
      size.disconnect();
      made.dispose();
      drawing.current = null;
    };
  }, [store, drawing]);
  useDrawn(store, view);
  const pointer = useMemo(() => pointerHandlers(store, view, onMenu), [store, onMenu]);
  const onKeyDown = useMemo(() => keyHandler(store, view, onMenu), [store, onMenu]);
  useWheel(canvas, pointer.onWheel);
  const { selected } = store;
  const isLayered = store.descriptors.value !== undefined;
  const label = selected.value ? short(labelOf(selected.value.data.title)) : l10n.t('nothing selected');
  return (
    <div class="drawing">
      {/* biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: the drawing is one control with keys of its own */}
      <canvas
        ref={canvas}
        tabIndex={0}
        role="application"
        aria-roledescription={l10n.t('tree drawing')}
        aria-label={l10n.t('Thought tree, {0}: {1}', nodesText(store.tree.size, store.search.value?.words), label)}
        aria-describedby="drawing-help"
        onKeyDown={onKeyDown}
        onFocus={() => say(store)}
        onPointerDown={pointer.onPointerDown}
        onPointerMove={pointer.onPointerMove}
        onPointerUp={pointer.onPointerUp}
        onPointerLeave={pointer.onPointerLeave}
        onDblClick={pointer.onDblClick}
        onContextMenu={pointer.onContextMenu}
      />
      <div ref={box} class="float minimap" aria-hidden="true" hidden />
      <p id="drawing-help" class="hidden">
        {isLayered
          ? l10n.t(
              'Left and right move along the lines, up and down within a layer. Enter shows the details, Shift+Enter a short card, Space opens or closes a box, letters find a title, the menu key shows the actions. Plus and minus zoom.',
            )
          : l10n.t(
              'Arrow keys move along the tree. Enter shows the details, Shift+Enter a short card, Space opens or closes a branch, letters find a title, the menu key shows the actions. Plus and minus zoom.',
            )}
      </p>
    </div>
  );
}

/** Announces the current position. */
function say(store: PanelStore): void {
  const text = placeText(store);
  if (text !== '') store.say(text);
}

function placeText(store: PanelStore): string {
  const node = store.selected.value;
  if (!node) return '';
  const isShut = node.children.length > 0 && !store.branches.isOpen(node);
  const { words } = store.search.value ?? {};
  return spoken(node, {
    isShut,
    isBest: store.best.value.has(node.path),
    rank: store.ranks.value.get(node.path),
    words,
    linked: linkedTexts(store.layout.value, node.path, store.descriptors.value),
  });
}

/** Passes the store's state to the drawing. */
function useDrawn(store: PanelStore, view: { readonly current: GraphView | null }): void {
  const show = (): void => {
    view.current?.show({
      palette: readPalette(),
      selected: store.selectedPath.value,
      best: store.best.value,
      ranks: store.ranks.value,
      found: store.found.value,
      running: store.running.value,
      descriptors: store.descriptors.value,
      related: store.related.value,
    });
  };
  // Before the canvas is first seen, or frames would show it empty.
  useLayoutEffect(() => effect(show), [store]);
  useLayoutEffect(() => effect(() => view.current?.setLayout(store.layout.value)), [store]);
  useEffect(() => onThemeChange(show), [store]);
  const focus = useRef(store.view.peek().focus);
  useSignalEffect(() => {
    const next = store.view.value.focus;
    if (next === focus.current) return;
    focus.current = next;
    view.current?.fit();
  });
  useSignalEffect(() => {
    const wanted = store.wanted.value;
    if (wanted) view.current?.reveal(wanted.path, true);
  });
  const followed = useRef('');
  useSignalEffect(() => {
    const running = [...store.running.value];
    if (!store.view.value.isFollowing || running.includes(followed.current)) return;
    followed.current = running.find((path) => path !== '') ?? '';
    if (followed.current !== '') view.current?.reveal(followed.current, true);
  });
  useSignalEffect(() => {
    const text = placeText(store);
    if (text !== '' && document.activeElement?.tagName === 'CANVAS') store.say(text);
  });
}

/** A wheel must be able to keep the page from scrolling, which a passive listener cannot do. */
function useWheel(canvas: { readonly current: HTMLCanvasElement | null }, onWheel: (event: WheelEvent) => void): void {
  useEffect(() => {
    const element = canvas.current;
    element?.addEventListener('wheel', onWheel, { passive: false });
    return () => element?.removeEventListener('wheel', onWheel);
  }, [canvas, onWheel]);
}
