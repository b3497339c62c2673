import type { ViewNode } from '../../src/drawing/tree-model.ts';
import type { MenuPlace } from '../inspector/node-menu.tsx';
import { l10n } from '../state/l10n.ts';
import type { PanelStore } from '../state/panel-store.ts';
import type { GraphView } from './graph-view.ts';
import { findTyped, nextBy } from './walk-keys.ts';

/** Letters typed within this time of each other form one word, in milliseconds. */
const TYPED_MS = 900;

/** Returns what keys do while the drawing has the focus. */
export function keyHandler(
  store: PanelStore,
  view: { readonly current: GraphView | null },
  onMenu: (place: MenuPlace) => void,
): (event: KeyboardEvent) => void {
  let typed = '';
  let typedAt = 0;

  const type = (letter: string): boolean => {
    const now = performance.now();
    typed = now - typedAt > TYPED_MS ? letter : typed + letter;
    typedAt = now;
    const { layout, view: state } = store;
    const found = findTyped(typed, layout.value.byPath.get(state.value.selected ?? ''), layout.value);
    if (found) go(found.node);
    else store.say(l10n.t('Nothing visible has {0} in its title', typed));
    return true;
  };
  const go = (node: ViewNode): void => {
    store.select(node.path);
    store.show(node.path);
  };
  const walk = (key: string): boolean => {
    const layout = store.layout.value;
    const from = layout.byPath.get(store.view.value.selected ?? '') ?? layout.placed[0];
    if (!from) return false;
    const isFirst = store.selected.value === undefined;
    const { node } = from;
    if (!isFirst && key === 'ArrowRight' && node.children.length > 0 && !store.branches.isOpen(node)) {
      store.branches.setOpen(node, true);
      return true;
    }
    const to = isFirst && key !== 'End' ? layout.placed[0] : nextBy(key, from, layout);
    if (to) go(to.node);
    return true;
  };
  /** Requests any action that is not known to be impossible: the host checks whether it can be done. */
  const act = (action: string): boolean => {
    const node = store.selected.value;
    const offered = store.actions.value;
    if (node && (!offered || offered.some(({ name }) => name === action))) store.act(action, node.path);
    return true;
  };
  const openMenu = (): boolean => {
    const node = store.selected.value;
    const place = node && view.current?.placeOf(node.path);
    const canvas = document.querySelector('canvas')?.getBoundingClientRect();
    if (node && place && canvas)
      onMenu({
        path: node.path,
        x: canvas.left + place.x + 20,
        y: canvas.top + place.y + 12,
      });
    return true;
  };

  const find = (): boolean => {
    store.finding.open();
    return true;
  };
  const undo = (forward: boolean): boolean => {
    store.undo(forward);
    return true;
  };
  const travel = (by: number): boolean => {
    if (store.past.isOpen.value) store.past.step(by);
    else store.past.open();
    return store.past.isOffered;
  };
  const register = (): boolean => {
    const { selected } = store.view.value;
    if (selected !== null) store.hovered.value = { path: selected, isAsked: true };
    return true;
  };

  const handle = (event: KeyboardEvent): boolean => {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
    const node = store.selected.value;
    if (key === 'ContextMenu' || (key === 'F10' && shiftKey)) return openMenu();
    if (key === 'Enter' && (ctrlKey || metaKey)) return act('expand');
    if ((ctrlKey || metaKey) && key === 'f') return find();
    if ((ctrlKey || metaKey) && key.toLowerCase() === 'z') return undo(shiftKey);
    if (ctrlKey && key === 'y') return undo(true);
    if (ctrlKey || metaKey || altKey) return false;
    if (key.startsWith('Arrow') || key === 'Home' || key === 'End') return walk(key);
    if (key === 'Enter' && shiftKey) return register();
    if (key === 'Enter') return node ? focusOn('.inspector h2') : walk('Home');
    if (key === 'Escape') {
      store.select(null);
      return true;
    }
    if (key === 'Delete') return act('prune');
    if (key === ' ') {
      if (node) store.branches.toggle(node);
      return true;
    }
    if (key === '/') return find();
    if (key === ',' || key === '.') return travel(key === ',' ? -1 : 1);
    if (key === '+' || key === '=') view.current?.zoom(1.3);
    else if (key === '-') view.current?.zoom(1 / 1.3);
    else return [...key].length === 1 && type(key);
    return true;
  };
  return (event) => {
    if (handle(event)) event.preventDefault();
  };
}

function focusOn(selector: string): boolean {
  document.querySelector<HTMLElement>(selector)?.focus();
  return true;
}
