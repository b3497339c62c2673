import type { NodeData } from './node-file.ts';

/** Fields of a node to be set; one that is null or undefined is taken away. */
export type NodePatch = { readonly [K in 'title' | 'status']?: NodeData[K] } & {
  readonly [K in Exclude<keyof NodeData, 'title' | 'status'>]?: NodeData[K] | null;
};

/** A patch in its two halves, as events tell it. */
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

/** What has to be set and taken away to come from one state of a file to another; undefined where they say the same. */
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

/** What a node's file says once a patch is applied. */
export function patched(file: NodeData, { set, gone }: SplitPatch): NodeData {
  const next: Record<string, unknown> = { ...file, ...set };
  for (const name of gone) delete next[name];
  return next as NodeData;
}
