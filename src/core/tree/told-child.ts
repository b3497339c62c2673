import type { SearchEvent } from '../search/events.ts';
import type { TreeNode } from './tree.ts';

/** A child as in the event that adds it: with the full content of its file. */
export function toldChild(node: TreeNode): Extract<SearchEvent, { type: 'node-added' }>['children'][number] {
  const { slug, title, file, index: at, document, evaluation } = node;
  return {
    ...file,
    title: file?.title ?? title,
    slug,
    at,
    ...(evaluation && { score: evaluation.score }),
    ...(document !== undefined && { document }),
  };
}
