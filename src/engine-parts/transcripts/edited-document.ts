import * as z from 'zod';
import { documentPurposes } from '../../core/ports/model.ts';
import { answerFor, type Conversation } from '../../core/search/conversation.ts';
import type { JournalEvent, KeptFold } from '../../core/search/events.ts';
import { checkDocument } from '../../core/text/document.ts';
import { pathOf, type TreeNode } from '../../core/tree/tree.ts';
import type { SearchContext } from '../../engine/context.ts';
import { inertDocument } from '../citations/inert-markdown.ts';
import { withoutCitationMarks } from '../citations/mark-document.ts';

/** The documents that were found to be what the model wrote: each is asked about once for every child. */
const UNEDITED = new WeakMap<Conversation, string>();

/** Returns a document's text, if a person changed it after the model wrote it. */
export async function editedDocument(ctx: SearchContext, node: TreeNode): Promise<string | undefined> {
  const purposes = documentPurposes(ctx.descriptor.purposes);
  if (purposes.length === 0 || node.sessionId === undefined) return undefined;
  const [text, conversation] = await Promise.all([
    ctx.store.readDocument(pathOf(node)),
    ctx.store.readConversation(node.sessionId),
  ]);
  if (text === undefined || !conversation) return undefined;
  const answer = purposes.map((purpose) => answerFor(conversation, purpose)).find((turn) => turn)?.text;
  if (answer === undefined) return undefined;
  const hash = ctx.store.hashOf(text);
  if (hash === node.document && !ctx.history.past.part(ForeignDocuments)?.has(hash)) return undefined;
  if (UNEDITED.get(conversation) === text) return undefined;
  if (isEdited(text, answer, node) && !sameText(text, (await ctx.documentAgain(node)) ?? '')) return text;
  UNEDITED.set(conversation, text);
  return undefined;
}

const ForeignState = z.array(z.string()).max(100_000);

/** Documents, by their hashes, that the search found in its folder: those that it wrote itself need no comparison. */
export class ForeignDocuments implements KeptFold {
  static readonly part = 'foreign-documents';
  readonly name = ForeignDocuments.part;
  readonly #hashes = new Set<string>();

  apply(event: JournalEvent): void {
    if (event.type !== 'node-status' || !event.document) return;
    // A text that a check of its citations wrote is the search's own.
    if (event.by !== undefined && event.by !== 'recheck') this.#hashes.add(event.document);
  }

  get state(): z.infer<typeof ForeignState> {
    return [...this.#hashes];
  }

  restore(state: unknown): void {
    this.#hashes.clear();
    for (const hash of ForeignState.parse(state)) this.#hashes.add(hash);
  }

  has(hash: string): boolean {
    return this.#hashes.has(hash);
  }
}

function isEdited(text: string, answer: string, node: TreeNode): boolean {
  if (sameText(text, answer)) return false;
  const made = inertDocument(madeFrom(node, answer));
  return !sameText(text, made) && !sameText(unmarked(text), unmarked(made));
}

/** Makes the document of an answer, whatever front matter has to have now: that may have changed since. */
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
