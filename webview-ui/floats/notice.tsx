import type { VNode } from 'preact';
import { IconButton } from '../bars/icon-button.tsx';
import { l10n } from '../state/l10n.ts';
import type { PanelStore } from '../state/panel-store.ts';
import { short } from '../state/texts.ts';

/** What leads on from where a search stopped, in the order of importance. */
const LEADS_ON = ['raise', 'resume', 'resumeWith', 'finish'];
/** What a person does with work that is done. */
const REVIEWS = ['diff', 'accept'];
const MOST_BUTTONS = 2;

/**
 * Why a search does not go on, or that its work waits for a person, and what can be done about it; until it is closed, or
 * there is something else to say.
 */
export function Notice({ store }: { readonly store: PanelStore }): VNode | null {
  const { reason: why = '', state, actions = [] } = store.search.value ?? {};
  const isDone = state === 'finished' && why === '' && actions.some(({ name }) => name === 'accept');
  const reason = isDone ? l10n.t('The work is done. Look at what it changes, and bring it into your files.') : why;
  // What leads on from now would be wrong beside what was.
  if (store.past.moment.value || reason === '' || store.view.value.closedReason === reason) return null;
  const offered = (isDone ? REVIEWS : LEADS_ON).flatMap((name) => actions.find((each) => each.name === name) ?? []);
  const close = (): void => store.set({ closedReason: reason });
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
      <IconButton name="close" label={l10n.t('Close')} onClick={close} />
    </div>
  );
}
