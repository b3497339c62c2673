import type { VNode } from 'preact';
import type { GraphSearch } from '../../src/protocol/graph-node.ts';
import { Popover } from '../parts/popover.tsx';
import { l10n } from '../state/l10n.ts';
import type { PanelStore } from '../state/panel-store.ts';
import { fleetText, Lanes } from './lanes.tsx';
import { SlotButton, slotKey } from './slot-button.tsx';

interface Props {
  readonly store: PanelStore;
  readonly search: GraphSearch;
}

/** Draws how much is being done at this moment, and what; with a fleet, by whom. */
export function Slots({ store, search }: Props): VNode | null {
  const { slots, fleet, state } = search;
  // While a search runs, there are moments between two calls: what a person opened does not close by itself.
  if (slots.length === 0 && !fleet && state !== 'running') return null;
  const label = l10n.t('Current work: {0}', slots.length);
  const face = (
    <>
      <span class="pulse" aria-hidden="true" />
      <span aria-hidden="true">{slots.length}</span>
    </>
  );
  return (
    <Popover
      label={label}
      tooltip={fleet ? `${label} · ${fleetText(fleet)}` : label}
      class="button icon-only working"
      face={face}
    >
      {() =>
        fleet ? (
          <Lanes store={store} search={search} fleet={fleet} />
        ) : (
          <ul class="slots" aria-label={l10n.t('Current work')}>
            {slots.map((slot) => (
              <li key={slotKey(slot)}>
                <SlotButton store={store} slot={slot} />
              </li>
            ))}
          </ul>
        )
      }
    </Popover>
  );
}
