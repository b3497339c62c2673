import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { keyOf } from '../state/action-keys.ts';
import { l10n } from '../state/l10n.ts';
import type { PanelStore } from '../state/panel-store.ts';
import { short } from '../state/texts.ts';

/** The node for which a menu is opened, and its place in the window. */
export interface MenuPlace {
  readonly path: string;
  readonly x: number;
  readonly y: number;
}

interface Props {
  readonly store: PanelStore;
  readonly place: MenuPlace;
  readonly onClose: () => void;
}

/** What can be done to a node, from a right click or the menu key. */
export function NodeMenu({ store, place, onClose }: Props): VNode | null {
  const list = useRef<HTMLDivElement>(null);
  const actions = store.actions.value;
  useLayoutEffect(() => {
    const menu = list.current;
    if (!menu || !actions) return;
    menu.style.left = `${Math.max(0, Math.min(place.x, window.innerWidth - menu.offsetWidth - 4))}px`;
    menu.style.top = `${Math.max(0, Math.min(place.y, window.innerHeight - menu.offsetHeight - 4))}px`;
    menu.querySelector('button')?.focus();
  }, [place, actions === undefined]);
  const node = store.tree.get(place.path);
  if (!node) return null;
  const move = (by: number): void => {
    const items = [...(list.current?.querySelectorAll('button') ?? [])];
    const at = items.indexOf(document.activeElement as HTMLButtonElement);
    items[(at + by + items.length) % items.length]?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key === 'Escape' || event.key === 'Tab') onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const choose = (work: () => void) => () => {
    onClose();
    work();
  };
  if (!actions) return null;
  const isShut = node.children.length > 0 && !store.isOpen(node);
  return (
    <div class="backdrop" onPointerDown={(event) => event.target === event.currentTarget && onClose()}>
      <div ref={list} class="menu" role="menu" tabIndex={-1} aria-label={short(node.data.title)} onKeyDown={onKeyDown}>
        {node.children.length > 0 && (
          <button type="button" role="menuitem" onClick={choose(() => store.toggle(node))}>
            <span>{isShut ? l10n.t('Open branch') : l10n.t('Close branch')}</span>
            <kbd>{l10n.t('Space')}</kbd>
          </button>
        )}
        {actions.map(({ name, title }) => (
          <button key={name} type="button" role="menuitem" onClick={choose(() => store.act(name, node.path))}>
            <span>{title}</span>
            {keyOf(name) && <kbd>{keyOf(name)}</kbd>}
          </button>
        ))}
      </div>
    </div>
  );
}
