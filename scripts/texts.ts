// All texts for people, collected for translators.
import { globSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { actionTexts } from '../src/core/actions/action-descriptor.ts';
import { type KindDescriptor, textsOf } from '../src/core/kind/kind-descriptor.ts';
import type { Entry } from '../src/core/messages/message.ts';
import { COMMON_ACTIONS } from '../src/extension/actions/editor-actions.ts';

/** English texts, or those of another language, by key, as in a file for translators. */
export type Texts = Readonly<Record<string, string>>;

/**
 * Every text by its key: an entry of the catalogue by its own (`store.no-folder`), one of the manifest by its place there
 * (`%command.start%`), any other of the editor, the panel and the kinds by the text itself.
 * @param root the project's folder, with a slash at its end
 * @throws Error if two entries have the same key
 */
export async function englishTexts(root: string, descriptors: readonly KindDescriptor[]): Promise<Texts> {
  const texts = new Map<string, string>();
  for (const { english } of await catalogue(root))
    for (const [key, text] of Object.entries(english)) {
      if (texts.has(key)) throw new Error(`Two messages have the key ${key}.`);
      texts.set(key, text);
    }
  for (const [key, text] of Object.entries(json(`${root}package.nls.json`))) texts.set(`%${key}%`, text);
  const details = await Promise.all(descriptors.map((descriptor) => descriptor.graph?.details()));
  const ofKinds = [...textsOf(descriptors), ...details.flatMap((each) => each?.texts ?? [])];
  const plain = [...Object.values(COMMON_ACTIONS).flatMap(actionTexts), ...ofKinds, ...literals(root)];
  for (const text of plain) texts.set(text, text);
  return Object.fromEntries([...texts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns the content of `package.nls.<language>.json`, from the one file of a language. */
export function manifestTexts(texts: Texts): Texts {
  const own = Object.entries(texts).filter(([key]) => /^%.*%$/.test(key));
  return Object.fromEntries(own.map(([key, text]) => [key.slice(1, -1), text]));
}

/** Returns the keys that a language's file lacks: these texts are shown in English. */
export function missingIn(language: string, translated: Texts, english: Texts): string[] {
  // No number of such a language is said by a text for one.
  const hasOne = new Intl.PluralRules(language).resolvedOptions().pluralCategories.includes('one');
  const isSaid = (key: string): boolean => hasOne || !(key.endsWith('.one') && otherOf(key) in english);
  return Object.keys(english).filter((key) => isSaid(key) && !Object.hasOwn(translated, key));
}

function otherOf(key: string): string {
  return key.replace(/\.(?:zero|one|two|few|many)$/, '.other');
}

/** Returns a language's file without the texts that nobody says any more, in the order of the English one. */
export function inOrder(translated: Texts, english: Texts): Texts {
  const place = new Map(Object.keys(english).map((key, at) => [key, at]));
  const known = Object.entries(translated).flatMap(([key, text]) => {
    const at = place.get(key) ?? place.get(otherOf(key));
    return at === undefined ? [] : [{ key, text, at }];
  });
  return Object.fromEntries(known.sort((a, b) => a.at - b.at).map(({ key, text }) => [key, text]));
}

/** Returns the faults in a language's file: unknown texts, empty ones, and placeholders that differ from the English. */
export function faultsOf(translated: Texts, english: Texts): string[] {
  const faults: string[] = [];
  for (const [key, text] of Object.entries(translated)) {
    // A language may have more plural forms than English.
    const like = english[key] ?? english[otherOf(key)];
    if (like === undefined) faults.push(`unknown: ${key}`);
    else if (text.trim() === '') faults.push(`empty: ${key}`);
    else if (!samePlaces(text, like)) faults.push(`other places: ${key}`);
  }
  return faults;
}

/**
 * Returns the files with entries of the catalogue: a room's own file of them, or the module that alone says a message.
 */
export function catalogueFiles(root: string): string[] {
  const isEntry = /^export const \w+ = (?:message|counted)\(/m;
  const files = globSync('src/**/*.ts', { cwd: root });
  return files.filter(
    (file) => /\/messages(?:\/|\.ts$)/.test(file) || isEntry.test(readFileSync(`${root}${file}`, 'utf8')),
  );
}

/** Returns the entries of the catalogue. */
async function catalogue(root: string): Promise<Entry<object>[]> {
  const modules = await Promise.all(catalogueFiles(root).map((file) => import(pathToFileURL(`${root}${file}`).href)));
  const exported = modules.flatMap((module) => Object.values(module as Record<string, unknown>));
  return exported
    .flatMap((each) => (typeof each === 'object' ? Object.values(each as object) : each))
    .filter(isEntry)
    .filter(({ key }) => key !== 'foreign'); // which is foreign text, unchanged
}

function isEntry(value: unknown): value is Entry<object> {
  return typeof value === 'function' && 'english' in value;
}

/** The texts of `l10n.t` calls in the editor's code, the panel's and the command line's. */
function literals(root: string): string[] {
  const files = globSync(['src/{cli,extension}/**/*.ts', 'webview-ui/**/*.{ts,tsx}'], { cwd: root });
  return files.flatMap((file) => textsIn(readFileSync(`${root}${file}`, 'utf8')));
}

/**
 * The translatable texts in a file.
 * @throws Error if one of them is not a plain literal
 */
export function textsIn(source: string): string[] {
  const calls = source.match(/\bl10n\s*\.t\(/g)?.length ?? 0;
  const found = [...source.matchAll(/\bl10n\s*\.t\(\s*('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")\s*[,)]/g)];
  if (found.length !== calls)
    throw new Error('The text of l10n.t has to be a plain literal, or it cannot be translated.');
  return found.map(([, literal = '']) =>
    literal.slice(1, -1).replace(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped)),
  );
}

/** Tells whether two texts have the same places for arguments, and the same links. */
function samePlaces(a: string, b: string): boolean {
  const places = (text: string): string =>
    [...new Set(text.match(/\{\w+(?::\w+)?\}|\]\([^()\s]{1,300}\)/g))].sort().join();
  return places(a) === places(b);
}

function json(file: string): Texts {
  return JSON.parse(readFileSync(file, 'utf8')) as Texts;
}
