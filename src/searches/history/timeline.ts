import type { Message } from '../../core/messages/message.ts';
import type { JournalEvent, KeptFold } from '../../core/search/events.ts';
import { NodesSeen } from '../../core/search/record/nodes-seen.ts';
import { SearchRecord } from '../../core/search/record/search-record.ts';
import type { Tree } from '../../core/tree/tree.ts';
import { type ToldTree, TreeRecord } from '../../core/tree/tree-record.ts';
import type { Kind } from '../../engine/kind.ts';
import {
  type GraphInstant,
  type GraphMark,
  type GraphTimeline,
  MARK_KINDS,
  type MarkKind,
} from '../../protocol/graph-timeline.ts';
import type { Where } from '../../protocol/view-message.ts';
import { openDiskFiles } from '../../store/files/disk/disk-files.ts';
import type { ReadFiles } from '../../store/files/files.ts';
import {
  checkOrder,
  JOURNAL,
  JOURNAL_START,
  type JournalPosition,
  readJournalAt,
  walkJournal,
} from '../../store/journal/journal-reader.ts';
import { KeptTexts } from '../../store/objects/kept-texts.ts';
import { PastFiles } from '../../store/past/past-files.ts';
import { SearchReadStore } from '../../store/search-read-store.ts';
import type { Place } from '../place.ts';
import { NodePlaces } from '../reader/journal-tail.ts';
import { SearchReader } from '../reader/search-reader.ts';
import { EventsOfInterest, type InterestState } from './search-log.ts';

/** A longer pause counts as so much, in milliseconds. */
const LONGEST_MS = 60_000;
/** A pause from this on is told, in milliseconds. */
const PAUSE_MS = 600_000;
/** The pauses that are told: the longest. */
const MOST_PAUSES = 40;
/** The marks of a kind that are kept. */
const MOST_MARKS = 2000;
/** The checkpoints that are kept, those of the journal as it is found, and bytes of it between two of them, at least. */
const MOST_CHECKPOINTS = 48;
const FIRST_CHECKPOINTS = 36;
const STRIDE = 128 * 1024;

/** While a journal is read, it is told how far so often, in milliseconds; a look at the clock takes time, too. */
const TELL_MS = 250;
const LOOKS = 256;

/** A search as it was right after an event. */
export interface Moment extends GraphInstant {
  /** The thing that happened then, or last before, in words. */
  readonly said: Message | undefined;
  readonly reader: SearchReader;
  readonly tree: Tree;
}

/** A search whose timeline is opened. */
interface Of extends Place {
  readonly title: string;
  readonly kind: Kind | undefined;
}

/**
 * The past of a search, with every moment of it a step away. Its journal is read once, as it grows. Now and then what
 * follows from it is kept in memory, so that a moment takes as many events as lie between two such checkpoints.
 */
export class Timeline {
  readonly #of: Of;
  readonly #files: ReadFiles;
  readonly #texts: KeptTexts;
  /** The events: numbers, times, places on the axis, and where their lines begin, in bytes. */
  readonly #seqs: number[] = [];
  readonly #times: number[] = [];
  readonly #ats: number[] = [];
  readonly #offsets: number[] = [];
  readonly #marks = new Map<MarkKind, Thinned<GraphMark>>();
  /** The events of interest, by kind and all of them: their places in the lists above. */
  readonly #stops = new Map<MarkKind | undefined, number[]>([[undefined, []]]);
  /** The journal as it was found: one that was written anew is another. */
  #inode: number | undefined;
  readonly #checkpoints = new Thinned<Checkpoint>(MOST_CHECKPOINTS);
  readonly #places = new NodePlaces();
  readonly #pauses: { at: number; ms: number }[] = [];
  #lastMove = 0;
  #lastAdopted = 0;
  #position: JournalPosition = JOURNAL_START;
  /** The number of events up to there: while it grows, there are more. */
  #known = 0;
  readonly #end: Folds;
  /** Bytes of the journal between two checkpoints, of which some may have been given up. */
  readonly #stride: number;
  #nextCheckpoint = 0;

  /** @param bytes of its journal, so far */
  private constructor(of: Of, files: ReadFiles, bytes: number) {
    this.#of = of;
    this.#stride = Math.max(STRIDE, Math.ceil(bytes / FIRST_CHECKPOINTS));
    this.#files = files;
    this.#texts = new KeptTexts(files);
    this.#end = new Folds(of);
  }

