import type { VNode } from 'preact';
import type { GraphDetails, GraphSibling } from '../../src/protocol/graph-node.ts';
import { figures } from '../state/figures.ts';
import { l10n } from '../state/l10n.ts';
import type { PanelStore } from '../state/panel-store.ts';
import { short, titled } from '../state/texts.ts';

interface Props {
  readonly store: PanelStore;
  readonly details: GraphDetails;
  readonly isLowConfidence: boolean;
}

/** Draws the evaluation of a node: the reasons, the single criteria, the votes. */
export function Evaluation({ store, details, isLowConfidence }: Props): VNode | null {
  const { reasoning, votes, dimensions, judge, beside } = details;
  if (!reasoning && !votes && !dimensions && !beside && !isLowConfidence) return null;
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
      {judge && <p class="dim">{l10n.t('Judged by {0}', judge)}</p>}
      {beside && <Beside store={store} path={details.path} siblings={beside} />}
    </section>
  );
}

interface BesideProps {
  readonly store: PanelStore;
  readonly path: string;
  readonly siblings: readonly GraphSibling[];
}

/** It and its siblings with their scores and the reasons for them, side by side; and who judged each, where several did. */
function Beside({ store, path, siblings }: BesideProps): VNode {
  const hasJudges = new Set(siblings.map(({ judge }) => judge)).size > 1;
  return (
    <details class="beside" open>
      <summary>{l10n.t('Beside its siblings')}</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">{l10n.t('Score')}</th>
            <th scope="col">{l10n.t('What, and why')}</th>
          </tr>
        </thead>
        <tbody>
          {siblings.map((sibling) => (
            <tr key={sibling.path} class={sibling.path === path ? 'own' : ''}>
              <td>{figures.score(sibling.score)}</td>
              <td dir="auto">
                {sibling.path === path ? (
                  titled(sibling.title)
                ) : (
                  <button type="button" class="link" onClick={() => store.reveal(sibling.path)}>
                    {titled(sibling.title)}
                  </button>
                )}
                {sibling.reasoning && <p>{sibling.reasoning}</p>}
                {hasJudges && sibling.judge && <p class="dim">{l10n.t('Judged by {0}', sibling.judge)}</p>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
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

/** Draws the samples on a line from 0 to 10, and their spread. */
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
