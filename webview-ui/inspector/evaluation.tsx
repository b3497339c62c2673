import type { VNode } from 'preact';
import type { GraphDetails } from '../../src/protocol/graph-node.ts';
import { figures } from '../state/figures.ts';
import { l10n } from '../state/l10n.ts';
import { short } from '../state/texts.ts';

interface Props {
  readonly details: GraphDetails;
  readonly isLowConfidence: boolean;
}

/** The evaluation of a node: the reasons, the single criteria, the votes. */
export function Evaluation({ details, isLowConfidence }: Props): VNode | null {
  const { reasoning, votes, dimensions } = details;
  if (!reasoning && !votes && !dimensions && !isLowConfidence) return null;
  return (
    <section>
      <h3>{l10n.t('Evaluation')}</h3>
      {isLowConfidence && (
        <p class="low-confidence">
          {l10n.t('Low confidence: it was judged by simpler criteria, or with fewer votes, than requested.')}
        </p>
      )}
      {reasoning && <p dir="auto">{reasoning}</p>}
      {dimensions && <Dimensions dimensions={dimensions} />}
      {votes && <Votes votes={votes} />}
    </section>
  );
}

function Dimensions({ dimensions }: { readonly dimensions: NonNullable<GraphDetails['dimensions']> }): VNode {
  return (
    <dl class="dimensions">
      {dimensions.map(({ name, score }) => (
        <div key={name}>
          <dt dir="auto">{short(name.replaceAll('_', ' '), 100)}</dt>
          <dd>
            <span class="meter" aria-hidden="true">
              <span style={{ width: `${score * 10}%` }} />
            </span>
            {figures.score(score)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The samples on a line from 0 to 10, and their spread. */
function Votes({ votes }: { readonly votes: readonly number[] }): VNode {
  const [low, high] = [Math.min(...votes), Math.max(...votes)];
  return (
    <figure class="votes">
      <svg viewBox="-4 0 208 16" width="208" height="16" aria-hidden="true">
        <path class="scale" d="M0 8H200M0 5V11M100 6V10M200 5V11" />
        <path class="spread" d={`M${low * 20} 8H${high * 20}`} />
        {votes.map((vote, index) => (
          <circle key={index} cx={vote * 20} cy={8} r={3.5} />
        ))}
      </svg>
      <figcaption class="dim">
        {l10n.t('Votes: {0}', votes.map(figures.score).join(', '))}
        {votes.length > 1 && ` · ${l10n.t('spread {0}', figures.score(high - low))}`}
      </figcaption>
    </figure>
  );
}
