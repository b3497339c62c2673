import type { VNode } from 'preact';
import type { CitationCounts } from '../../src/core/citations/citation.ts';
import type { GraphCitation, GraphDetails } from '../../src/protocol/graph-node.ts';
import { l10n } from '../state/l10n.ts';
import type { PanelStore } from '../state/panel-store.ts';
import { citationsText, markWord, short } from '../state/texts.ts';

interface Props {
  readonly store: PanelStore;
  readonly details: GraphDetails;
  readonly counts: CitationCounts | undefined;
}

/**
 * Draws the results of checking the quotations in a document: those that are not in place, and the others behind their
 * number.
 */
export function Citations({ store, details, counts }: Props): VNode | null {
  if (!counts) return null;
  const { citations = [], path } = details;
  const failed = citations.filter(({ mark }) => mark !== 'verified');
  const verified = citations.filter(({ mark }) => mark === 'verified');
  const list = (some: readonly GraphCitation[]): VNode => (
    <ul>
      {some.map((citation, index) => (
        <li key={`${index} ${citation.place}`}>
          <Place citation={citation} onOpen={(href) => store.openLink(path, href)} />
          {citation.mark !== 'verified' && <span class={`mark ${citation.mark}`}> {whatText(citation)}</span>}
        </li>
      ))}
    </ul>
  );
  const text = citationsText(counts);
  return (
    <section class="citations">
      <h3>{l10n.t('Quotations')}</h3>
      {verified.length === 0 ? (
        <p>{text}</p>
      ) : (
        <details>
          <summary>{text}</summary>
          {list(verified)}
          {verified.length < counts.verified && (
            <p class="dim">{l10n.t('and {0} more', counts.verified - verified.length)}</p>
          )}
        </details>
      )}
      {failed.length > 0 && list(failed)}
    </section>
  );
}

interface PlaceProps {
  readonly citation: GraphCitation;
  readonly onOpen: (href: string) => void;
}

function Place({ citation: { place, href }, onOpen }: PlaceProps): VNode {
  if (href === undefined) return <span dir="ltr">{short(place)}</span>;
  return (
    <button type="button" class="link" dir="ltr" onClick={() => onOpen(href)}>
      {short(place)}
    </button>
  );
}

function whatText({ mark, now }: GraphCitation): string {
  return mark === 'moved' && now !== undefined ? l10n.t('moved to {0}', now) : markWord(mark);
}
