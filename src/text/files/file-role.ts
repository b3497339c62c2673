/** The role of a file. Each role has its own place in a document, so that tests and docs do not crowd out source. */
export type FileRole = 'source' | 'test' | 'docs' | 'config';

const PROSE = new Set(['md', 'mdx', 'markdown', 'rst', 'adoc', 'asciidoc', 'txt', 'org', 'tex', 'ipynb']);
const CONFIG = new Set([
  'json',
  'jsonc',
  'json5',
  'yml',
  'yaml',
  'toml',
  'ini',
  'cfg',
  'conf',
  'properties',
  'xml',
  'csv',
  'patch',
  'diff',
]);
const TEST_FOLDER =
  /^(tests?|__tests?__|specs?|e2e|testing|__mocks__|(unit|integration|functional|acceptance|system|regression)[-_]?tests?|test[-_]?(suites?|cases?|utils?|helpers?|support))$/i;
const TEST_FILE =
  /([._-](tests?|specs?|e2e|bench)\.[a-z0-9]+$)|(^test_[^/]*\.py$)|((Tests?|Specs?)\.(java|cs|kt|php|swift|scala)$)/;
/** At the top of a project it contains the tests, and so it does in Rust; else it is the part of a program that is about tests. */
const TEST_MODULE = /^tests?\.[a-z]+$|(^|\/)tests?\.rs$/;

/** Returns the role of a file, judging by its path. */
export function roleOf(path: string): FileRole {
  const segments = path.split('/');
  const name = segments.at(-1) ?? '';
  const extension = extensionOf(path);
  if (PROSE.has(extension) || (extension === '' && name === name.toUpperCase())) return 'docs';
  if (segments.slice(0, -1).some((segment) => TEST_FOLDER.test(segment)) || TEST_FILE.test(name)) return 'test';
  if (TEST_MODULE.test(path)) return 'test';
  return CONFIG.has(extension) || (name.startsWith('.') && extension === '') ? 'config' : 'source';
}

/** Returns the extension of a path in lower case, without the dot; empty where there is none. */
export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}

/**
 * A file's role for a question. Only `code` answers by itself; the others are evidence that points at code, and are
 * topics only if the question asks for them. A `twin` says the same as another file: compiled from it, or its other
 * module system.
 */
export type FileStanding = 'code' | 'test' | 'docs' | 'config' | 'declaration' | 'example' | 'twin';

const EXAMPLE = /(^|\/)(bench|benchmarks?|benches|examples?|_examples?|demos?|samples?|playground)\//i;
const DOCS = /(^|\/)(docs?|documentation|website)\//i;
const DECLARATION = /\.d\.[cm]?ts$|\.pyi$/;
const MANIFEST =
  /(^|\/)(go\.mod|gemfile|rakefile|makefile|dockerfile|cmakelists\.txt|setup\.py|meson\.build|build\.gradle(\.kts)?)$|\.(cfg|gemspec|csproj|mk)$/i;
/** By Go's convention, the documentation of a package. */
const PACKAGE_DOCS = /(^|\/)doc\.go$/;
const OUTPUT = /^(?:dist|build|out|lib|esm?|cjs|umd)$/;
const TYPESCRIPT = ['ts', 'tsx', 'mts', 'cts'];
/** Of modules that differ in nothing else, the first is the one that people read. */
const MODULES = [...TYPESCRIPT, 'js', 'jsx', 'mjs', 'cjs'];

/** Returns the standing of each file, by its path. */
export function standingsOf(paths: readonly string[]): ReadonlyMap<string, FileStanding> {
  const standings = new Map(paths.map((path) => [path, standingOf(path)]));
  const best = new Map<string, number>();
  const sources = new Set<string>();
  const modules = paths.flatMap((path) => (standings.get(path) === 'code' ? (moduleOf(path) ?? []) : []));
  for (const { bare, rank, isWritten } of modules) {
    best.set(bare, Math.min(rank, best.get(bare) ?? rank));
    if (isWritten) sources.add(withoutOutput(bare));
  }
  for (const { path, bare, rank, isWritten } of modules) {
    const isCompiled = !isWritten && withoutOutput(bare) !== bare && sources.has(withoutOutput(bare));
    if (isCompiled || best.get(bare) !== rank) standings.set(path, 'twin');
  }
  return standings;
}

function standingOf(path: string): FileStanding {
  const role = roleOf(path);
  if (role === 'test') return 'test';
  if (DECLARATION.test(path)) return 'declaration';
  if (MANIFEST.test(path)) return 'config';
  if (role === 'docs' || PACKAGE_DOCS.test(path)) return 'docs';
  if (EXAMPLE.test(path)) return 'example';
  if (role === 'config') return 'config';
  return DOCS.test(path) ? 'docs' : 'code';
}

interface Module {
  readonly path: string;
  /** Without its extension. */
  readonly bare: string;
  readonly rank: number;
  /** True if it is in TypeScript, which is never what a compiler writes. */
  readonly isWritten: boolean;
}

function moduleOf(path: string): Module | undefined {
  const extension = extensionOf(path);
  const rank = MODULES.indexOf(extension);
  if (rank < 0) return undefined;
  return { path, bare: path.slice(0, -extension.length - 1), rank, isWritten: TYPESCRIPT.includes(extension) };
}

/** Returns one name for `src/a/b` and the files compiled from it: `lib/a/b`, `dist/esm/a/b`. */
function withoutOutput(bare: string): string {
  const folders = bare.split('/');
  while (folders.length > 1 && (folders[0] === 'src' || OUTPUT.test(folders[0] ?? ''))) folders.shift();
  return folders.join('/');
}
