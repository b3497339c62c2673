import { availableActions, type NodeFacts, type SearchFacts } from '../../../src/core/actions/action-descriptor.ts';
import { NodeStatus } from '../../../src/core/tree/node-file.ts';
import { COMMON_ACTIONS } from '../../../src/extension/actions/editor-actions.ts';
import { researchDescriptor } from '../../../src/kinds/research/descriptor.ts';
import type { GraphAction, GraphNode, GraphSearch, GraphSlot } from '../../../src/protocol/graph-node.ts';

const TOPICS = [
  'Authentication and sessions',
  'Session management',
  'Password hashing with Argon2',
  'OAuth 2 flow',
  'Rate limits at the gateway',
  'How tokens are rotated',
  'Input checks before the database',
  'Secrets in continuous integration',
  'Audit log',
  'Cross-site request forgery',
  'Transport security',
  'What happens when the cache is cold',
  'Dependencies and their licences',
  'Build pipeline',
];

/** A random number generator that gives the same numbers for the same seed: from 0 to below 1. */
function seeded(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b);
    return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 32;
  };
}

/** A tree of so many nodes below the root, parents before children, with every status in it. */
export function sampleNodes(count: number, fanout = 8, random = seeded(7)): GraphNode[] {
  const nodes: GraphNode[] = [
    { path: '', title: 'How does this server protect itself?', status: 'expanded', index: 0 },
  ];
  const open = [''];
  while (nodes.length <= count) {
    const parent = open.shift() ?? '';
    const children = parent === '' ? Math.min(fanout * 2, Math.max(3, count >> 1)) : 2 + Math.floor(random() * fanout);
    for (let index = 0; index < children && nodes.length <= count; index++) {
      const title = TOPICS[Math.floor(random() * TOPICS.length)] ?? '';
      const path = `${parent === '' ? '' : `${parent}/`}t${index}`;
      const status = statusOf(random(), path.split('/').length);
      nodes.push({
        path,
        title,
        status,
        index,
        ...(random() < 0.85 ? { score: Math.round(random() * 80 + 20) / 10 } : {}),
        ...(status === 'unexpanded' ? {} : { summary: `What there is to say of ${title.toLowerCase()}, in a line.` }),
        ...(status === 'pruned' ? { prunedBy: 'user' as const } : {}),
        ...(status === 'failed' ? { failure: 'The model gave no list of topics after two corrections.' } : {}),
        ...(status === 'leaf' ? { leafReason: random() < 0.3 ? ('duplicate' as const) : ('model' as const) } : {}),
      });
      if (status === 'expanded') open.push(path);
    }
    if (open.length === 0) open.push(nodes.at(-1)?.path ?? '');
  }
  return nodes;
}

function statusOf(chance: number, depth: number): NodeStatus {
  if (chance < (depth < 3 ? 0.62 : 0.45)) return 'expanded';
  if (chance < 0.7) return 'leaf';
  if (chance < 0.92) return 'unexpanded';
  if (chance < 0.95) return 'in-progress';
  return chance < 0.98 ? 'pruned' : 'failed';
}

/**
 * A tree of thoughts with all that such a search can say of a node. As in life, the solution has no score, and something
 * else has a better one than what leads to it.
 */
export function sampleThoughts(): GraphNode[] {
  const node = (path: string, title: string, index: number, more: Partial<GraphNode> = {}): GraphNode => ({
    path,
    title,
    index,
    status: 'expanded',
    ...more,
  });
  return [
    node('', '4 9 10 13', 0),
    node('node_1', '13 - 9 = 4 (left: 4 4 10)', 0, { score: 9.2, confidence: 0.9 }),
    node('node_2', '10 - 4 = 6 (left: 6 9 13)', 1, { score: 9.4, confidence: 0.8 }),
    node('node_3', '9 + 13 = 22 (left: 4 10 22)', 2, { score: 6.1, isLowConfidence: true }),
    node('node_4', '4 * 9 = 36 (left: 10 13 36)', 3, { status: 'unexpanded', selected: false, score: 6.8 }),
    node('node_5', '13 * 10 = 130 (left: 4 9 130)', 4, { status: 'pruned', prunedBy: 'threshold', score: 1.2 }),
    node('node_1/node_1_1', '10 - 4 = 6 (left: 4 6)', 0, { score: 9.7 }),
    node('node_1/node_1_2', '4 + 4 = 8 (left: 8 10)', 1, { status: 'pruned', prunedBy: 'evaluator', score: 2.5 }),
    node('node_1/node_1_3', '4 / 4 = 1 (left: 1 10)', 2, { status: 'pruned', prunedBy: 'constraint', score: 2 }),
    node('node_2/node_2_1', '13 - 9 = 4 (left: 4 6)', 0, { status: 'leaf', sameAs: 'node_1/node_1_1', score: 9.5 }),
    node('node_2/node_2_2', '9 + 6 = 14 (left: 13 14)', 1, { status: 'pruned', prunedBy: 'verifier' }),
    node('node_3/node_3_1', '22 - 10 = 12 (left: 4 12)', 0, { status: 'in-progress', score: 7 }),
    node('node_3/node_3_2', '22 + 4 = 26 (left: 10 26)', 1, { status: 'pruned', prunedBy: 'user', score: 3 }),
    node('node_1/node_1_1/node_1_1_1', '4 * 6 = 24', 0, { status: 'leaf', leafReason: 'solved' }),
  ];
}

