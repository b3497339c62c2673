import * as z from 'zod';
import type { ActionFaces } from '../../actions/action-face.ts';
import { movedPath } from '../../tree/slug-path.ts';
import type { JournalEvent } from '../events.ts';
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

  apply(event: JournalEvent): void {
    if (event.type === 'steered' && event.node !== undefined && WISHES.has(event.action)) {
      const { node, action } = event;
      this.#open.delete(node);
      this.#open.set(node, { node, action, listsBefore: listsBefore(event) });
    } else if (event.type === 'node-moved') this.#follow(event.from, event.node);
    else if (event.type === 'node-status' && DONE.has(event.status)) this.#open.delete(event.node);
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
const DONE: ReadonlySet<string> = new Set(['expanded', 'leaf', 'failed', 'pruned']);

/** Returns what the result of the action says. */
function listsBefore({ value }: Extract<JournalEvent, { type: 'steered' }>): number | undefined {
  const said = (value as { listsBefore?: unknown } | undefined)?.listsBefore;
  return typeof said === 'number' ? said : undefined;
}
