import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { clamp } from '../../src/drawing/geometry.ts';
import { type GraphTimeline, MARK_KINDS, type MarkKind } from '../../src/protocol/graph-timeline.ts';
import { figures } from '../state/figures.ts';
import { l10n } from '../state/l10n.ts';
import type { PanelStore } from '../state/panel-store.ts';
import { momentText, short, timeText } from '../state/texts.ts';
import { IconButton } from './icon-button.tsx';

/** The height of a lane, and of a mark in it, in pixels. */
const LANE = 16;
const MARK = 10;
/** Room beside the first and the last event, in pixels. */
const PAD = 8;
/** A pointer that is so near to a mark means it, in pixels. */
const NEAR = 5;
/** Room for a label below the lanes, in pixels. */
const LABEL = 130;

interface Props {
  readonly store: PanelStore;
  readonly onClose: () => void;
}

/** Draws what happened to the search, a lane for each kind of event, and the handle that leads through it. */
export function Timeline({ store, onClose }: Props): VNode | null {
  const { past } = store;
  if (!past.isOpen.value) return null;
  const timeline = past.timeline.value;
  const close = (): void => {
    past.close();
    onClose();
  };
  return (
    <section class="timeline" aria-label={l10n.t('Timeline')}>
      <div class="timeline-head">
        <IconButton name="left" label={l10n.t('Previous event')} onClick={() => past.step(-1)} />
        <IconButton name="right" label={l10n.t('Next event')} onClick={() => past.step(1)} />
        <Said store={store} />
        <Fork store={store} />
        <IconButton name="close" label={l10n.t('Close the timeline')} onClick={close} />
      </div>
      {timeline ? (
        <Lanes store={store} timeline={timeline} />
      ) : (
        <p class="dim" role="status">
          {l10n.t('Reading what happened…')}
        </p>
      )}
    </section>
  );
}

/** Draws what happened at the moment that is shown. */
function Said({ store }: { readonly store: PanelStore }): VNode {
  const moment = store.past.moment.value;
  const said = moment
    ? moment.said || l10n.t('Nothing worth a word had happened yet.')
    : l10n.t('This is now. Go through what happened by the arrow keys, or click.');
  return (
    <p class={moment ? 'timeline-said' : 'timeline-said dim'} dir="auto" title={short(said, 1000)}>
      {moment && <time dateTime={new Date(moment.time).toISOString()}>{momentText(moment.time)}</time>}
      {short(said)}
    </p>
  );
}

function Fork({ store }: { readonly store: PanelStore }): VNode {
  const { past } = store;
  const noFork = past.timeline.value?.noFork;
  const why = noFork ?? (past.moment.value ? undefined : l10n.t('Go to a moment first.'));
  const title = why ?? l10n.t('Make a search of its own that goes on from this moment');
  return (
    <button type="button" class="button" disabled={why !== undefined} title={title} onClick={() => past.fork()}>
      {l10n.t('Fork from here')}
    </button>
  );
}

const KIND_NAMES: Readonly<Record<MarkKind, string>> = {
  result: l10n.t('Results'),
  score: l10n.t('Scores'),
  pruned: l10n.t('Pruned'),
  money: l10n.t('Spending'),
  act: l10n.t('Acts'),
  failure: l10n.t('Failures'),
  run: l10n.t('Runs'),
};

interface LanesProps {
  readonly store: PanelStore;
  readonly timeline: GraphTimeline;
}

function Lanes({ store, timeline }: LanesProps): VNode {
  const { kind } = store.past;
  const kinds = MARK_KINDS.filter((each) => timeline.counts[each] !== undefined);
  if (timeline.last.seq === 0) return <p class="dim">{l10n.t('Nothing has happened yet.')}</p>;
  const toggle = (each: MarkKind): void => {
    kind.value = kind.value === each ? undefined : each;
  };
  return (
    <div class="timeline-lanes">
      <fieldset class="lane-names" aria-label={l10n.t('Kinds of events')}>
        {kinds.map((each) => {
          const count = figures.count(timeline.counts[each] ?? 0);
          return (
            <button
              key={each}
              type="button"
              class={`lane-name kind-${each}`}
              aria-pressed={kind.value === each}
              title={l10n.t('Steps lead to this kind only')}
              onClick={() => toggle(each)}
            >
              <span>{KIND_NAMES[each]}</span> <span class="dim">{count}</span>
            </button>
          );
        })}
      </fieldset>
      <Track store={store} timeline={timeline} kinds={kinds} />
    </div>
  );
}

