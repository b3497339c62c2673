import { join } from 'node:path';
import {
  type ActionDescriptor,
  type ActionDescriptors,
  availableActions,
  isMeantFor,
  maySpend,
  type NodeFacts,
  refusalOf,
  type SearchFacts,
} from '../../core/actions/action-descriptor.ts';
import { actionsOf } from '../../core/actions/actions.ts';
import type { Message } from '../../core/messages/message.ts';
import { formatDuration, formatTokens, formatUsd } from '../../core/money/figures.ts';
import { ledWords, stateOf } from '../../core/search/messages.ts';
import type { SearchState } from '../../core/search/record/search-state.ts';
import { bestPathOf, nodeAt, pathOf, type TreeNode } from '../../core/tree/tree.ts';
import { descriptorOf, type Kinds } from '../../engine/kind.ts';
import { overviewAt } from '../history/past-overview.ts';
import type { Place } from '../place.ts';
import { readNodeFacts, searchFactsOf } from '../reader/action-facts.ts';
import { answerOf, type SearchOverview } from '../reader/search-overview.ts';
import { forecastLeft } from '../search-forecast.ts';
import type { AgentHost, ToolAnswer } from './agent-host.ts';
import { forecastLine } from './ask-money.ts';
import { nameOf } from './find-place.ts';
import { shownTitle } from './safe-text.ts';
import type { NodeRow, OfferedAction, Status } from './tool-descriptors.ts';

const MOST_BEST = 8;
const LONGEST_TEXT = 2000;

/** Tells how a search is: as data, and in words. */
export async function statusAnswer(host: AgentHost, place: Place): Promise<ToolAnswer> {
  const overview = await overviewAt(host.kinds, place.folder);
  const status = await statusOf(host, overview);
  const files = status.has_report ? [{ search: status.search, path: 'report.md', title: 'report.md' }] : [];
  const left = await forecastLeft(overview, host.kinds, host.models.facts).catch(() => undefined);
  const older = overview.record.edits.inWords(overview.tree).map(({ text }) => shownTitle(text));
  return {
    text: [statusText(status, stateLine(overview), left && forecastLine(left)), ...older].join('\n'),
    data: { ...status, ...(left && { left: { ...(left.usd && { usd: left.usd }), minutes: left.minutes } }) },
    files,
  };
}

async function statusOf(host: AgentHost, overview: SearchOverview): Promise<Status> {
  const { file, state, results, limits, tree, reader, record, reason = ledWords(overview), model, folder } = overview;
  const { tokens } = results;
  const answer = answerOf(overview);
  const actions = await offeredActions(host.kinds, overview, '');
  const search = nameOf(host, { folder });
  return {
    search,
    title: shownTitle(file.title),
    question: shownTitle(file.prompt),
    kind: shownTitle(file.kind),
    state,
    ...(reason && { reason: shownTitle(reason.text) }),
    run_by: host.runs.isHere(folder) ? 'this program' : reader.isActive ? 'another program' : 'nobody',
    folder,
    ...(model !== undefined && { model: shownTitle(model) }),
    spent: {
      calls: results.calls,
      tokens: tokens.prompt + tokens.completion + tokens.worstCase,
      usd: results.usd,
      usd_complete: results.usdComplete,
      minutes: results.minutes,
    },
    limits: {
      size: limits.size,
      max_depth: limits.maxDepth,
      ...(limits.guards.usd !== undefined && { max_usd: limits.guards.usd }),
    },
    nodes: { ...tree.counts },
    best: bestOf(overview).map((node) => nodeRow(node)),
    ...(answer && { answer: answerText(answer) }),
    has_report: reader.hasReport,
    offers: record.offers.size,
    actions: actions.map(({ name }) => name),
    next: ledWords(overview)
      ? 'Whoever leads it goes on with it.'
      : nextStep(state, reader.hasReport, record.offers.size),
  };
}

/** Returns a node as a row of a list. */
export function nodeRow(node: TreeNode, hidden = 0): NodeRow {
  const score = node.evaluation?.score;
  return {
    node: pathOf(node),
    title: shownTitle(node.title),
    status: node.status,
    ...(score !== undefined && { score }),
    ...(hidden > 0 && { hidden }),
  };
}

/** Returns the nodes of the best path, else the first ones. */
function bestOf({ tree, reader }: SearchOverview): TreeNode[] {
  const best = bestPathOf(tree, reader.bestPath).flatMap((path) => nodeAt(tree, path) ?? []);
  const found = best.length > 0 ? best : tree.root.children.filter(({ status }) => status !== 'pruned');
  return found.slice(0, MOST_BEST);
}

function answerText(answer: NonNullable<ReturnType<typeof answerOf>>): string {
  if (answer === 'none') return 'No solution was found.';
  if (answer === 'pruned') return 'The branch of the answer that was found is pruned.';
  return answer === 'unwritten'
    ? 'Nobody wrote it down; the report says more.'
    : answer.text.slice(0, LONGEST_TEXT).toWellFormed();
}

