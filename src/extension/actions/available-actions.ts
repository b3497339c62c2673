import {
  type ActionFace,
  type ActionFaces,
  availableActions,
  isAvailable,
  type NodeFacts,
  refusalOf,
} from '../../core/actions/action-face.ts';
import { actionsOf, actionsOfAll } from '../../core/actions/actions.ts';
import type { KindFace } from '../../core/kind/kind-face.ts';
import type { Message } from '../../core/messages/message.ts';
import type { NodeStatus } from '../../core/tree/node-status.ts';
import { faceOf, type Kinds } from '../../engine/kind/kinds.ts';
import { readNodeFacts, searchFactsOf } from '../../searches/reader/action-facts.ts';
import { flagOf } from '../commands/row-flag.ts';
import { translated } from '../kind-words.ts';
import type { FollowedSearch } from '../library/followed-search.ts';
import { messageText } from '../message-text.ts';
import { noLongerThere } from '../messages.ts';
import { isCutOff, type NodeElement, statusOf } from '../sidebar/tree-element.ts';
import { offerAt, offersIn, stateOf } from '../work/offers-by-hand.ts';
import { EDITOR_ACTIONS } from './editor-actions.ts';

const STATUSES: readonly NodeStatus[] = ['unexpanded', 'in-progress', 'expanded', 'leaf', 'pruned', 'failed'];

/** The title of an action on a search as it is now, in the user's language. */
export function titleFor(face: ActionFace, search: FollowedSearch): string {
  const now = face.titleFor?.(searchFactsOf(search));
  return now ? messageText(now) : translated(face.title);
}

/** The actions that are possible on searches and nodes now: sidebar, panel, menus and palette all ask here. */
export class AvailableActions {
  readonly #kinds: Kinds;
  readonly #faces = new Map<string | undefined, ActionFaces>();
  /** Every action of every kind, and the editor's own. */
  readonly all: ActionFaces;

  constructor(kinds: Kinds) {
    this.#kinds = kinds;
    this.all = { ...actionsOfAll(kinds.map(({ face }) => face)), ...EDITOR_ACTIONS };
  }

  /** The actions of a search's kind, whether or not they are offered. */
  facesFor({ file }: Pick<FollowedSearch, 'file'>): ActionFaces {
    const kind = file?.kind;
    const known = this.#faces.get(kind);
    if (known) return known;
    const face = kind === undefined ? undefined : faceOf(this.#kinds, kind);
    const faces = { ...actionsOf(face), ...EDITOR_ACTIONS };
    this.#faces.set(face && kind, faces);
    return faces;
  }

  /** The face of a search's kind; undefined if the kind is unknown. */
  faceFor({ file }: Pick<FollowedSearch, 'file'>): KindFace | undefined {
    return file && faceOf(this.#kinds, file.kind);
  }

  /** Returns what searches of a kind are for, in English; undefined for an unknown kind. */
  titleOf(kind: string): string | undefined {
    return faceOf(this.#kinds, kind)?.words.title;
  }

  /** The flags of a row in the sidebar: the actions offered on it; those that its kind renames have flags of their own. */
  flagsOf({ file }: Pick<FollowedSearch, 'file'>, actions: readonly ActionFace[]): string[] {
    const face = this.faceFor({ file });
    const own = face?.actions ?? {};
    return actions.map(({ name }) => (face && Object.hasOwn(own, name) ? flagOf(name, face.name) : name));
  }

  /** Undefined if it is unreadable. */
  onSearch(search: FollowedSearch): ActionFace[] {
    if (search.problem !== undefined) return [];
    return availableActions(this.facesFor(search), searchFactsOf(search), undefined);
  }

  /** On a row of the sidebar. */
  onRow(element: NodeElement): ActionFace[] {
    const facts = { ...rowFacts(element), ...this.#handFacts(element.search, element.path) };
    return availableActions(this.facesFor(element.search), searchFactsOf(element.search), facts);
  }

  /** On a node according to its current files, empty if it is gone; on the search as a whole if the path is empty. */
  async at(search: FollowedSearch, path: string): Promise<ActionFace[]> {
    if (path === '' || search.problem !== undefined) return this.onSearch(search);
    const node = await readNodeFacts(search, path);
    const facts = node && { ...node.facts, ...this.#handFacts(search, path) };
    return facts ? availableActions(this.facesFor(search), searchFactsOf(search), facts) : [];
  }

  /** Why an action cannot be done, according to the current files; undefined if it can, whether or not it is offered. */
  async refusal(search: FollowedSearch, path: string, face: ActionFace): Promise<Message | undefined> {
    if (path === '') return refusalOf(face, searchFactsOf(search), undefined)?.({ title: search.title });
    const node = await readNodeFacts(search, path);
    if (!node) return noLongerThere({ path });
    const facts = { ...node.facts, ...this.#handFacts(search, path) };
    return refusalOf(face, searchFactsOf(search), facts)?.({ title: node.title });
  }

  /** Tells whether the person can take a node, or has taken it. */
  #handFacts(search: FollowedSearch, path: string): Pick<NodeFacts, 'offer'> {
    const open = offerAt(search, this.faceFor(search), path);
    return open ? { offer: stateOf(open) } : {};
  }

  isOnSearch(search: FollowedSearch, name: string): boolean {
    return this.#is(search, name, undefined);
  }

  /** Tells whether an action may be offered on a search or any of its nodes, without checking each. */
  mayBeIn(search: FollowedSearch, name: string): boolean {
    if (this.isOnSearch(search, name)) return true;
    const byHand = (['open', 'taken'] as const).filter(
      (state) => offersIn(search, this.faceFor(search), state).length > 0,
    );
    return STATUSES.some(
      (status) =>
        search.count(status) > 0 &&
        [undefined, ...byHand].some((offer) => this.#mayBeAt(search, name, status, { offer })),
    );
  }

  /** The paths of the nodes on which an action may be offered, according to the journal. */
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
    const face = this.facesFor(search)[name];
    return face !== undefined && isAvailable(face, searchFactsOf(search), node);
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
