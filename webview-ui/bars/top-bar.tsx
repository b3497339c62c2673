import type { ComponentChildren, VNode } from 'preact';
import { roundOf } from '../../src/drawing/layout/tree-layout.ts';
import type { GraphNode, GraphSearch } from '../../src/protocol/graph-node.ts';
import { figures } from '../state/figures.ts';
import { l10n, said } from '../state/l10n.ts';
import type { PanelStore } from '../state/panel-store.ts';
import { nodesText, short, stateWord, titled } from '../state/texts.ts';
import { Answer } from './answer.tsx';
import { StatusIcon } from './icons.tsx';
import { Money } from './money.tsx';
import { SearchActions } from './search-actions.tsx';
import { Slots } from './slots.tsx';

interface Props {
  readonly store: PanelStore;
  /** Buttons for the drawing, where there is one. */
  readonly children?: ComponentChildren;
}

/**
 * Draws the search as a whole in one row: its subject, progress, cost and actions. Two rows where it is very narrow.
 */
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
        <Tally store={store} />
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

/** The most states that are counted beside the title. */
const MOST_COUNTED = 4;
/** What holds comes first, then what does not, then what is not known. */
const FIRST = ['end good', 'failed bad', 'end busy', 'cut dim'];

/** Draws the verdict so far of a search in rounds: how many of its nodes are confirmed, refuted, or led nowhere. */
function Tally({ store }: { readonly store: PanelStore }): VNode | null {
  store.version.value; // the nodes change without the search
  const counted = new Map<string, { readonly node: GraphNode; count: number }>();
  for (const node of store.tree.nodes()) {
    const word = roundOf(node) === undefined ? undefined : node.data.marks?.find(({ round }) => round === undefined);
    if (!word) continue;
    const known = counted.get(word.text);
    if (known) known.count++;
    else counted.set(word.text, { node: node.data, count: 1 });
  }
  if (counted.size === 0) return null;
  const rank = ({ look }: GraphNode): number => {
    const place = FIRST.indexOf(`${look?.glyph} ${look?.tone}`);
    return place < 0 ? FIRST.length : place;
  };
  const states = [...counted].sort(([, a], [, b]) => rank(a.node) - rank(b.node) || b.count - a.count);
  return (
    <ul class="tally" aria-label={l10n.t('Verdict')}>
      {states.slice(0, MOST_COUNTED).map(([text, { node, count }]) => (
        <li key={text}>
          <StatusIcon node={node} /> {figures.count(count)} {said(text)}
        </li>
      ))}
    </ul>
  );
}

/** Draws how far the search is, in words of its kind; shorter where there is little room. */
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
