import { Component, type ComponentChildren, type VNode } from 'preact';
import { l10n } from './state/l10n.ts';
import type { PanelStore } from './state/panel-store.ts';

interface Props {
  readonly store: PanelStore;
  readonly children: ComponentChildren;
}

/** If the panel fails, it says so and can be reloaded: the search does not depend on it. */
export class ErrorBoundary extends Component<Props, { readonly message: string }> {
  override state = { message: '' };

  override componentDidCatch(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.props.store.fail(error instanceof Error ? (error.stack ?? message) : message);
    // Loaded again, the page begins with the tree: what failed may be what it shows of the calls.
    this.props.store.set({ hasCalls: false });
    this.setState({ message });
  }

  override render({ store, children }: Props): ComponentChildren {
    const { message } = this.state;
    if (message === '') return children;
    return <Failure store={store} message={message} />;
  }
}

function Failure({ store, message }: { readonly store: PanelStore; readonly message: string }): VNode {
  return (
    <div class="lost" role="alert">
      <p>{l10n.t('The drawing failed. The search itself is not affected: it continues, and the sidebar shows it.')}</p>
      <p class="dim">{message}</p>
      <button type="button" class="button primary" onClick={() => store.reload()}>
        {l10n.t('Reload the panel')}
      </button>
    </div>
  );
}
