/** The most levels of lists and objects in JSON from outside: whatever descends into it needs the stack. */
const DEEPEST = 500;

/**
 * Tells whether parsed JSON is nested too deeply to be checked, compared or written.
 * @param length of its text, in characters: a short one cannot be
 */
export function isTooDeep(value: unknown, length = Infinity): boolean {
  if (length <= 2 * DEEPEST) return false;
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) return true;
    const below: unknown[] = [];
    for (const each of level) {
      if (typeof each !== 'object' || each === null) continue;
      for (const part of Array.isArray(each) ? each : Object.values(each))
        if (typeof part === 'object' && part !== null) below.push(part);
    }
    level = below;
  }
  return false;
}
