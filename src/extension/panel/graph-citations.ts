import { relative, sep } from 'node:path';
import { linesText, placeText } from '../../core/citations/citation.ts';
import { citationLink } from '../../core/citations/citation-link.ts';
import { recordsIn } from '../../core/citations/citation-marks.ts';
import { parseDocument } from '../../core/text/document.ts';
import type { GraphCitation } from '../../protocol/graph-node.ts';
import type { FollowedSearch } from '../library/followed-search.ts';

const MOST = 200;

/**
 * The quotations that a document's front matter marks as not in place, with a link from the document to the lines: those
 * where a moved one is now, else those that the document names.
 * @param path slug path of the document's node
 */
export function failedQuotations(
  document: string,
  { folder, workspace }: Pick<FollowedSearch, 'folder' | 'workspace'>,
  path: string,
): GraphCitation[] {
  const at = [...relative(workspace, folder).split(sep), path].join('/');
  return recordsOf(document)
    .flatMap(({ mark, now, ...lines }) => {
      if (mark === 'verified') return [];
      const href = citationLink(at, { ...lines, ...now });
      return [
        {
          place: placeText(lines),
          mark,
          ...(now ? { now: linesText(now) } : {}),
          ...(href === undefined ? {} : { href }),
        },
      ];
    })
    .slice(0, MOST);
}

function recordsOf(document: string): ReturnType<typeof recordsIn> {
  try {
    return recordsIn(parseDocument(document).data);
  } catch {
    return []; // a person's front matter need not be readable
  }
}
