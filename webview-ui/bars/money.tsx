import type { VNode } from 'preact';
import type { GraphForecast, GraphLimit, GraphSearch } from '../../src/protocol/graph-node.ts';
import { Popover } from '../parts/popover.tsx';
import { figures } from '../state/figures.ts';
import { l10n, said } from '../state/l10n.ts';
import { short } from '../state/texts.ts';
import { Forecast } from './forecast.tsx';
import { Meter, Strip } from './meter.tsx';

/** Draws what the search has cost, as short as possible; its limits, its forecast and the rest when it is looked at. */
export function Money({ search }: { readonly search: GraphSearch }): VNode {
  const watched = search.guards.filter((guard) => isWatched(guard, search));
  const [tightest] = watched.toSorted((a, b) => share(b) - share(a));
  const spent = briefText(search);
  const face = (
    <>
      <span aria-hidden="true">{spent}</span>
      {tightest && <Strip share={share(tightest)} isLimit={isGoingOn(search)} />}
    </>
  );
  return (
    <Popover label={l10n.t('Cost and limits: {0}', spent)} class="button icon-only money" face={face} isDetails>
      {() => <Figures search={search} />}
    </Popover>
  );
}

/** A limit that is nearly reached is of no concern once a search is finished. */
function isGoingOn({ state }: GraphSearch): boolean {
  return state !== 'finished';
}

function Figures({ search }: { readonly search: GraphSearch }): VNode {
  const { worked, size, guards, forecast, model } = search;
  return (
    <dl class="figures">
      <Meter
        label={said(search.words.label)}
        text={size === null ? String(worked) : l10n.t('{0} of {1}', worked, size)}
        share={size === null ? undefined : worked / size}
        title={l10n.t('Worked on, out of what the size allows')}
      />
      <Spent search={search} />
      {guards.length === 0 && (
        <Meter
          label={l10n.t('Budget')}
          text={l10n.t('no limit')}
          share={undefined}
          title={l10n.t('This search is limited only by its size')}
        />
      )}
      {guards.map((guard, index) => (
        <Meter
          key={guard.name}
          label={index === 0 ? l10n.t('Budget') : ''}
          text={isWatched(guard, search) ? guardText(guard) : unwatchedText(guard)}
          share={isWatched(guard, search) ? share(guard) : undefined}
          title={
            isWatched(guard, search)
              ? l10n.t('The search pauses when this is used up')
              : l10n.t('The other limits count. The setting thoughtTree.prices can tell what its model costs.')
          }
          isLimit={isGoingOn(search)}
        />
      ))}
      {forecast && <Forecast forecast={forecast} used={usedOf(search, forecast)} />}
      {model !== '' && (
        <div>
          <dt>{l10n.t('Model')}</dt>
          <dd dir="ltr">{short(model)}</dd>
        </div>
      )}
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

/** Draws what counts against the limits for calls that were cut off, and may not have been used. */
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

/** Dollars where a price is known, else tokens. */
function briefText(search: GraphSearch): string {
  const { tokens, booked, usdComplete } = search;
  const usd = usdOf(search);
  if (usd > 0) return usdComplete ? figures.usd(usd) : `≥ ${figures.usd(usd)}`;
  return l10n.t('{0} tokens', figures.count(tokens - (booked?.tokens ?? 0)));
}

/** Returns what was spent for sure, in dollars. */
export function moneyText(search: GraphSearch): string {
  const usd = usdOf(search);
  if (search.usdComplete) return figures.usd(usd);
  return usd > 0 ? l10n.t('at least {0}', figures.usd(usd)) : l10n.t('price unknown');
}

/** Returns what was used for sure. */
function usdOf({ usd, booked }: GraphSearch): number {
  return Math.max(0, usd - (booked?.usd ?? 0));
}

function usedOf({ usd, tokens }: GraphSearch, { unit }: GraphForecast): number {
  return unit === 'usd' ? usd : tokens;
}

function share({ used, limit }: GraphLimit): number {
  return limit === 0 ? 1 : used / limit;
}

/** Tells whether a limit holds: nobody can add up dollars of a model whose price is unknown. */
function isWatched({ name }: GraphLimit, { usdComplete }: GraphSearch): boolean {
  return name !== 'usd' || usdComplete;
}

function unwatchedText({ used, limit }: GraphLimit): string {
  const most = figures.usd(limit);
  if (used > 0) return l10n.t('at least {0} of {1}: not every price is known', figures.usd(used), most);
  return l10n.t('{0} cannot be watched: price unknown', most);
}

function guardText({ name, used, limit }: GraphLimit): string {
  if (name === 'usd') return l10n.t('{0} of {1}', figures.usd(used), figures.usd(limit));
  const [now, most] = [figures.count(Math.round(used)), figures.count(limit)];
  if (name === 'calls') return l10n.t('{0} of {1} calls', now, most);
  return name === 'tokens' ? l10n.t('{0} of {1} tokens', now, most) : l10n.t('{0} of {1} minutes', now, most);
}
