/** A call in time, in milliseconds since 1970; without an end if it is under way. */
export interface Stretch {
  readonly start: number;
  readonly end: number | undefined;
}

/** Two clocks measure when a call ended and when the next one began: so many milliseconds at once are no overlap. */
const SLACK_MS = 20;

/**
 * Returns the lane of each call: the first one that is free when it begins, so that calls at once have lanes of their own.
 * @param calls by their beginnings
 */
export function lanesOf(calls: readonly Stretch[]): number[] {
  // When each lane ends, below it the earliest of every two: the first free one is found in a few steps, however many there are.
  const size = 2 ** Math.ceil(Math.log2(Math.max(2, calls.length)));
  const ends = new Float64Array(2 * size).fill(Number.NEGATIVE_INFINITY);
  const endAt = (at: number): number => ends[at] as number;
  return calls.map(({ start, end = Number.POSITIVE_INFINITY }) => {
    let at = 1;
    while (at < size) at = endAt(2 * at) <= start + SLACK_MS ? 2 * at : 2 * at + 1;
    const lane = at - size;
    ends[at] = Math.max(end, start + 2 * SLACK_MS);
    for (at >>= 1; at > 0; at >>= 1) ends[at] = Math.min(endAt(2 * at), endAt(2 * at + 1));
    return lane;
  });
}

/** Times without calls are drawn no longer than this part of the time with calls, and all of them together than this one. */
const LONGEST_PAUSE = 1 / 20;
const ALL_PAUSES = 1 / 2;

/** A pause that is drawn shorter than it was. */
interface Pause {
  readonly start: number;
  /** Its place on the axis, and its length there and in truth, in milliseconds. */
  readonly at: number;
  readonly length: number;
  readonly ms: number;
}

/** Returns how long each gap may be at most, so that all together are no longer than there is room for. */
function mostEach(gaps: readonly { readonly ms: number }[], room: number): number {
  const sorted = gaps.map(({ ms }) => ms).sort((a, b) => a - b);
  let left = room;
  for (const [index, ms] of sorted.entries()) {
    const more = sorted.length - index;
    if (ms * more > left) return left / more;
    left -= ms;
  }
  return Number.POSITIVE_INFINITY;
}

/** The time of calls as an axis of milliseconds from 0, without most of the long times in which there was none. */
export class CallAxis {
  readonly #first: number;
  readonly length: number;
  readonly pauses: readonly Pause[];

  /** @param calls by their beginnings @param now where those under way end, in milliseconds since 1970 */
  constructor(calls: readonly Stretch[], now: number) {
    this.#first = calls[0]?.start ?? now;
    const gaps: { start: number; ms: number }[] = [];
    let [last, busy] = [this.#first, 0];
    for (const { start, end = now } of calls) {
      if (start > last) gaps.push({ start: last, ms: start - last });
      busy += Math.max(0, end - Math.max(start, last));
      last = Math.max(last, start, end);
    }
    const length = Math.max(1, Math.min(busy * LONGEST_PAUSE, mostEach(gaps, busy * ALL_PAUSES)));
    const pauses: Pause[] = [];
    let less = this.#first;
    for (const { start, ms } of gaps) {
      if (ms <= length) continue;
      pauses.push({ start, at: start - less, length, ms });
      less += ms - length;
    }
    this.pauses = pauses;
    this.length = Math.max(1, last - less);
  }

  /** Returns the place of a time. @param time milliseconds since 1970 */
  at(time: number): number {
    const pause = this.#lastWhere(({ start }) => start <= time);
    if (!pause) return time - this.#first;
    const since = time - pause.start;
    return pause.at + (since < pause.ms ? Math.min(since, pause.length) : since - pause.ms + pause.length);
  }

  /** Returns the time at a place. */
  timeAt(place: number): number {
    const pause = this.#lastWhere(({ at, length }) => at + length <= place);
    return pause ? pause.start + pause.ms + place - pause.at - pause.length : this.#first + place;
  }

  #lastWhere(isBefore: (pause: Pause) => boolean): Pause | undefined {
    let [low, high] = [0, this.pauses.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isBefore(this.pauses[middle] as Pause)) low = middle + 1;
      else high = middle;
    }
    return this.pauses[low - 1];
  }
}

/** A bar of a lane, in pixels: one call, or several that are too short to be seen each. */
export interface Bar {
  readonly x: number;
  readonly width: number;
  /** Places in the list of calls. */
  readonly calls: readonly number[];
}

/** The least width of a bar, in pixels: shorter ones beside each other are one, which is no wider than the most. */
const LEAST = 3;
const MOST = 48;

/**
 * Returns the bars of one lane that lie in a window: at most one for every second pixel of it, however many calls there are.
 * @param places of its calls, in order @param xOf returns where a call begins and ends, in pixels
 */
export function barsIn(
  places: readonly number[],
  xOf: (place: number) => readonly [number, number],
  [from, to]: readonly [number, number],
): Bar[] {
  const bars: { x: number; width: number; calls: number[]; isShort: boolean }[] = [];
  for (const place of places) {
    const [x, end] = xOf(place);
    if (end < from - LEAST || x > to) continue;
    const isShort = end - x < LEAST + 1;
    const before = bars.at(-1);
    if (isShort && before?.isShort && x < before.x + before.width + 1 && end - before.x <= MOST) {
      before.width = Math.max(before.width, end - before.x);
      before.calls.push(place);
    } else bars.push({ x, width: Math.max(LEAST, end - x - 1), calls: [place], isShort });
  }
  return bars;
}

const SECOND = 1000;
const STEPS = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21_600, 86_400, 604_800].map((s) => s * SECOND);

/** Returns where an axis is labelled in a window, in its milliseconds. @param least between two labels */
export function ticksIn([from, to]: readonly [number, number], least: number): number[] {
  const step = STEPS.find((each) => each >= least) ?? least;
  const ticks: number[] = [];
  for (let at = Math.ceil(Math.max(0, from) / step) * step; at <= to; at += step) ticks.push(at);
  return ticks;
}
