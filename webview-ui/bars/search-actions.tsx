import type { VNode } from 'preact';
import type { GraphSearch } from '../../src/protocol/graph-node.ts';
import { MenuButton } from '../parts/menu.tsx';
import { l10n } from '../state/l10n.ts';
import type { PanelStore } from '../state/panel-store.ts';
import { Icon, type IconName } from './icons.tsx';

/** What has a button of its own; everything else is in the menu. */
const BUTTONS: readonly (readonly [string, IconName])[] = [
  ['pause', 'pause'],
  ['resume', 'resume'],
  ['raise', 'grow'],
  ['openReport', 'report'],
];

/** What leads on from a state. */
const FIRST: Readonly<Partial<Record<GraphSearch['state'], readonly string[]>>> = {
  paused: ['raise', 'resume'],
  interrupted: ['raise', 'resume'],
  finished: ['openReport'],
};

interface Props {
  readonly store: PanelStore;
  readonly search: GraphSearch;
}

/** Draws what can be done with the search as a whole. */
export function SearchActions({ store, search: { actions, state } }: Props): VNode {
  const own = BUTTONS.flatMap(([action, icon]) => {
    const offered = actions.find(({ name }) => name === action);
    return offered ? [{ ...offered, icon }] : [];
  });
  const rest = actions.filter(({ name }) => !own.some((each) => each.name === name));
  const first = FIRST[state] ?? [];
  const off = store.offFor('');
  return (
    <div class="buttons" role="toolbar" aria-label={l10n.t('Search')}>
      {own.map(({ name, title, icon }) => (
        <button
          key={name}
          type="button"
          class={first.includes(name) ? `button primary ${name}` : 'button'}
          aria-label={title}
          title={off ?? title}
          disabled={off !== undefined}
          onClick={() => store.act(name)}
        >
          <Icon name={icon} />
          <span class="word">{title}</span>
        </button>
      ))}
      {rest.length > 0 && (
        <MenuButton
          label={l10n.t('More actions on the search')}
          items={rest.map(({ name, title }) => ({ title, off, choose: () => store.act(name) }))}
        />
      )}
    </div>
  );
}
