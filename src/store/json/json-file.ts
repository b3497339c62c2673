import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod';
import { wrongField } from '../../core/messages/wrong-field.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { isTooDeep } from '../../core/text/nesting.ts';
import { oneLine } from '../../core/text/text.ts';
import type { Commit, Files, ReadFiles } from '../files/files.ts';
import * as say from '../messages.ts';
import { jsonErrorLine } from './json-error-line.ts';

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

/** Tells whether a value is an object, not a list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object with the known fields first, in their order, and the others in their original order. */
export function inOrder(object: JsonObject, known: readonly string[]): JsonObject {
  // Objects without a prototype are slow, but only they can be assigned a field of that name.
  const ordered: Record<string, unknown> = Object.hasOwn(object, '__proto__') ? Object.create(null) : {};
  for (const key of known) if (Object.hasOwn(object, key)) ordered[key] = object[key];
  for (const key of Object.keys(object)) if (!Object.hasOwn(ordered, key)) ordered[key] = object[key];
  return ordered;
}

/** The text of a JSON file: two spaces, the fields in the order given, a line break at the end. */
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
