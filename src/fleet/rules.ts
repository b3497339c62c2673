import * as z from 'zod';

/** The caps of a model for all workers together, set by the fleet's owner. At least one of the two is there. */
export const ModelCap = z.object({
  /** `provider/model`, at whatever server. */
  model: z.string().min(1).max(300),
  /** Calls at the same time; none at all if 0. */
  calls: z.number().int().min(0).max(1_000_000).optional(),
  usdAMinute: z.number().positive().max(1_000_000).optional(),
});
export type ModelCap = z.infer<typeof ModelCap>;

/** Which protocol the fleet speaks, and the version of the program that brought it. */
const FleetVersion = z.object({ protocol: z.number().int().positive().max(1_000_000), program: z.string().max(50) });
export type FleetVersion = z.infer<typeof FleetVersion>;

/** The use that counts towards the caps of a model now. */
export interface CapCount {
  /** Under way. */
  readonly calls: number;
  /** The cost of calls in the last minute, those under way at their worst; dear ones count for longer. */
  readonly usd: number;
}

/** The rules of a whole fleet. Workers read it; only those who own the queue write it. */
export interface FleetRules {
  readonly caps: readonly ModelCap[];
  /** Undefined until a search was there. */
  readonly version: FleetVersion | undefined;
}

/** One rule, as it is kept. */
export const FleetRule = z.discriminatedUnion('kind', [
  ModelCap.extend({ kind: z.literal('cap') }),
  FleetVersion.extend({ kind: z.literal('version') }),
]);
export type FleetRule = z.infer<typeof FleetRule>;

/** Returns how many minutes a call of this price counts: one, or as many as it fills alone, an hour at most. */
export function minutesOf(usd: number, { usdAMinute }: ModelCap): number {
  return Math.min(60, Math.max(1, usdAMinute === undefined ? 1 : usd / usdAMinute));
}

/** The most that the next call may cost: whatever it is where nothing else counts, so that a dear one is made, too. */
export function dollarsLeft({ usdAMinute }: ModelCap, spent: number): number {
  return usdAMinute === undefined || spent === 0 ? Number.POSITIVE_INFINITY : usdAMinute - spent;
}
