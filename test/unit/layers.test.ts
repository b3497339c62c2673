import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Which folders of ours a folder may import from. Arrows go down only. */
const MAY_IMPORT: Record<string, string[]> = {
  core: [],
  store: ['core'],
  text: ['core'],
  processes: [],
  models: ['core', 'text', 'processes'],
  work: ['core', 'store', 'processes'],
  fleet: ['core', 'models'],
  // The kernel: its parts are handed in.
  engine: ['core'],
  'engine-parts': ['core', 'engine'],
  kinds: ['core', 'engine', 'engine-parts'],
  searches: [
    'core',
    'store',
    'text',
    'processes',
    'models',
    'work',
    'engine',
    'engine-parts',
    'kinds',
    'protocol',
    'drawing',
  ],
  protocol: ['core'],
  drawing: ['core', 'protocol'],
  // The command `mcp` loads the server, which is a host of its own.
  cli: ['core', 'store', 'text', 'models', 'work', 'fleet', 'engine', 'engine-parts', 'kinds', 'searches', 'mcp'],
  // For programs of others.
  library: ['core', 'engine', 'kinds', 'searches'],
  extension: [
    'core',
    'store',
    'text',
    'models',
    'work',
    'fleet',
    'engine',
    'engine-parts',
    'kinds',
    'searches',
    'protocol',
  ],
  mcp: ['core', 'store', 'text', 'models', 'work', 'engine', 'engine-parts', 'kinds', 'searches', 'protocol'],
  'webview-ui': ['protocol', 'core', 'drawing'],
};
/** Folders that may take types from where they import, but no code. */
const TYPES_ONLY: Record<string, string[]> = {
  protocol: ['core'],
  drawing: ['core', 'protocol'],
  'webview-ui': ['core'],
};
/** Folders that run where Node is not at hand, or decide without it. */
const PURE = ['core', 'protocol', 'drawing', 'engine', 'engine-parts', 'kinds', 'webview-ui'];

interface Import {
  readonly from: string;
  readonly typeOnly: boolean;
}

/** The imports and re-exports of a file, static and dynamic. */
function importsOf(content: string): Import[] {
  const code = content.replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, '');
  const statements = code.matchAll(/^\s*(?:import|export)\s+(type\s+)?(?:[\w*{][^;'"]*?\s+from\s+)?['"]([^'"]+)['"]/gm);
  const dynamic = code.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g);
  return [
    ...[...statements].map((match) => ({ from: match[2] as string, typeOnly: match[1] !== undefined })),
    ...[...dynamic].map((match) => ({ from: match[1] as string, typeOnly: false })),
  ];
}

/** The layer of a file: the folder under src, or webview-ui. */
function layerOf(path: string): string | undefined {
  const [top, next] = path.split('/');
  return top === 'src' ? next : top;
}

/** What is wrong with one file's imports and exports, in words. */
function violations(path: string, content: string): string[] {
  const layer = layerOf(path) as string;
  const allowed = MAY_IMPORT[layer];
  if (!allowed) return [`${path}: no layer is called ${layer}`];
  const found = importsOf(content).flatMap((each) => importViolations(layer, allowed, path, each));
  if (/^\s*export\s+default\b/m.test(content)) found.push('a default export');
  if (/^\s*export\s+(?:type\s+)?(?:\*|\{[^}]*\})\s*(?:as\s+\w+\s+)?from\b/m.test(content)) found.push('a barrel');
  return found.map((what) => `${path}: ${what}`);
}

function importViolations(layer: string, allowed: string[], path: string, { from, typeOnly }: Import): string[] {
  if (from === 'vscode') return layer === 'extension' ? [] : ['vscode'];
  if (from === '../../package.json') return []; // our own version
  if (!from.startsWith('.')) return PURE.includes(layer) && from.startsWith('node:') ? [from] : [];
  const target = layerOf(new URL(from, `file:///${path}`).pathname.slice(1)) as string;
  if (target === layer) return /\.(tsx?|css|json)$/.test(from) ? [] : [`${from} without its ending`];
  if (!allowed.includes(target)) return [from];
  return TYPES_ONLY[layer]?.includes(target) && !typeOnly ? [`code of ${from}`] : [];
}

