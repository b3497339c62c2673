import type { LinkFaces } from './layer-layout.ts';
import type { Layout } from './tree-layout.ts';

/** The nodes for which a node waits, and those that wait for it, through any number of links; by their paths. */
export interface Related {
  readonly before: ReadonlySet<string>;
  readonly after: ReadonlySet<string>;
}

/** Everything that a shown node waits for or that waits for it; undefined in a tree, and for its root. */
export function relatedTo(path: string | null, { lines, isLayered }: Layout, faces: LinkFaces): Related | undefined {
  if (!isLayered || path === null || path === '') return undefined;
  const [before, after] = [new Map<string, string[]>(), new Map<string, string[]>()];
  const note = (map: Map<string, string[]>, from: string, to: string): void => {
    map.set(from, [...(map.get(from) ?? []), to]);
  };
  for (const { type, from, to } of lines) {
    if (!(Object.hasOwn(faces, type) && faces[type]?.isOrder)) continue;
    note(before, to.node.path, from.node.path);
    note(after, from.node.path, to.node.path);
  }
  return { before: reached(path, before), after: reached(path, after) };
}

/** A part waits with its whole, and what waits for the whole waits for its parts. */
function reached(start: string, links: ReadonlyMap<string, readonly string[]>): Set<string> {
  const found = new Set<string>();
  const open = [start];
  for (let path = open.pop(); path !== undefined; path = open.pop())
    for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/'))))
      for (const next of links.get(at) ?? []) {
        if (found.has(next)) continue;
        found.add(next);
        open.push(next);
      }
  found.delete(start);
  return found;
}
