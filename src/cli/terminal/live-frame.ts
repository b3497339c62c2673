import type { Results } from '../../core/search/events.ts';
import { formatDuration } from '../../core/text/figures.ts';
import { oneLine } from '../../core/text/text.ts';
import type { Tree, TreeNode } from '../../core/tree/tree.ts';
import { countsRow, type RowFace } from '../rows/node-row.ts';
import { treeRows } from '../rows/tree-rows.ts';
import { formatSpend } from './figures.ts';
import type { Row } from './row.ts';

/** Everything that one frame of a running search is made from. */
export interface FrameInput {
  readonly title: string;
  readonly modelLabel: string;
  readonly free: boolean;
  readonly tree: Tree;
  readonly face: RowFace;
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

/** A frame of a running search: header, tree, slots, counts and spend, in at most `lines` rows. */
export function frameRows(input: FrameInput): Row[] {
  const head: Row[] = [
    [{ text: oneLine(input.title, 300), style: 'bold' }],
    [{ text: oneLine(input.modelLabel, 300), style: 'dim' }],
  ];
  const foot: Row[] = [countsRow(input.tree.counts, input.face.words), spendRow(input)];
  if (input.notice) foot.push([{ text: oneLine(input.notice, 500), style: 'yellow' }]);
  const middle = input.lines - head.length - foot.length;
  if (middle < 2) return [...head, ...foot].slice(-Math.max(input.lines, 1));
  const slots = input.slots(Math.max(2, Math.min(middle - SHORTEST_TREE - 2, Math.floor(input.lines / 2))));
  const tree = treeRows(input.tree, middle - slots.length - 2, input.face, input.wanted);
  // On a very low terminal the slots go before the counts do.
  const shown = tree.length > 0 ? [[], ...tree, [], ...slots] : [[], ...slots];
  return [...head, ...shown.slice(0, middle), ...foot];
}

function spendRow({ results, free, elapsedMs, left }: FrameInput): Row {
  const more = left === undefined ? '' : ` · ${left}`;
  return [{ text: `${formatDuration(elapsedMs)} · ${formatSpend(results, free)}${more}`, style: 'dim' }];
}