describe('the layers', () => {
  const files = globSync(['src/**/*.ts', 'webview-ui/**/*.{ts,tsx}'], { cwd: ROOT }).map((path) =>
    path.replaceAll('\\', '/'),
  );

  it('are kept: imports go down only, there is no default export and no barrel', () => {
    assert.ok(files.length > 50, `only ${files.length} files found`);
    const found = files.flatMap((path) => violations(path, readFileSync(`${ROOT}${path}`, 'utf8')));
    assert.deepEqual(found, []);
  });

  it('see every import of a file', () => {
    const content = [
      "import 'one';",
      "import * as z from 'two';",
      "import three, { type Three } from 'three';",
      "import type {\n  Four,\n  Five,\n} from 'four';",
      "export { six } from 'six';",
      "const seven = await import('seven');",
      "// import 'none';",
      " * import 'none' here",
      "const text = 'import';",
    ].join('\n');
    const seen = importsOf(content).map(({ from, typeOnly }) => (typeOnly ? `type ${from}` : from));
    assert.deepEqual(seen, ['one', 'two', 'three', 'type four', 'six', 'seven']);
  });

  for (const [path, content] of [
    ['src/core/a.ts', "import { b } from '../engine/b.ts';"],
    ['src/core/tree/a.ts', "import { b } from '../../engine/nodes/b.ts';"],
    ['src/core/a.ts', "import { readFile } from 'node:fs/promises';"],
    ['src/core/a.ts', "import type { B } from '../store/b.ts';"],
    ['src/kinds/research/a.ts', "import { b } from '../../searches/b.ts';"],
    ['src/engine/prompts/a.ts', "import { b } from '../../store/b.ts';"],
    ['src/engine/a.ts', "const b = await import('../models/open-model.ts');"],
    ['src/engine/a.ts', "import { b } from '../kinds/research/b.ts';"],
    ['src/engine/a.ts', "import type { B } from '../engine-parts/offers/b.ts';"],
    ['src/engine-parts/offers/a.ts', "import { b } from '../../kinds/research/b.ts';"],
    ['src/models/quotes/a.ts', "import { b } from '../../store/b.ts';"],
    ['src/store/a.ts', "import { b } from '../models/b.ts';"],
    ['src/fleet/a.ts', "import { b } from '../searches/b.ts';"],
    ['src/cli/a.ts', "import { b } from '../extension/b.ts';"],
    ['src/cli/a.ts', "import * as vscode from 'vscode';"],
    ['src/extension/a.ts', "import { b } from '../cli/b.ts';"],
    ['src/protocol/a.ts', "import { b } from '../core/b.ts';"],
    ['src/drawing/a.ts', "import { b } from '../../webview-ui/b.ts';"],
    ['src/drawing/a.ts', "import { b } from '../core/b.ts';"],
    ['src/drawing/a.ts', "import { b } from 'node:fs';"],
    ['webview-ui/a.tsx', "import { b } from '../src/core/b.ts';"],
    ['webview-ui/a.tsx', "import type { B } from '../src/engine/b.ts';"],
    ['src/engine/a.ts', "import {\n  a,\n  b,\n} from '../cli/b.ts';"],
    ['src/core/a.ts', 'export default class A {}'],
    ['src/core/a.ts', "export * from './b.ts';"],
    ['src/core/a.ts', "export { b } from './b.ts';"],
    ['src/core/a.ts', "import { b } from './b';"],
    ['src/elsewhere/a.ts', ''],
  ] as const)
    it(`find what is wrong in ${path}: ${content.replaceAll('\n', ' ')}`, () => {
      assert.equal(violations(path, content).length, 1);
    });

  for (const [path, content] of [
    [
      'src/engine/a.ts',
      "import { b } from '../core/b.ts';\nimport { c } from '../core/tree/c.ts';\nimport pLimit from 'p-limit';",
    ],
    ['src/extension/a.ts', "import * as vscode from 'vscode';"],
    ['src/protocol/a.ts', "import type { B } from '../core/b.ts';"],
    ['src/searches/a.ts', "import { b } from '../drawing/b.ts';"],
    ['webview-ui/a.tsx', "import { b } from '../src/drawing/b.ts';\nimport type { C } from '../src/core/c.ts';"],
    ['src/store/a.ts', "import { open } from 'node:fs/promises';"],
    ['src/core/a.ts', 'export const a = 1;\nexport { b };\n'],
  ] as const)
    it(`find nothing wrong in ${path}: ${content.replaceAll('\n', ' ')}`, () => {
      assert.deepEqual(violations(path, content), []);
    });
});
