import { clip, pad } from '../../src/cli/terminal/terminal.ts';
import { formatDuration, formatTokens, formatUsd } from '../../src/core/money/figures.ts';
import { oneLine } from '../../src/core/text/text.ts';
import type { WorkerRegistration } from '../../src/fleet/protocol.ts';

/** A worker, and what it was last heard to do. */
export interface Lane {
  readonly name: string;
  readonly card: WorkerRegistration | undefined;
}

const NAME = 10;
const SPENT = 34;
const SLOT = 46;

/**
 * A line for each worker: what it has done and spent, and what each of its slots does now.
 * @param now milliseconds since 1970
 * @param columns of the terminal
 */
export function drawLanes(lanes: readonly Lane[], now: number, columns: number): string {
  return lanes.map((lane) => clip(laneText(lane, now), columns)).join('\n');
}

function laneText({ name, card }: Lane, now: number): string {
  if (!card) return `${pad(name, NAME)} …`;
  const slots = Array.from({ length: card.slots }, (_, index) => {
    const call = card.calls[index];
    if (!call) return pad('·', SLOT);
    const time = formatDuration(Math.max(0, now - call.since)).padStart(3);
    return pad(`${time} ${call.purpose} ${oneLine(call.node, 200) || '(the question)'}`, SLOT);
  });
  return `${pad(name, NAME)} ${pad(spentText(card.spent), SPENT)}│ ${slots.join('│ ')}`;
}

/** Returns what a worker has done. */
export function spentText({ calls, tokens, usd }: WorkerRegistration['spent']): string {
  return `${calls} calls, ${formatTokens(tokens)} tokens, ${formatUsd(usd)}`;
}
