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

/** The results of checking the quotations in a document: how many have each mark, and those that are not in place. */
export function Citations({ store, details, counts }: Props): VNode | null {
  if (!counts) return null;
  const { citations = [], path } = details;
  return (
    <section class="citations">
      <h3>{l10n.t('Quotations')}</h3>
      <p>{citationsText(counts)}</p>
      {citations.length > 0 && (
        <ul>
          {citations.map((citation, index) => (
            <li key={`${index} ${citation.place}`}>
              <Place citation={citation} onOpen={(href) => store.openLink(path, href)} />{' '}
              <span class={`mark ${citation.mark}`}>{whatText(citation)}</span>
            </li>
          ))}
        </ul>
      )}
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
