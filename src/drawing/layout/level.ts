/** Something to be placed: a card, or a box with a drawing of its own in it. */
export interface Block {
  /** Columns and rows that it takes up. */
  readonly wide: number;
  readonly high: number;
  /** The distance below its top at which its lines end, in rows. */
  readonly attach: number;
  /** True if it comes after everything else. */
  readonly isEnd: boolean;
}

/** Where a line passes layers that it has nothing to do with: from one column to another one, in a row. */
export interface Lane {
  readonly from: number;
  readonly to: number;
  readonly row: number;
}

/** The place of everything in one level. */
export interface Level {
  readonly wide: number;
  readonly high: number;
  /** Column and top of each block. */
  readonly places: readonly { readonly column: number; readonly top: number }[];
  /** The lanes of each edge, in the order of the edges. */
  readonly lanes: readonly (readonly Lane[])[];
}

/** The height of a lane, in rows. */
const LANE = 0.3;
/** The number of lanes that there may be for each block: beyond that, lines go straight. */
const MOST_LANES = 4;
const SWEEPS = 4;

interface Item {
  readonly layer: number;
  readonly high: number;
  readonly attach: number;
}

/** Places the parts of one level in layers, from left to right. */
export function levelOf(blocks: readonly Block[], edges: readonly Edge[]): Level {
  const ends = new Set(blocks.flatMap(({ isEnd }, at) => (isEnd ? [at] : [])));
  const layers = layersOf(blocks.length, edges, ends);
  const items: Item[] = blocks.map(({ high, attach }, at) => ({ layer: layers[at] ?? 0, high, attach }));
  const chains = lanesFor(items, edges);
  const { before, after } = linesOf(items.length, edges, chains, layers);
  const order = withFewCrossings({ layers: inLayers(items), before, after });
  const tops = rowsOf(items, order, before, after);
  const columns = columnsOf(blocks, layers);
  const places = blocks.map((_, at) => ({ column: columns[layers[at] ?? 0] ?? 0, top: tops[at] ?? 0 }));
  const laneOf = (at: number): Lane => {
    const { layer } = items[at] as Item;
    return { from: columns[layer] ?? 0, to: (columns[layer + 1] ?? 1) - 1, row: (tops[at] ?? 0) + LANE / 2 };
  };
  const lanes = edges.map(([from, to]) => passed(chains, layers, from, to).map(laneOf));
  const high = Math.max(0, ...items.map((item, at) => (tops[at] ?? 0) + item.high));
  return { wide: columns.at(-1) ?? 0, high, places, lanes };
}

/** Adds the lanes of lines that pass layers; those of one block share them. By block, from the next layer on. */
function lanesFor(items: Item[], edges: readonly Edge[]): ReadonlyMap<number, readonly number[]> {
  const until = new Map<number, number>();
  const layerOf = (at: number): number => items[at]?.layer ?? 0;
  for (const [from, to] of edges)
    if (layerOf(to) > layerOf(from) + 1) until.set(from, Math.max(until.get(from) ?? 0, layerOf(to)));
  let needed = 0;
  for (const [from, last] of until) needed += last - layerOf(from) - 1;
  if (needed > items.length * MOST_LANES) return new Map();
  const chains = new Map<number, number[]>();
  for (const [from, last] of until)
    for (let layer = layerOf(from) + 1; layer < last; layer++) {
      chains.set(from, [...(chains.get(from) ?? []), items.length]);
      items.push({ layer, high: LANE, attach: LANE / 2 });
    }
  return chains;
}

type Chains = ReturnType<typeof lanesFor>;

/** Returns the lanes between two blocks. */
function passed(chains: Chains, layers: readonly number[], from: number, to: number): readonly number[] {
  return (chains.get(from) ?? []).slice(0, Math.max(0, (layers[to] ?? 0) - (layers[from] ?? 0) - 1));
}

