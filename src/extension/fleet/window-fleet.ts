import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { toThoughtTreeError } from '../../core/search/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import { readQueueAddress } from '../../fleet/address.ts';
import type { FleetView, FleetWatch } from '../../fleet/look-at-fleet.ts';
import { searchKey } from '../../fleet/names.ts';
import type { WorkerRegistration } from '../../fleet/protocol.ts';
import type { FleetQueue, SeenRegistration } from '../../fleet/queue.ts';
import type { GraphFleet, GraphFleetCall, GraphWorker } from '../../protocol/graph-node.ts';
import { realPath } from '../../searches/trust/search-use.ts';
import { readSearchId } from '../../store/open-store.ts';
import type { FollowedSearch } from '../library/followed-search.ts';
import type { SearchLibrary } from '../library/search-library.ts';
import { openFleet, QueuePassword, withPassword } from './open-fleet.ts';

interface LanesParts {
  /** The queue's, without a password. */
  readonly address: string;
  readonly password: QueuePassword;
  readonly library: Pick<SearchLibrary, 'searches' | 'tell'>;
  readonly log: Pick<vscode.LogOutputChannel, 'debug'>;
  /** Opens the queue in another way than by its address. */
  readonly openQueue?: () => Promise<FleetQueue>;
}

/** Keeps what a fleet does at the searches whose calls it makes, until it is disposed. */
export class FleetLanes implements vscode.Disposable {
  readonly #parts: LanesParts;
  /** By the folders of searches. */
  readonly #keys = new Map<string, string>();
  #watch: FleetWatch | undefined;
  #isOver = false;

  constructor(parts: LanesParts) {
    this.#parts = parts;
  }

  async open(): Promise<this> {
    const { address, password, log, openQueue } = this.#parts;
    const { FleetWatch, openToLook } = await import('../../fleet/look-at-fleet.ts');
    if (this.#isOver || !isUsable(address)) return this;
    this.#watch = new FleetWatch({
      // The person may give it a password meanwhile.
      open: openQueue ?? (async () => await openToLook(withPassword(address, await password.get(address)))),
      onView: (view) => void this.#show(view),
      onAway: (error) => {
        log.debug(toThoughtTreeError(error).message);
        this.#setAll(({ fleet }) => fleet && { ...fleet, isAway: true });
      },
    });
    return this;
  }

  async #show(view: FleetView): Promise<void> {
    const names = new Set(view.searches.map(({ search }) => search));
    const keys = new Map<FollowedSearch, string>();
    for (const search of this.#parts.library.searches)
      if (search.isActive) keys.set(search, await this.#keyOf(search.folder));
    if (this.#isOver) return;
    this.#setAll((search) => {
      const key = keys.get(search);
      return key === undefined || !names.has(key) ? undefined : graphFleetOf(view, key, Date.now());
    });
  }

  async #keyOf(folder: string): Promise<string> {
    const known = this.#keys.get(folder);
    if (known !== undefined) return known;
    const id = await readSearchId(folder);
    const key = searchKey(id ?? '', await realPath(folder));
    if (id !== undefined) this.#keys.set(folder, key);
    return key;
  }

  #setAll(fleetOf: (search: FollowedSearch) => GraphFleet | undefined): void {
    for (const search of this.#parts.library.searches) {
      const fleet = fleetOf(search);
      if (isDeepStrictEqual(fleet, search.fleet)) continue;
      search.fleet = fleet;
      this.#parts.library.tell(search);
    }
  }

  dispose(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    void this.#watch?.close().catch(() => undefined);
    this.#setAll(() => undefined);
  }
}

/** Tells whether an address is usable; the dialog that starts a search says what is wrong with it. */
function isUsable(address: string): boolean {
  try {
    return readQueueAddress(address).password === undefined;
  } catch {
    return false;
  }
}

/** The only way to a fleet: a bundle of its own, loaded where the settings name a queue. */
export const windowFleet = {
  open: openFleet,
  lanes: (parts: ConstructorParameters<typeof FleetLanes>[0]): Promise<vscode.Disposable> =>
    new FleetLanes(parts).open(),
  password: (secrets: vscode.SecretStorage): QueuePassword => new QueuePassword(secrets),
  /** *Remove API Key*, for the queue. */
  removePassword: async (secrets: vscode.SecretStorage): Promise<void> => {
    const wasThere = await new QueuePassword(secrets).remove();
    void vscode.window.showInformationMessage(
      wasThere
        ? vscode.l10n.t('The password of the queue is removed.')
        : vscode.l10n.t('No password of a queue is kept.'),
    );
  },
};

// Cards may be longer than anybody reads, and are sent to the page every two seconds.
const MOST_WORKERS = 50;
const MOST_CALLS = 300;
const MOST_CALLS_OF_ONE = 32;
const MOST_MODELS = 5;
const MOST_WAITING = 20;

/**
 * A fleet as it is drawn: what a worker says of itself may be anything, so that all of it is bounded text.
 * @param search the name in the queue of the search that it is drawn for
 * @param now milliseconds since 1970
 */
export function graphFleetOf({ workers, searches, models }: FleetView, search: string, now: number): GraphFleet {
  const titles = new Map(searches.flatMap((each) => (each.search === undefined ? [] : [[each.search, each.title]])));
  const ordered = workers.toSorted((a, b) => order(nameOf(a), nameOf(b)) || order(a.id, b.id));
  let left = MOST_CALLS;
  const shown = ordered.slice(0, MOST_WORKERS).map((worker): GraphWorker => {
    // Those of this search first: they lead to its nodes.
    const own = worker.calls.toSorted((a, b) => Number(b.search === search) - Number(a.search === search));
    const calls = own.slice(0, Math.min(left, MOST_CALLS_OF_ONE)).map((call) => callOf(call, search, titles));
    left -= calls.length;
    return { ...workerOf(worker, now), calls };
  });
  const waiting = models
    .filter((each) => each.waiting > 0)
    .slice(0, MOST_WAITING)
    .map(({ name, waiting: calls }) => ({ model: oneLine(name, 100), calls }));
  return { workers: shown, moreWorkers: workers.length - shown.length, waiting };
}

function workerOf(worker: SeenRegistration & WorkerRegistration, now: number): Omit<GraphWorker, 'calls'> {
  const { id, state, slots, models, calls, spent, silentMs } = worker;
  return {
    ...{ id, state, slots, name: nameOf(worker), busy: calls.length },
    models: [...new Set(models.map(({ name }) => oneLine(name, 100)))].slice(0, MOST_MODELS),
    moreModels: Math.max(0, models.length - MOST_MODELS),
    ...{ made: spent.calls, tokens: spent.tokens, usd: spent.usd },
    seen: now - silentMs,
  };
}

function callOf(
  { model, node, purpose, since, search: of }: WorkerRegistration['calls'][number],
  search: string,
  titles: ReadonlyMap<string | undefined, string>,
): GraphFleetCall {
  const call = { node: node.slice(0, 1000), purpose: oneLine(purpose, 60), since, model: oneLine(model, 100) };
  return of === search ? call : { ...call, node: '', other: oneLine(titles.get(of) ?? '', 100) };
}

function nameOf({ host, pid }: WorkerRegistration): string {
  return `${oneLine(host, 60)} (${pid})`;
}

function order(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
