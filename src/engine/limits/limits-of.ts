import type { Model } from '../../core/ports/model.ts';
import { DEFAULT_GUARDS, type Guard, type Guards, type Limits, USUAL_DEPTH } from '../../core/search/limits.ts';
import type { SearchFile } from '../../core/search/search-file.ts';

/**
 * The limits in force: what this person gives now, else what was given last, else the search's own size and depth, or
 * those usual for it, and the default guards. A model that costs nothing is bound by no default guard.
 * @param before what the journal says was given last
 * @param usualDepth how deep searches of its kind go where nobody says so
 */
export function lastLimits(
  before: Limits | undefined,
  file: SearchFile,
  given: { size?: Limits['size']; maxDepth?: number; guards?: Limits['guards'] } | undefined,
  model: Pick<Model, 'free'>,
  usualDepth: number = USUAL_DEPTH,
): Limits {
  // Defaults bind whatever the journal leaves open: a search begun with a free model may go on with one that costs.
  const guards = model.free ? withoutDefaults(before?.guards ?? {}) : { ...DEFAULT_GUARDS, ...before?.guards };
  return {
    size: given?.size ?? before?.size ?? file.options.size ?? 'medium',
    maxDepth: given?.maxDepth ?? before?.maxDepth ?? file.options.maxDepth ?? usualDepth,
    guards: { ...guards, ...given?.guards },
  };
}

/** What a person set: the defaults of an earlier model that costs money do not bind one that does not. */
function withoutDefaults(guards: Guards): Guards {
  return Object.fromEntries(Object.entries(guards).filter(([name, limit]) => limit !== DEFAULT_GUARDS[name as Guard]));
}
