import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Bar, barsIn, type CallAxis, lanesOf, ticksIn } from '../../src/drawing/call-bars.ts';
import { clamp } from '../../src/drawing/geometry.ts';
import { IconButton } from '../bars/icon-button.tsx';
import { useWidth } from '../bars/timeline.tsx';
import { fateOf, type ShownCall } from '../state/calls.ts';
import { figures } from '../state/figures.ts';
import { l10n } from '../state/l10n.ts';
import type { PanelStore } from '../state/panel-store.ts';
import { momentText, outcomeText, purposeText, short, timeText, titled } from '../state/texts.ts';

/** The height of a lane and of the axis above them, and room beside the first and last call, in pixels. */
const LANE = 22;
const AXIS = 24;
const PAD = 8;
/** Between two labels of the axis, in pixels. */
const LABEL = 100;
/** From this length on, the axis is labelled with days, in milliseconds; they take more room. */
const DAYS = 86_400_000;
const DAY_LABEL = 190;
/** Room for the buttons at the end of the axis, in pixels. */
const BUTTONS = 90;
/** A bar that is so wide has words in it, in pixels. */
const WORDS = 36;
/** A pause that is less wide is not drawn: there may be one after each call. */
const LEAST_PAUSE = 2;
/** More pixels than a second ever needs, and than a browser scrolls over. */
const MOST_SCALE = 2;
const MOST_WIDTH = 8_000_000;
const ZOOM = 1.6;

interface Props {
  readonly store: PanelStore;
  readonly shown: readonly ShownCall[];
  readonly axis: CallAxis;
  readonly now: number;
  readonly colours: ReadonlyMap<string, number>;
}

/** Draws a bar for each call in the lane of its slot: those in sight, and those that are too short to be seen together. */
export function CallLanes({ store, shown, axis, now, colours }: Props): VNode {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const [seen, setSeen] = useState({ left: 0, top: 0 });
  const [zoom, setZoom] = useState({ factor: 1, at: 0, x: 0 });
  const lanes = useMemo(() => {
    const lanes: number[][] = [];
    for (const [place, lane] of lanesOf(shown).entries()) {
      lanes[lane] ??= [];
      lanes[lane].push(place);
    }
    return lanes;
  }, [shown]);
  const room = Math.max(1, width - 2 * PAD);
  const most = Math.max(1, Math.min(MOST_WIDTH / room, (MOST_SCALE * axis.length) / room));
  const scale = (room / axis.length) * clamp(zoom.factor, 1, most);
  const xOf = (place: number): readonly [number, number] => {
    const { start, end = now } = shown[place] as ShownCall;
    return [PAD + axis.at(start) * scale, PAD + axis.at(Math.max(start, end)) * scale];
  };
  /** Keeps what is at a place of the window where it is. */
  const zoomBy = (factor: number, x = width / 2): void => {
    const at = ((box.current?.scrollLeft ?? 0) + x - PAD) / scale;
    setZoom({ factor: clamp(zoom.factor * factor, 1, most), at, x });
  };
  useLayoutEffect(() => {
    if (box.current) box.current.scrollLeft = zoom.at * scale + PAD - zoom.x;
  }, [zoom]);
  const { chosen } = store.calls;
  useEffect(() => {
    const place = shown.findIndex(({ id }) => id === chosen.value?.id);
    if (place < 0 || !box.current) return;
    const [x, end] = xOf(place);
    bringInto(box.current, [x, end], lanes.findIndex((lane) => lane.includes(place)) * LANE);
  }, [chosen.value?.id]);
  useWheelZoom(box, zoomBy);
  const onClick = (bar: Bar): void => {
    const [first] = bar.calls.map((place) => shown[place]);
    if (bar.calls.length === 1 && first) {
      store.calls.choose(first);
      return;
    }
    const factor = clamp((zoom.factor * room) / (2 * bar.width), 1, most);
    setZoom({ factor, at: (bar.x + bar.width / 2 - PAD) / scale, x: width / 2 });
  };
  const isLong = axis.length > DAYS;
  const sight = [seen.left, seen.left + width] as const;
  const labels = [sight[0] / scale, (sight[1] - BUTTONS - LABEL) / scale] as const;
  const isInSight = ({ at, length }: { readonly at: number; readonly length: number }): boolean =>
    length * scale >= LEAST_PAUSE && (at + length) * scale >= sight[0] && at * scale <= sight[1];
  const height = box.current?.clientHeight ?? 0;
  const inSight = [...lanes.entries()].filter(
    ([lane]) => lane * LANE <= seen.top + Math.max(height, 800) && (lane + 2) * LANE >= seen.top,
  );
  return (
    <div class="call-lanes-box">
      <section
        ref={box}
        class="call-lanes"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled, and gone through, by keys
        tabIndex={0}
        aria-label={l10n.t('Calls in time: the table has the same in words')}
        onScroll={({ currentTarget: { scrollLeft: left, scrollTop: top } }) => setSeen({ left, top })}
      >
        <div
          aria-hidden="true"
          style={{ width: `${2 * PAD + axis.length * scale}px`, height: `${AXIS + lanes.length * LANE}px` }}
        >
          <div class="call-axis">
            {ticksIn(labels, (isLong ? DAY_LABEL : LABEL) / scale).map((at) => (
              <span key={at} style={{ left: `${PAD + at * scale}px` }}>
                {isLong ? momentText(axis.timeAt(at)) : timeText(axis.timeAt(at))}
              </span>
            ))}
          </div>
          {axis.pauses.filter(isInSight).map(({ at, length, ms }) => (
            <span
              key={at}
              class="call-pause"
              title={l10n.t('paused {0}', figures.duration(ms))}
              style={{
                left: `${PAD + at * scale}px`,
                width: `${length * scale}px`,
                height: `${lanes.length * LANE}px`,
              }}
            />
          ))}
          {inSight.flatMap(([lane, places]) =>
            barsIn(places, xOf, sight).map((bar) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: keys go through the calls, whatever is drawn of them
              // biome-ignore lint/a11y/noStaticElementInteractions: the table has the same as text
              <div
                key={`${lane} ${bar.calls[0]}`}
                class={lookOf(bar, shown, colours, chosen.value?.id)}
                title={titleOf(bar, shown, store)}
                style={{ left: `${bar.x}px`, width: `${bar.width}px`, top: `${AXIS + lane * LANE}px` }}
                onClick={() => onClick(bar)}
              >
                {bar.width >= WORDS && wordsIn(bar, shown, store)}
              </div>
            )),
          )}
        </div>
      </section>
      <div class="float controls" role="toolbar" aria-label={l10n.t('Zoom')}>
        <IconButton name="minus" label={l10n.t('Zoom out')} onClick={() => zoomBy(1 / ZOOM)} />
        <IconButton name="plus" label={l10n.t('Zoom in')} onClick={() => zoomBy(ZOOM)} />
        <IconButton name="fit" label={l10n.t('Show everything')} onClick={() => setZoom({ factor: 1, at: 0, x: 0 })} />
      </div>
    </div>
  );
}