/** Lists which blocks have lines to which, from one layer to the next. */
function linesOf(
  count: number,
  edges: readonly Edge[],
  chains: Chains,
  layers: readonly number[],
): { before: number[][]; after: number[][] } {
  const before = Array.from({ length: count }, (): number[] => []);
  const after = Array.from({ length: count }, (): number[] => []);
  const known = new Set<string>();
  const add = (from: number, to: number): void => {
    if (known.has(`${from} ${to}`)) return;
    known.add(`${from} ${to}`);
    after[from]?.push(to);
    before[to]?.push(from);
  };
  for (const [from, to] of edges) {
    const between = (layers[to] ?? 0) - (layers[from] ?? 0) - 1;
    if (between < 0) continue; // it leads back
    const way = [from, ...passed(chains, layers, from, to), to];
    if (way.length === between + 2) for (const [i, at] of way.slice(1).entries()) add(way[i] as number, at);
  }
  return { before, after };
}

function inLayers(items: readonly Item[]): number[][] {
  const layers: number[][] = [];
  for (const [at, { layer }] of items.entries()) {
    layers[layer] ??= [];
    layers[layer].push(at);
  }
  return [...layers].map((layer) => layer ?? []);
}

/** Returns the first column of each layer, and the number of columns at the end. */
function columnsOf(blocks: readonly Block[], layers: readonly number[]): number[] {
  const wide: number[] = [];
  for (const [at, block] of blocks.entries()) {
    const layer = layers[at] ?? 0;
    wide[layer] = Math.max(wide[layer] ?? 1, block.wide);
  }
  let used = 0;
  const columns = [...wide].map((each) => {
    const first = used;
    used += each ?? 1;
    return first;
  });
  return [...columns, used];
}

/** Returns the top of everything: as level as possible with what it has lines to. */
function rowsOf(
  items: readonly Item[],
  order: readonly (readonly number[])[],
  before: readonly (readonly number[])[],
  after: readonly (readonly number[])[],
): number[] {
  const tops = Array<number>(items.length).fill(0);
  const endOf = (at: number): number => (tops[at] ?? 0) + (items[at]?.attach ?? 0);
  const settle = (layer: readonly number[], lines: readonly (readonly number[])[]): void => {
    const wishes = layer.map((at) => {
      const ends = (lines[at] ?? []).map(endOf);
      const { high, attach } = items[at] as Item;
      if (ends.length === 0) return { size: high, attach, at: endOf(at), weight: 0.01 };
      return { size: high, attach, at: ends.reduce((sum, end) => sum + end, 0) / ends.length, weight: 1 };
    });
    for (const [i, top] of placedInOrder(wishes).entries()) tops[layer[i] as number] = top;
  };
  for (const layer of order) {
    let used = 0;
    for (const at of layer) {
      tops[at] = used;
      used += items[at]?.high ?? 0;
    }
  }
  for (let sweep = 0; sweep < SWEEPS; sweep++)
    if (sweep % 2 === 0) for (const layer of order) settle(layer, before);
    else for (const layer of [...order].reverse()) settle(layer, after);
  const first = tops.reduce((least, top) => Math.min(least, top), Number.POSITIVE_INFINITY);
  return tops.map((top) => top - first);
}

/** Something in a column, in rows. */
interface Wish {
  readonly size: number;
  /** The distance below its top at which its lines end. */
  readonly attach: number;
  /** Where its lines should end. */
  readonly at: number;
  /** The weight of that, above 0. */
  readonly weight: number;
}

/**
 * The tops of things below each other that keep their order, do not overlap, and together are as near as possible to where
 * they should be: a weighted isotonic regression, by merging neighbours that are in each other's way.
 */
function placedInOrder(wishes: readonly Wish[]): number[] {
  const offsets: number[] = [];
  let used = 0;
  for (const { size } of wishes) {
    offsets.push(used);
    used += size;
  }
  const runs: { sum: number; weight: number; count: number }[] = [];
  for (const [i, { at, attach, weight }] of wishes.entries()) {
    runs.push({ sum: (at - attach - (offsets[i] ?? 0)) * weight, weight, count: 1 });
    for (let last = runs.at(-1), before = runs.at(-2); last && before && mean(before) > mean(last); ) {
      runs.splice(-2, 2, {
        sum: before.sum + last.sum,
        weight: before.weight + last.weight,
        count: before.count + last.count,
      });
      [last, before] = [runs.at(-1), runs.at(-2)];
    }
  }
  const shifts = runs.flatMap((run) => Array<number>(run.count).fill(mean(run)));
  return offsets.map((offset, i) => offset + (shifts[i] ?? 0));
}

