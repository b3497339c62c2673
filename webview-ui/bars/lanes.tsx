import type { VNode } from 'preact';
import type { GraphFleet, GraphFleetCall, GraphSearch, GraphSlot, GraphWorker } from '../../src/protocol/graph-node.ts';
import { figures } from '../state/figures.ts';
import { l10n } from '../state/l10n.ts';
import type { PanelStore } from '../state/panel-store.ts';
import { purposeText, short } from '../state/texts.ts';
import { SlotButton, slotKey } from './slot-button.tsx';

/** Slots that are drawn one by one; more are told in numbers. */
const MOST_DRAWN = 16;
/** Workers say that they live every two seconds. */
const JUST_NOW_MS = 4000;

interface Props {
  readonly store: PanelStore;
  readonly search: GraphSearch;
  readonly fleet: GraphFleet;
}

/**
 * Draws the workers of a fleet, a lane for each, and what waits for them. What they say is theirs: text, and no more.
 */
export function Lanes({ store, search, fleet }: Props): VNode {
  const { workers, moreWorkers, isAway } = fleet;
  const untaken = notTaken(search.slots, workers);
  return (
    <div class="lanes">
      <p>{fleetText(fleet)}</p>
      {isAway && (
        <p class="warning">{l10n.t('The queue cannot be reached. This is what was seen last; calls wait for it.')}</p>
      )}
      {workers.length === 0 && !isAway && (
        <p class="warning">{l10n.t('No worker is there. Start one: {0}', 'thought-tree worker')}</p>
      )}
      <ul aria-label={l10n.t('Workers')}>
        {workers.map((worker) => (
          <Lane key={worker.id} store={store} search={search} worker={worker} />
        ))}
      </ul>
      {moreWorkers > 0 && <p class="dim">{l10n.t('{0} more workers', moreWorkers)}</p>}
      {untaken.length > 0 && (
        <div class="lane">
          <h2>{l10n.t('With no worker')}</h2>
          <ul class="slots">
            {untaken.map((slot) => (
              <li key={slotKey(slot)}>
                <SlotButton store={store} slot={slot} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

function Lane({ store, search, worker }: Omit<Props, 'fleet'> & { readonly worker: GraphWorker }): VNode {
  const { name, slots, busy, calls, models, moreModels } = worker;
  const served = [...models.map((model) => short(model, 100)), ...(moreModels > 0 ? [`+${moreModels}`] : [])];
  return (
    <li class="lane">
      <h2 dir="auto">{short(name, 100)}</h2>
      <span class="room" title={busyText(busy, slots)}>
        {slots <= MOST_DRAWN &&
          Array.from({ length: slots }, (_, index) => (
            <i key={index} class={index < busy ? 'busy' : ''} aria-hidden="true" />
          ))}
        <span class={slots <= MOST_DRAWN ? 'hidden' : ''}>{busyText(busy, slots)}</span>
      </span>
      <p class="dim">
        {[stateText(worker), served.join(', '), spentText(worker), seenText(worker)].filter(Boolean).join(' · ')}
      </p>
      {calls.length > 0 && (
        <ul class="slots">
          {calls.map((call, index) => (
            <li key={call.other === undefined ? slotKey(call) : index}>
              <Call store={store} search={search} call={call} />
            </li>
          ))}
          {busy > calls.length && <li class="dim more">{l10n.t('{0} more', busy - calls.length)}</li>}
        </ul>
      )}
    </li>
  );
}

/** A call of this search leads to its node; one of another search is only told. */
function Call({ store, search, call }: Omit<Props, 'fleet'> & { readonly call: GraphFleetCall }): VNode {
  const time = figures.duration(Math.max(0, Date.now() - call.since));
  if (call.other === undefined) return <SlotButton store={store} slot={call} time={time} />;
  const title = call.other === '' ? l10n.t('Another search') : l10n.t('Of "{0}"', short(call.other, 100));
  return (
    <span class="slot other">
      <span dir="auto">{title}</span>
      <span class="dim">
        {' '}
        {short(purposeText(search.words, call.purpose), 60)} · {time}
      </span>
    </span>
  );
}

/** Returns the fleet in a line. */
export function fleetText({ workers, moreWorkers, waiting }: GraphFleet): string {
  const count = workers.length + moreWorkers;
  const slots = workers.reduce((sum, each) => sum + each.slots, 0);
  const busy = workers.reduce((sum, each) => sum + each.busy, 0);
  const parts = [count === 1 ? l10n.t('1 worker') : l10n.t('{0} workers', count)];
  if (slots > 0) parts.push(busyText(busy, slots));
  for (const { model, calls } of waiting)
    parts.push(
      calls === 1
        ? l10n.t('1 call waits for {0}', short(model, 100))
        : l10n.t('{0} calls wait for {1}', calls, short(model, 100)),
    );
  return parts.join(' · ');
}

function busyText(busy: number, slots: number): string {
  return l10n.t('{0} of {1} slots busy', busy, slots);
}

function stateText({ state }: GraphWorker): string {
  if (state === 'draining') return l10n.t('finishes its calls');
  return state === 'capped' ? l10n.t('has reached its cap of the day') : '';
}

function spentText({ made, tokens, usd }: GraphWorker): string {
  const calls = made === 1 ? l10n.t('1 call') : l10n.t('{0} calls', figures.count(made));
  return l10n.t('today {0}, {1} tokens, {2}', calls, figures.count(tokens), figures.usd(usd));
}

function seenText({ seen }: GraphWorker): string {
  const ago = Date.now() - seen;
  return ago < JUST_NOW_MS ? l10n.t('seen just now') : l10n.t('seen {0} ago', figures.duration(ago));
}

/** Returns the calls under way of a search that no worker has: they wait, or are answered here. */
function notTaken(slots: readonly GraphSlot[], workers: readonly GraphWorker[]): readonly GraphSlot[] {
  const taken = new Map<string, number>();
  for (const { node, purpose, other } of workers.flatMap(({ calls }) => calls)) {
    if (other !== undefined) continue;
    const key = JSON.stringify([node, purpose]);
    taken.set(key, (taken.get(key) ?? 0) + 1);
  }
  return slots.filter(({ node, purpose }) => {
    const key = JSON.stringify([node, purpose]);
    const left = taken.get(key) ?? 0;
    taken.set(key, left - 1);
    return left <= 0;
  });
}
