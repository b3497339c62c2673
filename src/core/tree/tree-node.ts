import type { CitationCounts } from '../citations/citation.ts';
import { oneLine } from '../text/text.ts';
import type { Evaluation, Failure, LeafReason, Link, NodeData, NodeStatus, PrunedBy } from './node-file.ts';

declare const nodeIdBrand: unique symbol;

/** A node's id in memory; assigned on opening, opaque to everyone. On disk, a node is identified by its path. */
export type NodeId = number & { readonly [nodeIdBrand]: true };

/** The facts that are known of a node apart from its file. */
export interface NodeState {
  readonly listed: boolean;
  /** The summary in its document. */
  readonly summary: string | undefined;
  readonly document: string | undefined;
  readonly derived: object | undefined;
}

/** Fields to be set in a node: its whole file, or single fields of it, and what else is known. */
export type NodeFields = Partial<NodeState> & Partial<NodeData> & { readonly file?: NodeData };

type Writable = { -readonly [K in keyof NodeData]: NodeData[K] };

/** The fields that few nodes have. */
interface Seldom extends Partial<Pick<NodeState, 'summary' | 'derived'>> {
  /** The other fields of its file. */
  readonly file?: Partial<NodeData> | undefined;
}

const NONE: readonly never[] = [];
/** From so many children on, one is found by a map of their slugs. */
const MANY = 32;
const SELDOM: ReadonlySet<string> = new Set(['summary', 'derived']);
/** The fields that are not in its file, or are the file. */
const APART: ReadonlySet<string> = new Set([...SELDOM, 'file', 'listed', 'document']);

/**
 * A node as the tree holds it and shows it as a `TreeNode`. What its file says is kept here field by field, the frequent ones as they are: an object
 * for each file would take as much memory again. A field that does not apply to its status (why a pruned branch once
 * failed) is kept too, so that restoring the node finds it.
 */
export class MutableNode {
  readonly id: NodeId;
  parent: MutableNode | undefined;
  slug: string;
  depth = 0;
  index = 0;
  /** The number of nodes above it that are pruned. */
  cutOffBy = 0;
  title: string;
  listed = false;
  document: string | undefined = undefined;
  fileId: string | undefined = undefined;
  evaluation: Evaluation | undefined = undefined;
  sessionId: string | undefined = undefined;
  model: string | undefined = undefined;
  #status: NodeStatus | undefined = undefined;
  #leafReason: LeafReason | undefined = undefined;
  #summary: string | undefined = undefined;
  #seldom: Seldom | undefined = undefined;
  #children: MutableNode[] | undefined = undefined;
  /** Its children, once one of many was looked for. */
  #bySlug: Map<string, MutableNode> | undefined = undefined;

  constructor(id: NodeId, parent: MutableNode | undefined, slug: string, title: string) {
    this.id = id;
    this.parent = parent;
    this.slug = slug;
    this.title = title;
  }

  get children(): readonly MutableNode[] {
    return this.#children ?? NONE;
  }

  /** Its children, to be changed. */
  get list(): MutableNode[] {
    this.#children ??= [];
    return this.#children;
  }

  /** Returns the child with a slug; if two have it, the first one. */
  child(slug: string): MutableNode | undefined {
    const { children } = this;
    if (children.length < MANY) return children.find((child) => child.slug === slug);
    this.#bySlug ??= new Map(children.toReversed().map((child) => [child.slug, child]));
    return this.#bySlug.get(slug);
  }