function mean({ sum, weight }: { readonly sum: number; readonly weight: number }): number {
  return sum / weight;
}

/** Things in layers, each in its order, and the lines between neighbouring layers. */
interface Ordered {
  /** The numbers of the things of each layer, in order. */
  readonly layers: readonly (readonly number[])[];
  /** The things of the layer before, and after, that each has lines to. */
  readonly before: readonly (readonly number[])[];
  readonly after: readonly (readonly number[])[];
}

/** There and back; more hardly helps. */
const CROSSING_SWEEPS = 6;

/** Orders each layer so that few lines cross: each thing goes to the mean of what it has lines to, layer by layer. */
function withFewCrossings(given: Ordered): Ordered['layers'] {
  const { before, after } = given;
  let layers = given.layers;
  let best = layers;
  let fewest = crossingsIn({ layers, before, after });
  for (let sweep = 0; sweep < CROSSING_SWEEPS && fewest > 0; sweep++) {
    layers = sweep % 2 === 0 ? swept(layers, before, 1) : swept(layers, after, -1);
    const crossings = crossingsIn({ layers, before, after });
    if (crossings < fewest) [best, fewest] = [layers, crossings];
  }
  return best;
}

function swept(layers: Ordered['layers'], lines: Ordered['before'], by: 1 | -1): Ordered['layers'] {
  const next = layers.map((layer) => [...layer]);
  const place = new Map<number, number>();
  const note = (layer: readonly number[]): void => {
    for (const [i, at] of layer.entries()) place.set(at, (i + 0.5) / layer.length);
  };
  const order = by === 1 ? [...next.keys()] : [...next.keys()].reverse();
  for (const index of order) {
    const layer = next[index] ?? [];
    note(layer);
    const wanted = new Map(
      layer.map((at) => {
        const places = (lines[at] ?? []).map((other) => place.get(other) ?? 0);
        const own = place.get(at) ?? 0;
        return [at, places.length > 0 ? places.reduce((sum, each) => sum + each, 0) / places.length : own];
      }),
    );
    // Stable: what is equal keeps its order.
    next[index] = layer.sort((a, b) => (wanted.get(a) ?? 0) - (wanted.get(b) ?? 0));
    note(next[index]);
  }
  return next;
}

/** Counts the pairs of lines that cross. */
function crossingsIn({ layers, after }: Ordered): number {
  let crossings = 0;
  for (const [index, layer] of layers.entries()) {
    const next = layers[index + 1] ?? [];
    const place = new Map(next.map((at, i) => [at, i]));
    const ends = layer.flatMap((at) => (after[at] ?? []).map((to) => place.get(to) ?? 0).sort((a, b) => a - b));
    crossings += inversionsIn(ends, next.length);
  }
  return crossings;
}

/** Counts the pairs of a list in the wrong order, with sums over a binary indexed tree. */
function inversionsIn(list: readonly number[], size: number): number {
  const tree = new Int32Array(size + 1);
  let inversions = 0;
  for (const [seen, value] of list.entries()) {
    let notAbove = 0;
    for (let i = value + 1; i > 0; i -= i & -i) notAbove += tree[i] ?? 0;
    inversions += seen - notAbove;
    for (let i = value + 1; i <= size; i += i & -i) tree[i] = (tree[i] ?? 0) + 1;
  }
  return inversions;
}

/** From the earlier to the later one, by their numbers. */
export type Edge = readonly [from: number, to: number];

/**
 * The layer of each thing: one more than the latest layer that leads to it. Edges of a circle count as far as they can: the
 * first of its things, in order, begins it.
 * @param ends those that come after everything else
 */
function layersOf(count: number, edges: readonly Edge[], ends: ReadonlySet<number>): number[] {
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
