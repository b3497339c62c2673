import { batch, computed, type Signal, signal } from '@preact/signals';
import type { GraphSearch } from '../../src/protocol/graph-node.ts';
import type { GraphMark, GraphMoment, GraphTimeline, MarkKind } from '../../src/protocol/graph-timeline.ts';
import type { OpenBranches, ViewMessage, Where } from '../../src/protocol/view-message.ts';
import { l10n } from './l10n.ts';

interface PastPorts {
  /** Whether the host knows what was. */
  readonly isOffered: boolean;
  readonly post: (message: ViewMessage) => void;
  readonly search: Signal<GraphSearch | undefined>;
  /** What is shown of the tree; undefined if that follows from the tree. */
  readonly view: () => OpenBranches | undefined;
  readonly say: (text: string) => void;
  /** Keeps over a reload of the page whether the timeline is open. */
  readonly keep: (isOpen: boolean) => void;
}

/** Steps over several events by one key. */
const PAGE = 10;

/** What happened to the search: the timeline, while it is open, and the moment that is shown. */
export class Past {
  readonly #ports: PastPorts;
  readonly isOpen = signal(false);
  /** Undefined until the host has read it. */
  readonly timeline = signal<GraphTimeline | undefined>(undefined);
  /** The kind of events that steps lead to; undefined for every kind. */
  readonly kind = signal<MarkKind | undefined>(undefined);
  /** The moment that is shown; undefined if that is now. */
  readonly moment = computed(() => this.#ports.search.value?.past ?? undefined);
  /** A slider that has the focus says itself where it is. */
  #isSlider = false;
  /** Where the person wants to be, until that is shown; null for now. */
  readonly #wanted = signal<(Partial<GraphMark> & Pick<Where, 'step'>) | null | undefined>(undefined);
  /** What the host was asked for last. */
  #asked: Where | null | undefined;
  /** Where the handle is, on the axis. */
  readonly place = computed(() => {
    const end = this.timeline.value?.last.at ?? 0;
    const wanted = this.#wanted.value;
    if (wanted === null) return end;
    return Math.min(end, wanted?.at ?? this.moment.value?.at ?? end);
  });

  constructor(ports: PastPorts) {
    this.#ports = ports;
  }

  get isOffered(): boolean {
    return this.#ports.isOffered;
  }

  /** Why nothing can be done for now; undefined if the search is shown as it is now. */
  get off(): string | undefined {
    return this.moment.value && l10n.t('This is how it was. Go back to now to change anything.');
  }

  open(): void {
    if (this.isOpen.value || !this.isOffered) return;
    this.isOpen.value = true;
    this.#ports.keep(true);
    this.#ports.post({ type: 'timeline', isOpen: true });
  }

  /** Closes the timeline, and goes back to now. */
  close(): void {
    batch(() => {
      this.isOpen.value = false;
      this.timeline.value = undefined;
      this.#wanted.value = undefined;
    });
    this.#ports.keep(false);
    this.#ports.post({ type: 'timeline', isOpen: false });
  }

  take(timeline: GraphTimeline): void {
    if (this.isOpen.value) this.timeline.value = timeline;
  }

  /** The search is shown at another moment than before, or as it is now. */
  shown(moment: GraphMoment | null): void {
    const wanted = this.#wanted.value;
    // Of several moments that were asked for, an earlier one may still come; of a place, only the host knows the event.
    const isIt =
      wanted === null ? moment === null : !wanted?.step && wanted?.seq !== undefined && wanted.seq === moment?.seq;
    if (isIt) this.#wanted.value = undefined;
    if (moment && !this.#isSlider) this.#ports.say(moment.said);
  }

  /** The host has shown what was asked for, or cannot. */
  sought(to: Where | null): void {
    if (JSON.stringify(to) === JSON.stringify(this.#asked)) this.#wanted.value = undefined;
  }

  /** Asks for the search as it was after an event, or as it is now for null. @param place of the event on the axis */
  seek(to: Where | null, place?: number): void {
    this.#isSlider = globalThis.document?.activeElement?.getAttribute('role') === 'slider';
    this.#asked = to;
    this.#wanted.value = to && { ...to, ...(place !== undefined && { at: place }) };
    const view = this.#ports.view();
    this.#ports.post({ type: 'seek', to, ...(view && { view }) });
  }

  /** Goes to the next events of interest, or with less than 0 to the previous ones. After the last one is now. */
  step(by: number): void {
    if (!this.timeline.value) {
      this.#ports.say(l10n.t('Reading what happened…'));
      return;
    }
    const marks = this.#marks();
    const wanted = this.#wanted.value;
    const isNow = wanted === null || (wanted === undefined && !this.moment.value);
    if (marks.length < this.#count() && !(isNow && by > 0)) {
      this.#stepThere(by);
      return;
    }
    // Of a place that was asked for, the event is not known yet.
    const [key, from] =
      wanted?.seq === undefined && wanted?.at !== undefined
        ? (['at', wanted.at] as const)
        : (['seq', wanted?.seq ?? (isNow ? Number.POSITIVE_INFINITY : (this.moment.value?.seq ?? 0))] as const);
    const next = marks.findIndex((mark) => mark[key] > from);
    const later = next < 0 ? marks.length : next;
    // The event itself is left out, if it is of interest.
    const here = marks[later - 1]?.[key] === from ? 1 : 0;
    const at = by > 0 ? later + by - 1 : later - here + by;
    const mark = marks[Math.max(0, at)];
    if (by < 0 && later - here <= 0) this.#ports.say(l10n.t('There is nothing earlier.'));
    else if (mark && (by < 0 || !isNow)) this.seek({ seq: mark.seq }, mark.at);
    else if (isNow) this.#ports.say(l10n.t('This is now.'));
    else this.seek(null);
  }

  /** Steps where only some of the events of interest are known here; the host knows all. */
  #stepThere(by: number): void {
    const [wanted, kind] = [this.#wanted.value, this.kind.value];
    const shown = wanted === undefined ? this.moment.value : wanted;
    const isPlace = shown?.seq === undefined && shown?.at !== undefined;
    const from = isPlace ? { at: shown.at as number } : { seq: shown?.seq ?? Number.MAX_SAFE_INTEGER };
    const first = this.#marks()[0] ?? { seq: 0, at: 0 };
    // Steps that were asked for before, and are not shown yet, are made with these.
    const steps = by + (wanted?.step?.by ?? 0);
    if (by < 0 && (isPlace ? (from.at as number) <= first.at : (from.seq as number) <= first.seq))
      this.#ports.say(l10n.t('There is nothing earlier.'));
    else if (steps === 0 && from.seq === Number.MAX_SAFE_INTEGER) this.toNow();
    else this.seek({ ...from, step: { by: steps, ...(kind && { kind }) } } as Where);
  }

  /** Goes over several events of interest. */
  stepFar(direction: 1 | -1): void {
    this.step(direction * PAGE);
  }

  /** Goes to the first event. */
  toFirst(): void {
    const first = this.timeline.value?.first;
    if (first && first.seq > 0) this.seek({ seq: first.seq }, first.at);
  }

  toNow(): void {
    this.seek(null);
  }

  fork(): void {
    const { value } = this.moment;
    if (value) this.#ports.post({ type: 'fork', seq: value.seq });
  }

  /** Returns the event of interest nearest to a place on the axis, of the kind that is looked for. */
  nearest(place: number, kind = this.kind.value): GraphMark | undefined {
    let best: GraphMark | undefined;
    for (const mark of this.timeline.value?.marks ?? [])
      if (
        (kind === undefined || mark.kind === kind) &&
        (!best || Math.abs(mark.at - place) < Math.abs(best.at - place))
      )
        best = mark;
    return best;
  }

  /** The number of events that steps lead to. */
  #count(): number {
    const { counts = {} } = this.timeline.value ?? {};
    const { value: kind } = this.kind;
    return kind === undefined ? Object.values(counts).reduce((sum, each) => sum + each, 0) : (counts[kind] ?? 0);
  }

  #marks(): readonly GraphMark[] {
    const { value: kind } = this.kind;
    const marks = this.timeline.value?.marks ?? [];
    return kind === undefined ? marks : marks.filter((mark) => mark.kind === kind);
  }
}
