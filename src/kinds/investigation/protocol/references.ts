const URLS = /https?:\/\/[^\s)]+/g;
const PATHS = /- ([a-zA-Z0-9_\-./]+\.(?:ts|js|py|rs|go|md))/g;
/** A path of a file anywhere in a text. */
const ANY_PATH = /\w\/\w|\w\.[a-z]{1,5}\b/;

/** The section of references: from its heading to the next one, or to the end. */
function sectionOf(findings: string): string | undefined {
  const heading = /## References\n/i.exec(findings);
  if (!heading) return undefined;
  const rest = findings.slice(heading.index + heading[0].length);
  const end = rest.startsWith('##') ? 0 : rest.indexOf('\n##');
  return end < 0 ? rest : rest.slice(0, end);
}

/** The references in findings: addresses anywhere, paths in the section of references. Each once, in order. */
export function referencesIn(findings: readonly string[]): string[] {
  const all = findings.flatMap((text) => [
    ...(text.match(URLS) ?? []),
    ...[...(sectionOf(text) ?? '').matchAll(PATHS)].map((match) => match[1] as string),
  ]);
  return [...new Set(all)];
}

/** Whether findings say what was looked at: a section of references with something in it, an address, or a file. */
export function saysWhatWasLookedAt(findings: string): boolean {
  if ((sectionOf(findings) ?? '').trim() !== '') return true;
  return findings.search(URLS) >= 0 || ANY_PATH.test(findings);
}
