import { type CitationMark, linesText, placeText } from '../../core/citations/citation.ts';
import { citationLink } from '../../core/citations/citation-link.ts';
import { recordsIn } from '../../core/citations/citation-marks.ts';
import { parseDocument } from '../../core/text/document.ts';
import { folderInWorkspace, type Place } from '../place.ts';

const MOST = 200;

/** A quotation in a document that is not where the document says. */
export interface FailedQuotation {
  /** As the document names it: `src/queue.ts:12-15`. */
  readonly place: string;
  readonly mark: Exclude<CitationMark, 'verified'>;
  /** The lines where it is now, if it moved. */
  readonly now?: string;
  /** A link from the document to the lines; undefined if there is no relative path. */
  readonly href?: string;
}

/**
 * The quotations that a document's front matter marks as not in place, with a link from the document to the lines: where
 * a moved one is now, else the lines that the document names.
 * @param path slug path of the document's node
 */
export function failedQuotations(document: string, place: Place, path: string): FailedQuotation[] {
  const at = [...folderInWorkspace(place).split('/'), path].join('/');
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
    return []; // a person's front matter need not be valid
  }
}
