import type { ActionDescriptor, SearchFacts } from '../../core/actions/action-descriptor.ts';
import { ACTIONS } from '../../core/actions/actions.ts';
import { raiseWords } from '../../core/search/messages.ts';
import { raisedTo } from '../../core/search/record/search-state.ts';

const isAtRest = ({ state }: SearchFacts): boolean => state !== 'running' && state !== 'waiting';

/** Actions of the editor itself on a search or a node: it shows something, or asks before the search continues. */
export const EDITOR_ACTIONS = {
  raise: {
    name: 'raise',
    on: 'search',
    title: 'Raise limit and continue',
    titleFor: ({ limit }) => limit && raiseWords[limit.guard]({ limit: raisedTo(limit) }),
    help: 'double the limit at which the search paused, and continue it',
    args: [],
    isHosts: true,
    raisesLimits: true,
    asksModel: true,
    when: (search) => isAtRest(search) && search.isResumable && search.limit !== undefined,
  },
  resumeWith: {
    name: 'resumeWith',
    on: 'search',
    title: 'Resume with another model…',
    help: 'continue a search with a model that you choose',
    args: [],
    isHosts: true,
    asksModel: true,
    when: (search) => isAtRest(search) && search.isResumable,
  },
  openReport: {
    name: 'openReport',
    on: 'search',
    title: 'Open report',
    help: 'read the report',
    args: [],
    isHosts: true,
    // A report of what there is so far is one, too.
    when: ({ hasReport, isDivided }) => hasReport || isDivided,
  },
  copyMarkdown: {
    name: 'copyMarkdown',
    on: 'both',
    title: 'Copy as Markdown',
    help: 'copy the report, the tree and the findings, or one branch, for an issue or a chat',
    args: [],
    isHosts: true,
    when: ({ isDivided }) => isDivided,
  },
  saveHtml: {
    name: 'saveHtml',
    on: 'search',
    title: 'Save as HTML…',
    help: 'save one page with the answer, the drawn tree and every document, which opens without a network',
    args: [],
    isHosts: true,
    when: ({ isDivided }) => isDivided,
  },
  saveSvg: {
    name: 'saveSvg',
    isRare: true,
    on: 'search',
    title: 'Save as SVG…',
    help: 'save the whole tree as a drawing',
    args: [],
    isHosts: true,
    when: ({ isDivided }) => isDivided,
  },
  savePng: {
    name: 'savePng',
    isRare: true,
    on: 'search',
    title: 'Save as PNG…',
    help: 'save the tree as a picture',
    args: [],
    isHosts: true,
    when: ({ isDivided }) => isDivided,
  },
  compareWith: {
    name: 'compareWith',
    on: 'both',
    title: 'Compare with…',
    help: 'show what differs from another search or node, or from what it was before',
    args: [],
    isHosts: true,
    when: ({ isDivided }) => isDivided,
  },
  update: {
    name: 'update',
    isRare: true,
    on: 'search',
    title: 'Bring up to date…',
    help: 'write those documents anew that quote what has changed, or are below a text that you edited',
    args: [],
    isHosts: true,
    asksModel: true,
    when: (search) => isAtRest(search) && search.isDivided && !search.isLedOutside,
  },
  verify: {
    name: 'verify',
    isRare: true,
    on: 'search',
    title: 'Verify',
    help: 'check every receipt and every citation of the search again',
    args: [],
    isHosts: true,
    when: ({ isDivided }) => isDivided,
  },
  exportSearch: {
    name: 'exportSearch',
    isRare: true,
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
    title: 'Do it myself',
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
    isRare: true,
    on: 'node',
    title: 'Open checkout',
    help: 'open the copy of the files in which you work on it',
    args: [],
    isHosts: true,
    when: (_search, node) => node?.offer === 'taken',
  },
  giveBackByHand: {
    name: 'giveBackByHand',
    isRare: true,
    on: 'node',
    title: 'Hand back',
    help: 'give it back, so that others can take it',
    args: [],
    isHosts: true,
    when: (_search, node) => node?.offer === 'taken',
  },
  expandBelow: {
    name: 'expandBelow',
    isRare: true,
    on: 'node',
    title: 'Expand below…',
    help: 'choose what to work on next in this branch, the most promising first',
    args: [],
    isHosts: true,
    startsRun: true,
    when: (search, node) => node?.status === 'expanded' && !node.isCutOff && !search.isLedOutside,
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
} as const satisfies Readonly<Record<string, ActionDescriptor>>;

/** Those that only show something: the selected search is meant, and nobody is asked. */
export const ONLY_SHOWING: ReadonlySet<string> = new Set(['openReport', 'exportSearch', 'verify']);

/** The actions that the editor offers for searches of every kind. */
export const COMMON_ACTIONS = { ...ACTIONS, ...EDITOR_ACTIONS };

/** Actions whose command has a title for every kind: *Add to the Tree…*. */
const SAID_FOR_ALL: ReadonlySet<string> = new Set(['add']);

/** Tells whether a kind has an action under a title of its own: a command has a single one, so that it needs another. */
export function isRenamed({ name, title }: Pick<ActionDescriptor, 'name' | 'title'>): boolean {
  if (SAID_FOR_ALL.has(name)) return false;
  return (COMMON_ACTIONS as Readonly<Record<string, ActionDescriptor>>)[name]?.title !== title;
}

/** Returns the flag of a row for an action that its kind renames. */
export function flagOf(action: string, kind: string): string {
  return `${action}_${kind.replaceAll('-', '_')}`;
}
