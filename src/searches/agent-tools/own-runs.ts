import type { ActionCall } from '../../core/actions/action-call.ts';
import type { Model } from '../../core/ports/model.ts';
import { ThoughtTreeError, toThoughtTreeError } from '../../core/search/errors.ts';
import type { Kinds } from '../../engine/kind/kinds.ts';
import type { Search } from '../../engine/search.ts';
import { type ActionOutcome, actOnSearch } from '../act-on-search.ts';
import { openSearch } from '../open-search.ts';
import type { Place } from '../place.ts';
import { serveRequests } from '../serve-requests.ts';
import type { WorkRequest } from '../work/consent.ts';
import type { ActWithin, AgentHost, AgentRun } from './agent-host.ts';
import { runsAlready, stopped, tooMany } from './messages.ts';

/** Searches that one program runs for agents at the same time. */
const MOST_RUNS = 8;

interface Run {
  readonly place: Place;
  readonly search: Search;
  readonly over: Promise<void>;
}

/** The parts of their program that runs need. */
export interface OwnRunsParts {
  readonly kinds: Kinds;
  /** Who asks, in journals. */
  readonly by: string;
  /** Opens a model, prepared with its price and without secrets. */
  readonly openModel: (name: string, place: Place, isJudge: boolean) => Promise<Model>;
  /** For searches that change files and run commands; without it, they cannot. */
  readonly work?: WorkRequest | undefined;
  /** Tells a person, in one line, what nobody else hears. */
  readonly tell: (text: string) => void;
  /** Called when a search has begun or ended here. */
  readonly onChange?: ((place: Place) => void) | undefined;
}

/** Runs searches for agents within this process, in the background; others can steer them as any other search. */
export class OwnRuns implements Pick<AgentHost['runs'], 'isHere' | 'start' | 'pause' | 'act'> {
  readonly #parts: OwnRunsParts;
  readonly #runs = new Map<string, Run>();
  /** The folders of searches that are being opened. */
  readonly #opening = new Map<string, Promise<void>>();
  #isClosed = false;

  constructor(parts: OwnRunsParts) {
    this.#parts = parts;
  }

  isHere(folder: string): boolean {
    return this.#runs.has(folder);
  }

  /** @throws ThoughtTreeError `held`, and the errors of opening a model and a search; then nothing is begun */
  async start(run: AgentRun): Promise<void> {
    const { folder } = run.place;
    try {
      if (this.#runs.has(folder) || this.#opening.has(folder)) throw new ThoughtTreeError('held', runsAlready());
      if (this.#runs.size + this.#opening.size >= MOST_RUNS)
        throw new ThoughtTreeError('bad-input', tooMany({ count: MOST_RUNS }));
      const opening = this.#open(run);
      this.#opening.set(folder, opening);
      await opening;
    } catch (error) {
      run.permit.settle?.(0);
      throw error;
    } finally {
      this.#opening.delete(folder);
    }
  }

  async #open({ place, create, model, judge, plan, limits, permit }: AgentRun): Promise<void> {
    const { kinds, openModel, onChange, work } = this.#parts;
    const hasJudge = judge !== undefined && judge !== model;
    const { search, store } = await openSearch({
      kinds,
      place,
      create,
      plan,
      limits,
      work,
      openModel: () => openModel(model, place, false),
      openJudge: hasJudge ? () => openModel(judge, place, true) : undefined,
    });
    if (this.#isClosed) {
      await search.close();
      throw new ThoughtTreeError('aborted', stopped());
    }
    if (!create) await search.closeIfDone();
    const before = search.record.spend.usd;
    const running = search.run();
    // Only once it runs, since an earlier pause would be lost.
    const served = serveRequests(place.folder, search, store, ({ text }) => this.#parts.tell(text));
    const over = this.#follow(place, search, running, served, () =>
      permit.settle?.(Math.max(0, search.record.ledger.spendAtWorst.usd - before)),
    );
    this.#runs.set(place.folder, { place, search, over });
    onChange?.(place);
  }

  async #follow(
    place: Place,
    search: Search,
    running: Promise<unknown>,
    served: Promise<() => Promise<void>>,
    settle: () => void,
  ): Promise<void> {
    const tell = (error: unknown): void => this.#parts.tell(`${place.folder}: ${toThoughtTreeError(error).message}`);
    // The system's timers do not keep the process alive, so that it would exit while a search waits for its model.
    const alive = setInterval(() => undefined, 60_000);
    await running.catch(tell);
    await served.then((stop) => stop()).catch(tell);
    await search.close().catch(tell);
    clearInterval(alive);
    settle();
    this.#runs.delete(place.folder);
    this.#parts.onChange?.(place);
  }

  async pause(folder: string): Promise<void> {
    const run = this.#runs.get(folder);
    run?.search.pause(true);
    await run?.over;
  }

  /** Pauses everything that runs here, and begins nothing more; the places of what was paused. */
  async close(): Promise<Place[]> {
    this.#isClosed = true;
    await Promise.allSettled(this.#opening.values());
    const runs = [...this.#runs.values()];
    for (const { search } of runs) search.pause(true);
    await Promise.all(runs.map(({ over }) => over));
    return runs.filter(({ search }) => search.state !== 'finished').map(({ place }) => place);
  }

  async act(
    place: Place,
    call: ActionCall,
    signal: AbortSignal,
    { model, mostUsd }: ActWithin,
  ): Promise<ActionOutcome> {
    const { kinds, by, openModel } = this.#parts;
    const run = this.#runs.get(place.folder);
    if (!run)
      return await actOnSearch(place, call, {
        kinds,
        by,
        signal,
        mostUsd,
        named: model,
        openModel: (name) => openModel(name, place, false),
      });
    try {
      return { ok: true, ...(await run.search.act(call, by)), isResting: false };
    } catch (error) {
      const { reason, say, details } = toThoughtTreeError(error);
      if (reason === 'internal') throw error;
      return { ok: false, reason, say, problems: details.problems, isResting: false };
    }
  }
}
