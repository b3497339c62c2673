import { nodeAt } from '../../core/tree/tree.ts';
import type { Palette } from '../../drawing/palette.ts';
import type { Kinds } from '../../engine/kind/kinds.ts';
import { exportSearch, formatsOf } from '../export-search.ts';
import type { Show } from '../graph/graph-of-search.ts';
import { importSnapshot } from '../import-snapshot.ts';
import { overviewOf, type SearchOverview } from '../reader/search-overview.ts';
import { COMPARISON_BOUNDS, comparableMarkdown, comparisonMarkdown } from './comparison.ts';
import { drawnTree } from './drawn-tree.ts';
import { searchPage } from './html/search-page.ts';
import { branchMarkdown, MARKDOWN_BOUNDS, searchMarkdown } from './markdown.ts';
import { type Bounds, type SharedSearch, sharedSearch } from './shared-search.ts';

/** The parts besides a search that giving it to other people takes. */
export interface SharingParts {
  readonly kinds: Kinds;
  /** The folder that the search searches: links lead to its files by their path in it. */
  readonly workspace: string;
  readonly show: Show;
  /** The language in which `show` speaks, as a BCP 47 tag. */
  readonly language: string;
}

/** At most about 10 MB, however large the search. */
const PAGE_BOUNDS: Bounds = { nodes: 3000, characters: 5_000_000, document: 100_000, report: 300_000 };
const MOST_DRAWN = 1000;

/** The colours of the page's own style, which has light and dark ones. */
const PAGE_PALETTE: Palette = {
  background: 'var(--background)',
  card: 'var(--card)',
  border: 'var(--border)',
  text: 'var(--text)',
  dim: 'var(--dim)',
  edge: 'var(--edge)',
  focus: 'var(--link)',
  selection: 'var(--card)',
  selectionText: 'var(--text)',
  green: 'var(--green)',
  blue: 'var(--blue)',
  yellow: 'var(--gold)',
  orange: 'var(--orange)',
  purple: 'var(--purple)',
  red: 'var(--red)',
  disabled: 'var(--disabled)',
  font: 'system-ui',
  isContrast: false,
};

/** Gives searches to other people; a bundle of its own, loaded on first use. */
export const sharing = {
  read: overviewOf,
  importSnapshot,
  exportSearch,
  formatsOf,

  /**
   * A search as Markdown, or one branch of it.
   * @param path slug path of the branch; empty for the whole search
   */
  async markdown(overview: SearchOverview, { kinds, workspace, show }: SharingParts, path = ''): Promise<string> {
    const top = path === '' ? undefined : nodeAt(overview.tree, path);
    const search = await sharedSearch(overview, { kinds, workspace, show, bounds: MARKDOWN_BOUNDS, top });
    return top ? branchMarkdown(search) : searchMarkdown(search);
  },

  /** A search as one HTML page that needs nothing else. */
  async html(overview: SearchOverview, { kinds, workspace, show, language }: SharingParts): Promise<string> {
    const search = await sharedSearch(overview, { kinds, workspace, show, bounds: PAGE_BOUNDS });
    return await searchPage(search, {
      language,
      draw: (link) => drawnTree(overview, { kinds, show, most: MOST_DRAWN, theme: PAGE_PALETTE, link }),
    });
  },

  /** Compares two searches: one document about both, and one of each for a view of differences. */
  async compare(
    overviews: readonly [SearchOverview, SearchOverview],
    { kinds, workspace, show }: SharingParts,
  ): Promise<{ readonly both: string; readonly each: readonly [string, string] }> {
    const read = (overview: SearchOverview): Promise<SharedSearch> =>
      sharedSearch(overview, { kinds, workspace, show, bounds: COMPARISON_BOUNDS });
    const [a, b] = [await read(overviews[0]), await read(overviews[1])];
    return {
      both: comparisonMarkdown([a, b], kinds),
      each: [comparableMarkdown(a, kinds), comparableMarkdown(b, kinds)],
    };
  },

  /** The tree of a search as an SVG file, with so many nodes at most. */
  picture(
    overview: SearchOverview,
    { kinds, show }: SharingParts,
    theme: 'light' | 'dark',
    most: number,
  ): Promise<{ readonly svg: string; readonly nodes: number }> {
    return drawnTree(overview, { kinds, show, most, theme });
  },

  /** The whole tree of a search as an SVG file. */
  async svg(
    overview: SearchOverview,
    { kinds, show }: SharingParts,
    theme: 'light' | 'dark' = 'light',
  ): Promise<string> {
    return (await drawnTree(overview, { kinds, show, most: Number.MAX_SAFE_INTEGER, theme })).svg;
  },
};
