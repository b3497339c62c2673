import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { IconButton } from '../bars/icon-button.tsx';
import { l10n } from '../state/l10n.ts';
import type { PanelStore } from '../state/panel-store.ts';
import { short } from '../state/texts.ts';

/** What leads on from where a search stopped, in the order of importance. */
const LEADS_ON = ['raise', 'resume', 'resumeWith', 'finish'];
const MOST_BUTTONS = 2;

/** Why a search does not go on, and what can be done about it; until it is closed, or the reason is another one. */
export function Notice({ store }: { readonly store: PanelStore }): VNode | null {
  const closed = useSignal('');
  const { reason = '', actions = [] } = store.search.value ?? {};
  if (reason === '' || closed.value === reason) return null;
  const offered = LEADS_ON.flatMap((name) => actions.find((each) => each.name === name) ?? []);
  return (
    <div class="float notice">
      <p class="reason" dir="auto" title={short(reason, 1000)}>
        {short(reason)}
      </p>
      {offered.slice(0, MOST_BUTTONS).map(({ name, title }) => (
        <button key={name} type="button" class="button" onClick={() => store.act(name)}>
          {title}
        </button>
      ))}
      <IconButton
        name="close"
        label={l10n.t('Close')}
        onClick={() => {
          closed.value = reason;
        }}
      />
    </div>
  );
}
