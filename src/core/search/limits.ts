import * as z from 'zod';

/** The number of nodes that a search works on before it is finished. */
export const Size = z.enum(['small', 'medium', 'large', 'all']);
export type Size = z.infer<typeof Size>;

const EXPANSIONS: Record<Size, number> = { small: 20, medium: 60, large: 200, all: Number.POSITIVE_INFINITY };

/** The default depth of a search. */
export const USUAL_DEPTH = 4;

/** The number of expansions a size stands for; infinite for `all`. */
export function expansionsOf(size: Size): number {
  return EXPANSIONS[size];
}

/** Spend limits that pause a search and ask. A missing one does not apply. */
export const SpendLimits = z.object({
  calls: z.number().int().nonnegative().optional(),
  tokens: z.number().int().nonnegative().optional(),
  usd: z.number().nonnegative().optional(),
  minutes: z.number().nonnegative().optional(),
});
export type SpendLimits = z.infer<typeof SpendLimits>;
export type SpendLimit = keyof SpendLimits;

/** The spend limits of a search whose user set none. */
export const DEFAULT_SPEND_LIMITS: SpendLimits = { calls: 1000, tokens: 2_000_000, usd: 5 };

/** The limits of a search; changes are journaled as `budget-changed`. */
export const Limits = z.object({ size: Size, maxDepth: z.number().int().min(1).max(64), guards: SpendLimits });
export type Limits = z.infer<typeof Limits>;

/** Returns the lower of both in every respect. */
export function lowerLimits(one: Limits, other: Limits): Limits {
  return {
    size: expansionsOf(other.size) < expansionsOf(one.size) ? other.size : one.size,
    maxDepth: Math.min(one.maxDepth, other.maxDepth),
    guards: lowerSpendLimits(one.guards, other.guards),
  };
}

function lowerSpendLimits(one: SpendLimits, other: SpendLimits): SpendLimits {
  const names = Object.keys(SpendLimits.shape) as SpendLimit[];
  const lower = names.map((name) => [name, Math.min(one[name] ?? Infinity, other[name] ?? Infinity)] as const);
  return Object.fromEntries(lower.filter(([, limit]) => limit !== Infinity));
}
