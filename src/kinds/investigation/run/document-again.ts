import { isAnswer } from '../../../core/search/conversation.ts';
import { isThoughtTreeError } from '../../../core/search/errors.ts';
import { checkDocument } from '../../../core/text/document.ts';
import type { TreeNode } from '../../../core/tree/tree.ts';
import { citedDocument } from '../../../engine/grounding/cite-document.ts';
import type { KeptAnswers } from '../../../engine/kind/kind.ts';
import { withTried } from '../led/tried.ts';
import { findingsDocument } from './findings.ts';
import { keptCallOf } from './kept-change.ts';
import { ownFieldsOf } from './own-fields.ts';

/** A node's document, made again from the commit that the journal keeps, or from the answer in its conversation. */
export async function documentAgain(node: TreeNode, kept: KeptAnswers): Promise<string | undefined> {
  const own = ownFieldsOf(node.file?.own);
  if (!own) return undefined;
  if (node.sessionId !== undefined) return await documentOfEngine(node, node.sessionId, kept);
  const { store } = kept;
  for (const event of (await store.readJournal()).toReversed()) {
    if (event.type !== 'offers-answered') continue;
    for (const { result } of event.answers) {
      const change = keptCallOf(result)?.change;
      const found = change?.do === 'commit' ? change.results.find(({ id }) => id === own.nodeId) : undefined;
      const title = own.title ?? node.file?.title ?? node.title;
      if (found) return findingsDocument({ ...found, title });
    }
  }
  return undefined;
}

/** Made from the model's answer, where the engine led. */
async function documentOfEngine(
  node: TreeNode,
  session: string,
  { store, workspaceText, folder }: KeptAnswers,
): Promise<string | undefined> {
  const conversation = await store.readConversation(session);
  const answer = conversation?.turns.findLast((turn) => isAnswer(turn) && turn.purpose !== 'propose-leads');
  if (!answer) return undefined;
  try {
    const checked = checkDocument(answer.text, node.title);
    const document = conversation ? withTried(checked, conversation, answer.text) : checked;
    return (await citedDocument({ workspaceText, folder }, node, document)).text;
  } catch (error) {
    if (isThoughtTreeError(error, 'bad-answer')) return undefined; // a person's own text need not pass our check
    throw error;
  }
}
