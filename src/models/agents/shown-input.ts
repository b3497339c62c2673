import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { realPlace } from '../../text/files/real-place.ts';

/** The longest question that a person can be expected to read, in characters. */
const LONGEST = 1500;

const PATH_NAME = /(path|file|dir|directory|folder|cwd|notebook)s?$/i;
const UPWARDS = /(^|[/\\])\.\.([/\\]|$)/;
/** Characters that take up space but show nothing, or look like a space and are none. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu;

/**
 * The input of a tool that an agent wants to use, in one line for people: as JSON, with invisible characters escaped (a
 * row of spaces as in `\u0020{12}`), and each path followed by the place it leads to, if different.
 * @param folder where the agent works
 * @returns undefined if it is too long to be shown in full: nobody can allow what they cannot see
 */
export function shownInput(input: Readonly<Record<string, unknown>>, folder: string): string | undefined {
  try {
    const text = shown(input, '', folder);
    return text.length <= LONGEST ? text : undefined;
  } catch {
    return undefined; // nested too deeply, or not expressible as JSON
  }
}

/** Shows the name of a tool; undefined if it is too long. */
export function shownName(name: string): string | undefined {
  const text = visible(name);
  return text.length <= 200 ? text : undefined;
}

function shown(value: unknown, name: string, folder: string): string {
  if (Array.isArray(value)) return `[${value.map((each) => shown(each, name, folder)).join(',')}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([key, each]) => `${quoted(key)}:${shown(each, key, folder)}`)
      .join(',')}}`;
  if (typeof value === 'string' && isPath(value, name)) return `${quoted(value)}${placeOf(value, folder)}`;
  return typeof value === 'string' ? quoted(value) : (JSON.stringify(value) ?? 'null');
}

function quoted(text: string): string {
  return visible(JSON.stringify(text));
}

function visible(text: string): string {
  return text
    .replace(UNSEEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
    .replace(/ {2,}/g, (spaces) => `\\u0020{${spaces.length}}`);
}

function isPath(value: string, name: string): boolean {
  return value !== '' && (PATH_NAME.test(name) || (UPWARDS.test(value) && !/\s/.test(value)));
}

/** Where a path leads, after an arrow; empty if it leads where it says. */
function placeOf(written: string, folder: string): string {
  // As command-line programs do: spaces around it are not part of its name.
  const trimmed = written.trim();
  const place = resolve(folder, /^~(?=[/\\]|$)/.test(trimmed) ? join(homedir(), trimmed.slice(1)) : trimmed);
  const real = realPlace(place);
  return real === written ? '' : ` → ${quoted(real)}`;
}
