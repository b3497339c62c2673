import type { JournalEvent } from '../../../src/core/search/events.ts';
import type { LoggedRequest } from '../servers/scripted-server.ts';

type Asked = Pick<LoggedRequest, 'purpose' | 'node'>;

interface Fault {
  readonly name: string;
  /** Milliseconds since 1970, of its begin and of the moment from which nothing more is lost by it. */
  readonly from: number;
  readonly until: number;
}

/** What a fault cost: how many calls were in flight then, and what was asked again since. */
export interface FaultCost {
  readonly name: string;
  readonly inFlight: number;
  readonly repeated: readonly string[];
  /** Of those, what was repeated more often than it was in flight. */
  readonly tooOften: readonly string[];
}

/** The faults of a run, with their times. */
export class FaultRecord {
  readonly #faults: Fault[] = [];

  /** Does something harmful; what was in flight until it resolves may have to be asked again. */
  async during(name: string, harm: () => unknown): Promise<void> {
    const from = Date.now();
    await harm();
    this.#faults.push({ name, from, until: Date.now() });
  }

  /**
   * What each fault cost, by the journal's times and the server's. A repeated request counts for the latest fault before it
   * during which the same was in flight; where there is none, for nothing.
   */
  costs(journal: readonly JournalEvent[], log: readonly LoggedRequest[]): FaultCost[] {
    const all = this.#faults.map((fault) => ({
      ...fault,
      inFlight: callsDuring(fault, journal),
      repeated: [] as string[],
    }));
    const none = { name: 'nothing', inFlight: [] as string[], repeated: [] as string[] };
    for (const request of log.filter(isRepeated)) {
      const earlier = all.filter(({ from, inFlight }) => from <= request.time && inFlight.includes(askedBy(request)));
      (earlier.at(-1) ?? none).repeated.push(askedBy(request));
    }
    return [...all, none].map(({ name, inFlight, repeated }) => {
      const tooOften = repeated.filter((each) => timesIn(repeated, each) > timesIn(inFlight, each));
      return { name, inFlight: inFlight.length, repeated, tooOften };
    });
  }

  /** Returns what was in flight during any of the faults. */
  touched(journal: readonly JournalEvent[]): ReadonlySet<string> {
    return new Set(this.#faults.flatMap((fault) => callsDuring(fault, journal)));
  }
}

/**
 * What was asked by the calls that were in flight at any moment of a fault: a call is until its answer is in the files, from
 * which alone another process continues.
 */
function callsDuring({ from, until }: Fault, journal: readonly JournalEvent[]): string[] {
  const asked = new Map<string, Asked & { isAnswered?: boolean }>();
  for (const event of journal) {
    const time = Date.parse(event.time);
    if (event.type === 'call-started' && time <= until) asked.set(event.call, event);
    if (time >= from) continue;
    const ended = event.type === 'call-ended' ? asked.get(event.call) : undefined;
    if (event.type === 'call-ended' && ended) {
      if (event.outcome === 'ok') asked.set(event.call, { ...ended, isAnswered: true });
      else asked.delete(event.call);
    }
    if (event.type !== 'node-status' && event.type !== 'node-added') continue;
    for (const [call, { node, isAnswered }] of asked) if (isAnswered && node === event.node) asked.delete(call);
  }
  return [...asked.values()].filter(({ purpose }) => purpose !== 'pick').map(askedBy);
}

function timesIn(all: readonly string[], one: string): number {
  return all.filter((each) => each === one).length;
}

/** Rankings are no part of it: each one is asked for once. */
function isRepeated({ purpose, attempt }: LoggedRequest): boolean {
  return purpose !== 'pick' && attempt > 1;
}

function askedBy({ purpose, node }: Asked): string {
  return `${purpose} ${node}`;
}
