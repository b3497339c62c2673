import { readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Figure } from '../harness/figure.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TARGETS: Readonly<Record<string, number>> = { 'extension.cjs': 100 };

/** Returns the built bundles, and the packed extension if it exists; empty if nothing was built. */
export async function sizes(): Promise<Figure[]> {
  const bundles = [...filesIn('dist', '.cjs'), ...filesIn('dist', 'webview.js')].map((name): Figure => {
    const atMost = TARGETS[name];
    const figure = { part: 'sizes', what: `dist/${name}`, value: kilobytes(`dist/${name}`), unit: 'KB' };
    return atMost === undefined ? figure : { ...figure, target: { atMost } };
  });
  const packed = filesIn('', '.vsix').map((name): Figure => {
    return { part: 'sizes', what: name, value: kilobytes(name) / 1024, unit: 'MB', target: { atMost: 5 } };
  });
  return [...bundles, ...packed];
}

function filesIn(folder: string, ending: string): string[] {
  try {
    return readdirSync(`${ROOT}${folder}`).filter((name) => name.endsWith(ending));
  } catch {
    return []; // nothing was built
  }
}

function kilobytes(file: string): number {
  return statSync(`${ROOT}${file}`).size / 1024;
}
