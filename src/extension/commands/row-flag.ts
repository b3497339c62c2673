/** The flag of a row for an action that its kind renames. */
export function flagOf(action: string, kind: string): string {
  return `${action}_${kind.replaceAll('-', '_')}`;
}
