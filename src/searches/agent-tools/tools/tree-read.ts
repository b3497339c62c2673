import { messageOf } from '../../../core/messages/kept.ts';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import { nodeAt, type TreeNode } from '../../../core/tree/tree.ts';
import type { CallStory } from '../../../engine/calls/node-story.ts';
import { findNode } from '../../reader/find-node.ts';
import type { NodeDetails } from '../../reader/node-details.ts';
import { outlineNodes } from '../../reader/outline-nodes.ts';
import { overviewOf, type SearchOverview } from '../../reader/search-overview.ts';
import type { AgentHost, ToolAnswer } from '../agent-host.ts';
import { nameOf, placeNamed } from '../find-place.ts';
import { noCallsYet, noReportYet, noSuchCall } from '../messages.ts';
import { offeredActions } from '../offered-actions.ts';
import { pageOf, shownTitle, withRest } from '../safe-text.ts';
import { nodeRow } from '../status-of.ts';
import type { ReadArgs } from './tool-faces.ts';
import type { Read } from './tool-outputs.ts';

/** The most nodes of an outline, and calls of a node, in one answer. */
const MOST_NODES = 200;
const MOST_CALLS = 100;

/** `tree_read`: a part of a search. */
export async function readAnswer(host: AgentHost, args: ReadArgs): Promise<ToolAnswer> {
  const place = await placeNamed(host, args.search);
  const path = args.node === undefined ? '' : await findNode(place.folder, args.node);
  const overview = await overviewOf(host.kinds, place.folder);
  const { whole, ...more } = await READERS[args.what](host, overview, path, args);
  const page = pageOf(whole, args.offset);
  const node = path === '' ? undefined : nodeAt(overview.tree, path);
  const data: Read = {
    search: nameOf(host, place),
    what: args.what,
    node: path,
    title: shownTitle(node?.title ?? overview.file.title),
    ...(node && { status: node.status }),
    ...page,
    ...more,
  };
  const file = args.what === 'report' ? 'report.md' : path !== '' && args.what === 'node' ? `${path}/document.md` : '';
  const files = file === '' ? [] : [{ search: data.search, path: file, title: data.title }];
  return { text: withRest(page), data, files };
}

type Part = { readonly whole: string } & Pick<Read, 'nodes' | 'calls' | 'actions'>;
type Reader = (host: AgentHost, overview: SearchOverview, path: string, args: ReadArgs) => Promise<Part>;

const READERS: Readonly<Record<ReadArgs['what'], Reader>> = {
  outline: async (_host, { tree }, path) => {
    const root = (path === '' ? undefined : nodeAt(tree, path)) ?? tree.root;
    const shown = outlineNodes(tree, MOST_NODES, [], root);
    const lines = shown.map(({ node, hidden }) => outlineLine(node, hidden, root.depth));
    const whole = lines.join('\n') || 'There are no nodes yet.';
    return { whole, nodes: shown.map(({ node, hidden }) => nodeRow(node, hidden)) };
  },
  node: async (host, overview, path) => {
    const details = await overview.reader.details(path);
    const actions = await offeredActions(host.kinds, overview, path);
    const calls = details.story.calls.slice(-MOST_CALLS).map(callRow);
    return { whole: nodeText(overview, details), calls, actions: actions.map(({ name }) => name) };
  },
  report: async (_host, { store }) => {
    const whole = await store.readReport();
    if (whole === undefined) throw new ThoughtTreeError('not-found', noReportYet());
    return { whole };
  },
  words: async (_host, { reader }, path, { call }) => {
    const { calls } = (await reader.details(path)).story;
    if (calls.length === 0) throw new ThoughtTreeError('not-found', noCallsYet());
    const number = call ?? calls.length;
    const found = await reader.exchange(path, number);
    if (!found)
      throw new ThoughtTreeError('not-found', noSuchCall({ number: String(number), count: String(calls.length) }));
    return { whole: wordsText(found.call, found.found), calls: [callRow(found.call)] };
  },
};

function outlineLine(node: TreeNode, hidden: number, above: number): string {
  const { node: path, title, status, score } = nodeRow(node);
  const indent = '  '.repeat(Math.min(node.depth - above - 1, 20));
  const said = [
    status,
    ...(score === undefined ? [] : [`${score}/10`]),
    ...(hidden > 0 ? [`${hidden} more below`] : []),
  ];
  return `${indent}- ${title} [${said.join(', ')}] ${path}`;
}

function nodeText({ tree, file, state }: SearchOverview, details: NodeDetails): string {
  const { path, document, note, links, story } = details;
  const node = path === '' ? undefined : nodeAt(tree, path);
  const { failure, evaluation, summary } = node ?? {};
  const lines = [
    `# ${shownTitle(node?.title ?? file.title)}`,
    ...(node ? [`Status: ${node.status}`] : [`Question: ${file.prompt}`, `State: ${state}`]),
    ...(summary === undefined ? [] : [`Summary: ${shownTitle(summary)}`]),
    ...(evaluation ? [`Score: ${evaluation.score}/10 ${shownTitle(evaluation.reasoning ?? '')}`.trimEnd()] : []),
    ...(failure ? [`Failed: ${shownTitle(messageOf(failure.message, failure.say).text)}`] : []),
    ...(note === undefined ? [] : [`Note: ${note}`]),
    ...links.map(({ type, isIncoming, other, id }) =>
      shownTitle(`${isIncoming ? 'Linked by' : 'Link'}: ${type} ${other?.path ?? id}`),
    ),
    ...(node && node.children.length > 0
      ? ['Children:', ...node.children.slice(0, MOST_NODES).map((child) => outlineLine(child, 0, node.depth))]
      : []),
    `Calls: ${story.calls.length}`,
  ];
  return document === undefined ? lines.join('\n') : `${lines.join('\n')}\n\n${document}`;
}

function callRow({ number, purpose, outcome }: CallStory): NonNullable<Read['calls']>[0] {
  return { call: number, purpose: shownTitle(purpose), outcome };
}

type Words = NonNullable<Awaited<ReturnType<SearchOverview['reader']['exchange']>>>['found'];

function wordsText(call: CallStory, found: Words): string {
  if ('unknown' in found) return found.unknown.text;
  const { system, turns, prompt, answer } = found.exchange;
  const parts: [string, string][] = [
    ['system', system],
    ...turns.map(({ role, text }): [string, string] => [role, text]),
    ['prompt', prompt],
    ['answer', answer ?? `(none: ${call.outcome})`],
  ];
  return parts.map(([label, text]) => `── ${label}\n${text}`).join('\n\n');
}
