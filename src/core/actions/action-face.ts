import type { SearchState } from '../search/record/search-state.ts';
import type { LeafReason, NodeStatus } from '../tree/node-status.ts';
import type { Refusal } from './messages.ts';

/** What an action has to know of a search, wherever that is read from. */
export interface SearchFacts {
  /** Undefined where its journal was not read yet. */
  readonly state: SearchState | undefined;
  /** Whether there is something to continue with. */
  readonly isResumable: boolean;
  /** Whether the first level exists. */
  readonly isDivided: boolean;
  readonly hasReport: boolean;
  /** How many of its nodes have failed. */
  readonly failed: number;
  /** How many offers nobody has answered; none where it is missing. */
  readonly offers?: number;
}

/** What an action has to know of a node, wherever that is read from. */
export interface NodeFacts {
  /** As a person sees it: nothing is in progress where nobody works on the search. */
  readonly status: NodeStatus;
  readonly leafReason?: LeafReason | undefined;
  /** Whether a node above it is pruned. */
  readonly isCutOff: boolean;
  readonly hasDocument: boolean;
}

/** One thing that an action is told besides what it is done to. */
export interface ArgFace {
  readonly name: string;
  readonly type: 'text' | 'boolean' | 'integer' | 'number' | 'choice' | 'json';
  readonly required?: true;
  /** One line for people, in English. */
  readonly help: string;
  /** Range of a number, both ends included; of a text, how many characters it has. */
  readonly least?: number;
  readonly most?: number;
  /** What a `choice` is among. */
  readonly choices?: readonly string[];
}

/**
 * Something that can be done to a search or a node, as every host shows it. It has no libraries: what carries it out
 * belongs to the engine, or to the host itself.
 */
export interface ActionFace {
  /** What commands, requests and journals call it. */
  readonly name: string;
  /** What it is done to; `both` for a node, or for the search as a whole. */
  readonly on: 'search' | 'node' | 'both';
  /** On a button or in a menu, in English. */
  readonly title: string;
  /** One line for people, in English. */
  readonly help: string;
  readonly args: readonly ArgFace[];
  /** A host carries it out itself; the engine knows nothing of it. */
  readonly isHosts?: true;
  /** It may ask a model at once, even where nobody runs the search. */
  readonly asksModel?: true;
  /** It means something only while the search runs; otherwise nothing is done, and that is no failure. */
  readonly needsRun?: true;
  /** The node that it is done to comes next, also after a restart. */
  readonly leads?: boolean;
  /** Nothing comes of it until the search runs. */
  readonly waitsForRun?: true;
  /** A host that can run the search does so right after it. */
  readonly startsRun?: true;
  /**
   * Whether it is offered. False where it makes no sense now but does no harm: whoever asks for it by name gets it. A
   * refusal where it cannot be done.
   * @param node undefined for the search as a whole
   */
  readonly when: (search: SearchFacts, node: NodeFacts | undefined) => boolean | Refusal;
}

/** The actions that searches of one kind have, by name, in the order in which they are shown. */
export type ActionFaces = Readonly<Record<string, ActionFace>>;

/**
 * What can be done now, in order.
 * @param node undefined for the search as a whole
 */
export function availableActions(faces: ActionFaces, search: SearchFacts, node: NodeFacts | undefined): ActionFace[] {
  return Object.values(faces).filter((face) => isAvailable(face, search, node));
}

/** Whether one action is offered now; on the search as a whole where there is no node. */
export function isAvailable(face: ActionFace, search: SearchFacts, node: NodeFacts | undefined): boolean {
  return isMeantFor(face, node) && face.when(search, node) === true;
}

/**
 * Why an action cannot be done; undefined where it can, whether it is offered or not.
 * @param node undefined for the search as a whole
 */
export function refusalOf(face: ActionFace, search: SearchFacts, node: NodeFacts | undefined): Refusal | undefined {
  const when = face.when(search, node);
  return typeof when === 'boolean' ? undefined : when;
}

/** Whether an action may spend something, so that an editor offers it in a trusted workspace only. */
export function maySpend({ asksModel, startsRun }: ActionFace): boolean {
  return asksModel === true || startsRun === true;
}

function isMeantFor({ on }: ActionFace, node: NodeFacts | undefined): boolean {
  return on === 'both' || on === (node ? 'node' : 'search');
}

/** The texts of an action that a host may show in another language: what is asked for is part of it. */
export function actionTexts({ title, args }: ActionFace): string[] {
  return [title, ...args.flatMap(({ required, help }) => (required ? help : []))];
}
