import { posix } from 'node:path';
import { pathOf, type Tree } from '../../core/tree/tree.ts';
import { placeOf, webAddress } from '../../engine/report/link-target.ts';

/** The target of a link in a document, for somebody who has the document alone. */
export type SharedTarget =
  | { readonly kind: 'web'; readonly address: string }
  /** Another node of the search, by its document. */
  | { readonly kind: 'node'; readonly path: string; readonly file: string }
  /** A file of the workspace: its path there, in the form for a link, with its lines. */
  | { readonly kind: 'file'; readonly file: string };

/** Follows links in the texts of one search. */
export class SharedLinks {
  readonly #tree: Tree;
  /** The search's folder relative to the workspace. */
  readonly #folder: string;

  constructor(tree: Tree, folder: string) {
    this.#tree = tree;
    this.#folder = folder;
  }

  /**
   * @param from slug path of the node whose document has the link; empty for the report
   * @returns undefined for anything that does not exist outside, or must not be linked to
   */
  target(from: string, link: string): SharedTarget | undefined {
    const address = webAddress(link);
    if (address !== undefined) return { kind: 'web', address };
    const place = placeOf(this.#tree, this.#folder, from, link);
    if (!place) return undefined;
    const file = posix.join(this.#folder.split('/').map(encodeURIComponent).join('/'), place.link);
    // A file above the workspace has no path in it.
    if (/^(?:\.\.|\/)/.test(file)) return undefined;
    return place.node ? { kind: 'node', path: pathOf(place.node), file } : { kind: 'file', file };
  }

  /** Returns the target as text for a link in Markdown: relative to the workspace. */
  inWorkspace(from: string): (link: string) => string | undefined {
    return (link) => {
      const target = this.target(from, link);
      return target?.kind === 'web' ? target.address : target?.file;
    };
  }
}
