import { answerFor } from '../../../core/search/conversation.ts';
import { isThoughtTreeError } from '../../../core/search/errors.ts';
import type { TreeNode } from '../../../core/tree/tree.ts';
import { citedDocument } from '../../../engine/grounding/cite-document.ts';
import type { KeptAnswers } from '../../../engine/kind/kind.ts';
import { readDocument } from '../answers/document-answer.ts';

/** A node's document, made from the answer in its conversation; undefined if there is none. */
export async function documentAgain(node: TreeNode, kept: KeptAnswers): Promise<string | undefined> {
  const conversation = node.sessionId === undefined ? undefined : await kept.store.readConversation(node.sessionId);
  const answer = conversation && answerFor(conversation, 'document');
  if (!answer) return undefined;
  try {
    const { workspaceText, folder } = kept;
    return (await citedDocument({ workspaceText, folder }, node, readDocument(answer.text, node.title))).text;
  } catch (error) {
    if (isThoughtTreeError(error, 'bad-answer')) return undefined; // a person's own text need not pass our check
    throw error;
  }
}
