import { type Signal, useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { App } from '../app.tsx';
import { TopBar } from '../bars/top-bar.tsx';
import { ErrorBoundary } from '../error-boundary.tsx';
import { Inspector } from '../inspector/inspector.tsx';
import { l10n } from '../state/l10n.ts';
import type { PanelStore } from '../state/panel-store.ts';
import { Outline } from './outline.tsx';

/** Narrower than this there is no room for a drawing, in pixels. */
const NARROW = 480;

interface Props {
  readonly store: PanelStore;
  /** What could not be done, for a person to read; empty if there is nothing. */
  readonly refusal: Signal<string>;
}

/** Draws the panel in the chat: the same as in the editor, and an outline where it is narrow. */
export function ChatApp({ store, refusal }: Props): VNode {
  const isNarrow = useSignal(window.innerWidth < NARROW);
  useEffect(() => {
    const look = (): void => {
      isNarrow.value = window.innerWidth < NARROW;
    };
    window.addEventListener('resize', look);
    return () => window.removeEventListener('resize', look);
  }, []);
  return (
    <>
      {refusal.value !== '' && (
        <p class="refusal" role="alert">
          <span>{refusal.value}</span>
          <button
            type="button"
            class="button"
            onClick={() => {
              refusal.value = '';
            }}
          >
            {l10n.t('Close')}
          </button>
        </p>
      )}
      {isNarrow.value ? <Narrow store={store} /> : <App store={store} />}
    </>
  );
}

function Narrow({ store }: Pick<Props, 'store'>): VNode {
  if (store.lost.value !== '') return <p class="lost">{store.lost.value}</p>;
  if (!store.search.value)
    return (
      <p class="lost" role="status">
        {l10n.t('Reading the tree…')}
      </p>
    );
  return (
    <ErrorBoundary store={store}>
      <main class="narrow">
        <TopBar store={store} />
        <Outline store={store} />
        {store.selected.value !== undefined && (
          <Inspector store={store} onClose={() => document.querySelector<HTMLElement>('.row[tabindex="0"]')?.focus()} />
        )}
      </main>
    </ErrorBoundary>
  );
}