function nextStep(state: SearchState, hasReport: boolean, offers: number): string {
  if (state === 'running' || state === 'waiting') return 'tree_wait waits for its end; tree_read shows what there is.';
  if (offers > 0) return 'Work waits for somebody outside: tree_act lists the actions that take and answer it.';
  if (state !== 'finished') return 'tree_act with "resume" continues it.';
  return hasReport ? 'tree_read with "report" gives its report.' : 'tree_read with "outline" shows its nodes.';
}

function stateLine({ reason, ...overview }: SearchOverview): string {
  return `${stateOf(overview).text}${reason === undefined ? '' : `: ${shownTitle(reason.text)}`}`;
}

function statusText(status: Status, state: string, left: string | undefined): string {
  const { spent, nodes, limits, best } = status;
  const money = spent.usd_complete ? formatUsd(spent.usd) : `at least ${formatUsd(spent.usd)}`;
  const counts = Object.entries(nodes).filter(([, count]) => count > 0);
  const lines = [
    `${status.title} (${status.search}, ${status.kind})`,
    `State: ${state}; run by ${status.run_by}`,
    `Nodes: ${counts.map(([word, count]) => `${count} ${word}`).join(', ') || 'none yet'}`,
    `Spent: ${spent.calls} calls, ${formatTokens(spent.tokens)} tokens, ${money}, ${formatDuration(spent.minutes * 60_000)}`,
    `Limits: ${limits.size}, depth ${limits.max_depth}${limits.max_usd === undefined ? '' : `, ${formatUsd(limits.max_usd)}`}`,
    ...(left === undefined ? [] : [`Left: ${left}`]),
    ...(status.model === undefined ? [] : [`Model: ${status.model}`]),
    ...(status.answer === undefined ? [] : [`Answer: ${status.answer}`]),
    ...best.map(({ node, title, score }) => `- ${node}: ${title}${score === undefined ? '' : ` (${score}/10)`}`),
    `Files: ${status.folder}${status.has_report ? `; report: ${join(status.folder, 'report.md')}` : ''}`,
    `Actions: ${status.actions.join(', ') || 'none'}`,
    status.next,
  ];
  return lines.join('\n');
}

/** Returns the actions that are offered now, on a search or one of its nodes, in the order of their table. */
export async function offeredActions(
  kinds: Kinds,
  overview: SearchOverview,
  path: string,
): Promise<ActionDescriptor[]> {
  const target = await targetAt(overview, path);
  return target ? availableActions(descriptorsOf(kinds, overview), target.search, target.node) : [];
}

/** Says why an action cannot be done, in the words of the table of actions; undefined if the table has none for it. */
export async function refusalOfAction(
  kinds: Kinds,
  overview: SearchOverview,
  path: string,
  name: string,
): Promise<Message | undefined> {
  const descriptors = descriptorsOf(kinds, overview);
  const descriptor = Object.hasOwn(descriptors, name) ? descriptors[name] : undefined;
  const target = await targetAt(overview, path);
  if (!descriptor || !target || !isMeantFor(descriptor, target.node)) return undefined;
  return refusalOf(descriptor, target.search, target.node)?.({ title: shownTitle(target.title) });
}

/** Tells whether an action may lead to calls of a model. */
function mayCost(descriptor: ActionDescriptor): boolean {
  return maySpend(descriptor) || descriptor.raisesLimits === true || descriptor.waitsForRun === true;
}

/** Returns an action for agents. @param isFree whether the search asks no model that costs anything */
export function shownAction(descriptor: ActionDescriptor, isFree: boolean): OfferedAction {
  const args = descriptor.args.map(({ name, type, required = false, help, choices }) => ({
    name,
    type,
    required,
    help,
    ...(choices && { choices: [...choices] }),
  }));
  const { name: action, title, help, removes = false } = descriptor;
  return {
    action,
    title: title.replace(/…$/, ''),
    help,
    arguments: args,
    spends: !isFree && mayCost(descriptor),
    removes,
  };
}

function descriptorsOf(kinds: Kinds, { file }: SearchOverview): ActionDescriptors {
  return actionsOf(descriptorOf(kinds, file.kind));
}

interface Target {
  readonly title: string;
  readonly search: SearchFacts;
  /** Undefined for the search as a whole. */
  readonly node: NodeFacts | undefined;
}

/** Reads the search or node that an action is about; undefined if that node is gone. */
async function targetAt({ file, reader, tree }: SearchOverview, path: string): Promise<Target | undefined> {
  const search = searchFactsOf(reader, tree.counts.failed);
  if (path === '') return { title: file.title, search, node: undefined };
  const node = await readNodeFacts(reader, path);
  return node && { title: node.title, search, node: node.facts };
}
