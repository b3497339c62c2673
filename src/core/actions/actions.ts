import type { ActionDescriptor, ActionDescriptors, NodeFacts, SearchFacts } from './action-descriptor.ts';
import {
  expandedAlready,
  inPrunedBranch,
  notDivided,
  notFailed,
  nothingLeft,
  notPruned,
  startSearch,
} from './messages.ts';

const isActive = ({ state }: SearchFacts): boolean => state === 'running' || state === 'waiting';
const isBelowPruned = (node: NodeFacts | undefined): boolean => node?.isCutOff === true;
const isPruned = (node: NodeFacts | undefined): boolean => node?.status === 'pruned' || isBelowPruned(node);

/** The actions that searches of any kind have in all hosts. A kind can add actions, or replace some of these. */
export const ACTIONS = {
  expand: {
    name: 'expand',
    on: 'node',
    title: 'Expand next',
    help: 'work on this node next, even beyond the size and depth limits',
    args: [],
    leads: true,
    waitsForRun: true,
    startsRun: true,
    when: (_search, node) => {
      if (isPruned(node)) return inPrunedBranch;
      if (node?.status === 'expanded') return expandedAlready;
      return node?.status === 'unexpanded' || node?.status === 'leaf';
    },
  },
  retry: {
    name: 'retry',
    on: 'both',
    title: 'Retry',
    help: 'open a failed node again, or all of them',
    args: [],
    waitsForRun: true,
    startsRun: true,
    when: ({ failed }, node) => {
      if (!node) return failed > 0;
      return node.status === 'failed' ? !isBelowPruned(node) : notFailed;
    },
  },
  prune: {
    name: 'prune',
    on: 'node',
    title: 'Prune branch',
    help: 'take a branch out of a search; its files stay',
    args: [],
    removes: true,
    when: (_search, node) => !isPruned(node),
  },
  restore: {
    name: 'restore',
    on: 'node',
    title: 'Restore branch',
    help: 'take a pruned branch back',
    args: [],
    waitsForRun: true,
    when: (_search, node) => (node?.status === 'pruned' ? !isBelowPruned(node) : notPruned),
  },
  pause: {
    name: 'pause',
    on: 'search',
    title: 'Pause',
    help: 'let the running search finish what is under way, then pause it',
    args: [
      { name: 'now', type: 'boolean', help: 'stop calls under way; they are paid for, and their nodes are open again' },
    ],
    needsRun: true,
    when: isActive,
  },
  pauseNow: {
    name: 'pauseNow',
    isRare: true,
    on: 'search',
    title: 'Pause now',
    help: 'pause the running search at once, stopping calls under way',
    args: [],
    isHosts: true,
    asCall: { action: 'pause', now: true },
    when: isActive,
  },
  resume: {
    name: 'resume',
    on: 'search',
    title: 'Resume',
    titleFor: ({ hasBegun, isDivided }) => (hasBegun === false && !isDivided ? startSearch() : undefined),
    help: 'continue a search',
    args: [],
    isHosts: true,
    asksModel: true,
    when: (search) => {
      if (search.state === 'finished' && !search.isResumable) return nothingLeft;
      return !isActive(search) && search.isResumable && search.limit === undefined;
    },
  },
  finish: {
    name: 'finish',
    on: 'search',
    title: 'Finish now',
    help: 'end a search where it is, with its report: at most one more call',
    args: [],
    asksModel: true,
    when: ({ state, isLedOutside }) => state !== undefined && state !== 'finished' && !isLedOutside,
  },
  report: {
    name: 'report',
    on: 'search',
    title: 'Rewrite report',
    help: 'rewrite report.md from the current tree: at most one call',
    args: [],
    asksModel: true,
    when: (search) => search.hasReport && !isActive(search),
  },
  interim: {
    name: 'interim',
    on: 'search',
    title: 'Interim report',
    help: 'write report.md from what there is so far, without a call',
    args: [],
    isForClients: true,
    when: () => false,
  },
  grow: {
    name: 'grow',
    on: 'search',
    title: 'Extend…',
    raisesLimits: true,
    help: 'let a search go further: size, depth, budget',
    args: [
      { name: 'size', type: 'choice', help: 'how far to go', choices: ['small', 'medium', 'large', 'all'] },
      { name: 'maxDepth', type: 'integer', help: 'how deep the tree may grow', least: 1, most: 64 },
      { name: 'guards', type: 'json', help: 'what to pause before: calls, tokens, usd, minutes' },
    ],
    waitsForRun: true,
    startsRun: true,
    when: () => true,
  },
  add: {
    name: 'add',
    on: 'both',
    title: 'Add node…',
    help: 'add a node of your own, which comes next',
    args: [{ name: 'title', type: 'text', required: true, help: 'the title of the new node', most: 1000 }],
    leads: true,
    waitsForRun: true,
    when: ({ isDivided }, node) => {
      if (node) return isPruned(node) ? inPrunedBranch : true;
      return isDivided || notDivided;
    },
  },
  note: {
    name: 'note',
    on: 'both',
    title: 'Add note…',
    help: 'give a search, or a branch, a note for all later prompts',
    args: [
      { name: 'text', type: 'text', required: true, help: 'the text to include in every later prompt', most: 20_000 },
    ],
    when: (_search, node) => !isBelowPruned(node),
  },
  undo: {
    name: 'undo',
    on: 'search',
    title: 'Undo',
    help: 'take back the last thing that a person did, and with each further time the one before it',
    args: [{ name: 'forward', type: 'boolean', help: 'do again what was undone last' }],
    removes: true,
    raisesLimits: true,
    when: ({ hasBegun }) => hasBegun === true,
  },
  redo: {
    name: 'redo',
    on: 'node',
    title: 'Rewrite document',
    help: 'rewrite a document; the old one is kept in .search/objects',
    removes: true,
    args: [{ name: 'force', type: 'boolean', help: 'even if the document was edited by hand' }],
    leads: true,
    waitsForRun: true,
    startsRun: true,
    when: (_search, node) => (isPruned(node) ? inPrunedBranch : node?.hasDocument === true),
  },
} as const satisfies Readonly<Record<string, ActionDescriptor>>;

