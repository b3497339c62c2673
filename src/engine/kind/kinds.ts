import type { KindFace } from '../../core/kind/kind-face.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import type { SearchFile } from '../../core/search/search-file.ts';
import { unknownKind } from '../messages.ts';
import type { Kind } from './kind.ts';

/** A kind that a host offers: its face, and a loader for the rest, used when a search of it is opened. */
interface ListedKind {
  readonly face: KindFace;
  readonly load: () => Promise<Kind>;
}

/** The kinds that a host offers, in the order in which people see them; the first one is the default. */
export type Kinds = readonly ListedKind[];

/** The face of a kind; undefined if this program does not know it. */
export function faceOf(kinds: Kinds, name: string): KindFace | undefined {
  return kinds.find(({ face }) => face.name === name)?.face;
}

/** @throws ThoughtTreeError `bad-input` if this program does not know the kind */
export async function loadKind(kinds: Kinds, { kind }: Pick<SearchFile, 'kind'>): Promise<Kind> {
  const found = kinds.find(({ face }) => face.name === kind);
  if (found) return await found.load();
  const known = kinds.map(({ face }) => `"${face.name}"`).join(' and ');
  throw new ThoughtTreeError('bad-input', unknownKind({ kind, known }));
}
