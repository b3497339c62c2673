import { fieldOf, isFields, isSame, namesOf } from './same.ts';

/**
 * Returns what a file should say: its own words where it means the same as when it was read, otherwise ours. Unknown
 * fields stay.
 * @param text what the file says
 * @param earlier what that meant, as `now` and `ours` are written
 * @param now what is meant now
 * @param ours how we would say that
 */
export function asSaid(text: unknown, earlier: unknown, now: unknown, ours: unknown): unknown {
  if (isSame(earlier, now)) return text;
  if (isFields(text) && isFields(earlier) && isFields(now)) {
    const names = new Set([...namesOf(text), ...namesOf(isFields(ours) ? ours : {})]);
    const said = (name: string) =>
      asSaid(fieldOf(text, name), fieldOf(earlier, name), fieldOf(now, name), fieldOf(ours, name));
    return Object.fromEntries([...names].map((name) => [name, said(name)]));
  }
  if (!Array.isArray(text) || !Array.isArray(earlier) || !Array.isArray(now) || !Array.isArray(ours)) return ours;
  const all: readonly unknown[] = now;
  return all.map((item, i) => {
    const place = earlier.findIndex((each) => nameOf(each) !== undefined && nameOf(each) === nameOf(item));
    const same = place < 0 ? earlier.findIndex((each) => isSame(each, item)) : place;
    return same < 0 ? ours[i] : asSaid(text[same], earlier[same], item, ours[i]);
  });
}

function nameOf(item: unknown): unknown {
  return isFields(item) ? (item['id'] ?? item['name'] ?? item['item']) : undefined;
}
