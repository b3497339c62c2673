import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

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
