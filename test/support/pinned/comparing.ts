import assert from 'node:assert/strict';

/** Leaves out of a value what another one has no field for: what was added later is not compared. */
function cutTo(shape: unknown, value: unknown): unknown {
  if (Array.isArray(shape) && Array.isArray(value)) return value.map((each, i) => cutTo(shape[i], each));
  if (!isObject(shape) || !isObject(value)) return value;
  const names = Object.keys(shape).filter((name) => Object.hasOwn(value, name));
  return Object.fromEntries(names.map((name) => [name, cutTo(shape[name], value[name])]));
}

/** Fields whose text may be worded otherwise later: that there is one is all that is compared. */
const WORDED = new Set(['message', 'noAnswer', 'unknown']);

/** Returns a value with the wording of its messages taken out. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, each]) => {
    return [name, WORDED.has(name) && typeof each === 'string' ? '…' : comparable(each)];
  });
  return Object.fromEntries(entries);
}

/** Fails unless all that was said is said still; fields that came later, and the wording of messages, are left out. */
export function saysTheSame(now: unknown, before: unknown, about: string): void {
  assert.deepEqual(comparable(cutTo(before, now)), comparable(before), about);
}

/** Fails unless a value is in every field what it was; fields that came later are left out. */
export function isTheSame(now: unknown, before: unknown, about: string): void {
  assert.deepEqual(cutTo(before, now), before, about);
}

/**
 * Fails unless a text for people still tells what it told, however it is worded: the search's own words, and every link.
 * @param words titles, and what a model said
 */
export function tellsAsMuch(now: string, before: string, words: readonly string[], about: string): void {
  const links = [...before.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target as string);
  const told = [...words.filter((each) => before.includes(each)), ...links];
  assert.ok(told.length > 0, `${about} told nothing`);
  for (const each of told) assert.ok(now.includes(each), `${about} lacks ${each}:\n${now}`);
  assert.equal(edgesIn(now), edgesIn(before), `${about}: edges`);
}

/** Returns the number of arrows of a drawing in words. */
function edgesIn(text: string): number {
  return text.split(/ --?> /).length;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
