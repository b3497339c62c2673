// This reads node.json of an atom, a group or the goal unchecked and without libraries: faces are loaded at startup.

/** `own` of a node, as far as what is seen depends on it. */
export interface Seen {
  readonly type?: unknown;
  readonly name?: unknown;
  readonly evidence?: unknown;
  readonly by?: unknown;
  readonly isProposed?: unknown;
  readonly work?: unknown;
  readonly selected?: unknown;
  readonly checks?: unknown;
  readonly tries?: unknown;
  readonly trail?: unknown;
  readonly probe?: unknown;
  readonly joined?: unknown;
  readonly does?: unknown;
  readonly run?: unknown;
  readonly touches?: unknown;
  readonly uses?: unknown;
}

/** Returns what is kept of a node; empty if it is nothing that can be read. */
export function seenIn(own: unknown): Seen {
  return isRecord(own) ? own : {};
}

/** The records in a list; empty if it is none. */
export function recordsIn(list: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

/** The texts in a list; empty if it is none. */
export function textsIn(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((each) => typeof each === 'string') : [];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