/** Scrolls no further than needed. */
function bringInto(box: HTMLElement, [x, end]: readonly [number, number], top: number): void {
  const { scrollLeft, scrollTop, clientWidth, clientHeight } = box;
  if (x < scrollLeft || end > scrollLeft + clientWidth) box.scrollLeft = x - clientWidth / 4;
  if (top < scrollTop) box.scrollTop = top;
  else if (top + LANE + AXIS > scrollTop + clientHeight) box.scrollTop = top + LANE + AXIS - clientHeight;
}

/** Zooms by the wheel with Ctrl or by two fingers, where the pointer is. */
function useWheelZoom(
  box: { readonly current: HTMLElement | null },
  zoomBy: (factor: number, x: number) => void,
): void {
  const latest = useRef(zoomBy);
  latest.current = zoomBy;
  useEffect(() => {
    const element = box.current;
    const onWheel = (event: WheelEvent): void => {
      if (!element || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      latest.current(
        Math.exp(-clamp(event.deltaY, -100, 100) / 200),
        event.clientX - element.getBoundingClientRect().left,
      );
    };
    element?.addEventListener('wheel', onWheel, { passive: false });
    return () => element?.removeEventListener('wheel', onWheel);
  }, [box]);
}

function lookOf(
  { calls }: Bar,
  shown: readonly ShownCall[],
  colours: ReadonlyMap<string, number>,
  chosen: number | undefined,
): string {
  const all = calls.map((place) => shown[place] as ShownCall);
  const [first] = all as [ShownCall];
  const fate = all.map(fateOf).find((each) => each !== 'ok') ?? 'ok';
  const isOne = all.every(({ purpose }) => purpose === first.purpose);
  return [
    'call-bar',
    `colour-${isOne ? colours.get(first.purpose) : 'several'}`,
    fate,
    ...(all.some(({ attempt }) => attempt > 1) ? ['repeated'] : []),
    ...(all.some(({ id }) => id === chosen) ? ['chosen'] : []),
  ].join(' ');
}

function wordsIn({ calls }: Bar, shown: readonly ShownCall[], store: PanelStore): string {
  if (calls.length > 1) return l10n.t('{0} calls', calls.length);
  const { purpose, node } = shown[calls[0] as number] as ShownCall;
  return `${short(purposeText(store.search.value?.words, purpose), 60)} · ${titleAt(store, node)}`;
}

function titleOf(bar: Bar, shown: readonly ShownCall[], store: PanelStore): string {
  if (bar.calls.length > 1) return l10n.t('{0} calls, too short to be drawn each: click to zoom in', bar.calls.length);
  const { outcome, attempt, ms, model } = shown[bar.calls[0] as number] as ShownCall;
  const again = attempt > 1 ? [l10n.t('attempt {0}', attempt)] : [];
  const took = ms === undefined ? [] : [figures.duration(ms)];
  return [wordsIn(bar, shown, store), short(model, 100), outcomeText(outcome), ...again, ...took].join('\n');
}

/** Returns what a node is called; one that is gone, by its path. */
export function titleAt(store: PanelStore, path: string): string {
  const node = store.tree.get(path);
  return node ? titled(node.data.title, 120) : short(path, 120);
}
