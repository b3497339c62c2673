import { type ActionCall, argsOf } from '../../core/actions/action-call.ts';
import {
  type ActionDescriptor,
  type ActionDescriptors,
  type NodeFacts,
  refusalOf,
  type SearchFacts,
} from '../../core/actions/action-descriptor.ts';
import { actionsOf as actionDescriptorsOf } from '../../core/actions/actions.ts';
import { kept } from '../../core/messages/message.ts';
import { wrongField } from '../../core/messages/wrong-field.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { isResumable } from '../../core/search/record/search-record.ts';
import { searchState } from '../../core/search/record/search-state.ts';
import { isPruned, isSolved, nodeAt, pathOf, type Tree, type TreeNode } from '../../core/tree/tree.ts';
import type { ActingLoop, Action, Actions, SearchContext } from '../../engine/context.ts';
import type { Acted, OpenedKind, Search } from '../../engine/search.ts';
import { isInterim } from '../report/report-writing.ts';
import { actionsOf } from './engine-actions.ts';
import { cannotUse, noNode, onNodesOnly, onSearchesOnly, unknownAction } from './messages.ts';

/** Returns how the actions of an open search are carried out. */
export function acting(
  search: Search,
  { ctx, kind, run }: OpenedKind,
  loop: ActingLoop,
): (call: ActionCall, by: string) => Promise<Acted> {
  const at: ActingSearch = {
    ctx,
    descriptors: actionDescriptorsOf(kind.descriptor),
    actions: actionsOf(run),
    loop,
    facts: async () => searchFacts(search, await ctx.store.readReport()),
  };
  return (call, by) => act(at, call, by);
}

interface ActingSearch {
  readonly ctx: SearchContext;
  readonly descriptors: ActionDescriptors;
  readonly actions: Actions;
  readonly loop: ActingLoop;
  readonly facts: () => Promise<SearchFacts>;
}

/**
 * Carries out an action, and journals it together with who asked.
 * @param by who asks, in a word or two
 * @throws ThoughtTreeError `bad-input`, `edited`, `not-found`, saying what to do; then nothing has changed
 */
async function act(search: ActingSearch, call: ActionCall, by: string): Promise<Acted> {
  const { ctx, loop } = search;
  const { descriptor, action } = find(search, call.action);
  const node = nodeMeant(ctx.tree, descriptor, call.node ?? '');
  const args = checked(action, call);
  const carryOut = async (): Promise<unknown> => {
    await refuse(search, descriptor, node);
    return await action.run({ ctx, loop, node, by }, args);
  };
  const path = pathOf(node);
  const value = await (action.isLoops ? carryOut() : ctx.gate.alone(carryOut));
  const say = action.say(value, node);
  if (action.tellsItself) return { value, say };
  const steered = {
    type: 'steered' as const,
    by,
    action: call.action,
    ...(path === '' ? {} : { node: path }),
    ...(Object.keys(args).length > 0 && { args }),
    ...(isEmpty(value) ? {} : { value }),
    ...kept(say),
  };
  await ctx.history.record(steered, true);
  return { value, say };
}

function find({ descriptors, actions }: ActingSearch, name: string): { descriptor: ActionDescriptor; action: Action } {
  const descriptor = Object.hasOwn(descriptors, name) ? descriptors[name] : undefined;
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (descriptor && action) return { descriptor, action };
  throw new ThoughtTreeError('bad-input', unknownAction({ action: name }));
}

/** Returns the target node; the root for the search as a whole. */
function nodeMeant(tree: Tree, { name, on }: ActionDescriptor, path: string): TreeNode {
  const node = nodeAt(tree, path.replace(/^\/+|(?<!\/)\/+$/g, '').normalize('NFC'));
  if (!node) throw new ThoughtTreeError('bad-input', noNode({ path }));
  if (on === 'node' && !node.parent) throw new ThoughtTreeError('bad-input', onNodesOnly({ action: name }));
  if (on === 'search' && node.parent) throw new ThoughtTreeError('bad-input', onSearchesOnly({ action: name }));
  return node;
}

function checked(action: Action, call: ActionCall): Record<string, unknown> {
  const args = action.args.safeParse(argsOf(call));
  if (args.success) return args.data as Record<string, unknown>;
  throw new ThoughtTreeError('bad-input', cannotUse({ action: call.action, why: wrongField(args.error) }));
}

async function refuse({ ctx, facts }: ActingSearch, descriptor: ActionDescriptor, node: TreeNode): Promise<void> {
  const refusal = refusalOf(descriptor, await facts(), node.parent ? await nodeFacts(ctx, node) : undefined);
  if (refusal) throw new ThoughtTreeError('bad-input', refusal({ title: node.title }));
}

function isEmpty(value: unknown): boolean {
  return typeof value !== 'object' || value === null || Object.keys(value).length === 0;
}

/** Returns a node of an open search, for deciding what can be done to it. */
export async function nodeFacts({ store }: Pick<SearchContext, 'store'>, node: TreeNode): Promise<NodeFacts> {
  const { status, leafReason, parent } = node;
  const found = await store.readNode(pathOf(node));
  return {
    status,
    leafReason,
    isCutOff: parent !== undefined && isPruned(parent),
    hasDocument: found?.hasDocument === true,
    own: node.file?.own,
  };
}

/**
 * An open search, for deciding what can be done to it.
 * @param report report.md, if there is one
 */
function searchFacts({ state, isActive, tree, record }: Search, report: string | undefined): SearchFacts {
  const hasReport = report !== undefined;
  const { root, counts, size } = tree;
  const isDivided = root.listed;
  const open = counts.unexpanded + counts['in-progress'];
  const isOpen = !isDivided || open > 0 || size === 0;
  const { turn, waitsOutside } = record;
  const left = searchState({
    last: turn?.type,
    waitsOutside,
    isHeld: false,
    isOpen,
    hasReport: hasReport && !isInterim(report),
  });
  const now = isActive ? state : left;
  return {
    state: now,
    isResumable: isResumable(now, { record, open, isSolved: isSolved(tree) }),
    hasBegun: record.hasBegun,
    isDivided,
    hasReport,
    failed: counts.failed,
    limit: record.limitReached,
    offers: record.offers.size,
  };
}
