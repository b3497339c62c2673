import type { VNode } from 'preact';
import type { GraphSearch } from '../../src/protocol/graph-node.ts';
import { AnswerText, beginningOf } from '../inspector/document-view.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Popover } from '../parts/popover.tsx';
import { l10n } from '../state/l10n.ts';
import type { PanelStore } from '../state/panel-store.ts';
import { short } from '../state/texts.ts';
import { Icon } from './icons.tsx';

interface Props {
  readonly store: PanelStore;
  readonly search: GraphSearch;
}

/** Draws whether a finished search for a solution has one, and its answer. */
export function Answer({ store, search: { isSolved, answer, bestPath } }: Props): VNode | null {
  if (isSolved === undefined) return null;
  const state = isSolved ? l10n.t('Solved') : l10n.t('Not solved');
  if (answer === undefined) return <span class="verdict">{state}</span>;
  const last = bestPath.at(-1);
  const face = (
    <>
      {isSolved && <Icon name="check" />}
      <span class="word">{state}</span>{' '}
      <span class="brief" dir="auto">
        {short(beginningOf(answer), 100)}
      </span>
    </>
  );
  return (
    <>
      <Popover
        label={l10n.t('Answer')}
        class={isSolved ? 'verdict solved' : 'verdict'}
        face={face}
        isReadable
        isDetails
      >
        {() => (
          <div class="whole-answer">
            <AnswerText store={store} path={last ?? ''} text={answer} />
            {last !== undefined && (
              <button type="button" class="button" onClick={() => store.reveal(last)}>
                {l10n.t('Show in the drawing')}
              </button>
            )}
          </div>
        )}
      </Popover>
      <CopyButton store={store} text={answer} label={l10n.t('Copy the answer')} />
    </>
  );
}
