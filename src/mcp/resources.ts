import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import {
  type McpServer,
  type ReadResourceResult,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { isThoughtTreeError } from '../core/search/errors.ts';
import type { TreeProgram } from './tree-program.ts';

/** Adds the documents of searches, and the pages that clients show, to a server. */
export function addDocuments(server: McpServer, program: TreeProgram, apps: readonly AppResource[]): void {
  const template = new ResourceTemplate(DOCUMENT_TEMPLATE, {
    list: async () => ({
      resources: (await program.documents()).map(({ search, path, title }) => ({
        uri: documentUri(search, path),
        name: path,
        title,
        mimeType: mimeTypeOf(path),
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
  server.registerResource('document', template, about, async (uri) => await readResource(program, uri.href));
  for (const { uri, name, title, description, mimeType, meta, read: readApp } of apps) {
    const shown = { title, description, mimeType, ...(meta && { _meta: meta }) };
    server.registerResource(name, uri, shown, async () => ({
      contents: [{ uri, mimeType, text: await readApp(), ...(meta && { _meta: meta }) }],
    }));
  }
}

async function readResource(program: TreeProgram, uri: string): Promise<ReadResourceResult> {
  const named = documentAt(uri);
  if (!named) throw new ResourceNotFoundError(uri);
  try {
    const text = await program.readDocument(named.search, named.path);
    return { contents: [{ uri, mimeType: mimeTypeOf(named.path), text }] };
  } catch (error) {
    if (isThoughtTreeError(error, 'not-found')) throw new ResourceNotFoundError(uri);
    throw error;
  }
}

function mimeTypeOf(path: string): string {
  return path.endsWith('.json') ? 'application/json' : 'text/markdown';
}

/** The most addresses that one client of the older protocol may subscribe to. */
const MOST_SUBSCRIBED = 1000;

/**
 * Tells a client when documents change, and when there are others. Clients of the older protocol say which by requests; for
 * the others the library lets through what they listen to.
 */
export function tellChanges(server: McpServer, program: TreeProgram, isOld: boolean): void {
  const wanted = new Set<string>();
  if (isOld) {
    server.server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
      const named = documentAt(uri);
      if (named && wanted.size < MOST_SUBSCRIBED) {
        wanted.add(uri);
        await program.follow(named.search);
      }
      return {};
    });
    server.server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
      wanted.delete(uri);
      return {};
    });
  }
  const stop = program.listen(({ search, paths, isListChanged }) => {
    for (const uri of paths.map((path) => documentUri(search, path)))
      if (!isOld || wanted.has(uri)) void server.server.sendResourceUpdated({ uri }).catch(() => undefined);
    if (isListChanged) server.sendResourceListChanged();
  });
  server.server.onclose = stop;
}

/** The addresses of documents, as clients fill them in. */
const DOCUMENT_TEMPLATE = 'tree://{search}/{+path}';

/** Returns the address of a file of a search. @param path relative to its folder, with `/` */
export function documentUri(search: string, path: string): string {
  return `tree://${encodeURIComponent(search)}/${path.split('/').map(encodeURIComponent).join('/')}`;
}

/** Returns what an address names; undefined if it is none of ours. */
function documentAt(uri: string): { readonly search: string; readonly path: string } | undefined {
  const [, search, path] = /^tree:\/\/([^/?#]+)\/([^?#]+)$/.exec(uri) ?? [];
  if (search === undefined || path === undefined) return undefined;
  try {
    return { search: decodeURIComponent(search), path: decodeURIComponent(path) };
  } catch {
    return undefined;
  }
}

/** A page that clients may show in the chat, next to what a tool answers. */
export interface AppResource {
  /** `ui://…` */
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  /** For the client: what the page may load, and how it is framed. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** The tools whose answers it shows. */
  readonly tools: readonly string[];
  readonly read: () => Promise<string>;
}

/** The panel as one page that clients show in the chat; it asks for what it draws with the tool `panel_changes`. */
const PANEL_APP: AppResource = {
  uri: 'ui://thought-tree/panel',
  name: 'panel',
  title: 'Thought Tree',
  description: 'A search as a tree that can be looked at and steered',
  mimeType: 'text/html;profile=mcp-app',
  // It loads nothing from anywhere: no domain is asked for.
  meta: { ui: { csp: {}, prefersBorder: true } },
  tools: ['tree_start', 'tree_status', 'tot_status'],
  read: async () => await readFile(fileURLToPath(new URL('./chat-panel.html', import.meta.url)), 'utf8'),
};

/** The pages of this server. */
export const APP_RESOURCES: readonly AppResource[] = [PANEL_APP];
