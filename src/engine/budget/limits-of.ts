import type { Model } from '../../core/ports/model.ts';
import {
  DEFAULT_GUARDS,
  type Guard,
  type Guards,
  type Limits,
  lowerLimits,
  USUAL_DEPTH,
} from '../../core/search/limits.ts';
import type { SearchFile } from '../../core/search/search-file.ts';
import type { OwnUse } from '../own-use.ts';

/**
 * The limits in force: those that this person gives now, else the last ones given, else the search's own size and depth,
 * or its usual ones, and the default guards. A free model has no default guards.
 * @param before the last ones given, see `limitsBefore`
 * @param usualDepth the default depth of searches of its kind
 */
export function lastLimits(
  before: Limits | undefined,
  file: SearchFile,
  given: { size?: Limits['size']; maxDepth?: number; guards?: Limits['guards'] } | undefined,
  model: Pick<Model, 'free'>,
  usualDepth: number = USUAL_DEPTH,
): Limits {
  // Defaults apply to whatever is left open: a search begun with a free model may continue with a paid one.
  const guards = model.free ? withoutDefaults(before?.guards ?? {}) : { ...DEFAULT_GUARDS, ...before?.guards };
  return {
    size: given?.size ?? before?.size ?? file.options.size ?? 'medium',
    maxDepth: given?.maxDepth ?? before?.maxDepth ?? file.options.maxDepth ?? usualDepth,
    guards: { ...guards, ...given?.guards },
  };
}

/**
 * The last limits given to a search: those that this user gave it, or that apply where they gave none. Its journal can only
 * lower them.
 * @param own what this user did with it; undefined if the journal is all there is
 */
export function limitsBefore(
  journal: Limits | undefined,
  own: OwnUse | undefined,
  file: SearchFile,
  usualDepth: number = USUAL_DEPTH,
): Limits | undefined {
  if (!own) return journal;
  const { size = 'medium', maxDepth = usualDepth } = file.options;
  const guards = { ...DEFAULT_GUARDS, ...own.guards };
  const allowed = own.limits
    ? { ...own.limits, guards: { ...own.guards, ...own.limits.guards } }
    : { size, maxDepth, guards };
  return journal ? lowerLimits(allowed, journal) : allowed;
}

/** Returns the guards that a person set: the defaults for an earlier paid model do not apply to a free one. */
function withoutDefaults(guards: Guards): Guards {
  return Object.fromEntries(Object.entries(guards).filter(([name, limit]) => limit !== DEFAULT_GUARDS[name as Guard]));
}
