import type { KindFace } from '../../core/kind/kind-face.ts';
import { type Message, plain } from '../../core/messages/message.ts';
import { statusWords } from '../../core/tree/messages.ts';
import type { TreeNode } from '../../core/tree/tree.ts';
import { scoreText } from '../../engine/report/node-text.ts';
import * as say from './messages.ts';

/** Describes a node in a word or two: by its score, and by its state where it is not simply done. */
export function nodeFacts(node: TreeNode, isBest: boolean, face: KindFace | undefined): Message[] {
  const score = scoreText(node);
  return [...(score === undefined ? [] : [say.score({ score })]), ...stateFacts(node, isBest, face)];
}

/** Describes a node without its score. */
export function stateFacts(node: TreeNode, isBest: boolean, face: KindFace | undefined): Message[] {
  const marks = marksOf(node, face);
  const isDone = node.status === 'expanded' || node.status === 'leaf';
  const state = marks.length > 0 || isDone ? marks : [notDone(node)];
  return [...state, ...(isBest ? [say.best()] : [])];
}

function notDone({ status }: TreeNode): Message {
  return status === 'unexpanded' ? say.open() : statusWords[status]();
}

/** Returns the marks of its kind, where kinds have any. */
function marksOf({ file, children }: TreeNode, face: KindFace | undefined): Message[] {
  const below = children.map((child) => child.file?.own);
  return (face?.marks?.of(file?.own, below) ?? []).map(({ text }) => plain(text));
}
