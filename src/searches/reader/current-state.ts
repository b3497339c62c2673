import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Message } from '../../core/messages/message.ts';
import type { NodesSeen } from '../../core/search/record/nodes-seen.ts';
import type { SearchRecord } from '../../core/search/record/search-record.ts';
import { type SearchState, searchState } from '../../core/search/record/search-state.ts';
import { joinedPath } from '../../core/tree/slug.ts';
import { pathOf, walk } from '../../core/tree/tree.ts';
import { isInterim } from '../../engine-parts/report/report-writing.ts';
import type { Holder } from '../../store/lease/lease-file.ts';
import { findHolder } from '../../store/open-store.ts';
import type { SearchReadStore } from '../../store/search-read-store.ts';
import { systemClock } from '../../store/system-ports.ts';
import { acceptedOf, NOTHING_ACCEPTED } from '../work-folders.ts';

/** The state of a search, seen from outside. */
export interface CurrentState {
  readonly state: SearchState;
  readonly hasReport: boolean;
  /** Its first level exists. */
  readonly isDivided: boolean;
  /** Who writes it, or last wrote it. */
  readonly holder: Holder | undefined;
  /** The problem with the person's files: a part of its work is in them. */
  readonly halfAccepted: Message | undefined;
  /** Any of its work is in the person's files. */
  readonly isAccepted: boolean;
}

/**
 * Finds out how a search stands: by what its journal told so far, its lease, and its files, of which few are read.
 * @throws ThoughtTreeError if its files cannot be read
 */
export async function readCurrentState(
  folder: string,
  store: SearchReadStore,
  { record, nodes }: { readonly record: SearchRecord; readonly nodes: NodesSeen },
): Promise<CurrentState> {
  const hasReport = store.at
    ? await store.hasReport()
    : await stat(join(folder, 'report.md')).then(
        (found) => found.isFile(),
        () => false,
      );
  const holder = store.at ? undefined : await findHolder(folder, systemClock).catch(() => undefined);
  const isDivided = (await store.readRootChildren()).children !== undefined;
  const isOpen = !isDivided || nodes.count('unexpanded', 'in-progress') > 0 || nodes.size === 0;
  const { turn, waitsOutside } = record;
  const state = searchState({
    last: turn?.type,
    waitsOutside,
    // Whoever it was that worked on it then was alive.
    isHeld: store.at !== undefined || holder?.state === 'alive',
    isOpen,
    // A journal says more than the report does.
    hasReport: hasReport && turn === undefined && !isInterim((await store.readReport()) ?? ''),
  });
  return { state, hasReport, isDivided, holder, ...(store.at ? NOTHING_ACCEPTED : await acceptedOf(folder)) };
}

/** Takes the nodes of a search from its files. A clone has no journal: only its files say what its nodes are. */
export async function takeAll(nodes: NodesSeen, store: SearchReadStore, title: string): Promise<void> {
  if ((await store.readRootChildren()).folders.length === 0) return;
  const { reading } = await import('./reading.ts');
  const { root } = await reading.openTree(store, title, 'reader');
  for (const node of walk(root)) if (node.parent) nodes.set(pathOf(node), node.status, node.leafReason === 'solved');
}

/** Takes nodes that were changed by hand, as `takeIn` of a reader says. @returns the slug paths that were read */
export async function takeNodes(nodes: NodesSeen, store: SearchReadStore, paths: readonly string[]): Promise<string[]> {
  const seen = new Set<string>();
  const waiting = [...paths];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    for (const slug of await takeNode(nodes, store, path)) {
      const child = joinedPath(path, slug);
      if (!nodes.has(child)) waiting.push(child);
    }
  }
  return [...seen];
}

/** @returns the slugs of the folders below it */
async function takeNode(nodes: NodesSeen, store: SearchReadStore, path: string): Promise<readonly string[]> {
  if (path === '') return (await store.readRootChildren()).folders;
  const found = await store.readNode(path).catch(() => undefined);
  if (found) nodes.set(path, found.file.status, found.file.leafReason === 'solved');
  else nodes.deleteBranch(path);
  return found?.folders ?? [];
}
