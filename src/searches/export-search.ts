import { basename } from 'node:path';
import type { Message } from '../core/messages/message.ts';
import { ThoughtTreeError } from '../core/search/errors.ts';
import { oneLine } from '../core/text/text.ts';
import type { Kind } from '../engine/kind/kind.ts';
import type { Format } from '../engine/kind/kind-format.ts';
import { faceOf, type Kinds, loadKind } from '../engine/kind/kinds.ts';
import { searchAsJson } from './export-json.ts';
import * as say from './messages.ts';
import type { SearchOverview } from './reader/search-overview.ts';

/** The format that every search has. */
export const JSON_FORMAT = 'json';

/** A search in a format. */
export interface ExportedSearch {
  readonly text: string;
  /** The name of its file. */
  readonly fileName: string;
  /** The notes that a person has to read about it. */
  readonly notes: readonly Message[];
}

/** The formats of a search, the usual one first. */
export function formatsOf(kinds: Kinds, { kind }: { readonly kind: string }): string[] {
  return [...(faceOf(kinds, kind)?.formats ?? []), JSON_FORMAT];
}

/**
 * A search as a text in one of its formats; changes nothing.
 * @param named by default the first format of its kind
 * @throws ThoughtTreeError `bad-input` where searches of its kind are not written in that format
 */
export async function exportSearch(
  kinds: Kinds,
  overview: SearchOverview,
  named: string | undefined,
): Promise<ExportedSearch> {
  const format = named ?? formatsOf(kinds, overview.file)[0] ?? JSON_FORMAT;
  if (format === JSON_FORMAT)
    return { text: asText(await searchAsJson(overview)), fileName: `${basename(overview.folder)}.json`, notes: [] };
  const { write, fileName, notes } = formatOf(kinds, await loadKind(kinds, overview.file), format);
  const value = await write(overview);
  const text = asText(value);
  return { text, fileName: fileName(value, overview), notes: notes?.(text) ?? [] };
}

function asText(value: object | string): string {
  return typeof value === 'string' ? value : `${JSON.stringify(value, undefined, 2)}\n`;
}

function formatOf(kinds: Kinds, { face: own, formats = [] }: Kind, format: string): Format {
  const found = formats.find(({ name }) => name === format);
  if (found) return found;
  const others = kinds.filter(({ face }) => face.formats?.includes(format)).map(({ face }) => `--kind ${face.name}`);
  throw new ThoughtTreeError(
    'bad-input',
    say.otherFormat({ kind: oneLine(own.name, 60), others: others.join(', '), format }),
  );
}
