import type { KindFace } from '../../core/kind/kind-face.ts';
import { type Message, plain } from '../../core/messages/message.ts';
import { statusWords } from '../../core/tree/messages.ts';
import type { TreeNode } from '../../core/tree/tree.ts';
import { scoreText } from '../../engine/report/node-text.ts';
import * as say from './messages.ts';

/** What is said of a node in a word or two: its score, and what it is where it is not simply done. */
export function nodeFacts(node: TreeNode, isBest: boolean, face: KindFace | undefined): Message[] {
  const score = scoreText(node);
  return [...(score === undefined ? [] : [say.score({ score })]), ...stateFacts(node, isBest, face)];
}

/** The same without its score. */
export function stateFacts(node: TreeNode, isBest: boolean, face: KindFace | undefined): Message[] {
  const marks = marksOf(node, face);
  const isDone = node.status === 'expanded' || node.status === 'leaf';
  const state = marks.length > 0 || isDone ? marks : [notDone(node)];
  return [...state, ...(isBest ? [say.best()] : [])];
}

function notDone({ status }: TreeNode): Message {
  return status === 'unexpanded' ? say.open() : statusWords[status]();
}

/** What its kind says of it, where kinds say something. */
function marksOf({ file, children }: TreeNode, face: KindFace | undefined): Message[] {
  const below = children.map((child) => child.file?.own);
  return (face?.marks?.of(file?.own, below) ?? []).map(({ text }) => plain(text));
}
