import type { VNode } from 'preact';
import type { PrunedBy } from '../../src/core/tree/node-status.ts';
import type { Marked } from '../../src/drawing/glyphs.ts';
import type { LinkFaces } from '../../src/drawing/layout/layer-layout.ts';
import type { ViewNode } from '../../src/drawing/tree-model.ts';
import type { GraphNode } from '../../src/protocol/graph-node.ts';
import { l10n, said } from '../state/l10n.ts';
import type { PanelStore } from '../state/panel-store.ts';
import { prunedWord, statusWord } from '../state/texts.ts';
import { StatusIcon } from './icons.tsx';

interface Row {
  readonly node: Omit<Marked, 'path'> & { readonly path?: string };
  readonly text: string;
}

const PRUNERS: readonly PrunedBy[] = ['user', 'threshold', 'evaluator', 'constraint', 'verifier'];
const ROWS: readonly Row[] = [
  { node: { path: '', status: 'expanded' }, text: l10n.t('the question') },
  { node: { status: 'unexpanded' }, text: l10n.t('open; a number is its place in line') },
  { node: { status: 'in-progress' }, text: statusWord('in-progress') },
  { node: { status: 'expanded' }, text: statusWord('expanded') },
  { node: { status: 'leaf' }, text: statusWord('leaf') },
  { node: { status: 'leaf', leafReason: 'solved' }, text: l10n.t('a solution') },
  { node: { status: 'unexpanded', selected: false }, text: l10n.t('good enough, not kept') },
  { node: { status: 'leaf', leafReason: 'duplicate' }, text: l10n.t('merged; a dotted line leads to its equal') },
  { node: { status: 'failed' }, text: statusWord('failed') },
  ...PRUNERS.map(
    (prunedBy): Row => ({
      node: { status: 'pruned', prunedBy },
      text: l10n.t('{0} ({1})', statusWord('pruned'), prunedWord(prunedBy)),
    }),
  ),
];

/** The meaning of the shapes and lines in the drawing: of those that are in it. */
export function Legend({ store }: { readonly store: PanelStore }): VNode {
  const faces = store.faces.value;
  const rows = rowsIn(store.tree.nodes());
  const { isScored, isUnsure } = rows;
  return (
    <section class="legend" aria-label={l10n.t('Legend')}>
      <h2>{l10n.t('Legend')}</h2>
      <ul>
        {rows.found.map(({ node, text }) => (
          <li key={text}>
            <StatusIcon node={{ path: 'any', ...node }} />
            {text}
          </li>
        ))}
        {faces && <Lines faces={faces} />}
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

interface Found {
  readonly found: readonly Row[];
  readonly isScored: boolean;
  readonly isUnsure: boolean;
}

/** The rows for what is in a tree. */
function rowsIn(nodes: Iterable<ViewNode>): Found {
  const found = new Set<Row>();
  let [isScored, isUnsure] = [false, false];
  for (const { data } of nodes) {
    const row = ROWS.findLast(({ node }) => isLike(node, data));
    if (row) found.add(row);
    if (data.score !== undefined) isScored = true;
    if (data.isLowConfidence) isUnsure = true;
  }
  return { found: ROWS.filter((row) => found.has(row)), isScored, isUnsure };
}

/** Whether a row's shape is the node's. */
function isLike({ path, status, leafReason, selected, prunedBy }: Row['node'], data: GraphNode): boolean {
  if (path === '' || data.path === '') return path === data.path;
  if (data.sameAs !== undefined) return leafReason === 'duplicate';
  return (
    status === data.status &&
    (leafReason === undefined || leafReason === data.leafReason) &&
    (selected === undefined || selected === data.selected) &&
    (prunedBy === undefined || prunedBy === data.prunedBy)
  );
}

/** The lines of a drawing in layers, which lead from what comes first to what comes later. */
function Lines({ faces }: { readonly faces: LinkFaces }): VNode {
  return (
    <>
      {Object.entries(faces).map(([type, { line, incoming }]) => (
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
