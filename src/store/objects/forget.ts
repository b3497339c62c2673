import { ThoughtTreeError } from '../../core/search/errors.ts';
import { JournalEvent } from '../../core/search/events.ts';
import { SearchRecord } from '../../core/search/record/search-record.ts';
import { walk } from '../../core/tree/tree.ts';
import { TreeRecord } from '../../core/tree/tree-record.ts';
import type { Commit, Files, ReadFiles } from '../files/files.ts';
import { JOURNAL, JOURNAL_START, walkJournal } from '../journal/journal-reader.ts';
import * as say from '../messages.ts';
import { SNAPSHOT } from '../snapshot/snapshot.ts';
import { KEPT_TEXTS, textOfLine } from './kept-texts.ts';

/** What is to be forgotten: a text wherever it is, or the texts that were replaced or removed before a time (ms since 1970). */
export type Forgetting = { readonly text: string } | { readonly before: number };

export interface Forgotten {
  /** How many kept texts are gone. */
  readonly texts: number;
  /** How many other files in `.search` were changed, or removed. */
  readonly files: number;
  /** Files outside of `.search` that still have the text. */
  readonly outside: readonly string[];
}

const OWN = '.search';
const SET_ASIDE = `${OWN}/set-aside`;
/** What stands for a text that was forgotten. */
const GONE = '[forgotten]';
/** A shorter text would be a part of many words. */
const SHORTEST = 4;
const PIECE = 16 * 1024 * 1024;
/** Files that hold nothing that anybody wrote. */
const PLAIN = /^\.search\/(?:\.gitignore|id|interim|journal-seal\.json|lease-\d+\.json|tmp\/.*)$/;

/**
 * Forgets a text in the engine's own folder of a search that this process holds; whatever is outside of it stays. Killed
 * midway, it can be done again.
 * @param begin called before anything changes
 * @throws ThoughtTreeError `bad-input` if the search could not be read without the text: then nothing has changed
 */
export async function forgetIn(
  files: Files,
  what: Forgetting,
  commit: Commit,
  begin = () => Promise.resolve(),
): Promise<Forgotten> {
  if ('text' in what) return await forgetText(files, what.text, commit, begin);
  await begin();
  return await forgetBefore(files, what.before, commit);
}

async function forgetText(files: Files, text: string, commit: Commit, begin: () => Promise<void>): Promise<Forgotten> {
  if (text.trim().length < SHORTEST) throw new ThoughtTreeError('bad-input', say.forgetLonger({ least: SHORTEST }));
  const forms = formsOf(text);
  const paths = (await filesIn(files, OWN)).filter((path) => !PLAIN.test(path));
  const without = new Map<string, string>();
  let texts = 0;
  for (const path of paths) {
    if (path === SNAPSHOT) continue;
    const content = await wholeText(files, path);
    if (!forms.some((form) => content.includes(form)) && !isInTexts(path, content, forms)) continue;
    if (path.startsWith(`${SET_ASIDE}/`)) without.set(path, '');
    else if (path === KEPT_TEXTS) {
      const lines = content.split('\n');
      const kept = lines.filter((line) => !hasForm(textOfLine(line) ?? line, forms) && !hasForm(line, forms));
      texts = lines.length - kept.length;
      without.set(path, kept.join('\n'));
    } else
      without.set(
        path,
        path === JOURNAL ? cleanJournal(content, forms) : cleanJson(content, forms, path.endsWith('l')),
      );
  }
  await begin();
  await files.remove(SNAPSHOT);
  for (const [path, content] of without) {
    if (path.startsWith(`${SET_ASIDE}/`)) await files.remove(path);
    else await files.writeAtomic(path, content, { ...commit, flush: true });
  }
  return { texts, files: without.size - (texts > 0 ? 1 : 0), outside: await outsideWith(files, text) };
}

/** Returns a text as it is, and as JSON, JSON in JSON, and JSON of ASCII alone write it; the longest first. */
function formsOf(text: string): string[] {
  const escaped = (form: string): string => JSON.stringify(form).slice(1, -1);
  const ascii = escaped(text).replace(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const forms = [text, escaped(text), escaped(escaped(text)), ascii, escaped(ascii)];
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

function hasForm(content: string, forms: readonly string[]): boolean {
  return forms.some((form) => content.includes(form));
}

/** Kept texts may be in another encoding. */
function isInTexts(path: string, content: string, forms: readonly string[]): boolean {
  return path === KEPT_TEXTS && content.split('\n').some((line) => hasForm(textOfLine(line) ?? '', forms));
}

function replaced(content: string, forms: readonly string[]): string {
  return forms.reduce((left, form) => left.replaceAll(form, GONE), content);
}

/** Replaces the text in all strings and names of a value. */
function cleanValue(value: unknown, forms: readonly string[]): unknown {
  if (typeof value === 'string') return replaced(value, forms);
  if (Array.isArray(value)) return value.map((each) => cleanValue(each, forms));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [replaced(name, forms), cleanValue(each, forms)]),
  );
}

