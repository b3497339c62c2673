import { digest } from '../../core/text/digest.ts';
import { isSlug } from '../../core/tree/slug.ts';
import { pathOf, type TreeNode } from '../../core/tree/tree.ts';

const ID = /^node((?:_[1-9]\d{0,8})+)$/;
const LONGEST_PATH = 200;

/**
 * The slug of a thought, which is the source's id: `node_2` below the root, `node_2_1` below that. If the path would
 * exceed 200 characters, which happens only in very deep trees, its last number alone.
 * @param parentPath slug path of the parent, empty for the root
 * @param number from 1
 */
export function thoughtSlug(parentPath: string, number: number): string {
  const parent = parentPath.split('/').at(-1) ?? '';
  const numbers = ID.exec(parent)?.[1] ?? '';
  const slug = `node${numbers}_${number}`;
  if (parentPath.length + 1 + slug.length <= LONGEST_PATH && isSlug(slug)) return slug;
  return `node_${number}`;
}

/** The last number of a thought's slug; 0 for a folder that a person named. */
export function thoughtNumber(slug: string): number {
  return ID.test(slug) ? Number(slug.slice(slug.lastIndexOf('_') + 1)) : 0;
}

/** The next free number below a node. */
export function nextNumber(parent: TreeNode): number {
  return parent.children.reduce((most, { slug }) => Math.max(most, thoughtNumber(slug)), 0) + 1;
}

/** A node's name in messages: `root`, its slug if that shows its place, else its path. */
export function thoughtId(node: TreeNode): string {
  if (!node.parent) return 'root';
  const isWhole = ID.test(node.slug) && node.slug.split('_').length === node.depth + 1;
  return isWhole ? node.slug : pathOf(node);
}

/** The conversation of one of several draws of a round at a node, beside the node's own. */
export function drawSession(session: string, round: number, draw: number): string {
  return `${session}-r${round}-${draw}`;
}

/** The conversation in which a combined thought is written. */
export function combineSession({ fileId = '' }: TreeNode): string {
  return `combine-${digest(fileId)}`;
}
