import { type ActionCall, argsOf } from '../../core/actions/action-call.ts';
import {
  type ActionFace,
  type ActionFaces,
  type NodeFacts,
  refusalOf,
  type SearchFacts,
} from '../../core/actions/action-face.ts';
import { kept } from '../../core/messages/kept.ts';
import type { Message } from '../../core/messages/message.ts';
import { wrongField } from '../../core/messages/wrong-field.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { isPruned, nodeAt, pathOf, type Tree, type TreeNode } from '../../core/tree/tree.ts';
import type { SearchContext } from '../search-context.ts';
import type { ActingLoop, Action, Actions } from './action.ts';
import { cannotUse, noNode, onNodesOnly, onSearchesOnly, unknownAction } from './messages.ts';

/** The result of an action: as data, and in words for whoever asked. */
export interface Acted {
  readonly value: unknown;
  readonly say: Message;
}

export interface ActingSearch {
  readonly ctx: SearchContext;
  readonly faces: ActionFaces;
  readonly actions: Actions;
  readonly loop: ActingLoop;
  readonly facts: () => Promise<SearchFacts>;
}

/**
 * Carries out an action, and journals it together with who asked.
 * @param by who asks, in a word or two
 * @throws ThoughtTreeError `bad-input`, `edited`, `not-found`, saying what to do; then nothing has changed
 */
export async function act(search: ActingSearch, call: ActionCall, by: string): Promise<Acted> {
  const { ctx, loop } = search;
  const { face, action } = find(search, call.action);
  const node = nodeMeant(ctx.tree, face, call.node ?? '');
  const args = checked(action, call);
  const carryOut = async (): Promise<unknown> => {
    await refuse(search, face, node);
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

function find({ faces, actions }: ActingSearch, name: string): { face: ActionFace; action: Action } {
  const face = Object.hasOwn(faces, name) ? faces[name] : undefined;
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (face && action) return { face, action };
  throw new ThoughtTreeError('bad-input', unknownAction({ action: name }));
}

/** The target node; the root for the search as a whole. */
function nodeMeant(tree: Tree, { name, on }: ActionFace, path: string): TreeNode {
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

async function refuse({ ctx, facts }: ActingSearch, face: ActionFace, node: TreeNode): Promise<void> {
  const refusal = refusalOf(face, await facts(), node.parent ? await nodeFacts(ctx, node) : undefined);
  if (refusal) throw new ThoughtTreeError('bad-input', refusal({ title: node.title }));
}

function isEmpty(value: unknown): boolean {
  return typeof value !== 'object' || value === null || Object.keys(value).length === 0;
}

/** A node of an open search, for deciding what can be done to it. */
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
