import {
  type ActionDescriptor,
  type ActionDescriptors,
  availableActions,
  isAvailable,
  type NodeFacts,
  refusalOf,
} from '../../core/actions/action-descriptor.ts';
import { actionsOf, actionsOfAll } from '../../core/actions/actions.ts';
import type { KindDescriptor } from '../../core/kind/kind-descriptor.ts';
import type { Message } from '../../core/messages/message.ts';
import type { NodeStatus } from '../../core/tree/node-file.ts';
import { descriptorOf, type Kinds } from '../../engine/kind.ts';
import { readNodeFacts, searchFactsOf } from '../../searches/reader/action-facts.ts';
import type { FollowedSearch } from '../library/followed-search.ts';
import { messageText, translated } from '../message-text.ts';
import { noLongerThere } from '../messages.ts';
import { isCutOff, type NodeElement, statusOf } from '../sidebar/tree-element.ts';
import { offerAt, offersIn, stateOf } from '../work/offers-by-hand.ts';
import { EDITOR_ACTIONS, flagOf, isRenamed } from './editor-actions.ts';

const STATUSES: readonly NodeStatus[] = ['unexpanded', 'in-progress', 'expanded', 'leaf', 'pruned', 'failed'];

/** Returns the title of an action on a search as it is now, in the user's language. */
export function titleFor(descriptor: ActionDescriptor, search: FollowedSearch): string {
  const now = descriptor.titleFor?.(searchFactsOf(search));
  return now ? messageText(now) : translated(descriptor.title);
}

/** The actions that are possible on searches and nodes now: sidebar, panel, menus and palette all ask here. */
export class AvailableActions {
  readonly #kinds: Kinds;
  readonly #descriptors = new Map<string | undefined, ActionDescriptors>();
  /** Every action of every kind, and the editor's own. */
  readonly all: ActionDescriptors;

  constructor(kinds: Kinds) {
    this.#kinds = kinds;
    this.all = { ...actionsOfAll(kinds.map(({ descriptor }) => descriptor)), ...EDITOR_ACTIONS };
  }

