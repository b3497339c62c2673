import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';

/** Characters of a question that a person can be expected to read. */
const LONGEST = 1500;

const PATH_NAME = /(path|file|dir|directory|folder|cwd|notebook)s?$/i;
const UPWARDS = /(^|[/\\])\.\.([/\\]|$)/;
/** What takes room but shows nothing, or looks like a space and is none. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu;

/**
 * What an agent wants to use a tool on, in one line made for people: as JSON, with what nobody sees written as escapes
 * (a row of spaces as in `\u0020{12}`), and behind each path the place that it leads to, where that is another one.
 * @param folder where the agent works
 * @returns undefined where it is too long to be shown whole: nobody can allow what is not seen
 */
export function shownInput(input: Readonly<Record<string, unknown>>, folder: string): string | undefined {
  try {
    const text = shown(input, '', folder);
    return text.length <= LONGEST ? text : undefined;
  } catch {
    return undefined; // nested too deeply, or nothing that JSON knows
  }
}

/** The same for the name of a tool. */
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

/** Where a path leads, behind an arrow; nothing where that is as it is written. */
function placeOf(written: string, folder: string): string {
  // As programs for the command line do: spaces around it are none of its name.
  const trimmed = written.trim();
  const place = resolve(folder, /^~(?=[/\\]|$)/.test(trimmed) ? join(homedir(), trimmed.slice(1)) : trimmed);
  const real = realPlace(place);
  return real === written ? '' : ` → ${quoted(real)}`;
}

/** With the links on the way followed, as far as it is there. */
function realPlace(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(realPlace(above), basename(path));
  }
}