  /**
   * Reads the journal of a search.
   * @param onRead is given now and then what a panel shows of the part that is read
   */
  static async open(of: Of, onRead?: (graph: Timeline['graph']) => void): Promise<Timeline> {
    const files = await openDiskFiles(of.folder);
    const timeline = new Timeline(of, files, (await files.stat(JOURNAL))?.size ?? 0);
    await timeline.grow(onRead);
    return timeline;
  }

  /**
   * Reads what came since.
   * @returns whether anything did; `replaced` if the journal is another one by now, so that a new timeline is needed
   */
  async grow(onRead?: (graph: Timeline['graph']) => void): Promise<boolean | 'replaced'> {
    const before = this.#seqs.length;
    const from = this.#position;
    const { inode } = (await this.#files.stat(JOURNAL)) ?? {};
    if (from.offset > 0 && inode !== this.#inode) return 'replaced';
    this.#inode = inode;
    let isReplaced = false;
    let told = performance.now();
    const { position, restarted } = await walkJournal(this.#files, from, (event, offset) => {
      isReplaced ||= offset < from.offset;
      if (!isReplaced) this.#take(event, offset);
      if (!onRead || this.#seqs.length % LOOKS !== 0 || performance.now() - told < TELL_MS) return;
      onRead(this.graph);
      told = performance.now();
    });
    if (restarted) return 'replaced';
    this.#position = position;
    this.#known = this.#seqs.length;
    return this.#seqs.length > before;
  }

  /** The part of it that a panel shows. */
  get graph(): Omit<GraphTimeline, 'noFork'> {
    const marks = [...this.#marks.values()].flatMap(({ all }) => all).sort((a, b) => a.seq - b.seq);
    const counts = Object.fromEntries(
      MARK_KINDS.flatMap((kind) => {
        const found = this.#marks.get(kind);
        return found ? [[kind, found.count]] : [];
      }),
    );
    const last = this.#seqs.length - 1;
    return { first: this.#instant(0), last: this.#instant(last), marks, counts, pauses: [...this.#pauses] };
  }

  /**
   * Returns the search right after an event: that of a number, or the last one at a place on the axis, or some steps from there;
   * undefined before the first one, and for steps that lead beyond the last.
   * @throws ThoughtTreeError `damaged` if its search.json of then cannot be read
   */
  async at(where: Where): Promise<Moment | undefined> {
    const index = this.#indexOf(where);
    if (index === undefined || index < 0 || index >= this.#known) return undefined;
    const from = this.#checkpoints.all.findLast(({ count }) => count <= index + 1);
    const folds = await Folds.at(this.#of, from);
    const offset = this.#offsets[index + 1] ?? this.#position.offset;
    const since = this.#offsets.slice(from?.count ?? 0, index + 1);
    for (const event of await readJournalAt(this.#files, since)) folds.apply(event);
    const instant = this.#instant(index);
    const { record, told, nodes, interest } = folds;
    const { tree } = told;
    const { seq } = instant;
    const at = { seq, time: new Date(instant.time).toISOString(), isAdoptedLater: this.#lastAdopted > seq };
    const files = await PastFiles.of(this.#files, { at, end: offset, tree, texts: record.texts }, this.#texts);
    const store = new SearchReadStore(files, undefined, at);
    const position = { offset, lines: index + 1 };
    // Later moves would have the events of a node under another path.
    const places = this.#lastMove > instant.seq ? undefined : this.#places;
    const { kind } = this.#of;
    const reader = await SearchReader.past(this.#of, { record, nodes, tree, store, position, places, kind });
    return { ...instant, said: interest.said, reader, tree };
  }

  #indexOf(where: Where): number | undefined {
    const [all, value] = 'seq' in where ? [this.#seqs, where.seq] : [this.#ats, where.at];
    const index = Math.min(lastUpTo(all, value), this.#known - 1);
    if (!where.step?.by) return index;
    const { by, kind } = where.step;
    const stops = this.#stops.get(kind) ?? [];
    const before = lastUpTo(stops, index);
    // The event itself is no step, if it is of interest.
    const isHere = stops[before] === index && all[index] === value;
    return by > 0 ? stops[before + by] : (stops[Math.max(0, before + by + Number(!isHere))] ?? index);
  }

  #take(event: JournalEvent, offset: number): void {
    const count = this.#seqs.length;
    checkOrder(this.#seqs[count - 1] ?? 0, event);
    if (offset >= this.#nextCheckpoint) {
      this.#nextCheckpoint = offset + this.#stride;
      if (count > 0) this.#checkpoints.add(() => ({ count, ...this.#end.state }));
    }
    const kind = this.#end.apply(event);
    const parsed = Date.parse(event.time);
    const before = this.#times[count - 1] ?? parsed;
    const time = Number.isNaN(parsed) ? before || 0 : parsed;
    const ms = Math.max(0, time - before);
    const at = count === 0 ? 0 : (this.#ats[count - 1] as number) + Math.min(ms, LONGEST_MS) + 1;
    this.#seqs.push(event.seq);
    this.#times.push(time);
    this.#ats.push(at);
    this.#offsets.push(offset);
    this.#places.apply(event, offset);
    if (event.type === 'node-moved') this.#lastMove = event.seq;
    if (event.type === 'adopted') this.#lastAdopted = event.seq;
    if (ms >= PAUSE_MS) this.#pause(at, ms);
    if (!kind) return;
    this.#markOf(kind).add(() => ({ seq: event.seq, at, time, kind }));
    for (const each of [undefined, kind])
      this.#stops
        .set(each, this.#stops.get(each) ?? [])
        .get(each)
        ?.push(count);
  }

  #pause(at: number, ms: number): void {
    this.#pauses.push({ at, ms });
    if (this.#pauses.length <= MOST_PAUSES) return;
    const shortest = this.#pauses.reduce((least, each) => (each.ms < least.ms ? each : least));
    this.#pauses.splice(this.#pauses.indexOf(shortest), 1);
  }

  #markOf(kind: MarkKind): Thinned<GraphMark> {
    const known = this.#marks.get(kind) ?? new Thinned<GraphMark>(MOST_MARKS);
    this.#marks.set(kind, known);
    return known;
  }

  #instant(index: number): GraphInstant {
    return { seq: this.#seqs[index] ?? 0, at: this.#ats[index] ?? 0, time: this.#times[index] ?? 0 };
  }
}

/** Returns the index of the last number that is no larger than a limit, of ascending ones; -1 if there is none. */
function lastUpTo(sorted: readonly number[], limit: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** A bounded number of many things, evenly taken from among them: every one at first, then every second, fourth, … */
class Thinned<T> {
  readonly #most: number;
  #every = 1;
  #count = 0;
  #all: T[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** Those that are kept, in order. */
  get all(): readonly T[] {
    return this.#all;
  }

  /** The number of those that were there. */
  get count(): number {
    return this.#count;
  }

  /** @param make makes what is kept, if it is */
  add(make: () => T): void {
    if (this.#count++ % this.#every !== 0) return;
    this.#all.push(make());
    if (this.#all.length <= this.#most) return;
    this.#all = this.#all.filter((_, index) => index % 2 === 0);
    this.#every *= 2;
  }
}

/** All that follows from the first events of a journal. */
interface Checkpoint {
  /** The number of those events. */
  readonly count: number;
  /** The states of most folds, by name, in JSON: some of them go on to change what they return. */
  readonly kept: ReadonlyMap<string, string>;
  readonly nodes: NodesSeen;
  readonly tree: ToldTree;
  readonly interest: InterestState;
}

/** Everything that is known of a search at a moment of its journal. */
class Folds {
  readonly nodes: NodesSeen;
  readonly told: TreeRecord;
  readonly record: SearchRecord;
  readonly interest: EventsOfInterest;
  readonly #kept: readonly KeptFold[];

  constructor({ title, kind }: Of, told = new TreeRecord(title), nodes = new NodesSeen(), interest?: InterestState) {
    const own = kind?.folds() ?? [];
    this.told = told;
    this.nodes = nodes;
    this.interest = new EventsOfInterest(told, interest);
    this.record = new SearchRecord(nodes, ...own);
    this.#kept = [this.record, ...own];
  }

  /** Makes them as they were at a checkpoint; without one, as they are before anything happens. */
  static async at(of: Of, from: Checkpoint | undefined): Promise<Folds> {
    if (!from) return new Folds(of);
    const told = new TreeRecord(of.title);
    await told.restore(from.tree, from.tree.nodes);
    const folds = new Folds(of, told, from.nodes.copy(), from.interest);
    for (const fold of folds.#kept) fold.restore(JSON.parse(from.kept.get(fold.name) as string));
    return folds;
  }

  /** Takes an event, and returns why somebody may look for it. */
  apply(event: JournalEvent): MarkKind | undefined {
    this.record.apply(event);
    return this.interest.apply(event);
  }

  get state(): Omit<Checkpoint, 'count'> {
    const kept = new Map(this.#kept.map(({ name, state }) => [name, JSON.stringify(state)]));
    return { kept, nodes: this.nodes.copy(), tree: this.told.state, interest: this.interest.state };
  }
}
