import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod';
import { kept } from '../../core/messages/message.ts';
import { wrongField } from '../../core/messages/wrong-field.ts';
import type { Problem } from '../../core/ports/store.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../../core/search/errors.ts';
import { isTooDeep } from '../../core/text/loose-json.ts';
import { oneLine } from '../../core/text/text.ts';
import type { Commit, Files, ReadFiles, ReadTexts } from '../files/files.ts';
import * as say from '../messages.ts';

/** A JSON object from a file, including unknown fields. */
export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Reads a JSON file; undefined if there is none.
 * @throws ThoughtTreeError `damaged`, naming file and line
 */
export async function readJson(files: ReadFiles, file: string): Promise<unknown> {
  const text = await files.read(file);
  return text === undefined ? undefined : parseJson(text, file);
}

/**
 * Parses the text of a JSON file.
 * @throws ThoughtTreeError `damaged`, naming file and line
 */
export function parseJson(text: string, file: string): unknown {
  const plain = text.replace(/^\ufeff/, '');
  const value = parsed(plain, file);
  if (isTooDeep(value, plain.length)) throw new ThoughtTreeError('damaged', say.nestedTooDeeply({ file }), { file });
  return value;
}

function parsed(plain: string, file: string): unknown {
  try {
    return JSON.parse(plain);
  } catch (error) {
    const line = jsonErrorLine(plain) ?? 1;
    const why = plain.trim() === '' ? say.emptyFile() : oneLine(error instanceof Error ? error.message : '', 200);
    throw new ThoughtTreeError('damaged', say.notJson({ file, line, why }), {
      file,
      line,
      cause: error,
    });
  }
}

/**
 * Checks the content of a JSON file.
 * @throws ThoughtTreeError `damaged`, naming file and field
 */
export function checkJson<T extends z.ZodType>(schema: T, value: unknown, file: string): z.infer<T> {
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  throw new ThoughtTreeError('damaged', say.wrongFields({ file, why: wrongField(checked.error) }), { file });
}

/** Returns an object with the known fields first, in their order, and the others in their original order. */
export function inOrder(object: JsonObject, known: readonly string[]): JsonObject {
  // Objects without a prototype are slow, but only they can be assigned a field of that name.
  const ordered: Record<string, unknown> = Object.hasOwn(object, '__proto__') ? Object.create(null) : {};
  for (const key of known) if (Object.hasOwn(object, key)) ordered[key] = object[key];
  for (const key of Object.keys(object)) if (!Object.hasOwn(ordered, key)) ordered[key] = object[key];
  return ordered;
}

/** Returns the text of a JSON file: two spaces, the fields in the order given, a line break at the end. */
export function stringifyJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/**
 * Writes a JSON file, unless the existing one means the same, whatever the order of its fields: then it stays byte for byte.
 * @returns what was written, as text and as it will be read; undefined if nothing was
 */
export async function writeJson(
  files: Files,
  file: string,
  value: unknown,
  current: unknown,
  commit: Commit,
): Promise<{ text: string; value: unknown } | undefined> {
  const text = stringifyJson(value);
  // Read back, since what JSON cannot express (undefined, prototypes) must not count as a difference.
  const written: unknown = JSON.parse(text);
  if (current !== undefined && isDeepStrictEqual(current, written)) return undefined;
  await files.writeAtomic(file, text, commit);
  return { text, value: written };
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/;
const TOKEN = new RegExp(`[ \\t\\r\\n]+|${NUMBER.source}|true|false|null|[{}[\\],:]`, 'y');
const ESCAPE = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y;

/** The tokens that may come next. */
type Expected = 'value' | 'value-or-end' | 'name' | 'name-or-end' | 'colon' | 'comma-or-end' | 'nothing';

/**
 * The line, from 1, at which a text stops being JSON; undefined if it is JSON. The parser's own message gives the place
 * of some errors only.
 */
export function jsonErrorLine(text: string): number | undefined {
  const open: string[] = [];
  let expected: Expected = 'value';
  let at = 0;
  while (at < text.length) {
    const token = tokenAt(text, at);
    if (token === undefined) return lineAt(text, at);
    if (token.trim() !== '') {
      const next = follow(token, expected, open);
      if (next === undefined) return lineAt(text, at);
      expected = next;
    }
    at += token.length;
  }
  return expected === 'nothing' ? undefined : lineAt(text, text.trimEnd().length);
}

function tokenAt(text: string, at: number): string | undefined {
  if (text[at] === '"') return stringAt(text, at);
  TOKEN.lastIndex = at;
  return TOKEN.exec(text)?.[0];
}

// Not a regular expression: a long string would overflow its stack.
function stringAt(text: string, at: number): string | undefined {
  for (let i = at + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x22) return text.slice(at, i + 1);
    if (code < 0x20) return undefined;
    if (code !== 0x5c) continue;
    ESCAPE.lastIndex = i;
    const escaped = ESCAPE.exec(text)?.[0];
    if (escaped === undefined) return undefined;
    i += escaped.length - 1;
  }
  return undefined;
}

