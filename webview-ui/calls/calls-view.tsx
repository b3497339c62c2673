import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { CallAxis } from '../../src/drawing/call-bars.ts';
import { Icon } from '../bars/icons.tsx';
import { moneyText } from '../bars/money.tsx';
import { fateOf, type ShownCall } from '../state/calls.ts';
import { figures } from '../state/figures.ts';
import { l10n } from '../state/l10n.ts';
import type { PanelStore } from '../state/panel-store.ts';
import { purposeText, short } from '../state/texts.ts';
import { CallLanes } from './call-lanes.tsx';
import { CallTable } from './call-table.tsx';

/** Purposes that have a colour of their own; the others share one. */
const COLOURS = 5;
/** While calls are under way, their bars grow so often, in milliseconds. */
const GROW_MS = 1000;
/** Calls that a page key passes. */
const PAGE = 10;

interface Props {
  readonly store: PanelStore;
}

/** Draws the two tabs of the panel: the tree, and the calls in time. */
export function Tabs({ store }: Props): VNode | null {
  const { calls } = store;
  if (!store.past.isOffered) return null;
  const tab = (isCalls: boolean, label: string): VNode => {
    const isOn = calls.isOpen.value === isCalls;
    return (
      <button
        type="button"
        role="tab"
        class="tab"
        aria-selected={isOn}
        aria-label={label}
        title={label}
        tabIndex={isOn ? 0 : -1}
        onClick={() => calls.show(isCalls)}
      >
        <Icon name={isCalls ? 'calls' : 'tree'} />
        <span class="word">{label}</span>
      </button>
    );
  };
  const onKeyDown = (event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    event.preventDefault();
    calls.show(!calls.isOpen.value);
    const [tree, other] = event.currentTarget.querySelectorAll('button');
    (calls.isOpen.value ? other : tree)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={l10n.t('View')} onKeyDown={onKeyDown}>
      {tab(false, l10n.t('Tree'))}
      {tab(true, l10n.t('Calls'))}
    </div>
  );
}

/** Draws the calls of the search in time, below lines that say what is shown: their sum, a bar for each, and the same as a table. */
export function CallsView({ store, children }: Props & { readonly children: ComponentChildren }): VNode {
  const shown = store.calls.shown.value;
  const now = useNow(store, shown?.some((call) => fateOf(call) === 'running') === true);
  const axis = useMemo(() => new CallAxis(shown ?? [], now), [shown, now]);
  const colours = useMemo(() => coloursOf(shown ?? []), [shown]);
  return (
    <div class="calls-view" role="tabpanel" aria-label={l10n.t('Calls')} onKeyDown={(event) => walk(event, store)}>
      <div class="top-floats">{children}</div>
      {shown && shown.length > 0 ? (
        <>
          <Sum store={store} shown={shown} />
          <Legend store={store} shown={shown} colours={colours} />
          <CallLanes store={store} shown={shown} axis={axis} now={now} colours={colours} />
          <CallTable store={store} shown={shown} colours={colours} />
        </>
      ) : (
        <p class="no-calls" role="status">
          {shown ? l10n.t('There is no call to a model yet.') : l10n.t('Reading the calls…')}
        </p>
      )}
    </div>
  );
}

/** Returns where calls under way end in the drawing, in milliseconds since 1970. */
function useNow({ past }: PanelStore, isRunning: boolean): number {
  const moment = past.moment.value?.time;
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isRunning || moment !== undefined) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), GROW_MS);
    return () => clearInterval(timer);
  }, [isRunning, moment]);
  return moment ?? now;
}

/** Returns the colour of each purpose, by its number: in the order in which they were first needed. */
function coloursOf(shown: readonly ShownCall[]): ReadonlyMap<string, number> {
  const purposes = [...new Set(shown.map(({ purpose }) => purpose))];
  return new Map(purposes.map((purpose, index) => [purpose, Math.min(index, COLOURS)]));
}

interface ShownProps extends Props {
  readonly shown: readonly ShownCall[];
}

/** Says how many they are, what they took, and how much of what was sent came from a cache. */
function Sum({ store, shown }: ShownProps): VNode | null {
  const search = store.search.value;
  if (!search) return null;
  const before = store.calls.before.value;
  const count = before + shown.length;
  const { tokens, booked, prompt, cached, minutes } = search;
  const parts = [
    count === 1 ? l10n.t('1 call') : l10n.t('{0} calls', figures.count(count)),
    l10n.t('{0} tokens', figures.count(tokens - (booked?.tokens ?? 0))),
    moneyText(search),
    ...(prompt > 0 ? [l10n.t('{0} of what was sent came from a cache', figures.percent(cached / prompt))] : []),
    figures.minutes(minutes),
    ...(before > 0 ? [l10n.t('only the latest {0} are shown', figures.count(shown.length))] : []),
  ];
  return <p class="calls-sum">{parts.join(' · ')}</p>;
}

function Legend({ store, shown, colours }: ShownProps & { readonly colours: ReadonlyMap<string, number> }): VNode {
  const { words } = store.search.value ?? {};
  const fates = new Set(shown.map(fateOf));
  const item = (look: string, text: string): VNode => (
    <li key={text}>
      <span class={`call-bar ${look}`} aria-hidden="true" /> {text}
    </li>
  );
  return (
    <ul class="call-legend" aria-label={l10n.t('Legend')}>
      {[...colours].map(([purpose, colour]) => item(`colour-${colour}`, short(purposeText(words, purpose), 60)))}
      {shown.some(({ attempt }) => attempt > 1) && item('repeated', l10n.t('repeated'))}
      {fates.has('failed') && item('failed', l10n.t('failed'))}
      {fates.has('cut') && item('cut', l10n.t('cut off'))}
      {fates.has('running') && item('running', l10n.t('under way'))}
    </ul>
  );
}

/** Goes from call to call by a key. */
function walk(event: KeyboardEvent, { calls }: PanelStore): void {
  const { key, ctrlKey, metaKey, altKey, target } = event;
  if (ctrlKey || metaKey || altKey || (target as HTMLElement).closest('button')) return;
  if (key === 'ArrowDown' || key === 'ArrowRight') calls.step(1);
  else if (key === 'ArrowUp' || key === 'ArrowLeft') calls.step(-1);
  else if (key === 'PageDown') calls.step(PAGE);
  else if (key === 'PageUp') calls.step(-PAGE);
  else if (key === 'Home') calls.step(Number.NEGATIVE_INFINITY);
  else if (key === 'End') calls.step(Number.POSITIVE_INFINITY);
  else if (key === 'Enter' && calls.chosen.value) document.querySelector<HTMLElement>('.chosen-call h3')?.focus();
  else return;
  event.preventDefault();
}