/** Draws the marks, as many as there are pixels for, and the handle over them. */
function Track({ store, timeline, kinds }: LanesProps & { readonly kinds: readonly MarkKind[] }): VNode {
  const { past } = store;
  const track = useRef<HTMLDivElement>(null);
  const width = useWidth(track);
  const { first, last } = timeline;
  const room = Math.max(1, width - 2 * PAD);
  const xOf = (at: number): number => PAD + (room * at) / Math.max(1, last.at);
  const atOf = (x: number): number => Math.round((clamp(x - PAD, 0, room) / room) * last.at);
  const moment = past.moment.value;
  /** Returns the event that a point of the track means: a mark that is near, else what is there; nothing for now. */
  const markAt = (x: number, y: number) => {
    const near = past.nearest(atOf(x), past.kind.value ?? kinds[Math.floor(y / LANE)]);
    return near && Math.abs(xOf(near.at) - x) <= NEAR ? near : undefined;
  };
  const seek = (event: PointerEvent & { readonly currentTarget: HTMLElement }): void => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    const [x, y] = [event.clientX - left, event.clientY - top];
    const mark = markAt(x, y);
    if (mark) past.seek({ seq: mark.seq }, mark.at);
    else if (x >= width - PAD) past.toNow();
    else past.seek({ at: atOf(x) }, atOf(x));
  };
  const move = (event: PointerEvent & { readonly currentTarget: HTMLElement }): void => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) {
      seek(event);
      return;
    }
    const { left, top } = event.currentTarget.getBoundingClientRect();
    const mark = markAt(event.clientX - left, event.clientY - top);
    event.currentTarget.title = mark ? `${KIND_NAMES[mark.kind]}, ${momentText(mark.time)}` : '';
  };
  const press = (event: PointerEvent & { readonly currentTarget: HTMLElement }): void => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    seek(event);
  };
  const height = kinds.length * LANE;
  return (
    <div class="track-place">
      <div
        ref={track}
        class="track"
        role="slider"
        tabIndex={0}
        aria-label={l10n.t('Moment')}
        aria-valuemin={first.seq}
        aria-valuemax={last.seq}
        aria-valuenow={moment?.seq ?? last.seq}
        aria-valuetext={moment ? `${momentText(moment.time)}: ${short(moment.said)}` : l10n.t('Now')}
        style={{ height: `${height}px` }}
        onPointerDown={press}
        onPointerMove={move}
        onKeyDown={(event) => slide(event, store)}
      >
        <svg width={width} height={height} aria-hidden="true">
          {timeline.pauses.map(({ at }) => (
            <path key={at} class="pause" d={`M${xOf(at).toFixed(1)} 0V${height}`} />
          ))}
          {kinds.map((kind, lane) => (
            <path
              key={kind}
              class={past.kind.value === undefined || past.kind.value === kind ? `kind-${kind}` : `kind-${kind} other`}
              d={marksPath(timeline, kind, lane, xOf)}
            />
          ))}
        </svg>
        <span class={moment ? 'handle' : 'handle now'} style={{ left: `${xOf(past.place.value)}px` }} />
      </div>
      <Axis timeline={timeline} xOf={xOf} width={width} />
    </div>
  );
}

/** A mark for each pixel that has an event of a kind. */
function marksPath({ marks }: GraphTimeline, kind: MarkKind, lane: number, xOf: (at: number) => number): string {
  const pixels = new Set<number>();
  for (const mark of marks) if (mark.kind === kind) pixels.add(Math.round(xOf(mark.at)));
  const top = lane * LANE + (LANE - MARK) / 2;
  return Array.from(pixels, (x) => `M${x} ${top}v${MARK}`).join('');
}

/** Draws when it began, long pauses, and the last event. */
function Axis({
  timeline,
  xOf,
  width,
}: {
  readonly timeline: GraphTimeline;
  readonly xOf: (at: number) => number;
  readonly width: number;
}): VNode {
  const { first, last, pauses } = timeline;
  const labels: { readonly x: number; readonly text: string }[] = [];
  for (const { at, ms } of pauses.toSorted((a, b) => a.at - b.at)) {
    const x = xOf(at);
    const before = labels.at(-1)?.x ?? LABEL / 2;
    if (x - before >= LABEL && width - x >= 1.5 * LABEL)
      labels.push({ x, text: l10n.t('paused {0}', figures.duration(ms)) });
  }
  return (
    <div class="axis" aria-hidden="true">
      <span>{momentText(first.time)}</span>
      {labels.map(({ x, text }) => (
        <span key={x} class="pause-label" style={{ left: `${x}px` }}>
          {text}
        </span>
      ))}
      <span>{isSameDay(first.time, last.time) ? timeText(last.time) : momentText(last.time)}</span>
    </div>
  );
}

function isSameDay(a: number, b: number): boolean {
  return new Date(a).toDateString() === new Date(b).toDateString();
}

/** Moves the handle by a key. */
function slide(event: KeyboardEvent, { past }: PanelStore): void {
  const { key, ctrlKey, metaKey, altKey } = event;
  if (ctrlKey || metaKey || altKey) return;
  if (key === 'ArrowRight' || key === 'ArrowUp') past.step(1);
  else if (key === 'ArrowLeft' || key === 'ArrowDown') past.step(-1);
  else if (key === 'PageUp') past.stepFar(1);
  else if (key === 'PageDown') past.stepFar(-1);
  else if (key === 'Home') past.toFirst();
  else if (key === 'End' || (key === 'Escape' && past.moment.value)) past.toNow();
  else return;
  event.preventDefault();
}

/** Returns how wide an element is, in pixels; 0 before it is drawn. */
export function useWidth(of: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => setWidth(of.current?.clientWidth ?? 0), [of]);
  useEffect(() => {
    const element = of.current;
    if (!element) return undefined;
    const size = new ResizeObserver(() => setWidth(element.clientWidth));
    size.observe(element);
    return () => size.disconnect();
  }, [of]);
  return width;
}
