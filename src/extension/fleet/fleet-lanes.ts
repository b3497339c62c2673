import { isDeepStrictEqual } from 'node:util';
import type * as vscode from 'vscode';
import { toThoughtTreeError } from '../../core/search/errors.ts';
import { readQueueAddress } from '../../fleet/address.ts';
import type { FleetView } from '../../fleet/look-at-fleet.ts';
import { searchKey } from '../../fleet/names.ts';
import type { FleetQueue } from '../../fleet/queue.ts';
import type { FleetWatch } from '../../fleet/watch-fleet.ts';
import type { GraphFleet } from '../../protocol/graph-node.ts';
import { realPath } from '../../searches/trust/search-use.ts';
import { readSearchId } from '../../store/open-store.ts';
import type { FollowedSearch } from '../library/followed-search.ts';
import type { SearchLibrary } from '../library/search-library.ts';
import { graphFleetOf } from './graph-fleet.ts';
import { type QueuePassword, withPassword } from './queue-password.ts';

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
    const { FleetWatch, openToLook } = await import('../../fleet/watch-fleet.ts');
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

/** Tells whether an address is usable; what is wrong with it is told where a search is to begin. */
function isUsable(address: string): boolean {
  try {
    return readQueueAddress(address).password === undefined;
  } catch {
    return false;
  }
}