const SEARCH: SearchFacts = { state: 'running', isResumable: false, isDivided: true, hasReport: false, failed: 0 };
const SEARCH_ACTIONS = actionsOn(undefined);

/** What a host offers on a node with a status, or on the whole search. */
function actionsOn(node: NodeFacts | undefined): GraphAction[] {
  const own = [
    { name: 'reveal', title: 'Reveal in sidebar' },
    { name: 'copyLink', title: 'Copy link' },
  ];
  return [...availableActions(COMMON_ACTIONS, SEARCH, node).map(({ name, title }) => ({ name, title })), ...own];
}

/** What a host offers on nodes, by their status; in a branch that is pruned, by `cut-off`. */
export function sampleOffers(): Record<string, GraphAction[]> {
  const hasDocument = (status: NodeStatus): boolean => status !== 'unexpanded' && status !== 'in-progress';
  const of = (status: NodeStatus, isCutOff: boolean): GraphAction[] =>
    actionsOn({ status, isCutOff, hasDocument: hasDocument(status) });
  const each = NodeStatus.options.map((status) => [status, of(status, false)] as const);
  return { ...Object.fromEntries(each), 'cut-off': of('unexpanded', true) };
}

/** That of the solution, which a search names at its end; else that of the best scores. */
function bestPathOf(nodes: readonly GraphNode[]): string[] {
  const solution = nodes.find(({ leafReason }) => leafReason === 'solved')?.path.split('/');
  if (solution) return solution.map((_, i) => solution.slice(0, i + 1).join('/'));
  const under = (path: string): GraphNode[] =>
    nodes.filter((node) => node.path !== '' && node.path.slice(0, Math.max(0, node.path.lastIndexOf('/'))) === path);
  const worth = ({ status, score = 0 }: GraphNode): number => (status === 'pruned' ? 0 : score);
  const path: string[] = [];
  for (let at = ''; ; ) {
    const [best] = under(at).sort((a, b) => worth(b) - worth(a));
    if (!best || worth(best) === 0) return path;
    path.push(best.path);
    at = best.path;
  }
}

export function sampleSearch(nodes: readonly GraphNode[], changes: Partial<GraphSearch> = {}): GraphSearch {
  const open = nodes.filter(({ status }) => status === 'unexpanded').map(({ path }) => path);
  const isAtWork = changes.state === undefined || changes.state === 'running' || changes.state === 'waiting';
  const slot = (node: string, index: number): GraphSlot => ({
    node,
    purpose: index % 2 ? 'children' : 'document',
    since: 0,
  });
  const busy = nodes.filter(({ status }) => status === 'in-progress').map(({ path }) => path);
  return {
    title: 'How does this server protect itself?',
    question: 'How does this server protect itself, and what is missing?',
    kind: 'research',
    words: { ...researchDescriptor.words, doing: { document: 'writing the document', children: 'listing topics' } },
    state: 'running',
    isHeld: isAtWork,
    reason: '',
    model: 'copilot/some-model',
    worked: 34,
    size: 60,
    guards: [
      { name: 'calls', used: 71, limit: 1000 },
      { name: 'tokens', used: 820_000, limit: 2_000_000 },
      { name: 'usd', used: 1.27, limit: 5 },
    ],
    calls: 71,
    tokens: 820_000,
    prompt: 760_000,
    cached: 610_000,
    usd: 1.27,
    usdComplete: true,
    minutes: 12,
    slots: isAtWork ? busy.slice(0, 4).map(slot) : [],
    order: open.slice(0, 30),
    bestPath: bestPathOf(nodes),
    actions: SEARCH_ACTIONS,
    ...changes,
  };
}
