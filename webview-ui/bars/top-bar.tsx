import type { VNode } from 'preact';
import type { GraphForecast, GraphGuard, GraphSearch, GraphSlot } from '../../src/protocol/graph-node.ts';
import { figures } from '../state/figures.ts';
import { l10n, said } from '../state/l10n.ts';
import type { PanelStore } from '../state/panel-store.ts';
import { purposeText, short, stateWord } from '../state/texts.ts';
import { Forecast } from './forecast.tsx';
import { Icon, type IconName } from './icons.tsx';
import { Meter } from './meter.tsx';

const BUTTONS: readonly (readonly [string, IconName])[] = [
  ['pause', 'pause'],
  ['resume', 'resume'],
  ['finish', 'finish'],
  ['grow', 'grow'],
  ['openReport', 'report'],
  ['note', 'note'],
];

/** The search as a whole: its subject, progress, cost and actions. */
export function TopBar({ store }: { readonly store: PanelStore }): VNode | null {
  const search = store.search.value;
  if (!search) return null;
  return (
    <header class="top-bar">
      <div class="about">
        <h1 dir="auto" title={short(search.question, 1000)}>
          {short(search.title)}
        </h1>
        <State search={search} />
      </div>
      <Figures search={search} />
      <div class="doing">
        <Slots store={store} search={search} />
        <Buttons store={store} search={search} />
      </div>
    </header>
  );
}

function State({ search: { state, reason } }: { readonly search: GraphSearch }): VNode {
  return (
    <p class="state-line">
      <span class={`state ${state}`}>{stateWord(state)}</span>
      {reason !== '' && (
        <span class="reason" dir="auto" title={short(reason, 1000)}>
          {short(reason)}
        </span>
      )}
    </p>
  );
}

function Figures({ search }: { readonly search: GraphSearch }): VNode {
  const { worked, size, guards, forecast } = search;
  const tightest = guards.toSorted((a, b) => share(b) - share(a))[0];
  return (
    <dl class="figures">
      <Meter
        label={said(search.words.label)}
        text={size === null ? String(worked) : l10n.t('{0} of {1}', worked, size)}
        share={size === null ? undefined : worked / size}
        title={l10n.t('Worked on, out of what the size allows')}
      />
      <Meter
        label={l10n.t('Budget')}
        text={tightest ? guardText(tightest) : l10n.t('no limit')}
        share={tightest && share(tightest)}
        title={guards.map(guardText).join('\n') || l10n.t('This search is limited only by its size')}
      />
      <Spent search={search} />
      {forecast && <Forecast forecast={forecast} used={usedOf(search, forecast)} />}
    </dl>
  );
}

function Spent({ search }: { readonly search: GraphSearch }): VNode {
  const { tokens: all, cached, calls, booked } = search;
  const tokens = all - (booked?.tokens ?? 0);
  return (
    <div title={l10n.t('{0} calls, {1} tokens, {2} of them cached', calls, tokens, cached)}>
      <dt>{l10n.t('Spent')}</dt>
      <dd>
        {moneyText(search)}
        <span class="dim"> · {l10n.t('{0} tokens', figures.count(tokens))}</span>
        {cached > 0 && (
          <span class="dim"> · {l10n.t('{0} cached', figures.percent(cached / Math.max(1, tokens)))}</span>
        )}
        {booked && <BookedOnly booked={booked} />}
      </dd>
    </div>
  );
}

/** What counts against the limits for calls that were cut off, and may not have been used. */
function BookedOnly({ booked }: { readonly booked: NonNullable<GraphSearch['booked']> }): VNode {
  const { calls, tokens, usd } = booked;
  const most = l10n.t('{0} tokens', figures.count(tokens)) + (usd > 0 ? `, ${figures.usd(usd)}` : '');
  return (
    <span class="dim booked" title={l10n.t('Counted for {0} calls that did not end or whose use was not told', calls)}>
      {' '}
      · {l10n.t('up to {0} more', most)}
    </span>
  );
}

function moneyText({ usd: all, usdComplete, booked }: GraphSearch): string {
  const usd = Math.max(0, all - (booked?.usd ?? 0));
  if (usdComplete) return figures.usd(usd);
  return usd > 0 ? l10n.t('at least {0}', figures.usd(usd)) : l10n.t('price unknown');
}

function usedOf({ usd, tokens }: GraphSearch, { unit }: GraphForecast): number {
  return unit === 'usd' ? usd : tokens;
}

function share({ used, limit }: GraphGuard): number {
  return limit === 0 ? 1 : used / limit;
}

function guardText({ name, used, limit }: GraphGuard): string {
  if (name === 'usd') return l10n.t('{0} of {1}', figures.usd(used), figures.usd(limit));
  const [now, most] = [figures.count(Math.round(used)), figures.count(limit)];
  if (name === 'calls') return l10n.t('{0} of {1} calls', now, most);
  return name === 'tokens' ? l10n.t('{0} of {1} tokens', now, most) : l10n.t('{0} of {1} minutes', now, most);
}

function Buttons({ store, search }: { readonly store: PanelStore; readonly search: GraphSearch }): VNode {
  return (
    <div class="buttons" role="toolbar" aria-label={l10n.t('Search')}>
      {BUTTONS.map(([action, icon]) => {
        const offered = search.actions.find(({ name }) => name === action);
        return (
          offered && (
            <button key={action} type="button" class="button" onClick={() => store.act(action)}>
              <Icon name={icon} />
              <span>{action === 'note' ? l10n.t('Note…') : offered.title}</span>
            </button>
          )
        );
      })}
    </div>
  );
}

/** What each slot is doing. */
function Slots({ store, search }: { readonly store: PanelStore; readonly search: GraphSearch }): VNode | null {
  if (search.slots.length === 0) return null;
  return (
    <ul class="slots" aria-label={l10n.t('Current work')}>
      {search.slots.map((slot) => (
        <li key={`${slot.node} ${slot.purpose} ${slot.since}`}>
          <button type="button" class="slot" onClick={() => store.reveal(slot.node)} title={slotText(store, slot)}>
            <span class="pulse" aria-hidden="true" />
            <span dir="auto">{short(titleOf(store, slot), 60)}</span>
            <span class="dim"> {purposeText(search.words, slot.purpose)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function titleOf(store: PanelStore, { node }: GraphSlot): string {
  return node === '' ? l10n.t('The search') : (store.tree.get(node)?.data.title ?? node);
}

function slotText(store: PanelStore, slot: GraphSlot): string {
  return `${short(titleOf(store, slot))}: ${purposeText(store.search.value?.words, slot.purpose)}`;
}
