import type { VNode } from 'preact';
import { Menu, type Place } from '../parts/menu.tsx';
import { keyOf } from '../state/action-keys.ts';
import { l10n } from '../state/l10n.ts';
import type { PanelStore } from '../state/panel-store.ts';
import { short } from '../state/texts.ts';

/** The node for which a menu is opened, and its place in the window. */
export interface MenuPlace extends Place {
  readonly path: string;
}

interface Props {
  readonly store: PanelStore;
  readonly place: MenuPlace;
  readonly onClose: () => void;
}

/** Draws what can be done to a node, from a right click or the menu key. */
export function NodeMenu({ store, place, onClose }: Props): VNode | null {
  const actions = store.actions.value;
  const node = store.tree.get(place.path);
  if (!node || !actions) return null;
  const isShut = !store.branches.isOpen(node);
  const toggling = {
    title: isShut ? l10n.t('Open branch') : l10n.t('Close branch'),
    key: l10n.t('Space'),
    choose: () => store.branches.toggle(node),
  };
  const isFocused = store.focused.value === node;
  const focusing = {
    title: isFocused ? l10n.t('Show the whole tree') : l10n.t('Show only this branch'),
    key: undefined,
    choose: () => store.focusOn(isFocused ? '' : node.path),
  };
  const canFocus = node.parent !== undefined && node.children.length > 0;
  const items = actions.map(({ name, title }) => ({
    title,
    key: keyOf(name),
    off: store.offFor(name),
    choose: () => store.act(name, node.path),
  }));
  return (
    <Menu
      label={short(node.data.title)}
      place={place}
      items={[...(node.children.length > 0 ? [toggling] : []), ...(canFocus ? [focusing] : []), ...items]}
      onClose={onClose}
    />
  );
}
