import { oneLine } from '../../../../core/text/text.ts';
import type { AtomFields, GoalFields, Try } from './own-fields.ts';

/** The most tries that a node keeps; the first ones go. */
const MOST_TRIES = 100;
const LONGEST_SEEN = 900;

type WithTries = Pick<AtomFields, 'tries'> | Pick<GoalFields, 'tries'>;

/**
 * A node's tries with one more under way; one that a kill or a stop left under way goes on, unless it was begun with something
 * else.
 */
export function begun(own: WithTries, iteration: number, by?: string, begunWith?: string): Try[] {
  const { tries = [] } = own;
  const last = tries.at(-1);
  const added = { ...(by && { by: by.slice(0, 100) }), ...(begunWith && { begunWith }) };
  if (!last || last.ended !== undefined) return [...tries.slice(1 - MOST_TRIES), { iteration, ...added }];
  if ((last.begunWith ?? begunWith) === begunWith) return [...tries.slice(0, -1), { ...last, ...added }];
  return begun({ tries: ended(own, 'dropped') }, iteration, by, begunWith);
}

/** Returns the tries with the last one ended. */
export function ended({ tries = [] }: WithTries, as: NonNullable<Try['ended']>, seen?: string): Try[] {
  const last = tries.at(-1) ?? { iteration: 1 };
  const said = seen === undefined ? {} : { seen: shortened(seen, LONGEST_SEEN) };
  return [...tries.slice(0, -1), { ...last, ended: as, ...said }];
}

/** The end of what was seen, as that is where errors are said. */
export function shortened(text: string, longest: number): string {
  const shown = text.toWellFormed().trim();
  return shown.length <= longest ? shown : `…${shown.slice(1 - longest).toWellFormed()}`;
}

/** Returns what was seen at the failed tries of an atom, newest last. */
export function seenBefore({ tries = [] }: WithTries): string[] {
  return tries.flatMap(({ seen }) => (seen === undefined ? [] : [seen])).slice(-5);
}

/** Describes a try in one line, for a document. */
export function triedLine({ iteration, ended: as, by, seen }: Try): string {
  return oneLine(
    [`${iteration}.`, as ?? 'under way', by && `(${by})`, seen && `: ${seen}`].filter(Boolean).join(' '),
    400,
  );
}
