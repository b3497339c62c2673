import type { ComponentChildren, VNode } from 'preact';
import type { GraphSearch } from '../../src/protocol/graph-node.ts';
import type { PanelStore } from '../state/panel-store.ts';
import { nodesText, short, stateWord, titled } from '../state/texts.ts';
import { Answer } from './answer.tsx';
import { Money } from './money.tsx';
import { SearchActions } from './search-actions.tsx';
import { Slots } from './slots.tsx';

interface Props {
  readonly store: PanelStore;
  /** Buttons for the drawing, where there is one. */
  readonly children?: ComponentChildren;
}

/** The search as a whole in one row: its subject, progress, cost and actions. Two rows where it is very narrow. */
export function TopBar({ store, children }: Props): VNode | null {
  const search = store.search.value;
  if (!search) return null;
  const state = search.led ?? stateWord(search.state);
  return (
    <header class="top-bar">
      <div class="about">
        <span class={`state ${search.state}`} title={state}>
          <span class="word">{state}</span>
        </span>
        <h1 dir="auto" title={short(search.question, 1000)}>
          {titled(search.title)}
        </h1>
        <Answer store={store} search={search} />
        <Progress search={search} />
      </div>
      <div class="tools">
        <Slots store={store} search={search} />
        <Money search={search} />
        <SearchActions store={store} search={search} />
        {children && <div class="buttons">{children}</div>}
      </div>
    </header>
  );
}

/** How far the search is, in words of its kind; shorter where there is little room. */
function Progress({ search: { worked, words, progress } }: { readonly search: GraphSearch }): VNode {
  const brief = nodesText(worked, words);
  const whole = progress ?? brief;
  return (
    <span class="progress" title={whole}>
      <span class="long">{whole}</span>
      <span class="brief" aria-hidden="true">
        {brief}
      </span>
    </span>
  );
}
