import type { MenuPlace } from '../inspector/node-menu.tsx';
import type { PanelStore } from '../state/panel-store.ts';
import type { GraphView } from './graph-view.ts';

/** A pointer that moved less did not mean to drag, in pixels. */
const STILL = 4;

interface PointerHandlers {
  readonly onPointerDown: (event: PointerEvent) => void;
  readonly onPointerMove: (event: PointerEvent) => void;
  readonly onPointerUp: (event: PointerEvent) => void;
  readonly onPointerLeave: () => void;
  readonly onDblClick: (event: MouseEvent) => void;
  readonly onContextMenu: (event: MouseEvent) => void;
  readonly onWheel: (event: WheelEvent) => void;
}

/** Pointer input on the drawing: drag moves it, a click selects, a double click opens and closes. */
export function pointerHandlers(
  store: PanelStore,
  view: { readonly current: GraphView | null },
  onMenu: (place: MenuPlace) => void,
): PointerHandlers {
  let drag: { x: number; y: number; isDragging: boolean } | undefined;
  const hit = ({ offsetX, offsetY }: MouseEvent) => view.current?.nodeAt(offsetX, offsetY);
  const hover = (path: string | undefined): void => {
    view.current?.hover(path ?? null);
    if (store.hovered.peek()?.path !== path) store.hovered.value = path === undefined ? path : { path, isAsked: false };
  };
  return {
    onPointerDown: (event) => {
      if (event.button > 1) return;
      drag = { x: event.clientX, y: event.clientY, isDragging: false };
      (event.target as Element).setPointerCapture(event.pointerId);
    },
    onPointerMove: (event) => {
      if (!drag) {
        const found = hit(event);
        hover(found?.placed.node.path);
        (event.target as HTMLElement).style.cursor = found ? 'pointer' : 'grab';
        return;
      }
      const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
      if (!drag.isDragging && Math.hypot(dx, dy) < STILL) return;
      (event.target as HTMLElement).style.cursor = 'grabbing';
      drag = { x: event.clientX, y: event.clientY, isDragging: true };
      if (store.view.value.isFollowing) store.set({ isFollowing: false });
      view.current?.pan(dx, dy);
    },
    onPointerUp: (event) => {
      const wasDragging = drag?.isDragging;
      drag = undefined;
      if (wasDragging || event.button !== 0) return;
      const found = hit(event);
      if (found?.isOnMore) store.branches.toggle(found.placed.node);
      else if (found) store.select(found.placed.node.path);
    },
    onPointerLeave: () => hover(undefined),
    onDblClick: (event) => {
      const found = hit(event);
      if (found && !found.isOnMore) store.branches.toggle(found.placed.node);
    },
    onContextMenu: (event) => {
      event.preventDefault();
      const found = hit(event);
      if (!found) return;
      store.select(found.placed.node.path);
      onMenu({ path: found.placed.node.path, x: event.clientX, y: event.clientY });
    },
    onWheel: (event) => {
      event.preventDefault();
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 24 : 1;
      if (event.ctrlKey || event.metaKey)
        view.current?.zoom(Math.exp(-event.deltaY * unit * 0.003), event.offsetX, event.offsetY);
      else if (event.shiftKey) view.current?.pan(-(event.deltaY + event.deltaX) * unit, 0);
      else view.current?.pan(-event.deltaX * unit, -event.deltaY * unit);
    },
  };
}
