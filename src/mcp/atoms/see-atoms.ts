import { basename } from 'node:path';
import { takingAt } from '../../core/offers/offer-book.ts';
import { pathOf, walk } from '../../core/tree/tree.ts';
import { faceOf, loadKind } from '../../engine/kind/kinds.ts';
import { placeNamed } from '../../searches/agent-tools/find-place.ts';
import { shownTitle } from '../../searches/agent-tools/safe-text.ts';
import { overviewOf } from '../../searches/reader/search-overview.ts';
import { findSearches } from '../../store/open-store.ts';
import type { TreeProgram } from '../tree-program.ts';

/** An atom as agents see it. */
export interface SeenAtom {
  readonly search: string;
  readonly atom: string;
  readonly title: string;
  readonly state: string;
  readonly isReady: boolean;
  readonly evidence: unknown;
  /** True if somebody runs the search. */
  readonly isActive: boolean;
  /** Missing where nobody outside can do it now. */
  readonly offer: { readonly id: string; readonly ask: unknown; readonly isTaken: boolean } | undefined;
}

/** The searches of a server that consist of pieces of work, by their names. */
export async function searchesWithAtoms({ kinds, folders }: TreeProgram): Promise<string[]> {
  const found = await findSearches(folders[0].searches);
  return found.flatMap(({ folder, search }) =>
    search && faceOf(kinds, search.kind)?.takesWork ? [basename(folder)] : [],
  );
}

/** The atoms of a search, in its order; none of one that has no such nodes. @throws ThoughtTreeError `not-found` */
export async function atomsIn(program: TreeProgram, search: string): Promise<SeenAtom[]> {
  const { folder } = await placeNamed(program, search);
  const { tree, record, file, reader } = await overviewOf(program.kinds, folder);
  const said = (await loadKind(program.kinds, file)).statusOf?.(tree, record);
  const now = Date.now();
  const offers = new Map(
    record.offers.open.map((open) => {
      const { id, ask, nodes } = open.offer;
      return [nodes[0], { id, ask, isTaken: takingAt(open, now) !== undefined }];
    }),
  );
  return [...walk(tree.root)].flatMap((node) => {
    const told = said?.ofNode(node) as Partial<Record<string, unknown>> | undefined;
    if (typeof told?.['atom'] !== 'string') return [];
    const { atom, state, ready, evidence } = told;
    return {
      search,
      atom,
      title: shownTitle(node.title),
      state: String(state),
      isReady: ready === true,
      evidence,
      isActive: reader.isActive,
      offer: offers.get(pathOf(node)),
    };
  });
}
