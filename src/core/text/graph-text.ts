// Texts in the languages of Graphviz and of Mermaid.

/** Returns a text within quotes, in one line: it neither ends the quotes nor means anything but itself. */
export function quotedForDot(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').replaceAll(/&(?=#?\w{1,40};)/g, '&amp;');
  return line.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
}

/** Everything but letters, digits and blanks as an entity, which Mermaid shows as it is, and nobody reads as syntax. */
export function quotedForMermaid(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').toWellFormed();
  return line.replace(/[^\p{L}\p{N} ,.:_-]/gu, (sign) => `#${sign.codePointAt(0)};`);
}