  /** Takes another child, as the last one. */
  append(child: MutableNode): void {
    child.index = this.list.push(child) - 1;
    if (this.#bySlug && !this.#bySlug.has(child.slug)) this.#bySlug.set(child.slug, child);
  }

  /** Takes out a child; the others move up. @returns whether there are any */
  takeOut({ index, slug }: MutableNode): boolean {
    const { list } = this;
    list.splice(index, 1);
    for (let i = index; i < list.length; i++) (list[i] as MutableNode).index = i;
    this.#bySlug?.delete(slug);
    if (this.#bySlug?.size !== list.length) this.#bySlug = undefined;
    return index < list.length;
  }

  get file(): NodeData | undefined {
    if (this.#status === undefined) return undefined;
    const file: Writable = { title: this.title, status: this.#status };
    if (this.fileId !== undefined) file.id = this.fileId;
    if (this.#summary !== undefined) file.summary = this.#summary;
    if (this.evaluation !== undefined) file.evaluation = this.evaluation;
    if (this.#leafReason !== undefined) file.leafReason = this.#leafReason;
    if (this.sessionId !== undefined) file.sessionId = this.sessionId;
    if (this.model !== undefined) file.model = this.model;
    return this.#seldom?.file ? Object.assign(file, this.#seldom.file) : file;
  }

  set file(file: NodeData) {
    const { title, status, id, summary, evaluation, leafReason, sessionId, model, ...rest } = file;
    const shown = oneLine(title, 1000) || 'Untitled';
    this.title = shown === title ? title : shown; // the same text is not kept twice
    this.#status = status;
    this.fileId = id;
    this.#summary = summary;
    this.evaluation = evaluation;
    this.#leafReason = leafReason;
    this.sessionId = sessionId;
    this.model = model;
    const others = shown === title ? rest : { ...rest, title };
    if (this.#seldom || Object.keys(others).length > 0)
      this.#keep({ file: Object.keys(others).length > 0 ? others : undefined });
  }

  get status(): NodeStatus {
    return this.#status ?? (this.parent ? 'unexpanded' : 'expanded');
  }

  get links(): readonly Link[] {
    return this.#seldom?.file?.links ?? NONE;
  }

  get leafReason(): LeafReason | undefined {
    return this.#status === 'leaf' ? (this.#leafReason ?? 'model') : undefined;
  }

  get prunedBy(): PrunedBy | undefined {
    return this.#status === 'pruned' ? (this.#seldom?.file?.prunedBy ?? 'user') : undefined;
  }

  get failure(): Failure | undefined {
    return this.#status === 'failed' ? this.#seldom?.file?.failure : undefined;
  }

  get selected(): boolean | undefined {
    return this.#seldom?.file?.selected;
  }

  get sameAs(): string | undefined {
    return this.#seldom?.file?.sameAs;
  }

  get citations(): CitationCounts | undefined {
    return this.#seldom?.file?.citations;
  }

  get unscored(): boolean | undefined {
    return this.#seldom?.file?.unscored;
  }

  get state(): string | undefined {
    return this.#seldom?.file?.state;
  }

  get summary(): string | undefined {
    return this.#seldom?.summary ?? this.#summary;
  }

  get derived(): object | undefined {
    return this.#seldom?.derived;
  }

  set(fields: NodeFields): void {
    if (fields.file) this.file = fields.file;
    if (fields.listed !== undefined) this.listed = fields.listed;
    if ('document' in fields) this.document = fields.document;
    const names = Object.keys(fields) as (keyof NodeFields)[];
    const single = names.filter((name) => !APART.has(name));
    if (single.length > 0)
      this.file = patched(
        this.file ?? { title: this.title, status: this.status },
        splitPatch(Object.fromEntries(single.map((name) => [name, fields[name]]))),
      );
    const seldom = names.filter((name) => SELDOM.has(name));
    if (seldom.length > 0) this.#keep(Object.fromEntries(seldom.map((name) => [name, fields[name]])));
  }

  #keep(more: Seldom): void {
    const next = { ...this.#seldom, ...more };
    // Usually that of its document is in its file too.
    if (next.summary === this.#summary) next.summary = undefined;
    this.#seldom = Object.values(next).some((value) => value !== undefined) ? next : undefined;
  }
}

/**
 * Fields of a node to set; null or undefined removes one. Whether what a kind gives as its `own` data can be kept is checked
 * before it is written.
 */
export type NodePatch = { readonly [K in 'title' | 'status']?: NodeData[K] } & {
  readonly [K in Exclude<keyof NodeData, 'title' | 'status' | 'own'>]?: NodeData[K] | null;
} & { readonly own?: object | null | undefined };

/** A patch in two parts, as in events. */
export interface SplitPatch {
  readonly set: Partial<NodeData>;
  readonly gone: readonly string[];
}

export function splitPatch(patch: NodePatch): SplitPatch {
  const entries = Object.entries(patch);
  const isSet = ([, value]: [string, unknown]): boolean => value !== undefined && value !== null;
  return {
    set: Object.fromEntries(entries.filter(isSet)) as Partial<NodeData>,
    gone: entries.filter((entry) => !isSet(entry)).map(([name]) => name),
  };
}

/** The fields to set and remove to get from one state of a file to another; undefined if they are equal. */
export function patchBetween(before: NodeData, after: NodeData): SplitPatch | undefined {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof NodeData>;
  const set: Record<string, unknown> = {};
  const gone: string[] = [];
  for (const name of names) {
    const value = after[name];
    if (sameValue(before[name], value)) continue;
    if (value === undefined) gone.push(name);
    else set[name] = value;
  }
  return gone.length > 0 || Object.keys(set).length > 0 ? { set: set as Partial<NodeData>, gone } : undefined;
}

function sameValue(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));
}

/** Returns the content of a node's file after a patch. */
export function patched(file: NodeData, { set, gone }: SplitPatch): NodeData {
  const next: Record<string, unknown> = { ...file, ...set };
  // Only what is there: V8 keeps an object that something was deleted from in several times the memory.
  if (!gone.some((name) => name in next)) return next as NodeData;
  return Object.fromEntries(Object.entries(next).filter(([name]) => !gone.includes(name))) as NodeData;
}
