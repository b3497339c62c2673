import * as z from 'zod';
import type { ActionFaces } from '../../actions/action-face.ts';
import { isWithin, joinedPath, movedPath } from '../../tree/slug-path.ts';
import { FOUND, type JournalEvent } from '../events.ts';
import type { Fold } from './fold.ts';

const Wish = z.object({
  node: z.string(),
  /** The name of the action that asked for it. */
  action: z.string(),
  /** For a leaf that is to be expanded: how many lists of children the model had given before. */
  listsBefore: z.number().optional(),
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
    } else if (event.type === 'node-added') {
      if (event.by === FOUND.byHand || (event.by === FOUND.onOpening && this.#isAtRest()))
        for (const node of ownIn(event)) this.#wish({ node, action: 'add' });
    } else if (event.type === 'node-moved') this.#follow(event.from, event.node);
    else if (event.type === 'node-removed') this.#forget(event.node);
    else if (event.type === 'node-status' && DONE.has(event.status)) this.#open.delete(event.node);
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
 * @param faces the actions of the search's kind
 */
export function wishesThatLead(wishes: readonly Wish[], faces: ActionFaces): Wish[] {
  return wishes.filter(({ action }) => faces[action]?.leads);
}

const WISHES: ReadonlySet<string> = new Set(['expand', 'redo']);

/** The node that an action wants: its own, or the one that it added. */
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
