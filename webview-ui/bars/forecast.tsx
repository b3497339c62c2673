import type { VNode } from 'preact';
import { clamp } from '../../src/drawing/geometry.ts';
import type { GraphForecast } from '../../src/protocol/graph-node.ts';
import { figures } from '../state/figures.ts';
import { l10n } from '../state/l10n.ts';

interface Props {
  readonly forecast: GraphForecast;
  /** What has been used so far, in the forecast's unit. */
  readonly used: number;
}

/** Draws the likely total of the search: a band from low to high, a line at likely, filled up to what has been used. */
export function Forecast({ forecast, used }: Props): VNode {
  const { unit, low, likely, high, minutes } = forecast;
  const amount = unit === 'usd' ? figures.usd : figures.count;
  const tokens = unit === 'usd' ? '' : ` ${l10n.t('tokens')}`;
  const at = (value: number): string => `${clamp(value / Math.max(high, used, 1e-9), 0, 1) * 100}%`;
  const left = minutes === undefined ? '' : l10n.t('{0} left', figures.minutes(minutes));
  const title = l10n.t('In total {0} to {1}, most likely {2}', amount(low), amount(high), amount(likely));
  return (
    <div class="forecast" title={title + tokens}>
      <dt>{l10n.t('Forecast')}</dt>
      <dd>
        {amount(likely)}
        <span class="dim">
          {` (${amount(low)}–${amount(high)})${tokens}`}
          {left !== '' && ` · ${left}`}
        </span>
        <span class="meter band" aria-hidden="true">
          <span class="likely-band" style={{ left: at(low), right: `calc(100% - ${at(high)})` }} />
          <span class="used" style={{ width: at(used) }} />
          <span class="likely" style={{ left: at(likely) }} />
        </span>
      </dd>
    </div>
  );
}
