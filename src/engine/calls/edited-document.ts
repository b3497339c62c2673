import { documentPurpose } from '../../core/ports/purpose.ts';
import { answerFor } from '../../core/search/conversation.ts';
import { checkDocument } from '../../core/text/document.ts';
import { pathOf, type TreeNode } from '../../core/tree/tree.ts';
import { inertDocument } from '../grounding/inert-markdown.ts';
import { withoutCitationMarks } from '../grounding/mark-document.ts';
import type { SearchContext } from '../search-context.ts';

/** A document's text, if a person changed it after the model wrote it. */
export async function editedDocument(ctx: SearchContext, node: TreeNode): Promise<string | undefined> {
  const purpose = documentPurpose(ctx.face.purposes);
  if (purpose === undefined || node.sessionId === undefined) return undefined;
  const [text, conversation] = await Promise.all([
    ctx.store.readDocument(pathOf(node)),
    ctx.store.readConversation(node.sessionId),
  ]);
  const answer = conversation && answerFor(conversation, purpose)?.text;
  if (text === undefined || answer === undefined) return undefined;
  if (sameText(text, answer)) return undefined;
  const made = madeFrom(node, answer);
  // Version 0.1 kept a document as the model wrote it.
  const forms = [made, inertDocument(made)];
  const isOurs = forms.some((form) => sameText(text, form) || sameText(unmarked(text), unmarked(form)));
  return isOurs ? undefined : text;
}

/** What is made of it does not depend on what front matter has to have, which may have changed since. */
function madeFrom(node: TreeNode, answer: string): string {
  try {
    return checkDocument(answer, node.title).text;
  } catch {
    return answer; // used as it was: a person wrote it
  }
}

/** Without what a check of its citations wrote into it. */
function unmarked(document: string): string {
  try {
    return withoutCitationMarks(document);
  } catch {
    return document; // unreadable front matter was written by a person
  }
}

function sameText(a: string, b: string): boolean {
  return a.replaceAll('\r\n', '\n').trimEnd() === b.replaceAll('\r\n', '\n').trimEnd();
}
