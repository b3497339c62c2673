import type { NodeData } from './node-file.ts';

/** Fields of a node to set; null or undefined removes one. */
export type NodePatch = { readonly [K in 'title' | 'status']?: NodeData[K] } & {
  readonly [K in Exclude<keyof NodeData, 'title' | 'status'>]?: NodeData[K] | null;
};

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

/** The content of a node's file after a patch. */
export function patched(file: NodeData, { set, gone }: SplitPatch): NodeData {
  const next: Record<string, unknown> = { ...file, ...set };
  // Only what is there: V8 keeps an object that something was deleted from in several times the memory.
  if (!gone.some((name) => name in next)) return next as NodeData;
  return Object.fromEntries(Object.entries(next).filter(([name]) => !gone.includes(name))) as NodeData;
}
