import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Tree } from '../../../src/core/tree/tree.ts';
import { type PlannedState, searchOfState } from '../../../src/kinds/work-graph/exchange/import-state.ts';
import { readState } from '../../../src/kinds/work-graph/exchange/read-state.ts';
import { bindingsIn, writeState } from '../../../src/kinds/work-graph/exchange/write-state.ts';

const FILES = join(import.meta.dirname, '../../fixtures/work-graph/aot');

/** Returns the names of the state files in a folder. Those of damaged ones contain the line that is wrong. */
export function stateFiles(folder: 'good' | 'damaged'): string[] {
  return readdirSync(join(FILES, folder));
}

export function stateFile(folder: 'good' | 'damaged', name: string): string {
  return readFileSync(join(FILES, folder, name), 'utf8');
}

export function searchFrom(text: string): PlannedState {
  return searchOfState(readState(text, 'state.md').state);
}

/** Returns a search as a state file. */
export function written({ plan, tree, documents }: PlannedState, original?: string): string {
  return writeState({ plan, tree, bindings: bindingsIn(documents) }, original, { status: 'stopped' });
}

/** Titles that end what they are in, if they are written as they are. */
export const HOSTILE_TITLES = [
  '"]; x -> y [label="',
  '\\',
  '\\"',
  '<script>alert(1)</script>',
  '"] --> n1',
  '%%{init: {}}%%',
  'end',
  '`code`',
  '#quot;',
  '&amp;',
  'a\nb',
  '];\nclick n1 "javascript:alert(1)"',
];

/** Returns a tree of alternatives with these titles. */
export function treeWithTitles(titles: readonly string[]): Tree {
  return searchFrom(stateWithTitles(titles)).tree;
}

/** Returns the same as a state file. */
export function stateWithTitles(titles: readonly string[]): string {
  const atoms = titles.map(
    (title, i) => `  - {id: A${i}, description: ${JSON.stringify(title)}, or_group: ${i % 2 === 0 ? 'g' : 'h'}}`,
  );
  return `---\nobjective: {goal: g, base_case: {type: command, value: x}}\ncontrol: {status: running}\natoms:\n${atoms.join('\n')}\n---\n`;
}
