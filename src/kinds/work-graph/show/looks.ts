import {
  type GroupedNode,
  type KindDrawing,
  type KindGroups,
  type KindMarks,
  type Look,
  lookOfStatus,
  type NodeMark,
  type NodeView,
  type RoleView,
} from '../../../core/kind/kind-descriptor.ts';
import { parentPath } from '../../../core/tree/slug.ts';
import { recordsIn, type Seen, seenIn, WORD_TEXTS, WORD_TONES } from './seen.ts';

// The looks of atoms in every host: light, as descriptors are. The content of node.json is unchecked here.

const TEXTS = {
  ...WORD_TEXTS,
  alternative: 'alternative',
  person: 'for a person',
  proposed: 'proposed',
} as const;

/** The word that counts for several items is the first of these that any of them has. */
const WORST_FIRST = ['contradicted', 'uncheckable', 'reported', 'checked', 'verified'] as const;

function wordOf({ evidence }: Seen): (typeof WORST_FIRST)[number] | undefined {
  const words = Array.isArray(evidence) ? evidence.map((each) => (each as { word?: unknown } | null)?.word) : [];
  return WORST_FIRST.find((word) => words.includes(word));
}

/** Work that is not verified yet looks unfinished; what is resolved looks like any finished node. */
export function lookOfAtom(node: NodeView): Look {
  const own = seenIn(node.own);
  if (own.type === 'group' && node.status === 'expanded') return { glyph: 'aside', tone: 'plain' };
  if (node.status === 'unexpanded' && own.work !== undefined) return { glyph: 'aside', tone: 'busy' };
  return lookOfStatus(node);
}

/** The name, and how sure it is that it is done. */
export const atomMarks: KindMarks = {
  texts: Object.values(TEXTS),
  of: (given) => {
    const own = seenIn(given);
    const marks: NodeMark[] = typeof own.name === 'string' ? [{ text: own.name, tone: 'dim' }] : [];
    const word = wordOf(own);
    if (word) marks.push({ text: TEXTS[word], tone: WORD_TONES[word] });
    if (own.by === 'person') marks.push({ text: TEXTS.person, tone: 'busy' });
    if (own.isProposed === true) marks.push({ text: TEXTS.proposed, tone: 'dim' });
    return marks;
  },
};

/** Returns the alternative of a group that counts: the selected one, or the first that has not failed. */
export function chosenOf<T extends RoleView>(alternatives: readonly T[], group: unknown): T | undefined {
  const left = alternatives.filter(({ status }) => !hasFailed(status));
  const { selected } = seenIn(group);
  return left.find(({ own }) => selected !== undefined && seenIn(own).name === selected) ?? left[0];
}

function hasFailed(status: RoleView['status']): boolean {
  return status === 'failed' || status === 'pruned';
}

/** In layers: what waits comes after what it waits for, and the goal after all. */
export const workGraphDrawing: KindDrawing = {
  links: {
    'depends-on': { line: 'solid', text: 'waits for', incoming: 'needed by', isOrder: true },
    'if-failed': { line: 'dashed', text: 'only if this fails', incoming: 'if it fails', isOrder: true },
    'discovered-from': { line: 'dotted', text: 'discovered from', incoming: 'led to' },
  },
  roleOf: (own, above, { index, siblings }) => {
    if (seenIn(own).type === 'goal') return 'end';
    if (seenIn(above).type !== 'group') return undefined;
    const all = siblings();
    return chosenOf(all, above) === all[index] ? 'choice' : 'alternative';
  },
};

// A list of atoms is divided by what can be done next, and by whom. Only atoms that somebody works on are listed;
// groups and atoms with parts follow from them.

type Name = 'ready' | 'running' | 'person' | 'waiting' | 'resolved' | 'failed' | 'aside';

export const workGraphGroups: KindGroups = {
  all: [
    { name: 'ready', title: 'Ready', icon: 'circle-large-outline' },
    { name: 'running', title: 'Running', icon: 'sync' },
    { name: 'person', title: 'Waiting for a person', icon: 'person' },
    { name: 'waiting', title: 'Waiting for others', icon: 'watch' },
    { name: 'resolved', title: 'Resolved', icon: 'pass' },
    { name: 'failed', title: 'Failed', icon: 'error' },
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
      const above = parentPath(node.path);
      this.#parts.set(above, [...(this.#parts.get(above) ?? []), node]);
    }
  }

  isListed({ path, own }: GroupedNode): boolean {
    return seenIn(own).type !== 'group' && !this.#parts.has(path);
  }

  groupOf(node: GroupedNode): Name {
    if (this.#isResolved(node)) return 'resolved';
    if (node.status === 'failed') return 'failed';
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
    for (let at: GroupedNode | undefined = node; at; at = this.#byPath.get(parentPath(at.path))) {
      if (at.status === 'failed' || at.status === 'pruned') return false;
      const above = this.#byPath.get(parentPath(at.path));
      if (above && seenIn(above.own).type === 'group' && chosenOf(this.#parts.get(above.path) ?? [], above.own) !== at)
        return false;
    }
    return true;
  }

  /** A part waits for what its whole waits for. */
  #isReady(node: GroupedNode): boolean {
    for (let at: GroupedNode | undefined = node; at; at = this.#byPath.get(parentPath(at.path)))
      if (!at.links.every((link) => this.#lets(link))) return false;
    return true;
  }

  #lets({ type, path }: GroupedNode['links'][number]): boolean {
    const target = this.#byPath.get(path);
    if (!target) return false;
    if (type === 'if-failed') return target.status === 'failed';
    if (type !== 'depends-on') return true;
    const above = this.#byPath.get(parentPath(path));
    return this.#isResolved(above && seenIn(above.own).type === 'group' ? above : target);
  }
}

/** A proposal waits for a yes; work that cannot be checked here, for somebody who looks at it. */
function needsPerson({ own }: GroupedNode): boolean {
  const { isProposed, work, type, evidence } = seenIn(own);
  if (isProposed === true) return true;
  return (work !== undefined || type === 'goal') && recordsIn(evidence).some(({ word }) => word === 'uncheckable');
}
