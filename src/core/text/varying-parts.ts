/** The tags around a part of a request that says how things are just now: two requests that differ in it alone ask the same. */
export interface VaryingPart {
  readonly begin: string;
  readonly end: string;
}

/** The overview of the workspace, at the end of a system text: its files change. */
export const WORKSPACE: VaryingPart = { begin: '<workspace>', end: '</workspace>' };
/** The findings of the rest of a search by then, at the end of a prompt: they depend on timing. */
export const MEANWHILE: VaryingPart = { begin: '<meanwhile>', end: '</meanwhile>' };

/** Puts a text between the tags. */
export function varying({ begin, end }: VaryingPart, text: string): string {
  return `${begin}\n${text}\n${end}`;
}

/** Returns a text without the last such part; takes linear time. */
export function withoutVarying(text: string, { begin, end }: VaryingPart): string {
  const from = text.lastIndexOf(`\n${begin}\n`);
  const to = from < 0 ? -1 : text.indexOf(`\n${end}`, from);
  return to < 0 ? text : text.slice(0, from) + text.slice(to + end.length + 1);
}
