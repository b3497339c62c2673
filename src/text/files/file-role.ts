import type { FileRole } from './source-file.ts';

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

/** The role of a file, judging by its path. */
export function roleOf(path: string): FileRole {
  const segments = path.split('/');
  const name = segments.at(-1) ?? '';
  const extension = extensionOf(path);
  if (PROSE.has(extension) || (extension === '' && name === name.toUpperCase())) return 'docs';
  if (segments.slice(0, -1).some((segment) => TEST_FOLDER.test(segment)) || TEST_FILE.test(name)) return 'test';
  if (TEST_MODULE.test(path)) return 'test';
  return CONFIG.has(extension) || (name.startsWith('.') && extension === '') ? 'config' : 'source';
}

/** The extension of a path in lower case, without the dot; empty where there is none. */
export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}
