import type { GroupedNode, KindGroups } from '../../../core/kind/kind-drawing.ts';
import { chosenOf } from './drawing.ts';
import { recordsIn, seenIn } from './unchecked.ts';

// A list of atoms is divided by what can be done next, and by whom. Only atoms that somebody works on are listed;
// groups and atoms with parts follow from them.

type Name = 'ready' | 'running' | 'person' | 'waiting' | 'resolved' | 'aside';

export const workGraphGroups: KindGroups = {
  all: [
    { name: 'ready', title: 'Ready', icon: 'circle-large-outline' },
    { name: 'running', title: 'Running', icon: 'sync' },
    { name: 'person', title: 'Waiting for a person', icon: 'person' },
    { name: 'waiting', title: 'Waiting for others', icon: 'watch' },
    { name: 'resolved', title: 'Resolved', icon: 'pass' },
    { name: 'aside', title: 'Not chosen', icon: 'circle-slash' },
  ],
  of: (nodes) => {
    const seen = new SeenGraph(nodes);
    return new Map(nodes.flatMap((node) => (seen.isListed(node) ? [[node.path, seen.groupOf(node)] as const] : [])));
  },
};

/** The graph as far as lists need it, light and unchecked; what counts while it runs is decided by the rules in `graph`. */
class SeenGraph {
  readonly #byPath = new Map<string, GroupedNode>();
  readonly #parts = new Map<string, GroupedNode[]>();
  readonly #resolved = new Map<string, boolean>();

  constructor(nodes: readonly GroupedNode[]) {
    for (const node of nodes) {
      this.#byPath.set(node.path, node);
      const above = parentOf(node.path);
      this.#parts.set(above, [...(this.#parts.get(above) ?? []), node]);
    }
  }

  isListed({ path, own }: GroupedNode): boolean {
    return seenIn(own).type !== 'group' && !this.#parts.has(path);
  }

  groupOf(node: GroupedNode): Name {
    if (this.#isResolved(node)) return 'resolved';
    if (!this.#isChosen(node)) return 'aside';
    if (node.status === 'in-progress') return 'running';
    if (needsPerson(node)) return 'person';
    // Its work is about to be joined with the rest.
    if (seenIn(node.own).work !== undefined) return 'running';
    if (seenIn(node.own).type === 'goal' || !this.#isReady(node)) return 'waiting';
    return seenIn(node.own).by === 'person' ? 'person' : 'ready';
  }

  /** An atom by itself, one with parts by these, a group by the alternative that counts. */
  #isResolved(node: GroupedNode): boolean {
    const known = this.#resolved.get(node.path);
    if (known !== undefined) return known;
    this.#resolved.set(node.path, false); // for a circle, which is none of ours
    const parts = this.#parts.get(node.path) ?? [];
    const chosen = seenIn(node.own).type === 'group' ? chosenOf(parts, node.own) : undefined;
    const counting = chosen ? [chosen] : parts;
    const isResolved =
      node.status === 'leaf' || (counting.length > 0 && counting.every((part) => this.#isResolved(part)));
    this.#resolved.set(node.path, isResolved);
    return isResolved;
  }

  /** Tells whether it, and everything that it is part of, counts and was not given up. */
  #isChosen(node: GroupedNode): boolean {
    for (let at: GroupedNode | undefined = node; at; at = this.#byPath.get(parentOf(at.path))) {
      if (at.status === 'failed' || at.status === 'pruned') return false;
      const above = this.#byPath.get(parentOf(at.path));
      if (above && seenIn(above.own).type === 'group' && chosenOf(this.#parts.get(above.path) ?? [], above.own) !== at)
        return false;
    }
    return true;
  }

  /** A part waits for what its whole waits for. */
  #isReady(node: GroupedNode): boolean {
    for (let at: GroupedNode | undefined = node; at; at = this.#byPath.get(parentOf(at.path)))
      if (!at.links.every((link) => this.#lets(link))) return false;
    return true;
  }

  #lets({ type, path }: GroupedNode['links'][number]): boolean {
    const target = this.#byPath.get(path);
    if (!target) return false;
    if (type === 'if-failed') return target.status === 'failed';
    if (type !== 'depends-on') return true;
    const above = this.#byPath.get(parentOf(path));
    return this.#isResolved(above && seenIn(above.own).type === 'group' ? above : target);
  }
}

/** A proposal waits for a yes; work that cannot be checked here, for somebody who looks at it. */
function needsPerson({ own }: GroupedNode): boolean {
  const { isProposed, work, type, evidence } = seenIn(own);
  if (isProposed === true) return true;
  return (work !== undefined || type === 'goal') && recordsIn(evidence).some(({ word }) => word === 'uncheckable');
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
