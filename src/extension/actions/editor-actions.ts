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
  doByHand: {
    name: 'doByHand',
    on: 'node',
    title: 'I do this',
    help: 'take it, so that nobody else works on it, and open its checkout',
    args: [],
    isHosts: true,
    when: (_search, node) => node?.offer === 'open',
  },
  doneByHand: {
    name: 'doneByHand',
    on: 'node',
    title: 'Done…',
    help: 'say what you did, and hand it in',
    args: [],
    isHosts: true,
    startsRun: true,
    when: (_search, node) => node?.offer === 'taken',
  },
  openCheckout: {
    name: 'openCheckout',
    on: 'node',
    title: 'Open checkout',
    help: 'open the copy of the files in which you work on it',
    args: [],
    isHosts: true,
    when: (_search, node) => node?.offer === 'taken',
  },
  giveBackByHand: {
    name: 'giveBackByHand',
    on: 'node',
    title: 'Let others do it',
    help: 'give it back, so that others can take it',
    args: [],
    isHosts: true,
    when: (_search, node) => node?.offer === 'taken',
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