/** A kind, as far as its actions are concerned. */
interface WithActions {
  readonly actions?: ActionDescriptors;
}

/** Returns the actions of a kind; for an unknown kind, those that all kinds have. */
export function actionsOf(kind: WithActions | undefined): ActionDescriptors {
  return kind?.actions ? { ...ACTIONS, ...kind.actions } : ACTIONS;
}

/** Returns the actions of all these kinds, each name once. */
export function actionsOfAll(kinds: Iterable<WithActions>): ActionDescriptors {
  const own = [...kinds].map(({ actions }) => actions ?? {});
  return Object.assign({}, ACTIONS, ...own, ACTIONS);
}

const isOffering = ({ offers = 0 }: SearchFacts): boolean => offers > 0;

const AS = { name: 'as', type: 'text', help: 'who you are, if several act under one name', most: 100 } as const;

/** The actions on the offers of a search, for kinds whose executors make any. */
export const OFFER_ACTIONS = {
  take: {
    name: 'take',
    isRare: true,
    on: 'search',
    title: 'Claim a request…',
    help: 'take an offer, so that nobody else works on it',
    args: [
      { name: 'offer', type: 'text', required: true, help: 'the name of the offer', most: 100 },
      { name: 'person', type: 'boolean', help: 'for a person: it does not expire' },
      AS,
    ],
    when: isOffering,
  },
  'give-back': {
    name: 'give-back',
    isRare: true,
    on: 'search',
    title: 'Release a request…',
    help: 'let others take an offer',
    args: [{ name: 'offer', type: 'text', required: true, help: 'the name of the offer', most: 100 }, AS],
    when: isOffering,
  },
  answer: {
    name: 'answer',
    isRare: true,
    on: 'search',
    title: 'Answer requests…',
    help: 'answer one or several offers: all answers are accepted, or none',
    args: [{ name: 'answers', type: 'json', required: true, help: 'a list of {"offer": NAME, "result": …}' }, AS],
    waitsForRun: true,
    startsRun: true,
    when: isOffering,
  },
} as const satisfies Readonly<Record<string, ActionDescriptor>>;
