import { useSignalEffect } from '@preact/signals';
import type { VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Filters } from './bars/filters.tsx';
import { ReadingLine } from './bars/reading-line.tsx';
import { Splitter } from './bars/splitter.tsx';
import { Timeline } from './bars/timeline.tsx';
import { TopBar } from './bars/top-bar.tsx';
import { CallsView, Tabs } from './calls/calls-view.tsx';
import { type Drawing, TreeCanvas } from './canvas/tree-canvas.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Finder, FinderButton } from './floats/finder.tsx';
import { HoverCard } from './floats/hover-card.tsx';
import { Notice } from './floats/notice.tsx';
import { PastLine } from './floats/past-line.tsx';
import { BranchLine, ViewControls } from './floats/view-controls.tsx';
import { Inspector } from './inspector/inspector.tsx';
import { type MenuPlace, NodeMenu } from './inspector/node-menu.tsx';
import { l10n } from './state/l10n.ts';
import type { PanelStore } from './state/panel-store.ts';

/** Draws the whole panel. */
export function App({ store }: { readonly store: PanelStore }): VNode {
  return (
    <ErrorBoundary store={store}>
      <Panel store={store} />
    </ErrorBoundary>
  );
}

function Panel({ store }: { readonly store: PanelStore }): VNode {
  const drawing = useRef<Drawing | null>(null);
  const [menu, setMenu] = useState<MenuPlace | undefined>(undefined);
  const focus = (): void => {
    if (drawing.current) drawing.current.focus();
    else document.querySelector<HTMLElement>('.call-table > table')?.focus();
  };
  const closeMenu = (): void => {
    setMenu(undefined);
    focus();
  };
  useFocusBack(store, focus);
  if (store.lost.value !== '') return <p class="lost">{store.lost.value}</p>;
  if (!store.search.value)
    return (
      <p class="lost" role="status">
        {l10n.t('Reading the tree…')}
      </p>
    );
  const hasCalls = store.calls.isOpen.value;
  const hasInspector = store.selected.value !== undefined;
  return (
    <main class={classOf({ inspecting: hasInspector, past: store.past.moment.value !== undefined })}>
      <TopBar store={store}>
        <Tabs store={store} />
        {!hasCalls && <FinderButton store={store} />}
        {!hasCalls && <Filters store={store} />}
      </TopBar>
      <div class="stage">
        {hasCalls ? (
          <CallsView store={store}>
            <PastLine store={store} onBack={focus} />
            <Notice store={store} />
          </CallsView>
        ) : (
          <>
            <div class="top-floats">
              <PastLine store={store} onBack={focus} />
              <Notice store={store} />
              <BranchLine store={store} />
              <Finder store={store} drawing={drawing} />
            </div>
            <TreeCanvas store={store} drawing={drawing} onMenu={setMenu} />
            <ViewControls store={store} drawing={drawing} />
            <ReadingLine store={store} />
            <HoverCard store={store} drawing={drawing} />
          </>
        )}
      </div>
      {hasInspector && <Splitter store={store} />}
      {hasInspector && <Inspector store={store} onClose={focus} />}
      <Timeline store={store} onClose={focus} />
      {menu && <NodeMenu store={store} place={menu} onClose={closeMenu} />}
      <div class="hidden" role="status" aria-live="polite">
        {store.said.value}
      </div>
    </main>
  );
}

function classOf(on: Readonly<Record<string, boolean>>): string {
  return ['panel', ...Object.keys(on).filter((name) => on[name])].join(' ');
}

/** The inspector disappears with its node; the keyboard focus must not get lost. */
function useFocusBack(store: PanelStore, focus: () => void): void {
  useSignalEffect(() => {
    if (store.selected.value === undefined && document.activeElement?.closest('.inspector')) focus();
  });
}
