import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { AppResource } from './app-resources.ts';

/** The panel as one page that clients show in the chat; it asks for what it draws with the tool `panel_changes`. */
export const PANEL_APP: AppResource = {
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
