import { type Conversation, isAnswer } from '../../../core/search/conversation.ts';
import type { TreeNode } from '../../../core/tree/tree.ts';
import { ROOT_SESSION } from '../../../engine/calls/root-session.ts';
import type { KeptAnswers } from '../../../engine/kind/kind.ts';
import { readThoughts } from '../prompts/thought-answers.ts';
import type { Thought } from '../prompts/thought-messages.ts';
import { isCombined } from '../strategy/thought-place.ts';
import { documentOf, parentIdOf, titleOf } from '../thought-document.ts';
import { combineSession, drawSession, thoughtId } from '../thought-id.ts';

/** A thought's document, made from the answer in the conversation of the thought above it; by default from its title. */
export async function documentAgain(node: TreeNode, { store }: KeptAnswers): Promise<string | undefined> {
  const session = node.parent?.parent ? node.parent.sessionId : ROOT_SESSION;
  const combined = isCombined(node) ? await store.readConversation(combineSession(node)) : undefined;
  const thoughts = combined ? thoughtsIn(combined) : session === undefined ? [] : await thoughtsOf(store, session);
  const alike = thoughts.filter((thought) => titleOf(thought) === node.title);
  const documents = (alike.length > 0 ? alike : [{ content: node.title }]).map((thought) =>
    documentOf(thought, thoughtId(node), parentIdOf(node), node.depth),
  );
  // A title is only the beginning of a thought, and several may begin alike.
  return documents.find((document) => store.hashOf(document) === node.document) ?? documents[0];
}

/** The most rounds at one node whose draws are looked for. */
const MOST_ROUNDS = 20;

/** Reads the thoughts that were answered at a node: in its conversation, and in those of its draws. */
async function thoughtsOf(store: KeptAnswers['store'], session: string): Promise<Thought[]> {
  const main = await store.readConversation(session);
  const thoughts = main ? thoughtsIn(main) : [];
  for (let round = 1; round <= MOST_ROUNDS; round++)
    for (let draw = 0; ; draw++) {
      const drawn = await store.readConversation(drawSession(session, round, draw));
      if (!drawn) break;
      thoughts.push(...thoughtsIn(drawn));
    }
  return thoughts;
}

function thoughtsIn({ turns }: Conversation): Thought[] {
  const answers = turns.filter((turn) => turn.purpose === 'generate' && isAnswer(turn));
  return answers.flatMap(({ text }) => readThoughts(text, Number.POSITIVE_INFINITY));
}
