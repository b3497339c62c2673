/** Plain data of YAML or JSON. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Tells whether two values are equal as JSON, whatever the order of their fields; undefined fields are missing. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((each, i) => isSame(each, b[i]));
  if (!isFields(a) || !isFields(b)) return false;
  const names = namesOf(a);
  return (
    names.length === namesOf(b).length && names.every((name) => Object.hasOwn(b, name) && isSame(a[name], b[name]))
  );
}

/** The names of fields that have a value. */
export function namesOf(fields: Fields): string[] {
  return Object.keys(fields).filter((name) => fields[name] !== undefined);
}

/** A field of a mapping; undefined of anything else, and of what every object has. */
export function fieldOf(value: unknown, name: string): unknown {
  return isFields(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
