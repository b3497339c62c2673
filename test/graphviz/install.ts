// Installs Graphviz, built as WebAssembly: the same on every system, without root, and no part of our package.
//   node test/graphviz/install.ts    installs it where it is missing (about a second) and prints the folder
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installPackages } from '../support/install-packages.ts';

/** What we use of Graphviz. */
interface Graphviz {
  layout(dot: string, format: 'json' | 'svg', engine: 'dot'): string;
  version(): string;
}

/** The folder whose `node_modules` hold it. */
function installGraphviz(): Promise<string> {
  return installPackages(join(import.meta.dirname, 'renderer'), 'graphviz');
}

/** The real Graphviz. */
export async function loadGraphviz(): Promise<Graphviz> {
  const entry = join(await installGraphviz(), 'node_modules', '@hpcc-js', 'wasm-graphviz', 'dist', 'index.js');
  const { Graphviz: module } = (await import(pathToFileURL(entry).href)) as { Graphviz: { load(): Promise<Graphviz> } };
  return await module.load();
}

if (import.meta.main) process.stdout.write(`${await installGraphviz()}\n`);
