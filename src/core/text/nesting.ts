/** How deep lists and objects may be nested in JSON from outside: whatever descends into it needs the stack. */
const DEEPEST = 500;

/** Whether parsed JSON is nested too deeply to be checked, compared or written. */
export function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) return true;
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return false;
}
