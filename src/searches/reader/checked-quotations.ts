import { type CitationMark, linesText, placeText } from '../../core/citations/citation.ts';
import { citationLink } from '../../core/citations/citation-link.ts';
import { recordsIn } from '../../core/citations/citation-marks.ts';
import { folderInWorkspace, type Place } from '../place.ts';

const MOST = 200;

/** A quotation in a document, and whether it is where the document says. */
export interface CheckedQuotation {
  /** As the document names it: `src/queue.ts:12-15`. */
  readonly place: string;
  readonly mark: CitationMark;
  /** The lines where it is now, if it moved. */
  readonly now?: string;
  /** A link from the document to the lines; undefined if there is no relative path. */
  readonly href?: string;
}

/**
 * Returns the quotations of a document with the marks in its node.json, those that are not in place first; each with a link
 * from the document to the lines: where a moved one is now, else the lines that the document names.
 * @param entries what node.json says of its citations
 * @param path slug path of the document's node
 */
export function checkedQuotations(
  entries: readonly string[] | undefined,
  place: Place,
  path: string,
): CheckedQuotation[] {
  const at = [...folderInWorkspace(place).split('/'), path].join('/');
  const all = recordsIn(entries).map(({ mark, now, ...lines }) => {
    const href = citationLink(at, { ...lines, ...now });
    return {
      place: placeText(lines),
      mark,
      ...(now ? { now: linesText(now) } : {}),
      ...(href === undefined ? {} : { href }),
    };
  });
  const isInPlace = ({ mark }: CheckedQuotation): boolean => mark === 'verified';
  return [...all.filter((each) => !isInPlace(each)), ...all.filter(isInPlace)].slice(0, MOST);
}
