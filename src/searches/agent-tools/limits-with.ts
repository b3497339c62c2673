import type { Limits } from '../../core/search/limits.ts';
import type { SearchParts } from '../../engine/search-parts.ts';
import type { Permit } from './agent-host.ts';

/**
 * Limits with the amount that was permitted: a guard over everything that the search spends.
 * @param spentUsd what it has spent before
 */
export function limitsWith(
  limits: Partial<Limits>,
  spentUsd: number,
  { mostUsd }: Permit,
): NonNullable<SearchParts['limits']> {
  return mostUsd === undefined ? limits : { ...limits, guards: { ...limits.guards, usd: spentUsd + mostUsd } };
}
