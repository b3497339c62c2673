import { join } from 'node:path';
import { KINDS } from '../../../src/kinds/kinds.ts';
import { overviewOf, type SearchOverview } from '../../../src/searches/reader/search-overview.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type Forged, forgeSearch } from './forged-search.ts';

/** A node of a sample: its title, and its document if it was looked into. */
export interface SampleNode {
  readonly title: string;
  readonly score?: number;
  readonly document?: string;
  readonly status?: string;
  readonly below?: Readonly<Record<string, SampleNode>>;
}

export interface SharedSample {
  readonly workspace: string;
  readonly folder: string;
  readonly overview: () => Promise<SearchOverview>;
}

/** A search on disk, as it is shared: a question about builds with three topics, two of them looked into. */
export const SAMPLE: Readonly<Record<string, SampleNode>> = {
  cache: {
    title: 'The cache is never hit',
    score: 8.5,
    document:
      '# The cache is never hit\n\nThe key contains the time, see [src/cache.ts:3-4](../../../src/cache.ts#L3-L4).\n\n## More\n\nAlso [the sibling](../tests/document.md) and [a page](https://example.com/a?b=1).\n',
    below: {
      key: { title: 'The key of the cache', score: 9, document: 'It has `Date.now()` in it.\n' },
      size: { title: 'The size of the cache', status: 'pruned' },
    },
  },
  tests: {
    title: 'The tests run one after the other',
    score: 5,
    document: 'Each takes a second, and there are a thousand.\n',
  },
  disk: { title: 'The disk is slow' },
};

const REPORT = `# Why is the build slow?

The cache is never hit: its key contains the time ([The cache](cache/document.md)).

## What was found

- [The key](cache/key/document.md): it has \`Date.now()\` in it, see [src/cache.ts:3](../../src/cache.ts#L3).
`;

export async function sharedSample(
  nodes: Readonly<Record<string, SampleNode>> = SAMPLE,
  { files = {}, search = {}, report = REPORT, ...more }: Forged & { readonly report?: string } = {},
): Promise<SharedSample> {
  const workspace = temporaryFolder('shared');
  const folder = join(workspace, 'thought-trees', 'build');
  const question = 'Why is the build slow?\nIt takes an hour.';
  await forgeSearch(folder, {
    search: { title: 'Why is the build slow?', prompt: question, ...search },
    files: { ...filesOf('', nodes), 'report.md': report, ...files },
    ...more,
  });
  return { workspace, folder, overview: () => overviewOf(KINDS, folder) };
}

function filesOf(path: string, nodes: Readonly<Record<string, SampleNode>>): Record<string, object | string> {
  const at = (name: string): string => (path === '' ? name : `${path}/${name}`);
  const files: Record<string, object | string> = {
    [at('children.json')]: Object.entries(nodes).map(([slug, { title }]) => ({ title, slug })),
  };
  for (const [slug, { title, score, document, status, below }] of Object.entries(nodes)) {
    const said = status ?? (document === undefined ? 'unexpanded' : below ? 'expanded' : 'leaf');
    const evaluation = score === undefined ? {} : { evaluation: { score } };
    files[at(`${slug}/node.json`)] = { title, slug, status: said, ...evaluation };
    if (document !== undefined)
      files[at(`${slug}/document.md`)] = `---\ntitle: ${JSON.stringify(title)}\n---\n\n${document}`;
    if (below || document !== undefined) Object.assign(files, filesOf(at(slug), below ?? {}));
  }
  return files;
}

/** Many nodes, each with a document: `many(10, 10)` has 10 topics with 10 below each. */
export function many(topics: number, below: number, document = 'A finding.\n'): Record<string, SampleNode> {
  const nodes = (count: number, title: (i: number) => string, under?: () => Record<string, SampleNode>) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, i): [string, SampleNode] => [
        `n${i + 1}`,
        { title: title(i + 1), score: 5, document, ...(under ? { below: under() } : {}) },
      ]),
    );
  return nodes(topics, (i) => `Topic ${i}`, below > 0 ? () => nodes(below, (i) => `Part ${i}`) : undefined);
}
