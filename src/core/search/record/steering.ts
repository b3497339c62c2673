import * as z from 'zod';
import type { ActionDescriptors } from '../../actions/action-descriptor.ts';
import type { Message } from '../../messages/message.ts';
import { oneLine } from '../../text/text.ts';
import { isWithin, joinedPath, movedPath } from '../../tree/slug.ts';
import { isPruned, nodeAt, pathOf, type Tree, type TreeNode, walk } from '../../tree/tree.ts';
import { FOUND, type Fold, type JournalEvent } from '../events.ts';
import { olderBelow } from '../messages.ts';

export const Wish = z.object({
  node: z.string(),
  /** The name of the action that asked for it. */
  action: z.string(),
  /** For a leaf that is to be expanded: how many lists of children the model had given before. */
  listsBefore: z.number().optional(),
});

/** What an undoing says of the wish of an act, and of those that the act had dropped. */
const UndoneWish = z.object({
  wanted: z.string().optional(),
  action: z.string(),
  forward: z.boolean().optional(),
  wishes: z.array(Wish).optional(),
});

/** A node that a person wants worked on next. */
export type Wish = z.infer<typeof Wish>;

/** The wishes that no run has fulfilled yet, oldest first; a node that is wished for again comes last. */
export class Wishes implements Fold {
  readonly #open = new Map<string, Wish>();
  readonly #isAtRest: () => boolean;

  /** @param isAtRest whether the last run ended in order: whatever is new in the folder since is no work of its own */
  constructor(isAtRest: () => boolean) {
    this.#isAtRest = isAtRest;
  }

  apply(event: JournalEvent): void {
    if (event.type === 'steered') {
      const wish = wishIn(event);
      if (wish) this.#wish(wish);
      else if (event.action === 'undo') this.#undo(event.value);
    } else if (event.type === 'node-added') {
      if (event.by === FOUND.byHand || (event.by === FOUND.onOpening && this.#isAtRest()))
        for (const node of ownIn(event)) this.#wish({ node, action: 'add' });
    } else if (event.type === 'node-moved') this.#follow(event.from, event.node);
    else if (event.type === 'node-removed') this.#forget(event.node);
    else if (event.type === 'node-status' && DONE.has(event.status)) this.#open.delete(event.node);
  }

  #undo(value: unknown): void {
    const undone = UndoneWish.safeParse(value).data;
    if (!undone) return;
    const { wanted, action, forward, wishes = [] } = undone;
    if (wanted !== undefined && forward) this.#wish({ node: wanted, action });
    else if (wanted !== undefined) this.#open.delete(wanted);
    for (const wish of wishes) this.#wish(wish);
  }

  #wish(wish: Wish): void {
    this.#open.delete(wish.node);
    this.#open.set(wish.node, wish);
  }

  #forget(branch: string): void {
    for (const node of this.#open.keys()) if (isWithin(node, branch)) this.#open.delete(node);
  }

  #follow(from: string, to: string): void {
    const wishes = this.open.map((wish) => ({ ...wish, node: movedPath(wish.node, from, to) }));
    this.#open.clear();
    for (const wish of wishes) this.#open.set(wish.node, wish);
  }

  get state(): readonly Wish[] {
    return this.open;
  }

  restore(state: unknown): void {
    for (const wish of z.array(Wish).parse(state)) this.#open.set(wish.node, wish);
  }

  get open(): readonly Wish[] {
    return [...this.#open.values()];
  }
}

/**
 * The wishes that bring their nodes to the front.
 * @param descriptors the actions of the search's kind
 */
export function wishesThatLead(wishes: readonly Wish[], descriptors: ActionDescriptors): Wish[] {
  return wishes.filter(({ action }) => descriptors[action]?.leads);
}

const WISHES: ReadonlySet<string> = new Set(['expand', 'redo']);

/** Returns the node that an action wants: its own, or the one that it added. */
function wishIn(event: Extract<JournalEvent, { type: 'steered' }>): Wish | undefined {
  const { node, action, value } = event;
  if (action === 'add') {
    const { path } = (value ?? {}) as { path?: unknown };
    return typeof path === 'string' ? { node: path, action } : undefined;
  }
  return node !== undefined && WISHES.has(action) ? { node, action, listsBefore: listsBefore(event) } : undefined;
}

