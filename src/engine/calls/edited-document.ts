import { documentPurposes } from '../../core/ports/purpose.ts';
import { answerFor, type Conversation } from '../../core/search/conversation.ts';
import { checkDocument } from '../../core/text/document.ts';
import { pathOf, type TreeNode } from '../../core/tree/tree.ts';
import { inertDocument } from '../grounding/inert-markdown.ts';
import { withoutCitationMarks } from '../grounding/mark-document.ts';
import type { SearchContext } from '../search-context.ts';

/** The documents that were found to be what the model wrote: each is asked about once for every child. */
const UNEDITED = new WeakMap<Conversation, string>();

/** A document's text, if a person changed it after the model wrote it. */
export async function editedDocument(ctx: SearchContext, node: TreeNode): Promise<string | undefined> {
  const purposes = documentPurposes(ctx.face.purposes);
  if (purposes.length === 0 || node.sessionId === undefined) return undefined;
  const [text, conversation] = await Promise.all([
    ctx.store.readDocument(pathOf(node)),
    ctx.store.readConversation(node.sessionId),
  ]);
  if (text === undefined || !conversation) return undefined;
  const answer = purposes.map((purpose) => answerFor(conversation, purpose)).find((turn) => turn)?.text;
  if (answer === undefined) return undefined;
  if (UNEDITED.get(conversation) === text) return undefined;
  if (isEdited(text, answer, node)) return text;
  UNEDITED.set(conversation, text);
  return undefined;
}

function isEdited(text: string, answer: string, node: TreeNode): boolean {
  if (sameText(text, answer)) return false;
  const made = madeFrom(node, answer);
  // Version 0.1 kept a document as the model wrote it.
  const forms = [made, inertDocument(made)];
  return !forms.some((form) => sameText(text, form) || sameText(unmarked(text), unmarked(form)));
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
