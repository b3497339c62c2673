import { createLogUpdate } from 'log-update';
import { messageOf } from '../../core/messages/kept.ts';
import type { JournalEvent } from '../../core/search/events.ts';
import { type NodeId, nodeAt, type TreeNode } from '../../core/tree/tree.ts';
import type { Search } from '../../engine/search.ts';
import type { RunningForecast } from '../../searches/forecast-for.ts';
import { waiting } from '../messages.ts';
import { leftText } from '../rows/forecast-text.ts';
import { steeringText } from './line-view.ts';
import { frameRows } from './live-frame.ts';
import { betweenCalls, idleWaiting, timeLeft } from './messages.ts';
import { type Palette, renderRow } from './row.ts';
import { SlotBoard } from './slot-board.ts';
import { inWords, keptInWords } from './translation.ts';
import type { View } from './view.ts';

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
    this.#board = new SlotBoard(() => search.concurrency, search.record.callsUnderWay, search.kind.face);
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
      face: kind.face,
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

  /** The forecast for the rest; computed at most once a second, since it visits every node. */
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
