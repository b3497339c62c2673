/** Things in layers, each in its order, and the lines between neighbouring layers. */
export interface Ordered {
  /** The numbers of the things of each layer, in order. */
  readonly layers: readonly (readonly number[])[];
  /** The things of the layer before, and after, that each has lines to. */
  readonly before: readonly (readonly number[])[];
  readonly after: readonly (readonly number[])[];
}

/** There and back; more hardly helps. */
const SWEEPS = 6;

/** Orders each layer so that few lines cross: each thing goes to the mean of what it has lines to, layer by layer. */
export function withFewCrossings(given: Ordered): Ordered['layers'] {
  const { before, after } = given;
  let layers = given.layers;
  let best = layers;
  let fewest = crossingsIn({ layers, before, after });
  for (let sweep = 0; sweep < SWEEPS && fewest > 0; sweep++) {
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