  /** Returns the actions of a search's kind, whether or not they are offered. */
  descriptorsFor({ file }: Pick<FollowedSearch, 'file'>): ActionDescriptors {
    const kind = file?.kind;
    const known = this.#descriptors.get(kind);
    if (known) return known;
    const descriptor = kind === undefined ? undefined : descriptorOf(this.#kinds, kind);
    const { expandBelow, ...others } = EDITOR_ACTIONS;
    // A graph has no branches.
    const descriptors = { ...actionsOf(descriptor), ...others, ...(descriptor?.graph ? {} : { expandBelow }) };
    this.#descriptors.set(descriptor && kind, descriptors);
    return descriptors;
  }

  /** Returns the descriptor of a search's kind; undefined if the kind is unknown. */
  descriptorFor({ file }: Pick<FollowedSearch, 'file'>): KindDescriptor | undefined {
    return file && descriptorOf(this.#kinds, file.kind);
  }

  /** Returns what searches of a kind are for, in English; undefined for an unknown kind. */
  titleOf(kind: string): string | undefined {
    return descriptorOf(this.#kinds, kind)?.words.title;
  }

  /**
   * The flags of a row in the sidebar: the actions offered on it, or that there are more of them; those that its kind renames
   * have flags of their own.
   */
  flagsOf({ file }: Pick<FollowedSearch, 'file'>, actions: readonly ActionDescriptor[]): string[] {
    const descriptor = this.descriptorFor({ file });
    const own = descriptor?.actions ?? {};
    const flags = actions.flatMap((action) => {
      if (action.isRare) return [];
      const isOwn = descriptor && Object.hasOwn(own, action.name) && isRenamed(action);
      return isOwn ? flagOf(action.name, descriptor.name) : action.name;
    });
    return actions.some(({ isRare }) => isRare) ? [...flags, 'more'] : flags;
  }

  /** Undefined if it is unreadable. */
  onSearch(search: FollowedSearch): ActionDescriptor[] {
    if (search.problem !== undefined) return [];
    return availableActions(this.descriptorsFor(search), searchFactsOf(search), undefined);
  }

  /** On a row of the sidebar. */
  onRow(element: NodeElement): ActionDescriptor[] {
    const facts = { ...rowFacts(element), ...this.#handFacts(element.search, element.path) };
    return availableActions(this.descriptorsFor(element.search), searchFactsOf(element.search), facts);
  }

  /** On a node according to its current files, empty if it is gone; on the search as a whole if the path is empty. */
  async at(search: FollowedSearch, path: string): Promise<ActionDescriptor[]> {
    if (path === '' || search.problem !== undefined) return this.onSearch(search);
    const node = await readNodeFacts(search, path);
    const facts = node && { ...node.facts, ...this.#handFacts(search, path) };
    return facts ? availableActions(this.descriptorsFor(search), searchFactsOf(search), facts) : [];
  }

  /**
   * Says why an action cannot be done, according to the current files; undefined if it can, whether or not it is
   * offered.
   */
  async refusal(search: FollowedSearch, path: string, descriptor: ActionDescriptor): Promise<Message | undefined> {
    if (path === '') return refusalOf(descriptor, searchFactsOf(search), undefined)?.({ title: search.title });
    const node = await readNodeFacts(search, path);
    if (!node) return noLongerThere({ path });
    const facts = { ...node.facts, ...this.#handFacts(search, path) };
    return refusalOf(descriptor, searchFactsOf(search), facts)?.({ title: node.title });
  }

  /** Tells whether the person can take a node, or has taken it. */
  #handFacts(search: FollowedSearch, path: string): Pick<NodeFacts, 'offer'> {
    const open = offerAt(search, this.descriptorFor(search), path);
    return open ? { offer: stateOf(open) } : {};
  }

  isOnSearch(search: FollowedSearch, name: string): boolean {
    return this.#is(search, name, undefined);
  }

  /** Tells whether an action may be offered on a search or any of its nodes, without checking each. */
  mayBeIn(search: FollowedSearch, name: string): boolean {
    if (this.isOnSearch(search, name)) return true;
    const byHand = (['open', 'taken'] as const).filter(
      (state) => offersIn(search, this.descriptorFor(search), state).length > 0,
    );
    return STATUSES.some(
      (status) =>
        search.count(status) > 0 &&
        [undefined, ...byHand].some((offer) => this.#mayBeAt(search, name, status, { offer })),
    );
  }

  /** Returns the paths of the nodes on which an action may be offered, according to the journal. */
  pathsFor(search: FollowedSearch, name: string): string[] {
    return search.paths().filter((path) => {
      const above = path.split('/').slice(0, -1);
      const isBelowPruned = above.some((_, i) => search.statusAt(above.slice(0, i + 1).join('/')) === 'pruned');
      const status = search.statusAt(path) ?? 'unexpanded';
      return !isBelowPruned && this.#mayBeAt(search, name, status, this.#handFacts(search, path));
    });
  }

  /** As far as the status alone tells: there might be a document. */
  #mayBeAt(search: FollowedSearch, name: string, said: NodeStatus, hand: Pick<NodeFacts, 'offer'>): boolean {
    const status = said === 'in-progress' && !search.isActive ? 'unexpanded' : said;
    return this.#is(search, name, { status, isCutOff: false, hasDocument: true, ...hand });
  }

  #is(search: FollowedSearch, name: string, node: NodeFacts | undefined): boolean {
    const descriptor = this.descriptorsFor(search)[name];
    return descriptor !== undefined && isAvailable(descriptor, searchFactsOf(search), node);
  }
}

function rowFacts(element: NodeElement): NodeFacts {
  const { file, hasDocument } = element;
  return {
    status: statusOf(element),
    leafReason: file.leafReason,
    isCutOff: isCutOff(element),
    hasDocument,
    own: file.own,
  };
}
