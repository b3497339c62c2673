import type { VNode } from 'preact';
import { type GlyphName, glyphOf } from '../../src/drawing/glyphs.ts';
import type { LinkDescriptors } from '../../src/drawing/layout/layer-layout.ts';
import type { ViewNode } from '../../src/drawing/tree-model.ts';
import type { GraphNode } from '../../src/protocol/graph-node.ts';
import { l10n, said } from '../state/l10n.ts';
import type { PanelStore } from '../state/panel-store.ts';
import { statusWord } from '../state/texts.ts';
import { StatusIcon } from './icons.tsx';

/** What the shapes mean, in the order of the legend. */
const TEXTS: Readonly<Record<GlyphName, string>> = {
  question: l10n.t('the question'),
  unexpanded: l10n.t('open; a number is its place in line'),
  'in-progress': statusWord('in-progress'),
  expanded: statusWord('expanded'),
  leaf: statusWord('leaf'),
  solved: l10n.t('a solution'),
  aside: l10n.t('good enough, not kept'),
  merged: l10n.t('merged; a dotted line leads to its equal'),
  failed: statusWord('failed'),
  pruned: statusWord('pruned'),
};
const ORDER = Object.keys(TEXTS);

/** Draws the meaning of the shapes and lines in the drawing: of those that are in it. */
export function Legend({ store }: { readonly store: PanelStore }): VNode {
  const descriptors = store.descriptors.value;
  const rows = rowsIn(store.tree.nodes());
  const { isScored, isUnsure } = rows;
  return (
    <section class="legend" aria-label={l10n.t('Legend')}>
      <h2>{l10n.t('Legend')}</h2>
      <ul>
        {rows.found.map(([look, { node, texts }]) => (
          <li key={look}>
            <StatusIcon node={node} />
            {[...texts].join(', ')}
          </li>
        ))}
        {descriptors && <Lines descriptors={descriptors} />}
        {store.best.value.size > 0 && (
          <li>
            <span class="best-line" aria-hidden="true" />
            {l10n.t('best path')}
          </li>
        )}
        {isScored && (
          <li>
            <span class="meter" aria-hidden="true">
              <span class="legend-share" />
            </span>
            {l10n.t('score, from 0 to 10')}
          </li>
        )}
        {isUnsure && (
          <li>
            <span class="meter unsure" aria-hidden="true">
              <span class="legend-share" />
            </span>
            {l10n.t('score with low confidence')}
          </li>
        )}
      </ul>
    </section>
  );
}

/** A shape in a colour, and what it stands for. */
interface Row {
  readonly node: GraphNode;
  readonly texts: Set<string>;
}

interface Found {
  readonly found: readonly (readonly [look: string, row: Row])[];
  readonly isScored: boolean;
  readonly isUnsure: boolean;
}

/** Returns the rows for what is in a tree. */
function rowsIn(nodes: Iterable<ViewNode>): Found {
  const rows = new Map<string, Row>();
  let [isScored, isUnsure] = [false, false];
  for (const { data } of nodes) {
    const look = `${glyphOf(data).name} ${data.look?.tone ?? ''}`;
    const row = rows.get(look) ?? { node: data, texts: new Set() };
    rows.set(look, row);
    row.texts.add(textOf(data));
    if (data.score !== undefined) isScored = true;
    if (data.isLowConfidence) isUnsure = true;
  }
  const placeOf = (look: string): number => ORDER.indexOf(look.split(' ')[0] ?? '');
  return { found: [...rows].sort(([a], [b]) => placeOf(a) - placeOf(b)), isScored, isUnsure };
}

/** Returns what a node's shape says of it; kinds with marks say it in their own words, after the node's name. */
function textOf(data: GraphNode): string {
  const { name } = glyphOf(data);
  if (!data.look || name === 'pruned' || name === 'question') return TEXTS[name];
  const word = data.marks?.[1]?.text;
  return word === undefined ? statusWord(data.status) : said(word);
}

/** Draws the lines of a drawing in layers, which lead from what comes first to what comes later. */
function Lines({ descriptors }: { readonly descriptors: LinkDescriptors }): VNode {
  return (
    <>
      {Object.entries(descriptors).map(([type, { line, incoming }]) => (
        <li key={type}>
          <span class={`link-line ${line}`} aria-hidden="true" />
          {said(incoming)}
        </li>
      ))}
      <li>
        <span class="legend-frame" aria-hidden="true" />
        {l10n.t('the chosen alternative')}
      </li>
      <li>
        <span class="legend-frame dashed" aria-hidden="true" />
        {l10n.t('an alternative, not chosen')}
      </li>
      <li>
        <span class="link-line before" aria-hidden="true" />
        {l10n.t('what the selected one waits for')}
      </li>
      <li>
        <span class="link-line after" aria-hidden="true" />
        {l10n.t('what waits for the selected one')}
      </li>
    </>
  );
}
