import { posix } from 'node:path';
import { code, oneLine, shorten } from '../cut/markdown.ts';
import type { Passage } from '../cut/passage.ts';
import type { WorkspaceIndex } from '../index/workspace-index.ts';

/** The subject of a node's title. */
export interface Subject {
  readonly title: string;
  /** The passages that the title names; empty if a person wrote their own words. */
  readonly passages: readonly Passage[];
}

/** Lists cut what is longer, from its end, where the place is. */
const MAX_TITLE = 120;

/** The title of a topic: a thing, what about it, and where it is. */
export function titleOf(passage: Passage, aspect: string): string {
  const name = passage.kind === 'section' ? `“${passage.name}”` : code(passage.name);
  const place = ` (${passage.file.path})`;
  const room = MAX_TITLE - name.length - place.length - 2;
  const about = aspect !== '' && room > 10 ? `: ${shorten(oneLine(aspect), Math.min(room, 70))}` : '';
  return oneLine(`${name}${about}${place}`);
}

/** Parses a title. One typed by a person names no passage, and is searched for by its words. */
export function subjectOf(title: string, index: WorkspaceIndex): Subject {
  for (const { name, rest } of namesAt(title)) {
    // The middle part may itself contain parentheses: the place is the last one that opens before a known file.
    for (let at = rest.indexOf(' ('); at >= 0; at = rest.indexOf(' (', at + 1)) {
      if (!rest.endsWith(')')) break;
      const passages = index.passagesNamed(name, rest.slice(at + 2, -1));
      if (passages.length > 0) return { title, passages };
    }
  }
  return { title, passages: [] };
}

function namesAt(title: string): { name: string; rest: string }[] {
  const quoted = /^“([^”]*)”(.*)$/su.exec(title);
  if (quoted) return [{ name: quoted[1] ?? '', rest: quoted[2] ?? '' }];
  const span = /^(`+)(.+?)\1(?!`)(.*)$/su.exec(title);
  return span ? [{ name: (span[2] ?? '').trim(), rest: span[3] ?? '' }] : [];
}

/** The name of a passage in running text, short enough for a list. */
export function labelOf({ kind, name, file }: Passage): string {
  if (kind === 'section') return `“${name}”`;
  return kind === 'rest' ? code(posix.basename(file.path)) : code(name);
}
