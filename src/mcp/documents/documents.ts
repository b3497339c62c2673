import {
  type McpServer,
  type ReadResourceResult,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { isThoughtTreeError } from '../../core/search/errors.ts';
import type { AppResource } from '../app-resources.ts';
import type { TreeProgram } from '../tree-program.ts';
import { DOCUMENT_TEMPLATE, documentAt, documentUri } from './document-uri.ts';

/** Adds the documents of searches, and the pages that clients show, to a server. */
export function addDocuments(server: McpServer, program: TreeProgram, apps: readonly AppResource[]): void {
  const template = new ResourceTemplate(DOCUMENT_TEMPLATE, {
    list: async () => ({
      resources: (await program.documents()).map(({ search, path, title }) => ({
        uri: documentUri(search, path),
        name: path,
        title,
        mimeType: typeOf(path),
      })),
    }),
    complete: {
      search: async (typed) => (await program.searchNames()).filter((name) => name.startsWith(typed)).slice(0, 100),
      path: async (typed, context) => await program.documentPaths(context?.arguments?.['search'] ?? '', typed),
    },
  });
  const about = {
    title: 'Documents of a search',
    description: 'report.md, notes.md, or the document.md or node.json of a node',
  };
  server.registerResource('document', template, about, async (uri) => await read(program, uri.href));
  for (const { uri, name, title, description, mimeType, meta, read: readApp } of apps) {
    const shown = { title, description, mimeType, ...(meta && { _meta: meta }) };
    server.registerResource(name, uri, shown, async () => ({
      contents: [{ uri, mimeType, text: await readApp(), ...(meta && { _meta: meta }) }],
    }));
  }
}

async function read(program: TreeProgram, uri: string): Promise<ReadResourceResult> {
  const named = documentAt(uri);
  if (!named) throw new ResourceNotFoundError(uri);
  try {
    const text = await program.readDocument(named.search, named.path);
    return { contents: [{ uri, mimeType: typeOf(named.path), text }] };
  } catch (error) {
    if (isThoughtTreeError(error, 'not-found')) throw new ResourceNotFoundError(uri);
    throw error;
  }
}

function typeOf(path: string): string {
  return path.endsWith('.json') ? 'application/json' : 'text/markdown';
}
