import type { ActionFace, NodeFacts } from '../../core/actions/action-face.ts';
import { ACTIONS } from '../../core/actions/actions.ts';
import { recordsIn, type Seen, seenIn } from './seen/unchecked.ts';

const isOpen = (node: NodeFacts | undefined): boolean =>
  node !== undefined && !node.isCutOff && (node.status === 'unexpanded' || node.status === 'in-progress');

/** Tells whether what is kept of a node is so; true where that is unknown. */
function isKnownAs(node: NodeFacts | undefined, holds: (own: Seen) => boolean): boolean {
  return node?.own === undefined || holds(seenIn(node.own));
}

/** Tells whether something of it waits for a person's word, as far as is known. */
function mayWait(node: NodeFacts | undefined): boolean {
  return isKnownAs(node, ({ evidence, type }) => {
    const words = recordsIn(evidence).map(({ word }) => word);
    return type !== 'group' && words.includes('uncheckable');
  });
}

function hasEvidence(node: NodeFacts | undefined): boolean {
  return isKnownAs(node, ({ evidence }) => recordsIn(evidence).length > 0);
}

const WHY = { name: 'why', type: 'text', help: 'why, in a few words; it is kept', most: 1000 } as const;

/** The actions on a work graph besides those of all searches: a person's decisions. */
export const WORK_GRAPH_ACTIONS = {
  // A resolved atom is not done once more: a person redirects what came of it.
  expand: { ...ACTIONS.expand, when: (search, node) => isOpen(node) && ACTIONS.expand.when(search, node) },
  redo: { ...ACTIONS.redo, when: () => false },
  assert: {
    name: 'assert',
    on: 'node',
    title: 'Say whether it holds…',
    help: 'say whether something holds that cannot be checked here, of an atom or of the goal',
    args: [
      { name: 'says', type: 'choice', required: true, help: 'whether it holds', choices: ['yes', 'no'] },
      {
        name: 'item',
        type: 'text',
        help: 'which item, by its place or its words (default: all that wait)',
        most: 1000,
      },
      WHY,
    ],
    waitsForRun: true,
    startsRun: true,
    when: (_search, node) => isOpen(node) && mayWait(node),
  },
  'check-again': {
    name: 'check-again',
    on: 'node',
    title: 'Check again',
    help: 'run the checks of an atom or of the goal once more, as when a program was missing',
    args: [],
    waitsForRun: true,
    startsRun: true,
    when: (_search, node) => isOpen(node) && hasEvidence(node),
  },
  'do-myself': {
    name: 'do-myself',
    on: 'node',
    title: 'I do this',
    help: 'work on an atom yourself: it becomes an offer with a checkout of its own, and nobody else works on it',
    args: [],
    waitsForRun: true,
    startsRun: true,
    // An atom that is offered already is taken by the same words.
    when: (_search, node) =>
      node?.offer === undefined &&
      (isOpen(node) || (node?.status === 'failed' && !node.isCutOff)) &&
      isKnownAs(node, ({ type, by }) => type === 'atom' && by !== 'person'),
  },
  'accept-proposal': {
    name: 'accept-proposal',
    on: 'node',
    title: 'Accept proposal',
    help: 'make an atom that a worker proposed a part of the goal (prune it otherwise)',
    args: [],
    waitsForRun: true,
    startsRun: true,
    when: (_search, node) => isOpen(node) && isKnownAs(node, ({ isProposed }) => isProposed === true),
  },
  'add-alternative': {
    name: 'add-alternative',
    on: 'node',
    title: 'Add alternative…',
    help: 'add another way to a group of alternatives',
    args: [
      { name: 'title', type: 'text', required: true, help: 'what is to be done', most: 1000 },
      { name: 'does', type: 'text', help: 'the same in full', most: 8000 },
      { name: 'run', type: 'text', help: 'the command that does it', most: 4000 },
      { name: 'checks', type: 'json', help: 'what shows that it is done: a list as in plan.yaml' },
      { name: 'touches', type: 'json', help: 'the files that it changes: a list of globs' },
    ],
    waitsForRun: true,
    startsRun: true,
    when: (_search, node) =>
      node !== undefined &&
      !node.isCutOff &&
      node.status !== 'pruned' &&
      isKnownAs(node, ({ type }) => type === 'group'),
  },
  redirect: {
    name: 'redirect',
    on: 'search',
    title: 'Redirect…',
    help: 'change the goal, the graph, a limit, or what came of an atom; it is shown first what that reopens',
    args: [
      {
        name: 'type',
        type: 'choice',
        required: true,
        help: 'what is changed',
        choices: ['objective', 'graph', 'constraint', 'binding'],
      },
      { name: 'change', type: 'json', required: true, help: 'the change, as doc/work-graph.md describes it' },
      WHY,
      { name: 'dryRun', type: 'boolean', help: 'only show what it would reopen' },
    ],
    prints: true,
    asksFirst: true,
    removes: true,
    waitsForRun: true,
    startsRun: true,
    when: (search) => search.isDivided,
  },
  'go-on': {
    name: 'go-on',
    on: 'search',
    title: 'Let it go on',
    help: 'count iterations, and those without progress, from here',
    args: [],
    waitsForRun: true,
    startsRun: true,
    when: (search) => search.isDivided && search.state !== 'finished',
  },
} as const satisfies Readonly<Record<string, ActionFace>>;
