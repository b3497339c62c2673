import type { Tree } from '../../../core/tree/tree.ts';
import { placeOf, webAddress } from '../../../engine/report/link-target.ts';
import type { Digest } from './read-documents.ts';

/** Something that documents cite: a web page, or a file of the workspace. */
export interface Source {
  /** In the form for a link. */
  readonly link: string;
  /** For a page, a document's name for it; for a file, its path in the workspace. Text of a model. */
  readonly name: string;
  /** For a page, its host. */
  readonly host: string | undefined;
  /** The number of times that it is cited, and of documents that cite it. */
  readonly times: number;
  readonly documents: number;
}

/** Returns the documents' sources, each once: those that most of them cite first, else in the documents' order. */
export function sourcesOf(tree: Tree, folder: string, digests: readonly Digest[]): Source[] {
  const sources = new Map<
    string,
    { link: string; name: string; host: string | undefined; times: number; in: Set<string> }
  >();
  for (const { path, mentions } of digests)
    for (const { target, label } of mentions) {
      const found = webSource(target, label) ?? fileSource(tree, folder, path, target);
      if (!found) continue;
      const source = sources.get(found.link) ?? { ...found, times: 0, in: new Set() };
      source.times++;
      source.in.add(path);
      if (source.name === '') source.name = found.name;
      sources.set(found.link, source);
    }
  return [...sources.values()]
    .map(({ in: documents, ...source }) => ({ ...source, documents: documents.size }))
    .sort((a, b) => b.documents - a.documents || b.times - a.times);
}

function webSource(target: string, label: string): Pick<Source, 'link' | 'name' | 'host'> | undefined {
  const link = webAddress(target);
  if (link === undefined) return undefined;
  const name = /^(?:https?:\/\/|www\.)/i.test(label.trim()) ? '' : label.trim();
  return { link, name, host: new URL(link).host };
}

function fileSource(
  tree: Tree,
  folder: string,
  path: string,
  target: string,
): Pick<Source, 'link' | 'name' | 'host'> | undefined {
  const place = placeOf(tree, folder, path, target);
  return place && !place.node ? { link: place.file, name: place.name, host: undefined } : undefined;
}

/** The pages that documents cite, in the form for links. */
export function citedPages(digests: readonly Digest[]): Set<string> {
  return new Set(digests.flatMap(({ mentions }) => mentions.flatMap(({ target }) => webAddress(target) ?? [])));
}
