/** From the earlier to the later one, by their numbers. */
export type Edge = readonly [from: number, to: number];

/**
 * The layer of each thing: one more than the latest layer that leads to it. Edges of a circle count as far as they can: the
 * first of its things, in order, begins it.
 * @param ends those that come after everything else
 */
export function layersOf(count: number, edges: readonly Edge[], ends: ReadonlySet<number>): number[] {
  const after = Array.from({ length: count }, (): number[] => []);
  const waiting = Array<number>(count).fill(0);
  for (const [from, to] of edges) {
    after[from]?.push(to);
    waiting[to] = (waiting[to] ?? 0) + 1;
  }
  const layers = Array<number>(count).fill(0);
  const isDone = Array<boolean>(count).fill(false);
  const free = [...layers.keys()].filter((at) => waiting[at] === 0);
  let first = 0;
  for (let done = 0; done < count; done++) {
    while (first < count && isDone[first]) first++;
    const at = nextOf(free, isDone) ?? first;
    isDone[at] = true;
    for (const to of after[at] ?? []) {
      if (isDone[to]) continue; // it leads back
      layers[to] = Math.max(layers[to] ?? 0, (layers[at] ?? 0) + 1);
      waiting[to] = (waiting[to] ?? 0) - 1;
      if (waiting[to] === 0) free.push(to);
    }
  }
  const last = Math.max(-1, ...layers.filter((_, at) => !ends.has(at)));
  return layers.map((layer, at) => (ends.has(at) ? Math.max(layer, last + 1) : layer));
}

function nextOf(free: number[], isDone: readonly boolean[]): number | undefined {
  for (let at = free.pop(); at !== undefined; at = free.pop()) if (!isDone[at]) return at;
  return undefined;
}
