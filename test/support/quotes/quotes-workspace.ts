import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Model, ModelAnswer, Topic } from '../../../src/core/ports/model.ts';
import { byRule } from '../../../src/kinds/research/prompts.ts';
import { listFiles } from '../../../src/text/files/list-files.ts';
import { readSource } from '../../../src/text/files/read-source.ts';
import type { SourceFile } from '../../../src/text/files/source-file.ts';
import { SecretFilter } from '../../../src/text/secrets/secret-filter.ts';
import { atExit } from '../at-exit.ts';
import { ONE_CALL } from '../models/one-call.ts';

const made: string[] = [];

/** A folder with these files, outside any git work tree. */
export function makeWorkspace(files: Record<string, string | Uint8Array>): string {
  const folder = mkdtempSync(join(tmpdir(), 'quotes-'));
  made.push(folder);
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  return folder;
}

/** Returns the files of a workspace that are quoted, nothing allowed. */
export function filesOf(workspace: string): Promise<string[]> {
  return listFiles(workspace, new SecretFilter(workspace));
}

/** Returns a file of a workspace as it is quoted, nothing allowed. */
export function sourceOf(workspace: string, path: string): Promise<SourceFile | undefined> {
  return readSource(workspace, path, new SecretFilter(workspace));
}

let mocha: string | undefined;

/**
 * Returns the sources of mocha, as its package brings them: the same folder for all tests of a process, which change
 * nothing.
 */
export function mochaWorkspace(): string {
  if (mocha !== undefined) return mocha;
  const folder = mkdtempSync(join(tmpdir(), 'quotes-mocha-'));
  atExit(() => rmSync(folder, { recursive: true, force: true }));
  const own = join(import.meta.dirname, '../../../node_modules/mocha');
  for (const name of ['lib', 'bin', 'index.js', 'mocha.mjs', 'browser-entry.js', 'package.json', 'README.md'])
    cpSync(join(own, name), join(folder, name), { recursive: true });
  mocha = folder;
  return folder;
}

/** Removes what was made; for `after`. */
export function removeWorkspaces(): void {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** Asks a model that reads typed data only, as a research search does. */
export function ask(
  model: Model,
  data: Parameters<typeof byRule>[0],
  signal = new AbortController().signal,
): Promise<ModelAnswer> {
  const prose = { node: '', system: '', turns: [], prompt: '', maxOutputTokens: 1000 };
  return model.generate({ ...prose, purpose: data.purpose, data: byRule(data) }, { ...ONE_CALL, signal });
}

/** Returns the content of the `<output>` block of an answer. */
export function outputOf({ text }: ModelAnswer): string {
  const output = /<output>\n(.*)\n<\/output>/s.exec(text)?.[1];
  if (output === undefined) throw new Error(`no <output> in ${text}`);
  return output;
}

/** A child as the model lists it. */
export interface ListedChild {
  readonly title: string;
  readonly score: number;
  readonly why: string;
}

/** Returns the subtopics of a lineage's last topic, or the first level. */
export async function childrenOf(model: Model, question: string, lineage: readonly Topic[]): Promise<ListedChild[]> {
  const folder = folderOf(lineage);
  const answer = await ask(model, { purpose: 'children', question, folder, lineage, maxChildren: 50 });
  return JSON.parse(outputOf(answer)) as ListedChild[];
}

/** Returns the document of a lineage's last topic. */
export async function documentOf(model: Model, question: string, lineage: readonly Topic[]): Promise<string> {
  return (await ask(model, { purpose: 'document', question, folder: folderOf(lineage), lineage })).text;
}

/** Returns the lineages of the subtopics of a lineage. */
export function below(lineage: readonly Topic[], children: readonly { title: string }[]): Topic[][] {
  const siblings = children.map(({ title }) => title);
  return siblings.map((title, index) => [...lineage, { title, siblings, index }]);
}

/** Returns where the tests say a node lies. */
export function folderOf(lineage: readonly Topic[]): string {
  return ['thought-trees/question', ...lineage.map(({ index }) => `node-${index}`)].join('/');
}

/** A quotation as a document shows it. */
export interface ShownQuote {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly lines: string[];
}

/**
 * Returns the quotations of a document: each a link that opens at its lines, then a fence. Paths are relative to the
 * workspace.
 */
export function quotesIn(document: string, folder: string): ShownQuote[] {
  const quote = /^\[[^\n]*\]\(([^)\s]+)#L(\d+)(?:-L(\d+))?\)[^\n]*\n\n(`{3,})[^\n]*\n(.*?)\n\4$/gms;
  return Array.from(document.matchAll(quote), ([, address = '', start = '', end = start, , body = '']) => ({
    path: join(folder, decodeURIComponent(address)),
    start: Number(start),
    end: Number(end),
    lines: body.split('\n'),
  }));
}
