import { lstatSync } from 'node:fs';

/**
 * Why something is not searched. By its name or place: `lock` (a lock file), `changelog`, `test-data`, `vendored`,
 * `generated` (also by what it says), `binary`, `secret` (it may hold some), `hidden` (in a dot folder), `odd-name` (one that
 * cannot be cited). By what is there:
 * `too-large`, `unreadable`, `link`. Whole folders: `closed` (it cannot be read), `repository` (another one of git's).
 * `ignored` stands for how much nobody knows: what git's rules name, or what is in a `node_modules`. `unasked` is a repository
 * whose rules were read from their files, because git could not be asked.
 */
export type SkipReason =
  | 'lock'
  | 'changelog'
  | 'test-data'
  | 'vendored'
  | 'generated'
  | 'binary'
  | 'secret'
  | 'hidden'
  | 'odd-name'
  | 'too-large'
  | 'unreadable'
  | 'link'
  | 'closed'
  | 'repository'
  | 'ignored'
  | 'unasked';

export interface SkippedPath {
  /** Of a file or a folder, relative to the workspace, with `/`; of rules, that of their file. */
  readonly path: string;
  readonly reason: SkipReason;
}

/** Files, or folders, that are not searched, for one reason. */
export interface Skipped {
  readonly reason: SkipReason;
  readonly count: number;
  /** The paths of a few of them. */
  readonly examples: readonly string[];
  /** The paths of all. */
  readonly paths: readonly string[];
}

const EXAMPLES = 3;

/** Counts what is skipped. */
export class SkipCounts {
  readonly #paths = new Map<SkipReason, string[]>();

  add(reason: SkipReason, path: string): void {
    const known = this.#paths.get(reason);
    if (known) known.push(path);
    else this.#paths.set(reason, [path]);
  }

  /** The most common first. */
  get list(): Skipped[] {
    const all = Array.from(this.#paths, ([reason, paths]) => {
      return { reason, count: paths.length, examples: paths.slice(0, EXAMPLES), paths };
    });
    return all.sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
  }
}

/** Counts the known files and folders that are not searched. */
export function unsearched(skipped: readonly Skipped[]): { readonly files: number; readonly folders: number } {
  const found = { files: 0, folders: 0 };
  for (const { reason, count } of skipped)
    if (reason !== 'ignored' && reason !== 'unasked')
      found[reason === 'closed' || reason === 'repository' ? 'folders' : 'files'] += count;
  return found;
}

/** Says why a listed file could not be read. @param file absolute */
export function whyUnreadable(file: string): SkipReason {
  try {
    const found = lstatSync(file);
    if (found.isDirectory()) return 'repository'; // git lists nothing below one
    return found.isSymbolicLink() ? 'link' : 'unreadable';
  } catch {
    return 'unreadable';
  }
}

export const HEAD = 1000;
export const TAIL = 300;
/** In characters: nobody writes lines that are longer than this throughout. */
export const LONG_LINES = 250;
const LOCK_FILES = new Set([
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'bun.lockb',
  'packages.lock.json',
  'gradle.lockfile',
  'go.sum',
  'go.work.sum',
]);
const LOCK = /\.lock$|-lock\.json$/i;
const VENDORED = /(?:^|\/)(?:\.git|node_modules|bower_components|vendor|third_party)\//;
const TEST_DATA =
  /(?:^|\/)(?:(?:fixtures?|__fixtures__|__snapshots__|testdata|test-data|cassettes)\/|(?:tests?|spec)\/goldens?\/)/i;
const PACKED = /(?:^|\/)[^/]*\.(?:egg|dist)-info\//;
const FOLDERS = [
  [VENDORED, 'vendored'],
  [TEST_DATA, 'test-data'],
  [PACKED, 'generated'],
] as const;
const CHANGELOG = /^(changelog|changes|history|news|release[-_ ]?notes|releases)(\.(md|markdown|mdx|rst|txt|adoc))?$/i;
const GENERATED = /(\.(min|bundle|generated|gen|g|pb|designer)\.[a-z0-9]+|\.pb\.go|_pb2(_grpc)?\.pyi?|\.map)$/i;
const BINARY =
  /\.(png|jpe?g|gif|webp|avif|ico|icns|bmp|tiff?|psd|svg|pdf|zip|gz|tgz|bz2|xz|7z|rar|jar|war|class|exe|dll|so|dylib|a|o|obj|lib|wasm|node|vsix|woff2?|ttf|otf|eot|mp[34]|m4a|mov|avi|webm|ogg|wav|flac|sqlite3?|db|bin|dat|pyc|docx?|xlsx?|pptx?|parquet|npy|onnx|pt)$/i;

/**
 * Says why a file is excluded from searches because of its name or place. `path` is relative to the workspace, with
 * `/`.
 */
export function exclusionOf(path: string): SkipReason | undefined {
  const at = path.lastIndexOf('/') + 1;
  const byFolder = exclusionOfFolder(path.slice(0, at));
  if (byFolder !== undefined) return byFolder;
  const name = path.slice(at);
  if (LOCK_FILES.has(name.toLowerCase()) || LOCK.test(name)) return 'lock';
  if (CHANGELOG.test(name)) return 'changelog';
  if (GENERATED.test(name)) return 'generated';
  if (/\.snap$/i.test(name)) return 'test-data';
  return BINARY.test(name) ? 'binary' : undefined;
}

let last: { readonly folder: string; readonly exclusion: SkipReason | undefined } = {
  folder: '',
  exclusion: undefined,
};

/** Most files are looked at right after another one of their folder. @param folder with a `/` at its end */
function exclusionOfFolder(folder: string): SkipReason | undefined {
  if (folder !== last.folder) {
    const exclusion = FOLDERS.find(([pattern]) => pattern.test(folder))?.[1];
    last = { folder, exclusion };
  }
  return last.exclusion;
}

/** The parts of a text that can show that nobody wrote it. */
export interface Looks {
  /** Its first 1,000 characters and last 300. */
  readonly head: string;
  readonly tail: string;
  /** In characters. */
  readonly length: number;
  readonly lines: number;
}

/** Tells whether the text shows that nobody wrote it by hand, or nobody is meant to read it. */
export function isGenerated(text: string): boolean {
  return looksGenerated({
    head: text.slice(0, HEAD),
    tail: text.slice(-TAIL),
    length: text.length,
    lines: text.split('\n').length,
  });
}

/** Does the work of `isGenerated` for a text that is at hand in parts. */
export function looksGenerated({ head, tail, length, lines }: Looks): boolean {
  if (/@generated\b|DO NOT EDIT|auto-?generated (by|file|from)|Code generated by/i.test(head)) return true;
  if (/^\/\/# sourceMappingURL=/m.test(tail)) return true;
  return length > 5000 && length / lines > LONG_LINES;
}
