import {
  type ActionFace,
  type ActionFaces,
  availableActions,
  isMeantFor,
  maySpend,
  type NodeFacts,
  refusalOf,
  type SearchFacts,
} from '../../core/actions/action-face.ts';
import { actionsOf } from '../../core/actions/actions.ts';
import type { Message } from '../../core/messages/message.ts';
import { faceOf, type Kinds } from '../../engine/kind/kinds.ts';
import { readNodeFacts, searchFactsOf } from '../reader/action-facts.ts';
import type { SearchOverview } from '../reader/search-overview.ts';
import { shownTitle } from './safe-text.ts';
import type { OfferedAction } from './tools/tool-outputs.ts';

/** Returns the actions that are offered now, on a search or one of its nodes, in the order of their table. */
export async function offeredActions(kinds: Kinds, overview: SearchOverview, path: string): Promise<ActionFace[]> {
  const target = await targetAt(overview, path);
  return target ? availableActions(facesOf(kinds, overview), target.search, target.node) : [];
}

/** Why an action cannot be done, in the words of the table of actions; undefined if the table has none for it. */
export async function refusalOfAction(
  kinds: Kinds,
  overview: SearchOverview,
  path: string,
  name: string,
): Promise<Message | undefined> {
  const faces = facesOf(kinds, overview);
  const face = Object.hasOwn(faces, name) ? faces[name] : undefined;
  const target = await targetAt(overview, path);
  if (!face || !target || !isMeantFor(face, target.node)) return undefined;
  return refusalOf(face, target.search, target.node)?.({ title: shownTitle(target.title) });
}

/** Tells whether an action may lead to calls of a model. */
function mayCost(face: ActionFace): boolean {
  return maySpend(face) || face.raisesLimits === true || face.waitsForRun === true;
}

/** An action for agents. @param isFree whether the search asks no model that costs anything */
export function shownAction(face: ActionFace, isFree: boolean): OfferedAction {
  const args = face.args.map(({ name, type, required = false, help, choices }) => ({
    name,
    type,
    required,
    help,
    ...(choices && { choices: [...choices] }),
  }));
  const { name: action, title, help, removes = false } = face;
  return { action, title: title.replace(/…$/, ''), help, arguments: args, spends: !isFree && mayCost(face), removes };
}

function facesOf(kinds: Kinds, { file }: SearchOverview): ActionFaces {
  return actionsOf(faceOf(kinds, file.kind));
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