/** Returns what may follow a token, or undefined if it is not allowed here; updates `open`, the unclosed brackets. */
function follow(token: string, expected: Expected, open: string[]): Expected | undefined {
  const first = token.charAt(0);
  const afterValue = (): Expected => (open.length === 0 ? 'nothing' : 'comma-or-end');
  switch (first) {
    case '}':
    case ']': {
      const empty = first === '}' ? 'name-or-end' : 'value-or-end';
      if ((expected !== empty && expected !== 'comma-or-end') || open.pop() !== first) return undefined;
      return afterValue();
    }
    case ',':
      if (expected !== 'comma-or-end') return undefined;
      return open.at(-1) === '}' ? 'name' : 'value';
    case ':':
      return expected === 'colon' ? 'value' : undefined;
    case '"':
      if (expected === 'name' || expected === 'name-or-end') return 'colon';
      break;
  }
  if (expected !== 'value' && expected !== 'value-or-end') return undefined;
  if (first !== '{' && first !== '[') return afterValue();
  open.push(first === '{' ? '}' : ']');
  return first === '{' ? 'name-or-end' : 'value-or-end';
}

function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let i = text.indexOf('\n'); i >= 0 && i < offset; i = text.indexOf('\n', i + 1)) line++;
  return line;
}

/** The result of reading a file. `damaged`: it exists but is unusable; noted as a problem. */
export type Look<T> =
  | { readonly state: 'ok'; readonly value: T }
  | { readonly state: 'missing' }
  | { readonly state: 'damaged' };

/**
 * Reads a JSON file so that damage to it stops nothing else.
 * @param check turns the parsed value into the wanted one; may throw `damaged`
 * @param recent what it was turned into before
 */
export async function lookAtJson<T>(
  files: ReadTexts,
  file: string,
  problems: ProblemList,
  check: (value: unknown) => T,
  recent?: RecentTexts<T>,
): Promise<Look<T>> {
  try {
    const text = await files.read(file);
    if (text === undefined) return { state: 'missing' };
    const known = recent?.get(file, text);
    if (known !== undefined) return { state: 'ok', value: known };
    const value = check(parseJson(text, file));
    recent?.set(file, text, value);
    return { state: 'ok', value };
  } catch (error) {
    problems.addError(error, file);
    return { state: 'damaged' };
  }
}

/** Copies a damaged file to `<file>.damaged-<n>`, so that whoever wrote it can repair it after it is overwritten. */
export async function keepDamaged(files: Files, file: string, commit: Commit): Promise<void> {
  for (let n = 1; !(await files.copy(file, `${file}.damaged-${n}`, commit)); ) n++;
}

/** The problems of reading, each once. */
export class ProblemList {
  readonly #problems: Problem[] = [];
  readonly #seen = new Set<string>();

  get all(): readonly Problem[] {
    return this.#problems;
  }

  add(problem: Problem): void {
    const key = `${problem.file}\n${problem.message}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#problems.push(problem);
  }

  /** Records the error of reading one file; rethrows anything that is not about this file. */
  addError(error: unknown, file: string): void {
    if (!isThoughtTreeError(error, 'damaged', 'outside', 'not-writable')) throw error;
    const { line } = error.details;
    this.add({ file, ...kept(error.say), ...(line === undefined ? {} : { line }) });
  }
}

/** The values made from files that were read lately: most reads find what the one before found. */
export class RecentTexts<T> {
  readonly #most: number;
  readonly #files = new Map<string, { readonly text: string; readonly value: T }>();

  /** @param most how many files are remembered */
  constructor(most: number) {
    this.#most = most;
  }

  /** Returns the value made from a file, if it still has this text. */
  get(file: string, text: string): T | undefined {
    const known = this.#files.get(file);
    return known?.text === text ? known.value : undefined;
  }

  clear(): void {
    this.#files.clear();
  }

  set(file: string, text: string, value: T): void {
    this.#files.delete(file);
    this.#files.set(file, { text, value });
    const [oldest] = this.#files.keys();
    if (this.#files.size > this.#most && oldest !== undefined) this.#files.delete(oldest);
  }
}

/** Tells whether the text of a JSON file breaks off, or has zeros in it, as after a loss of power. */
export function isTorn(text: string): boolean {
  return text.trim() === '' || text.includes('\0') || breaksOff(text);
}

/** Tells whether brackets or a string are open at the end. */
function breaksOff(text: string): boolean {
  let open = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (inString) {
      if (char === '\\') at++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '[' || char === '{') open++;
    else if (char === ']' || char === '}') open--;
  }
  return inString || open > 0;
}
