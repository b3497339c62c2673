import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ViewNode } from '../../src/drawing/tree-model.ts';
import { StatusIcon } from '../bars/icons.tsx';
import { figures } from '../state/figures.ts';
import { l10n } from '../state/l10n.ts';
import type { PanelStore } from '../state/panel-store.ts';
import { marksText, short, spoken, titled } from '../state/texts.ts';

/** The most rows that are shown; the rest is opened branch by branch. */
const MOST_ROWS = 500;

interface Props {
  readonly store: PanelStore;
}

/** Draws the tree as rows, where there is no room for a drawing. */
export function Outline({ store }: Props): VNode {
  const list = useRef<HTMLDivElement>(null);
  store.version.value;
  const { root } = store.tree;
  const rows = root ? rowsOf(store, root).slice(0, MOST_ROWS) : [];
  const selected = store.selectedPath.value ?? rows[0]?.path;
  useLayoutEffect(() => {
    const row = list.current?.querySelector<HTMLElement>('[aria-selected=true]');
    row?.scrollIntoView({ block: 'nearest' });
    if (list.current?.contains(document.activeElement)) row?.focus();
  }, [selected]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = rows.findIndex(({ path }) => path === selected);
    const target = targetOf(store, rows, at, event.key);
    if (target === undefined) return;
    event.preventDefault();
    if (target !== null) store.select(target.path);
  };
  return (
    <div ref={list} class="outline" role="tree" aria-label={l10n.t('Tree')} onKeyDown={onKeyDown}>
      {rows.map((node) => (
        <Row key={node.path} store={store} node={node} isSelected={node.path === selected} />
      ))}
    </div>
  );
}

interface RowProps extends Props {
  readonly node: ViewNode;
  readonly isSelected: boolean;
}

function Row({ store, node, isSelected }: RowProps): VNode {
  const { data, depth, children } = node;
  const isShut = children.length > 0 && !store.branches.isOpen(node);
  const isBest = store.best.value.has(node.path);
  const title = short(data.title);
  const label = spoken(node, {
    isShut,
    isBest,
    rank: store.ranks.value.get(node.path),
    words: store.search.value?.words,
  });
  return (
    <div
      class="row"
      role="treeitem"
      aria-level={depth + 1}
      aria-selected={isSelected}
      aria-expanded={children.length > 0 ? !isShut : undefined}
      tabIndex={isSelected ? 0 : -1}
      style={{ '--depth': Math.min(depth, 12) }}
      onClick={() => store.select(node.path)}
      onDblClick={() => store.branches.toggle(node)}
      onKeyDown={(event) => event.key === 'Enter' && store.branches.toggle(node)}
    >
      <span
        class="twist"
        aria-hidden="true"
        onClick={(event) => {
          event.stopPropagation();
          store.branches.toggle(node);
        }}
      >
        {children.length === 0 ? '' : isShut ? '▸' : '▾'}
      </span>
      <StatusIcon node={data} />
      <span class="name" dir="auto">
        {titled(data.title)}
      </span>
      {data.marks && (
        <span class="dim marks" aria-hidden="true">
          {marksText(data.marks).slice(0, 2).join(' ')}
        </span>
      )}
      {data.score !== undefined && (
        <span class="dim" aria-hidden="true">
          {figures.score(data.score)}
        </span>
      )}
      <span class="hidden">{label.replace(title, '')}</span>
    </div>
  );
}

function rowsOf(store: PanelStore, node: ViewNode): ViewNode[] {
  const below = store.branches.isOpen(node) ? node.children.flatMap((child) => rowsOf(store, child)) : [];
  return [node, ...below];
}

/** Returns where a key leads: null to stay, undefined if it is none of ours. */
function targetOf(store: PanelStore, rows: readonly ViewNode[], at: number, key: string): ViewNode | null | undefined {
  const node = rows[at];
  if (!node) return undefined;
  switch (key) {
    case 'ArrowDown':
      return rows[at + 1] ?? null;
    case 'ArrowUp':
      return rows[at - 1] ?? null;
    case 'Home':
      return rows[0] ?? null;
    case 'End':
      return rows.at(-1) ?? null;
    case 'ArrowRight':
      if (node.children.length === 0) return null;
      if (store.branches.isOpen(node)) return node.children[0] ?? null;
      store.branches.setOpen(node, true);
      return null;
    case 'ArrowLeft':
      if (!store.branches.isOpen(node) || node.children.length === 0) return node.parent ?? null;
      store.branches.setOpen(node, false);
      return null;
    default:
      return undefined;
  }
}