function cleanJson(content: string, forms: readonly string[], isLines: boolean): string {
  if (isLines)
    return content
      .split('\n')
      .map((line) => cleanLine(line, forms))
      .join('\n');
  try {
    const clean = JSON.stringify(cleanValue(JSON.parse(content), forms), undefined, 2);
    return hasForm(clean, forms) ? replaced(clean, forms) : `${clean}\n`;
  } catch {
    return replaced(content, forms);
  }
}

function cleanLine(line: string, forms: readonly string[]): string {
  if (!hasForm(line, forms)) return line;
  try {
    return replaced(JSON.stringify(cleanValue(JSON.parse(line), forms)), forms);
  } catch {
    return replaced(line, forms);
  }
}

/** @throws ThoughtTreeError `bad-input` if an event would be none any more */
function cleanJournal(content: string, forms: readonly string[]): string {
  const lines = content.split('\n').map((line) => {
    const clean = cleanLine(line, forms);
    if (clean !== line && isEvent(line) && !isEvent(clean)) throw new ThoughtTreeError('bad-input', say.forgetNeeded());
    return clean;
  });
  return lines.join('\n');
}

function isEvent(line: string): boolean {
  try {
    return JournalEvent.safeParse(JSON.parse(line)).success;
  } catch {
    return false;
  }
}

/** Forgets the texts that no moment from a time on shows. */
async function forgetBefore(files: Files, before: number, commit: Commit): Promise<Forgotten> {
  const needed = await hashesSince(files, before);
  let texts = 0;
  if (await files.stat(KEPT_TEXTS)) {
    const lines = (await wholeText(files, KEPT_TEXTS)).split('\n');
    const kept = lines.filter((line) => line === '' || needed.has(hashIn(line)));
    texts = lines.length - kept.length;
    if (texts > 0) await files.writeAtomic(KEPT_TEXTS, kept.join('\n'), { ...commit, flush: true });
  }
  let removed = 0;
  for (const path of await filesIn(files, SET_ASIDE)) {
    if (((await files.stat(path))?.modified ?? before) >= before) continue;
    await files.remove(path);
    removed++;
  }
  return { texts, files: removed, outside: [] };
}

function hashIn(line: string): string {
  return /^\{"hash":"([\da-f]{32})"/.exec(line)?.[1] ?? '';
}

/** The hashes of texts that were there at a time, or came later. */
async function hashesSince(files: ReadFiles, before: number): Promise<ReadonlySet<string>> {
  const told = new TreeRecord();
  const record = new SearchRecord();
  const later = new Set<string>();
  await walkJournal(files, JOURNAL_START, (event) => {
    if (Date.parse(event.time) < before) {
      told.apply(event);
      if (event.type === 'text-written') record.apply(event);
    } else if (event.type === 'node-status' && event.document !== undefined) later.add(event.document);
    else if (event.type === 'node-added') for (const { document } of event.children) later.add(document ?? '');
    else if (event.type === 'text-written' && event.text !== undefined) later.add(event.text);
  });
  for (const { document } of walk(told.tree.root)) later.add(document ?? '');
  for (const hash of record.texts.values()) later.add(hash);
  return later;
}

async function wholeText(files: ReadFiles, path: string): Promise<string> {
  const size = (await files.stat(path))?.size ?? 0;
  const pieces: Buffer[] = [];
  for (let at = 0; at < size; at += PIECE) pieces.push(Buffer.from(await files.readBytes(path, at, PIECE)));
  return Buffer.concat(pieces).toString();
}

/** Returns the paths of all files below a folder. */
async function filesIn(files: ReadFiles, folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const waiting = [folder]; waiting.length > 0; ) {
    const at = waiting.pop() as string;
    for (const { name, kind } of await files.list(at)) {
      const path = at === '' ? name : `${at}/${name}`;
      if (kind === 'folder') waiting.push(path);
      else if (kind === 'file') found.push(path);
    }
  }
  return found.sort();
}

/** Files outside of `.search` with a text in them. */
async function outsideWith(files: ReadFiles, text: string): Promise<string[]> {
  const forms = formsOf(text);
  const found: string[] = [];
  for (const path of await filesIn(files, ''))
    if (!path.startsWith(`${OWN}/`) && hasForm(await wholeText(files, path), forms)) found.push(path);
  return found;
}
