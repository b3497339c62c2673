import type { Files } from '../../../src/store/files/files.ts';
import { snapshotOf } from '../searches/search-snapshot.ts';

interface KeptNode {
  readonly own?: { proposedAt?: unknown; receipt?: object };
}

/** Returns the files of an investigation without what depends on when, and in which calls, it was looked into. */
export async function ledSnapshot(files: Files): Promise<Record<string, unknown>> {
  const found = Object.entries(await snapshotOf(files)).map(([path, text]): [string, unknown] => {
    if (!path.endsWith('node.json')) return [path, text];
    const { own, ...node } = JSON.parse(text) as KeptNode;
    const { proposedAt: _, receipt, ...rest } = own ?? {};
    return [path, { ...node, own: { ...rest, hasReceipt: receipt !== undefined } }];
  });
  return Object.fromEntries(found);
}
