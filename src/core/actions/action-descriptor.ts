import type { Message } from '../messages/message.ts';
import type { LimitReached, SearchState } from '../search/record/search-state.ts';
import type { LeafReason, NodeStatus } from '../tree/node-file.ts';
import type { ActionCall } from './action-call.ts';
import type { Refusal } from './messages.ts';

/** The facts about a search that decide which actions it offers. */
export interface SearchFacts {
  /** Undefined if its journal has not been read yet. */
  readonly state: SearchState | undefined;
  /** True if anything is left to continue. */
  readonly isResumable: boolean;
  /** Somebody outside leads it, so no engine can work on it. */
  readonly isLedOutside?: boolean;
  /** True if it was ever run; undefined if that is unknown. */
  readonly hasBegun?: boolean;
  readonly isDivided: boolean;
  readonly hasReport: boolean;
  /** The number of its nodes that have failed. */
  readonly failed: number;
  /** The spend limit that it rests at, so that continuing would do nothing. */
  readonly limit?: LimitReached | undefined;
  /** True if any of its work is in the person's files; undefined if that is unknown. */
  readonly isAccepted?: boolean;
  /** The number of unanswered offers; none if missing. */
  readonly offers?: number;
}

/** The facts about a node that decide which actions it offers. */
export interface NodeFacts {
  /** As a person sees it: nothing is in progress while nobody runs the search. */
  readonly status: NodeStatus;
  readonly leafReason?: LeafReason | undefined;
  /** A node above it is pruned. */
  readonly isCutOff: boolean;
  readonly hasDocument: boolean;
  /** `open` if this person can take it by an offer, `taken` if they have; undefined otherwise, or if unknown. */
  readonly offer?: 'open' | 'taken' | undefined;
  /** The fields that its kind keeps of it, unchecked; undefined if they are unknown. */
  readonly own?: unknown;
}

/** One argument of an action, apart from its target. */
export interface ArgDescriptor {
  readonly name: string;
  readonly type: 'text' | 'boolean' | 'integer' | 'number' | 'choice' | 'json';
  readonly required?: true;
  /** One line for people, in English. */
  readonly help: string;
  /** Range of a number, both ends included; for a text, the number of characters. */
  readonly least?: number;
  readonly most?: number;
  /** The values of a `choice`. */
  readonly choices?: readonly string[];
}

/**
 * Something that can be done to a search or a node, as every host shows it. It needs no libraries: the engine, or the
 * host itself, carries it out.
 */
export interface ActionDescriptor {
  /** Its name in commands, requests and journals. */
  readonly name: string;
  /** Its target; `both` for a node, or for the search as a whole. */
  readonly on: 'search' | 'node' | 'both';
  /** On a button or in a menu, in English. */
  readonly title: string;
  /** A title that depends on the search, as in "Raise to 100 Calls"; menus that are fixed show `title`. */
  readonly titleFor?: (search: SearchFacts) => Message | undefined;
  /** One line for people, in English. */
  readonly help: string;
  readonly args: readonly ArgDescriptor[];
  /** The host carries it out itself; the engine does not know it. */
  readonly isHosts?: true;
  /** The engine's part of it: another action, and some of its arguments. */
  readonly asCall?: ActionCall;
  /** Clients such as agents carry it out by name; no menu and no command of a person offers it. */
  readonly isForClients?: true;
  /** People need it seldom: the editor has it in the list of *More…*, and no command of its own. */
  readonly isRare?: true;
  /** It may ask a model at once, even where nobody runs the search. */
  readonly asksModel?: true;
  /** It lets a search spend more: another process's request for it has to come from the user who runs the search. */
  readonly raisesLimits?: true;
  /** It takes something away that was there: agents ask a person before. */
  readonly removes?: true;
  /** The `text` of its result is what a person wants to read. */
  readonly prints?: true;
  /** A person is shown first what it would do, by its argument `dryRun`, and asked. */
  readonly asksFirst?: true;
  /** It has an effect only while the search runs; otherwise nothing happens, and that is not a failure. */
  readonly needsRun?: true;
  /** Its node is worked on next, also after a restart. */
  readonly leads?: boolean;
  /** It has no effect until the search runs. */
  readonly waitsForRun?: true;
  /** A host that can run the search does so right afterwards. */
  readonly startsRun?: true;
  /**
   * Tells whether it is offered. False if it is pointless now but harmless: a request by name is still carried out. A
   * refusal if it cannot be done.
   * @param node undefined for the search as a whole
   */
  readonly when: (search: SearchFacts, node: NodeFacts | undefined) => boolean | Refusal;
}

/** The actions that searches of one kind have, by name, in the order in which they are shown. */
export type ActionDescriptors = Readonly<Record<string, ActionDescriptor>>;

/** Returns the actions that people have commands for. */
export function forPeople(descriptors: ActionDescriptors): ActionDescriptor[] {
  return Object.values(descriptors).filter(({ isForClients }) => !isForClients);
}

/**
 * Returns the actions that are offered now, in order.
 * @param node undefined for the search as a whole
 */
export function availableActions(
  descriptors: ActionDescriptors,
  search: SearchFacts,
  node: NodeFacts | undefined,
): ActionDescriptor[] {
  return Object.values(descriptors).filter((descriptor) => isAvailable(descriptor, search, node));
}

/** Tells whether one action is offered now; on the search as a whole where there is no node. */
export function isAvailable(descriptor: ActionDescriptor, search: SearchFacts, node: NodeFacts | undefined): boolean {
  if (search.isLedOutside && descriptor.startsRun) return false;
  return isMeantFor(descriptor, node) && descriptor.when(search, node) === true;
}

/**
 * Why an action cannot be done; undefined if it can, whether or not it is offered.
 * @param node undefined for the search as a whole
 */
export function refusalOf(
  descriptor: ActionDescriptor,
  search: SearchFacts,
  node: NodeFacts | undefined,
): Refusal | undefined {
  const when = descriptor.when(search, node);
  return typeof when === 'boolean' ? undefined : when;
}

/** Tells whether an action may cost money, so that an editor offers it in a trusted workspace only. */
export function maySpend({ asksModel, startsRun }: ActionDescriptor): boolean {
  return asksModel === true || startsRun === true;
}

/** Tells whether it can be done to a node; to the search as a whole where there is no node. */
export function isMeantFor({ on }: ActionDescriptor, node: NodeFacts | undefined): boolean {
  return on === 'both' || on === (node ? 'node' : 'search');
}

/** Returns the texts of an action that a host may translate, including the prompts for its arguments. */
export function actionTexts({ title, help, args }: ActionDescriptor): string[] {
  return [title, help, ...args.flatMap((arg) => [arg.help, ...(arg.choices ?? [])])];
}