/**
 * The nodes that a person made in the folder, as slug paths: open, and with no score, which a search gives to all that it
 * proposes below the first level.
 */
export function ownIn({ node, children }: Extract<JournalEvent, { type: 'node-added' }>): string[] {
  return children
    .filter(({ status = 'unexpanded', score, evaluation }) => status === 'unexpanded' && !(score ?? evaluation))
    .map(({ slug }) => joinedPath(node, slug));
}

const DONE: ReadonlySet<string> = new Set(['expanded', 'leaf', 'failed', 'pruned']);

/** Returns what the result of the action says. */
function listsBefore({ value }: Extract<JournalEvent, { type: 'steered' }>): number | undefined {
  const said = (value as { listsBefore?: unknown } | undefined)?.listsBefore;
  return typeof said === 'number' ? said : undefined;
}

const EditsState = z.array(z.tuple([z.string(), z.array(z.string())]));

/** The documents that a person edited, by slug path, each with the nodes below it whose documents came after that. */
export class EditedTexts implements Fold {
  readonly #edits = new Map<string, Set<string>>();
  readonly #isAtRest: () => boolean;

  /** @param isAtRest true if the last run ended in order: whatever changed in the folder since is no work of its own */
  constructor(isAtRest: () => boolean) {
    this.#isAtRest = isAtRest;
  }

  apply(event: JournalEvent): void {
    if (event.type === 'node-status' && event.document !== undefined) this.#written(event.node, event.by);
    else if (event.type === 'node-moved') this.#follow(event.from, event.node);
    else if (event.type === 'node-removed')
      for (const path of this.#edits.keys()) if (isWithin(path, event.node)) this.#edits.delete(path);
  }

  get state(): z.infer<typeof EditsState> {
    return Array.from(this.#edits, ([path, newer]) => [path, [...newer]]);
  }

  restore(state: unknown): void {
    this.#edits.clear();
    for (const [path, newer] of EditsState.parse(state)) this.#edits.set(path, new Set(newer));
  }

  /** Tells whether the document at a slug path was written before one above it was edited. */
  isOlder(path: string): boolean {
    return above(path).some((each) => this.#edits.get(each)?.has(path) === false);
  }

  /** Tells the same as `isOlder` of a node, which may have no document. */
  isOlderNode(node: TreeNode): boolean {
    return isWritten(node) && this.isOlder(pathOf(node));
  }

  /** Says of each edited document in a tree how much below it is older. */
  inWords(tree: Tree): Message[] {
    return Array.from(this.#edits, ([path, newer]) => {
      const edited = nodeAt(tree, path);
      const below = edited ? [...walk(edited)].filter((node) => node !== edited && isWritten(node)) : [];
      const count = below.filter((node) => !newer.has(pathOf(node))).length;
      return edited && count > 0 ? [olderBelow({ title: oneLine(edited.title, 200), count })] : [];
    }).flat();
  }

  #written(node: string, by: string | undefined): void {
    if (by === 'recheck') return; // its marks are no other text
    for (const path of above(node)) this.#edits.get(path)?.add(node);
    if (by === FOUND.byHand || (by === FOUND.onOpening && this.#isAtRest())) this.#edits.set(node, new Set());
  }

  #follow(from: string, to: string): void {
    const edits = [...this.#edits];
    this.#edits.clear();
    for (const [path, newer] of edits)
      this.#edits.set(movedPath(path, from, to), new Set([...newer].map((each) => movedPath(each, from, to))));
  }
}

/** Returns the slug paths above one, but for the root's, which has no document. */
function above(path: string): string[] {
  const slugs = path.split('/');
  return slugs.slice(1).map((_, index) => slugs.slice(0, index + 1).join('/'));
}

function isWritten(node: TreeNode): boolean {
  return (node.status === 'expanded' || node.status === 'leaf') && !isPruned(node);
}
