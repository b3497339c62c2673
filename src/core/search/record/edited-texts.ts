import * as z from 'zod';
import type { Message } from '../../messages/message.ts';
import { oneLine } from '../../text/text.ts';
import { isWithin, movedPath } from '../../tree/slug-path.ts';
import { isPruned, nodeAt, pathOf, type Tree, type TreeNode, walk } from '../../tree/tree.ts';
import { FOUND, type JournalEvent } from '../events.ts';
import { olderBelow } from '../messages.ts';
import type { Fold } from './fold.ts';

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

  /** True if the document at a slug path was written before one above it was edited. */
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

/** The slug paths above one, but for the root's, which has no document. */
function above(path: string): string[] {
  const slugs = path.split('/');
  return slugs.slice(1).map((_, index) => slugs.slice(0, index + 1).join('/'));
}

function isWritten(node: TreeNode): boolean {
  return (node.status === 'expanded' || node.status === 'leaf') && !isPruned(node);
}
