import { type FileLines, placeText } from '../../core/citations/citation.ts';
import { citationLink } from '../../core/citations/citation-link.ts';
import { placesIn } from '../../core/citations/line-references.ts';
import type { WorkspaceText } from '../../core/ports/workspace-text.ts';
import type { SearchContext } from '../search-context.ts';

/** Files that a report links to, looked up once: a link to lines that are not there would be worse than none. */
export class Places {
  readonly #links: ReadonlyMap<string, string>;

  /** Looks up every place that any of the texts names. */
  static async lookUp(
    { workspaceText, folder }: Pick<SearchContext, 'workspaceText' | 'folder'>,
    texts: readonly string[],
  ): Promise<Places> {
    const links = new Map<string, string>();
    const lengths = new Map<string, number>();
    for (const place of workspaceText ? placesIn(texts.join('\n')) : []) {
      const length = lengths.get(place.path) ?? (await linesIn(workspaceText as WorkspaceText, place.path));
      lengths.set(place.path, length);
      const link = place.to <= length ? citationLink(folder, place) : undefined;
      if (link !== undefined) links.set(placeText(place), link);
    }
    return new Places(links);
  }

  private constructor(links: ReadonlyMap<string, string>) {
    this.#links = links;
  }

  /** Returns the link to lines of a file, relative to the search's folder; undefined if they are not there. */
  linkTo(place: FileLines): string | undefined {
    return this.#links.get(placeText(place));
  }

  /** Tells whether one of these links is the target. */
  has(link: string): boolean {
    for (const each of this.#links.values()) if (each === link) return true;
    return false;
  }
}

/** The number of lines of a file; 0 if it cannot be read as a source. */
async function linesIn(workspace: WorkspaceText, path: string): Promise<number> {
  const found = await workspace.read(path).catch(() => undefined);
  if (!found || !('text' in found)) return 0;
  const lines = found.text.split(/\r\n|\n|\r/);
  return lines.at(-1) === '' ? lines.length - 1 : lines.length;
}
