/** Matches an element that says one of these texts and nothing else. */
export function exactly(...texts: readonly string[]): RegExp {
  return new RegExp(`^\\s*(?:${texts.map(escaped).join('|')})\\s*$`);
}

/** A text as a part of a regular expression. */
export function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
