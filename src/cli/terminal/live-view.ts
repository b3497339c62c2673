import { createLogUpdate } from 'log-update';
import type { KindDescriptor } from '../../core/kind/kind-descriptor.ts';
import type { Move } from '../../core/kind/strategy.ts';
import { messageOf } from '../../core/messages/message.ts';
import { formatDuration } from '../../core/money/figures.ts';
import type { JournalEvent, Results } from '../../core/search/events.ts';
import type { CallsUnderWay } from '../../core/search/record/runs.ts';
import { oneLine } from '../../core/text/text.ts';
import { nodeAt, pathOf, type Tree, type TreeNode } from '../../core/tree/tree.ts';
import type { NodeId } from '../../core/tree/tree-node.ts';
import type { MoveUnderWay } from '../../engine/loop.ts';
import type { Search } from '../../engine/search.ts';
import type { RunningForecast } from '../../searches/search-forecast.ts';
import * as say from '../messages.ts';
import { betweenCalls, firstLevel, idleWaiting, timeLeft, waiting } from '../messages.ts';
import { leftText } from '../rows/texts.ts';
import { countsRow, type RowDescriptor, treeRows } from '../rows/tree-rows.ts';
import { formatSpend, nodeWord } from './figures.ts';
import { steeringText, type View } from './line-view.ts';
import { type Palette, type Part, pad, type Row, renderRow } from './terminal.ts';
import { inWords, keptInWords, kindText } from './translation.ts';

/** Minimum time between two frames, in milliseconds. */
const SHORTEST_PAUSE_MS = 100;
const TICK_MS = 1000;
/** The time that a notice about steering stays, in milliseconds. */
const STEERED_MS = 10_000;
/** The number of recently changed nodes that are remembered. */
const REMEMBERED = 100;

export interface ShownModel {
  readonly label: string;
  readonly free: boolean;
  readonly forecast?: RunningForecast | undefined;
}

/** The growing tree, redrawn in place in a terminal: on events, and once a second for the time. */
export class LiveView implements View {
  readonly #search: Search;
  readonly #model: ShownModel;
  readonly #stream: NodeJS.WriteStream;
  readonly #palette: Palette;
  readonly #log: ReturnType<typeof createLogUpdate>;
  readonly #board: SlotBoard;
  readonly #latest = new Map<string, NodeId>();
  readonly #redraw = (): void => this.#schedule();
  readonly #tick: NodeJS.Timeout;
  #next: NodeJS.Timeout | undefined;
  /** By a clock that cannot be set. */
  #drawnAt = 0;
  #forecastAt = 0;
  #leftText: string | undefined;
  #waiting: string | undefined;
  #steered: { readonly text: string; readonly at: number } | undefined;
  #notice: string | undefined;
  #lastEventAt = Date.now();
  #ended = false;

