import type { Message } from '../../../core/messages/message.ts';
import { type Lookup, lookupIn } from '../../../core/ports/lookup.ts';
import { answerFor } from '../../../core/search/conversation.ts';
import type { TreeNode } from '../../../core/tree/tree.ts';
import { ROOT_SESSION } from '../../../engine/calls/root-session.ts';
import { documentLink, hasDocument, placeOf, webAddress } from '../../../engine/report/link-target.ts';
import { titleOf } from '../../../engine/report/node-text.ts';
import type { LinkRule } from '../../../engine/report/safe-markdown.ts';
import type { SearchContext } from '../../../engine/search-context.ts';
import { type Digest, readDocuments } from './read-documents.ts';
import { type Survey, surveyOf } from './survey.ts';

/** The material of a report: collected once, a limited part of the tree. */
export class Material {
  readonly ctx: SearchContext;
  readonly survey: Survey;
  /** The most informative documents first. */
  readonly digests: readonly Digest[];
  /** The search for the question's words, by a model that writes none of its own. */
  readonly lookup: Lookup | undefined;
  readonly #missing: ReadonlySet<TreeNode>;

  static async gather(ctx: SearchContext): Promise<Material> {
    const survey = surveyOf(ctx.tree);
    return new Material(ctx, survey, await readDocuments(ctx, survey.best), await readLookup(ctx));
  }

  private constructor(ctx: SearchContext, survey: Survey, digests: readonly Digest[], lookup: Lookup | undefined) {
    this.ctx = ctx;
    this.survey = survey;
    this.digests = digests;
    this.lookup = lookup;
    const found = new Set(digests.map(({ node }) => node));
    this.#missing = new Set(survey.best.filter((node) => !found.has(node)));
  }

  /** A message in the language of the report. */
  show(message: Message): string {
    return this.ctx.show(message);
  }

  /** Tells whether a link to the node's document leads somewhere. */
  isWritten(node: TreeNode): boolean {
    return hasDocument(node) && !this.#missing.has(node);
  }

  /** The node's title, linked to its document if there is one. */
  linkTo(node: TreeNode): string {
    const title = titleOf(node);
    return this.isWritten(node) ? `[${title}](${documentLink(node)})` : title;
  }

  /** Where links in a document's own words lead, from the report. */
  linksIn({ path }: Digest): LinkRule {
    return (target) => {
      const web = webAddress(target);
      if (web !== undefined) return web;
      const place = placeOf(this.ctx.tree, this.ctx.folder, path, target);
      return place && (!place.node || this.isWritten(place.node)) ? place.link : undefined;
    };
  }
}

/** Returns how a model that writes no words of its own looked the question up; undefined for others. */
async function readLookup({ model, store }: SearchContext): Promise<Lookup | undefined> {
  if (model.prose !== false) return undefined;
  const conversation = await store.readConversation(ROOT_SESSION);
  const answer = conversation && answerFor(conversation, 'children');
  return answer && lookupIn(answer.text);
}
