import type { KindFace } from '../../core/kind/kind-face.ts';
import type { Move } from '../../core/kind/strategy.ts';
import type { CallsUnderWay } from '../../core/search/record/calls-under-way.ts';
import { formatDuration } from '../../core/text/figures.ts';
import { oneLine } from '../../core/text/text.ts';
import { type NodeId, pathOf, type Tree } from '../../core/tree/tree.ts';
import type { MoveUnderWay } from '../../engine/loop/dispatcher.ts';
import { firstLevel } from '../messages.ts';
import { nodeWord } from './figures.ts';
import * as say from './messages.ts';
import { type Part, pad, type Row } from './row.ts';
import { inWords, kindText } from './translation.ts';

const DOING_WIDTH = 17;
const TIME_WIDTH = 6;

type BoardFace = Pick<KindFace, 'moves' | 'purposes' | 'words'>;

/** The work of each slot, and its duration. A piece of work keeps the line of its slot until it ends. */
export class SlotBoard {
  readonly #calls: CallsUnderWay;
  readonly #face: BoardFace;
  readonly #concurrency: () => number;
  readonly #slots: (Move | undefined)[] = [];
  readonly #since = new Map<string, number>();

  /** @param concurrency the number of slots now; one that is still at work keeps its row */
  constructor(concurrency: () => number, calls: CallsUnderWay, face: BoardFace) {
    this.#face = face;
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
      ({ node: of, purpose }) => of === path && this.#face.purposes[purpose]?.when === 'slot',
    );
    const brief = call ? this.#face.purposes[call.purpose]?.brief : this.#face.moves?.[move.kind];
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
    const nodes = nodeWord(this.#face.words, count);
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
