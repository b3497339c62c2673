import {
  type ActionFace,
  availableActions,
  maySpend,
  type NodeFacts,
  type SearchFacts,
} from '../../core/actions/action-face.ts';
import { actionsOf } from '../../core/actions/actions.ts';
import { isPruned, nodeAt } from '../../core/tree/tree.ts';
import { faceOf, type Kinds } from '../../engine/kind/kinds.ts';
import type { SearchOverview } from '../reader/search-overview.ts';
import type { OfferedAction } from './tools/tool-outputs.ts';

/** What the table of actions offers now, on a search or one of its nodes, in its order. */
export async function offeredActions(kinds: Kinds, overview: SearchOverview, path: string): Promise<ActionFace[]> {
  const node = await nodeFactsOf(overview, path);
  if (path !== '' && !node) return [];
  return availableActions(actionsOf(faceOf(kinds, overview.file.kind)), searchFactsOf(overview), node);
}

/** Whether an action may lead to calls of a model. */
function mayCost(face: ActionFace): boolean {
  return maySpend(face) || face.raisesLimits === true || face.waitsForRun === true;
}

/** An action for agents. */
export function shownAction(face: ActionFace): OfferedAction {
  const args = face.args.map(({ name, type, required = false, help, choices }) => ({
    name,
    type,
    required,
    help,
    ...(choices && { choices: [...choices] }),
  }));
  const { name: action, title, help, removes = false } = face;
  return { action, title: title.replace(/…$/, ''), help, arguments: args, spends: mayCost(face), removes };
}

function searchFactsOf({ reader, tree, record }: SearchOverview): SearchFacts {
  const { state, isResumable, isDivided, hasReport } = reader;
  return { state, isResumable, isDivided, hasReport, failed: tree.counts.failed, offers: record.offers.size };
}

async function nodeFactsOf({ tree, store, reader }: SearchOverview, path: string): Promise<NodeFacts | undefined> {
  const node = path === '' ? undefined : nodeAt(tree, path);
  if (!node) return undefined;
  const { status, leafReason, parent } = node;
  const found = await store.readNode(path);
  return {
    status: status === 'in-progress' && !reader.isActive ? 'unexpanded' : status,
    leafReason,
    isCutOff: parent !== undefined && isPruned(parent),
    hasDocument: found?.hasDocument === true,
  };
}
