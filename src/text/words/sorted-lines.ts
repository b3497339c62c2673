/** Lines of a text in the order of their beginnings, found without reading all of them. */
export class SortedLines {
  readonly #text: string;

  /** @param text each line ends with a line feed; for as many characters as are asked for, beginnings are in order */
  constructor(text: string) {
    this.#text = text;
  }

  /** The lines that begin so, in their order, without their line feeds. */
  beginningWith(prefix: string): string[] {
    const text = this.#text;
    const found: string[] = [];
    for (let at = this.#firstFrom(prefix); at < text.length && text.startsWith(prefix, at); ) {
      const end = text.indexOf('\n', at);
      found.push(text.slice(at, end));
      at = end + 1;
    }
    return found;
  }

  /** Where the first line begins that is not before a prefix. */
  #firstFrom(prefix: string): number {
    const text = this.#text;
    let [from, to] = [0, text.length]; // both begin a line, or end the text
    while (from < to) {
      const middle = (from + to) >> 1;
      const start = middle === from ? from : text.lastIndexOf('\n', middle - 1) + 1;
      const end = text.indexOf('\n', middle);
      if (text.slice(start, Math.min(end, start + prefix.length)) < prefix) from = end + 1;
      else to = start;
    }
    return from;
  }
}
