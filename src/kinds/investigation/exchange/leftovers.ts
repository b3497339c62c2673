import * as z from 'zod';

// Fields that a file says in another way than we would are kept, so that the file comes back as it was.

/** A value as a file has it, and what we would write instead; either may be missing. */
const Leftover = z.object({ was: z.json().optional(), as: z.json().optional() });

/** Values by the names of their fields. */
export const Leftovers = z.record(z.string(), Leftover);
export type Leftovers = z.infer<typeof Leftovers>;

type Fields = Readonly<Record<string, unknown>>;

/** Returns what of a file would be lost if it were written from what we know; undefined if nothing would. */
export function leftoversOf(said: Fields, derived: Fields): Leftovers | undefined {
  const names = new Set([...Object.keys(said), ...Object.keys(derived)]);
  const differing = [...names].filter((name) => !isSame(fieldOf(said, name), fieldOf(derived, name)));
  if (differing.length === 0) return undefined;
  return Object.fromEntries(
    differing.map((name) => {
      const [was, as] = [fieldOf(said, name), fieldOf(derived, name)];
      return [name, { ...(was !== undefined && { was }), ...(as !== undefined && { as }) } as Leftovers[string]];
    }),
  );
}

/** Returns the derived fields, with those that have not changed since the file was read as they were there. */
export function restored(derived: Fields, leftovers: unknown): Record<string, unknown> {
  const { data = {} } = Leftovers.safeParse(leftovers);
  const fields = new Map(Object.entries(derived));
  for (const [name, { was, as }] of Object.entries(data)) {
    if (!isSame(fields.get(name), as)) continue;
    if (was === undefined) fields.delete(name);
    else fields.set(name, was);
  }
  return Object.fromEntries(fields);
}

function fieldOf(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** Tells whether two JSON values are equal, whatever the order of their fields. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isSame((a as Fields)[name], (b as Fields)[name]))
  );
}
