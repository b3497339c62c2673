import type { VNode } from 'preact';
import type { NodeStatus } from '../../src/core/tree/node-file.ts';
import { Popover } from '../parts/popover.tsx';
import { NO_FILTER } from '../state/filter.ts';
import { l10n } from '../state/l10n.ts';
import type { PanelStore } from '../state/panel-store.ts';
import { statusWord } from '../state/texts.ts';
import { Icon, StatusIcon } from './icons.tsx';
import { Legend } from './legend.tsx';

const STATUSES: readonly NodeStatus[] = ['unexpanded', 'in-progress', 'expanded', 'leaf', 'failed', 'pruned'];

interface Props {
  readonly store: PanelStore;
}

/** Draws what the drawing shows, and what its marks mean, behind one button with the number of filters that are on. */
export function Filters({ store }: Props): VNode {
  const { statuses, minScore } = store.view.value.filter;
  const on = statuses.length + (minScore > 0 ? 1 : 0);
  const name = l10n.t('Filters and legend');
  const label = on === 0 ? name : on === 1 ? l10n.t('{0}, 1 filter on', name) : l10n.t('{0}, {1} filters on', name, on);
  const face = (
    <>
      <Icon name="filter" />
      {on > 0 && (
        <span class="badge" aria-hidden="true">
          {on}
        </span>
      )}
    </>
  );
  return (
    <Popover label={label} tooltip={label} class="button icon-only filters" face={face}>
      {() => (
        <>
          <Statuses store={store} />
          <div class="choices">
            <MinScore store={store} />
            <Levels store={store} />
            {on > 0 && (
              <button
                type="button"
                class="button"
                onClick={() => store.filter({ ...NO_FILTER, text: store.view.value.filter.text })}
              >
                {l10n.t('Clear filters')}
              </button>
            )}
          </div>
          <Legend store={store} />
        </>
      )}
    </Popover>
  );
}

function Statuses({ store }: Props): VNode {
  const { statuses } = store.view.value.filter;
  const toggle = (status: NodeStatus): void =>
    store.filter({
      statuses: statuses.includes(status) ? statuses.filter((each) => each !== status) : [...statuses, status],
    });
  return (
    <fieldset class="statuses">
      <legend>{l10n.t('Only with status')}</legend>
      {STATUSES.map((status) => (
        <button
          key={status}
          type="button"
          class="chip"
          aria-pressed={statuses.includes(status)}
          onClick={() => toggle(status)}
        >
          <StatusIcon node={{ path: 'any', status }} />
          {statusWord(status)}
        </button>
      ))}
    </fieldset>
  );
}

function MinScore({ store }: Props): VNode {
  return (
    <label class="choice">
      {l10n.t('Score')}
      <select
        value={String(store.view.value.filter.minScore)}
        onChange={(event) => store.filter({ minScore: Number(event.currentTarget.value) })}
      >
        <option value="0">{l10n.t('any')}</option>
        {[2, 4, 5, 6, 7, 8, 9].map((score) => (
          <option key={score} value={String(score)}>
            {l10n.t('{0} or more', score)}
          </option>
        ))}
      </select>
    </label>
  );
}

function Levels({ store }: Props): VNode {
  return (
    <label class="choice">
      {l10n.t('Levels')}
      <select
        value={String(Math.min(store.branches.levels.value, 9))}
        onChange={(event) => store.branches.setLevels(Number(event.currentTarget.value))}
      >
        <option value="0">{l10n.t('all')}</option>
        {[1, 2, 3, 4, 5, 6, 7, 8, 9].map((level) => (
          <option key={level} value={String(level)}>
            {level}
          </option>
        ))}
      </select>
    </label>
  );
}
