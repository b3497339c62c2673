import type { CheckItem } from '../plan/plan.ts';

/** The item at a place such as `2.1`; undefined if there is none. */
export function itemAt(items: readonly CheckItem[], place: string): CheckItem | undefined {
  let list = items;
  let found: CheckItem | undefined;
  for (const index of place.split('.')) {
    found = /^\d{1,4}$/.test(index) ? list[Number(index)] : undefined;
    if (!found) return undefined;
    list = found.all_of ?? found.any_of ?? [];
  }
  return found;
}
