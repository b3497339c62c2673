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

/** An entry of the section: in backticks, as a link, or a bare line. */
const ENTRY =
  /^[ \t]{0,8}[-*+] {1,4}(?:[*_]{0,3}`([^`\n]{1,1000})`|\[[^\]\n]{0,1000}\]\(<?([^)>\n]{1,1000})>?\)|(\S[^\n]{0,1000}))/gm;
/** What separates a bare path from what is said about it. */
const REMARK = /\s[-–—(|→]|[:,;]\s/;
/** The characters around a path: emphasis, quotation marks, brackets. */
const AROUND = /^[*_"'([<`]{1,4}|[*_"')\]>`,;:]{1,4}$/g;
/** A page on the web, without the beginning of its address. */
const ADDRESS = /^(?:[\w-]{1,60}\.){1,5}[a-z]{2,10}\//i;
/** Paths that are looked for, at most, for one node. */
const MOST_CITED = 100;

/** The sources that findings refer to. */
export interface Sources {
  /** Paths of files, maybe with words behind them: those in their section of references, else those anywhere in their text. */
  readonly paths: readonly string[];
  /** They come from that section. */
  readonly isListed: boolean;
  /** There is something else: an address, or an entry that is no path. */
  readonly hasOthers: boolean;
}

/** Finds the sources that findings refer to, as far as they can be looked for. */
export function sourcesOf(findings: string): Sources {
  const entries = [...(sectionOf(findings) ?? '').matchAll(ENTRY)].map(([, code, link, bare = '']) =>
    pathIn(code ?? link ?? bare.split(REMARK)[0] ?? ''),
  );
  const isListed = entries.length > 0;
  const texts = isListed ? entries : findings.replaceAll(URLS, ' ').split(/[^\w./-]+/);
  const paths = [...new Set(texts.filter(isPath))].slice(0, MOST_CITED);
  const hasOthers = findings.search(URLS) >= 0 || (isListed && entries.some((entry) => !isPath(entry)));
  return { paths, isListed, hasOthers };
}

/** The path in an entry: without a place in the file, and of a pattern only the folder. */
function pathIn(entry: string): string {
  const bare = (entry.split('#')[0] ?? '').replace(AROUND, '');
  // The second character may be the colon of a drive.
  const place = bare.slice(2).search(/:|\(\d/);
  const path = place < 0 ? bare : bare.slice(0, place + 2);
  const pattern = path.search(/[*{]/);
  return pattern < 0 ? path : path.slice(0, path.lastIndexOf('/', pattern) + 1);
}

function isPath(text: string): boolean {
  if (text.length > 1000 || ADDRESS.test(text) || /^R\d+\.\w+$/.test(text)) return false;
  // In a command, a path comes later.
  if (/\s/.test(text)) return /^[^\s/]*\//.test(text) && /\.\w{1,10}(?:\s|$)/.test(text);
  return /[^/]\/|^\/.|\w\.\w{1,10}$/.test(text);
}

/** Tells whether findings say what was looked at: an entry in their section of references, an address, or a file. */
export function saysWhatWasLookedAt(findings: string): boolean {
  if ((sectionOf(findings) ?? '').trim() !== '') return true;
  return findings.search(URLS) >= 0 || ANY_PATH.test(findings);
}
