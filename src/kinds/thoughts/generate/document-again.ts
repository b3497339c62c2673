import { type Conversation, isAnswer } from '../../../core/search/conversation.ts';
import type { TreeNode } from '../../../core/tree/tree.ts';
import { ROOT_SESSION } from '../../../engine/calls/root-session.ts';
import type { KeptAnswers } from '../../../engine/kind/kind.ts';
import { readThoughts } from '../prompts/thought-answers.ts';
import type { Thought } from '../prompts/thought-messages.ts';
import { documentOf, parentIdOf, titleOf } from '../thought-document.ts';
import { thoughtId } from '../thought-id.ts';

/** A thought's document, made from the answer in the conversation of the thought above it; by default from its title. */
export async function documentAgain(node: TreeNode, { store }: KeptAnswers): Promise<string | undefined> {
  const session = node.parent?.parent ? node.parent.sessionId : ROOT_SESSION;
  const conversation = session === undefined ? undefined : await store.readConversation(session);
  const thoughts = conversation ? thoughtsIn(conversation) : [];
  const alike = thoughts.filter(({ content }) => titleOf(content) === node.title);
  const documents = (alike.length > 0 ? alike : [{ content: node.title }]).map((thought) =>
    documentOf(thought, thoughtId(node), parentIdOf(node), node.depth),
  );
  // A title is only the beginning of a thought, and several may begin alike.
  return documents.find((document) => store.hashOf(document) === node.document) ?? documents[0];
}

function thoughtsIn({ turns }: Conversation): Thought[] {
  const answers = turns.filter((turn) => turn.purpose === 'generate' && isAnswer(turn));
  return answers.flatMap(({ text }) => readThoughts(text, Number.POSITIVE_INFINITY));
}