  constructor(search: Search, model: ShownModel, stream: NodeJS.WriteStream, palette: Palette) {
    this.#search = search;
    this.#model = model;
    this.#stream = stream;
    this.#palette = palette;
    this.#log = createLogUpdate(stream);
    this.#board = new SlotBoard(() => search.concurrency, search.record.callsUnderWay, search.kind.descriptor);
    stream.on('resize', this.#redraw);
    this.#tick = setInterval(this.#redraw, TICK_MS).unref();
  }

  event(event: JournalEvent): void {
    this.#lastEventAt = Date.parse(event.time);
    if (event.type === 'search-waiting') this.#waiting = inWords(waiting({ why: messageOf(event.message, event.say) }));
    else if (event.type === 'search-running') this.#waiting = undefined;
    else if (event.type === 'usage-doubted') this.#notice = keptInWords(event.message, event.say);
    else if (event.type === 'steered') this.#steered = { text: steeringText(event), at: Date.now() };
    else if (event.type === 'node-status' || event.type === 'node-added') this.#remember(event.node);
    this.#schedule();
  }

  notice(text: string): void {
    this.#notice = text;
    // The terminal has just written ^C into the frame: redraw it completely.
    this.#log.clear();
    this.#draw();
  }

  end(): void {
    this.#ended = true;
    clearInterval(this.#tick);
    clearTimeout(this.#next);
    this.#stream.off('resize', this.#redraw);
    this.#log.clear();
    this.#log.done();
  }

  #remember(path: string): void {
    const node = path === '' ? undefined : nodeAt(this.#search.tree, path);
    if (!node) return;
    this.#latest.delete(path);
    this.#latest.set(path, node.id);
    const oldest = this.#latest.keys().next();
    if (this.#latest.size > REMEMBERED && !oldest.done) this.#latest.delete(oldest.value);
  }

  #schedule(): void {
    if (this.#next || this.#ended) return;
    const wait = Math.max(0, this.#drawnAt + SHORTEST_PAUSE_MS - performance.now());
    this.#next = setTimeout(() => this.#draw(), wait).unref();
  }

  #draw(): void {
    clearTimeout(this.#next);
    this.#next = undefined;
    if (this.#ended) return;
    const now = Date.now();
    this.#drawnAt = performance.now();
    const { tree, running, results, file, state, kind } = this.#search;
    const idle = inWords(state === 'waiting' ? idleWaiting() : betweenCalls());
    const rows = frameRows({
      title: file.title,
      modelLabel: this.#model.label,
      free: this.#model.free,
      tree,
      descriptor: kind.descriptor,
      wanted: this.#wanted(),
      slots: (room) => this.#board.rows(running, tree, now, room, idle),
      results,
      left: this.#left(now),
      elapsedMs: results.minutes * 60_000 + Math.max(0, now - this.#lastEventAt),
      notice: this.#notice ?? this.#lastSteered(now) ?? this.#waiting,
      // The cursor is on the line below.
      lines: (this.#stream.rows || 24) - 1,
    });
    const columns = this.#stream.columns || 80;
    this.#log(rows.map((row) => renderRow(row, columns, this.#palette)).join('\n'));
  }

  /** Returns the forecast for the rest; computed at most once a second, since it visits every node. */
  #left(now: number): string | undefined {
    const { forecast, free } = this.#model;
    if (forecast && now - this.#forecastAt >= TICK_MS) {
      this.#forecastAt = now;
      this.#leftText = inWords(timeLeft({ left: leftText(forecast.left(this.#search.tree), free) }));
    }
    return this.#leftText;
  }

  /** Tells what somebody did a moment ago. */
  #lastSteered(now: number): string | undefined {
    return this.#steered && now - this.#steered.at < STEERED_MS ? this.#steered.text : undefined;
  }

  #wanted(): TreeNode[] {
    const { tree, running } = this.#search;
    const ids = running.filter(({ expands }) => expands).flatMap(({ nodes }) => nodes);
    const latest = [...this.#latest.values()].reverse();
    return [...ids, ...latest].flatMap((id) => tree.get(id) ?? []);
  }
}

/** Everything that one frame of a running search is made from. */
export interface FrameInput {
  readonly title: string;
  readonly modelLabel: string;
  readonly free: boolean;
  readonly tree: Tree;
  readonly descriptor: RowDescriptor;
  /** Nodes that must be visible, the most important first: those in progress, then those that changed last. */
  readonly wanted: Iterable<TreeNode>;
  /** The slots' rows, at most the requested number. */
  readonly slots: (room: number) => Row[];
  readonly results: Results;
  /** The forecast for the rest, in a few words; undefined if there is none. */
  readonly left?: string | undefined;
  /** Time spent working, in milliseconds. */
  readonly elapsedMs: number;
  /** A notice that a person needs now: that the search waits, or is being paused. */
  readonly notice: string | undefined;
  /** The number of available lines. */
  readonly lines: number;
}

const SHORTEST_TREE = 3;

/** Returns a frame of a running search: header, tree, slots, counts and spend, in at most `lines` rows. */
export function frameRows(input: FrameInput): Row[] {
  const head: Row[] = [
    [{ text: oneLine(input.title, 300), style: 'bold' }],
    [{ text: oneLine(input.modelLabel, 300), style: 'dim' }],
  ];
  const foot: Row[] = [countsRow(input.tree.counts, input.descriptor.words), spendRow(input)];
  if (input.notice) foot.push([{ text: oneLine(input.notice, 500), style: 'yellow' }]);
  const middle = input.lines - head.length - foot.length;
  if (middle < 2) return [...head, ...foot].slice(-Math.max(input.lines, 1));
  const slots = input.slots(Math.max(2, Math.min(middle - SHORTEST_TREE - 2, Math.floor(input.lines / 2))));
  const tree = treeRows(input.tree, middle - slots.length - 2, input.descriptor, input.wanted);
  // On a very low terminal the slots go before the counts do.
  const shown = tree.length > 0 ? [[], ...tree, [], ...slots] : [[], ...slots];
  return [...head, ...shown.slice(0, middle), ...foot];
}

function spendRow({ results, free, elapsedMs, left }: FrameInput): Row {
  const more = left === undefined ? '' : ` · ${left}`;
  return [{ text: `${formatDuration(elapsedMs)} · ${formatSpend(results, free)}${more}`, style: 'dim' }];
}

const DOING_WIDTH = 17;
const TIME_WIDTH = 6;

type BoardDescriptor = Pick<KindDescriptor, 'moves' | 'purposes' | 'words'>;

/** The work of each slot, and its duration. A piece of work keeps the line of its slot until it ends. */
export class SlotBoard {
  readonly #calls: CallsUnderWay;
  readonly #descriptor: BoardDescriptor;
  readonly #concurrency: () => number;
  readonly #slots: (Move | undefined)[] = [];
  readonly #since = new Map<string, number>();

  /** @param concurrency the number of slots now; one that is still at work keeps its row */
  constructor(concurrency: () => number, calls: CallsUnderWay, descriptor: BoardDescriptor) {
    this.#descriptor = descriptor;
    this.#calls = calls;
    this.#concurrency = concurrency;
  }

  /** Calls under way. */
  get calls(): number {
    return this.#calls.size;
  }

  /**
   * One row per slot and one for the picker; of many slots, the busy ones and the number of others.
   * @param room the maximum number of rows, at least 2
   * @param now milliseconds since 1970
   * @param idle the text for work without a call
   */
  rows(
    running: readonly MoveUnderWay[],
    tree: Tree,
    now: number,
    room: number,
    idle = inWords(say.betweenCalls()),
  ): Row[] {
    this.#assign(running, now);
    const slots = this.#slots.map((move, index) => ({ move, number: index + 1 }));
    const picks = running.filter(({ isWork }) => !isWork);
    if (slots.length + 1 <= room) {
      return [
        ...slots.map(({ move, number }) => this.#slotRow(number, move, tree, now, idle)),
        this.#pickRow(picks, now),
      ];
    }
    const busy = slots.filter(({ move }) => move !== undefined);
    const shown = busy.slice(0, room - 2).map(({ move, number }) => this.#slotRow(number, move, tree, now, idle));
    const more = busy.length - shown.length;
    const free = slots.length - busy.length;
    const rest = `    ${inWords(say.moreSlots({ count: more, free }))}`;
    return [...shown, [{ text: rest, style: 'dim' }], this.#pickRow(picks, now)];
  }

  #assign(running: readonly MoveUnderWay[], now: number): void {
    const moves = new Map(running.map((move) => [move.id, move]));
    for (const id of this.#since.keys()) if (!moves.has(id)) this.#since.delete(id);
    for (const id of moves.keys()) if (!this.#since.has(id)) this.#since.set(id, now);
    for (const [index, move] of this.#slots.entries()) {
      if (move && moves.has(move.id)) moves.delete(move.id);
      else this.#slots[index] = undefined;
    }
    const busy = this.#slots.findLastIndex((move) => move !== undefined) + 1;
    this.#slots.length = Math.max(busy, this.#concurrency());
    this.#slots.fill(undefined, busy);
    for (const move of moves.values()) {
      if (!move.isWork) continue;
      const free = this.#slots.indexOf(undefined);
      if (free >= 0) this.#slots[free] = move;
    }
  }

  #slotRow(number: number, move: Move | undefined, tree: Tree, now: number, idle: string): Row {
    const label = { text: `${String(number).padStart(3)} `, style: 'dim' } as const;
    if (!move) return [label, { text: inWords(say.slotFree()), style: 'dim' }];
    const node = tree.get(move.nodes[0] as NodeId) ?? tree.root;
    const path = pathOf(node);
    const call = [...this.#calls.all].find(
      ({ node: of, purpose }) => of === path && this.#descriptor.purposes[purpose]?.when === 'slot',
    );
    const brief = call ? this.#descriptor.purposes[call.purpose]?.brief : this.#descriptor.moves[move.kind];
    const doing = brief === undefined ? idle : kindText(brief);
    const since = call?.since ?? this.#since.get(move.id) ?? now;
    const again = call && call.attempt > 1 ? ` ${inWords(say.tryAgain({ attempt: call.attempt }))}` : '';
    return [
      label,
      { text: pad(doing, DOING_WIDTH), style: 'cyan' },
      timePart(now - since),
      { text: oneLine(node.parent ? node.title : inWords(firstLevel()), 200), flexible: true },
      { text: again, style: 'yellow' },
    ];
  }

  /** With very many slots there are several at a time, shown as one. */
  #pickRow(picks: readonly Move[], now: number): Row {
    const label = { text: '  → ', style: 'dim' } as const;
    if (picks.length === 0) return [label, { text: inWords(say.pickerIdle()), style: 'dim' }];
    const count = picks.reduce((sum, { nodes }) => sum + nodes.length, 0);
    const since = Math.min(...picks.map(({ id }) => this.#since.get(id) ?? now));
    const nodes = nodeWord(this.#descriptor.words, count);
    return [
      label,
      { text: pad(inWords(say.picking()), DOING_WIDTH), style: 'cyan' },
      timePart(now - since),
      { text: inWords(say.pickingOf({ count, nodes })) },
    ];
  }
}

function timePart(ms: number): Part {
  return { text: ` ${formatDuration(ms).padStart(TIME_WIDTH)}  `, style: 'dim' };
}
