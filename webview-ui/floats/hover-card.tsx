import { effect, useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { ViewNode } from '../../src/drawing/tree-model.ts';
import { StatusIcon } from '../bars/icons.tsx';
import type { Drawing } from '../canvas/tree-canvas.tsx';
import { figures } from '../state/figures.ts';
import { l10n } from '../state/l10n.ts';
import type { PanelStore } from '../state/panel-store.ts';
import { citationsText, marksText, nodesText, short, statusText, titled } from '../state/texts.ts';

/** How long a pointer rests on a node until its card appears; on the next node, once there is a card; in milliseconds. */
const APPEAR_MS = 450;
const NEXT_MS = 150;
/** How long a pointer may be on its way from a node to its card. */
const LEAVE_MS = 250;
/** Between a node and its card, and around the card, in pixels. */
const GAP = 6;

interface Props {
  readonly store: PanelStore;
  readonly drawing: { readonly current: Drawing | null };
}

/**
 * What there is to know of a node in short, next to it: shown while a pointer rests on it, or asked for by a key. It stays
 * while the pointer is on the card, and disappears with Escape and whatever moves the drawing.
 */
export function HoverCard({ store, drawing }: Props): VNode | null {
  const shown = useSignal<string | undefined>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const card = useRef<HTMLDivElement>(null);
  const soon = (ms: number, path: string | undefined): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      shown.value = path;
    }, ms);
  };
  useEffect(() => {
    // At once, not with the next frame: a pointer may be on the card by then.
    const stop = effect(() => {
      const hovered = store.hovered.value;
      if (!hovered) soon(LEAVE_MS, undefined);
      else soon(hovered.isAsked ? 0 : shown.peek() === undefined ? APPEAR_MS : NEXT_MS, hovered.path);
    });
    return () => {
      stop();
      clearTimeout(timer.current);
    };
  }, []);
  useDismissal(card, () => {
    clearTimeout(timer.current);
    const wasShown = shown.value !== undefined;
    shown.value = undefined;
    return wasShown;
  });
  store.version.value; // a node may change while its card is shown
  const node = shown.value === undefined ? undefined : store.tree.get(shown.value);
  const place = node && drawing.current?.placeOf(node.path);
  const isAsked = store.hovered.value?.isAsked === true;
  useLayoutEffect(() => {
    if (card.current && place) putNear(card.current, place);
    if (card.current && isAsked) store.say(linesOf(card.current));
  });
  if (!node || !place) return null;
  return (
    <div
      ref={card}
      class="float hover-card"
      role="tooltip"
      onPointerEnter={() => clearTimeout(timer.current)}
      onPointerLeave={() => soon(LEAVE_MS, undefined)}
    >
      <Content store={store} node={node} />
    </div>
  );
}

function Content({ store, node }: { readonly store: PanelStore; readonly node: ViewNode }): VNode {
  const { data } = node;
  return (
    <>
      <p class="card-title" dir="auto">
        {titled(data.title)}
      </p>
      <p class="card-status">
        <StatusIcon node={data} />
        <span>{node.parent ? statusText(node) : l10n.t('the question')}</span>
        {data.score !== undefined && (
          <span>
            {l10n.t('{0} of 10', figures.score(data.score))}
            {data.confidence !== undefined && (
              <span class="dim"> ({l10n.t('{0} sure', figures.percent(data.confidence))})</span>
            )}
          </span>
        )}
        {store.best.value.has(node.path) && <span>{l10n.t('best path')}</span>}
      </p>
      {data.summary && (
        <p class="card-summary" dir="auto">
          {titled(data.summary)}
        </p>
      )}
      {data.failure && (
        <p class="card-summary failed" dir="auto">
          {short(data.failure)}
        </p>
      )}
      <Facts store={store} node={node} />
    </>
  );
}

/** Draws what is counted. */
function Facts({ store, node }: { readonly store: PanelStore; readonly node: ViewNode }): VNode | null {
  const { data, children, path } = node;
  const rank = store.ranks.value.get(path);
  const facts = [
    ...(data.status === 'pruned' || data.status === 'failed' ? marksText(data.marks) : []),
    data.citations && l10n.t('quotations: {0}', citationsText(data.citations)),
    children.length > 0 && l10n.t('{0} below', nodesText(children.length, store.search.value?.words)),
    rank !== undefined && l10n.t('number {0} in line', rank),
    data.usd !== undefined && figures.usd(data.usd),
    data.tokens !== undefined && l10n.t('{0} tokens', figures.count(data.tokens)),
  ].filter((fact) => typeof fact === 'string' && fact !== '');
  return facts.length === 0 ? null : <p class="card-facts dim">{facts.join(' · ')}</p>;
}

function linesOf(card: HTMLElement): string {
  return [...card.children].map(({ textContent }) => textContent).join(', ');
}

/** Below a node, or above it where there is no room; always within the drawing. */
function putNear(card: HTMLElement, { x, y, height }: NonNullable<ReturnType<Drawing['placeOf']>>): void {
  const room = card.parentElement;
  if (!room) return;
  const below = y + height / 2 + GAP;
  const above = y - height / 2 - GAP - card.offsetHeight;
  const top = below + card.offsetHeight + GAP <= room.clientHeight || above < GAP ? below : above;
  card.style.top = `${Math.max(GAP, Math.min(top, room.clientHeight - card.offsetHeight - GAP))}px`;
  card.style.left = `${Math.max(GAP, Math.min(x, room.clientWidth - card.offsetWidth - GAP))}px`;
}

/** Whatever a person does elsewhere takes the card away; Escape does nothing else then. */
function useDismissal(card: { readonly current: HTMLElement | null }, dismiss: () => boolean): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (['Shift', 'Control', 'Alt', 'Meta'].includes(event.key)) return;
      if (!dismiss() || event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
    };
    const onMove = ({ target }: Event): void => {
      if (!(target instanceof Node && card.current?.contains(target))) dismiss();
    };
    window.addEventListener('keydown', onKeyDown, true);
    window.addEventListener('pointerdown', onMove, true);
    window.addEventListener('wheel', onMove, { capture: true, passive: true });
    return () => {
      window.removeEventListener('keydown', onKeyDown, true);
      window.removeEventListener('pointerdown', onMove, true);
      window.removeEventListener('wheel', onMove, true);
    };
  }, []);
}
