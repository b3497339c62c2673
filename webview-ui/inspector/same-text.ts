/** Tells whether two texts say the same, apart from marks, spaces and letter case. */
export function isSameText(a: string, b: string): boolean {
  return bare(a) === bare(b);
}

function bare(text: string): string {
  return text
    .replaceAll(/[`*_#"'.?!…\s]+/gu, ' ')
    .trim()
    .toLocaleLowerCase();
}

/** Tells whether a document begins with a text, below its headings: then that need not stand above it. */
export function startsAlike(document: string, text: string): boolean {
  const [first = ''] = document
    .split(/\n{2,}/)
    .filter((block) => block.trim() !== '' && !block.trimStart().startsWith('#'));
  return bare(first).startsWith(bare(text).trim());
}

/** Returns a document without its first heading, if that is the title above it. */
export function withoutTitle(document: string, title: string): string {
  const first = /^\s*#{1,2}[ \t]+([^\n]*)(?:\n|$)/.exec(document);
  return first && isSameText(first[1] ?? '', title) ? document.slice(first[0].length) : document;
}
