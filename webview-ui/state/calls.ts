import { batch, computed, signal } from '@preact/signals';
import type { Stretch } from '../../src/drawing/call-bars.ts';
import type { GraphTimedCall } from '../../src/protocol/graph-node.ts';
import { MOST_CALLS } from '../../src/protocol/host-message.ts';
import type { PanelStore } from './panel-store.ts';

/** A call as it is shown: at the moment that is looked at. */
export type ShownCall = Omit<GraphTimedCall, 'end'> & Stretch;

/** How a call looks; one that asked for tools is as good as one with an answer. */
export function fateOf({ outcome }: Pick<GraphTimedCall, 'outcome'>): 'ok' | 'running' | 'cut' | 'failed' {
  if (outcome === 'ok' || outcome === 'tools') return 'ok';
  if (outcome === 'under-way') return 'running';
  return outcome === 'killed' ? 'cut' : 'failed';
}

/** The calls of the search in time, while they are shown instead of the tree. */
export class CallsInTime {
  readonly #store: PanelStore;
  readonly #known = signal<ReadonlyMap<number, GraphTimedCall> | undefined>(undefined);
  readonly #chosen = signal<number | undefined>(undefined);
  readonly isOpen = computed(() => this.#store.view.value.hasCalls && this.#store.past.isOffered);
  // Of all that changes many times a second, only this concerns them.
  readonly #isAlive = computed(() => this.#store.search.value?.isHeld === true);
  readonly #time = computed(() => this.#store.past.moment.value?.time);
  /** By their beginnings; undefined until the host has read them. */
  readonly shown = computed(() => {
    const known = this.#known.value;
    return known && this.#shownOf([...known.values()]);
  });
  /** The number of calls that are older than those that are known here, of which there are some. */
  readonly before = computed(() => [...(this.#known.value?.keys() ?? [])].reduce((a, b) => Math.min(a, b)));
  readonly chosen = computed(() => this.shown.value?.find(({ id }) => id === this.#chosen.value));

  constructor(store: PanelStore) {
    this.#store = store;
  }

  /** Shows them, or the tree again. */
  show(isOpen: boolean): void {
    if (isOpen === this.isOpen.value) return;
    this.#store.set({ hasCalls: isOpen });
    this.ask();
  }

  /** Asks for them, if they are shown; says that they are not, else. */
  ask(): void {
    const isOpen = this.isOpen.value;
    batch(() => {
      this.#known.value = undefined;
      if (!isOpen) this.#chosen.value = undefined;
    });
    this.#store.post({ type: 'calls', isOpen });
  }

  take(isAnew: boolean, calls: readonly GraphTimedCall[]): void {
    if (!this.isOpen.value || !(isAnew || this.#known.value)) return;
    const known = isAnew ? [] : (this.#known.value ?? []);
    const all = new Map([...known, ...calls.map((call) => [call.id, call] as const)]);
    const last = [...all.keys()].reduce((a, b) => Math.max(a, b), 0);
    for (const id of all.keys()) if (id <= last - MOST_CALLS) all.delete(id);
    this.#known.value = all;
  }

  /** Shows the words of a call in the details of its node, or of what is left above it. */
  choose({ id, node, number }: Pick<GraphTimedCall, 'id' | 'node' | 'number'>): void {
    this.#chosen.value = id;
    this.#store.reveal(this.#store.nearest(node));
    this.#store.askFor(node, number);
  }

  /** Chooses the call so many places further on. */
  step(by: number): void {
    const shown = this.shown.value ?? [];
    const at = shown.findIndex(({ id }) => id === this.#chosen.value);
    const from = at < 0 && by < 0 ? shown.length : at;
    const call = shown[Math.min(shown.length - 1, Math.max(0, from + by))];
    if (call) this.choose(call);
  }

  /** As they were at the moment that is shown. A call without an end was cut off with the process that made it. */
  #shownOf(calls: readonly GraphTimedCall[]): ShownCall[] {
    const time = this.#time.value ?? Number.POSITIVE_INFINITY;
    const isAlive = this.#isAlive.value;
    let last = 0;
    const begun = calls
      .map((call) => ({ ...call, start: Date.parse(call.time) }))
      .filter(({ start, end = start }) => {
        if (Number.isNaN(start)) return false;
        last = Math.max(last, Math.min(time, end));
        return start <= time;
      });
    return begun
      .map((call): ShownCall => {
        const isOpen = call.outcome === 'under-way' || (call.end ?? last) > time;
        if (!isOpen) return { ...call, end: call.end ?? last };
        const { id, node, number, purpose, model, attempt, time: began, start } = call;
        const then = { id, node, number, purpose, model, attempt, time: began, start };
        return isAlive ? { ...then, outcome: 'under-way', end: undefined } : { ...then, outcome: 'killed', end: last };
      })
      .sort((a, b) => a.start - b.start || a.id - b.id);
  }
}
