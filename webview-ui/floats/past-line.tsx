import type { VNode } from 'preact';
import { l10n } from '../state/l10n.ts';
import type { PanelStore } from '../state/panel-store.ts';
import { momentText } from '../state/texts.ts';

interface Props {
  readonly store: PanelStore;
  /** It goes: the focus must not get lost with it. */
  readonly onBack: () => void;
}

/** Says that the search is shown as it was, and leads back to now. */
export function PastLine({ store, onBack }: Props): VNode | null {
  const { past } = store;
  const moment = past.moment.value;
  if (!moment) return null;
  const back = (): void => {
    past.toNow();
    onBack();
  };
  return (
    <div class="float past-line" title={past.off}>
      <span>{l10n.t('As it was at {0}, after event {1}', momentText(moment.time), moment.seq)}</span>
      <button type="button" class="button primary" onClick={back}>
        {l10n.t('Back to now')}
      </button>
    </div>
  );
}
