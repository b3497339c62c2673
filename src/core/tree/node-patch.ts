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

/** What a node's file says once a patch is applied. */
export function patched(file: NodeData, { set, gone }: SplitPatch): NodeData {
  const next: Record<string, unknown> = { ...file, ...set };
  for (const name of gone) delete next[name];
  return next as NodeData;
}
