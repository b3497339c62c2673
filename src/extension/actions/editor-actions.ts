import type { ActionFace } from '../../core/actions/action-face.ts';
import { ACTIONS } from '../../core/actions/actions.ts';

/** The editor's own actions on a search or a node: they show something, and change nothing. */
export const EDITOR_ACTIONS = {
  openReport: {
    name: 'openReport',
    on: 'search',
    title: 'Open report',
    help: 'read the report',
    args: [],
    isHosts: true,
    when: ({ hasReport }) => hasReport,
  },
  exportSearch: {
    name: 'exportSearch',
    on: 'search',
    title: 'Export…',
    help: 'write the whole search into a file, for other programs',
    args: [],
    isHosts: true,
    when: () => true,
  },
  openDocument: {
    name: 'openDocument',
    on: 'node',
    title: 'Open document',
    help: 'read the document',
    args: [],
    isHosts: true,
    when: (_search, node) => node?.hasDocument === true,
  },
} as const satisfies Readonly<Record<string, ActionFace>>;

/** What a person can do in the editor with searches of every kind. */
export const COMMON_ACTIONS = { ...ACTIONS, ...EDITOR_ACTIONS };
