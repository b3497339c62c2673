import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { NodeStatus } from '../../src/core/tree/node-status.ts';
import { pictureOf } from '../../src/drawing/svg/picture.ts';
import type { Drawing } from '../canvas/tree-canvas.tsx';
import { figures } from '../state/figures.ts';
import { l10n, said } from '../state/l10n.ts';
import type { PanelStore } from '../state/panel-store.ts';
import { foundText, statusWord } from '../state/texts.ts';
import { Icon, type IconName, StatusIcon } from './icons.tsx';
import { Legend } from './legend.tsx';

const STATUSES: readonly NodeStatus[] = ['unexpanded', 'in-progress', 'expanded', 'leaf', 'failed', 'pruned'];

interface Props {
  readonly store: PanelStore;
  readonly drawing: { readonly current: Drawing | null };
}

/** What the drawing shows: filter, depth, zoom. */
export function ToolBar({ store, drawing }: Props): VNode {
  const [hasLegend, setLegend] = useState(false);
  const closeLegend = (): void => {
    setLegend(false);
    drawing.current?.focus();
  };
  return (
    <search class="tool-bar" aria-label={l10n.t('Find and set the view')}>
      <Finder store={store} drawing={drawing} />
      <Statuses store={store} />
      <MinScore store={store} />
      <span class="spring" />
      <Levels store={store} />
      <ViewButtons store={store} drawing={drawing} />
      <IconButton
        name="legend"
        label={l10n.t('Legend')}
        onClick={() => setLegend(!hasLegend)}
        aria-expanded={hasLegend}
      />
      {hasLegend && <Legend faces={store.faces.value} onClose={closeLegend} />}
    </search>
  );
}

function Finder({ store, drawing }: Props): VNode {
  const found = store.matches.value;
  const label = said(store.search.value?.words.findNodes ?? '');
  const step = (by: 1 | -1): void => {
    if (!found || found.length === 0) return;
    const at = found.findIndex(({ path }) => path === store.view.value.selected);
    const next = found[(at + by + found.length) % found.length] ?? found[0];
    if (next) store.reveal(next.path);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') step(event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape') {
      store.filter({ text: '' });
      drawing.current?.focus();
    } else return;
    event.preventDefault();
  };
  return (
    <span class="finder">
      <Icon name="search" />
      <input
        type="search"
        id="find"
        placeholder={label}
        aria-label={label}
        value={store.view.value.filter.text}
        onInput={(event) => store.filter({ text: event.currentTarget.value })}
        onKeyDown={onKeyDown}
      />
      <span class="found" role="status">
        {found ? foundText(found.length) : ''}
      </span>
    </span>
  );
}

function Statuses({ store }: { readonly store: PanelStore }): VNode {
  const { statuses } = store.view.value.filter;
  const toggle = (status: NodeStatus): void =>
    store.filter({
      statuses: statuses.includes(status) ? statuses.filter((each) => each !== status) : [...statuses, status],
    });
  return (
    <fieldset class="statuses" aria-label={l10n.t('Only with status')}>
      {STATUSES.map((status) => (
        <button
          key={status}
          type="button"
          class="chip"
          aria-pressed={statuses.includes(status)}
          onClick={() => toggle(status)}
        >
          <StatusIcon node={{ path: 'any', status }} />
          {statusWord(status)}
        </button>
      ))}
    </fieldset>
  );
}

function MinScore({ store }: { readonly store: PanelStore }): VNode {
  return (
    <label class="choice">
      {l10n.t('Score')}
      <select
        value={String(store.view.value.filter.minScore)}
        onChange={(event) => store.filter({ minScore: Number(event.currentTarget.value) })}
      >
        <option value="0">{l10n.t('any')}</option>
        {[2, 4, 5, 6, 7, 8, 9].map((score) => (
          <option key={score} value={String(score)}>
            {l10n.t('{0} or more', score)}
          </option>
        ))}
      </select>
    </label>
  );
}

function Levels({ store }: { readonly store: PanelStore }): VNode {
  return (
    <label class="choice">
      {l10n.t('Levels')}
      <select
        value={String(Math.min(store.levels.value, 9))}
        onChange={(event) => store.setLevels(Number(event.currentTarget.value))}
      >
        <option value="0">{l10n.t('all')}</option>
        {[1, 2, 3, 4, 5, 6, 7, 8, 9].map((level) => (
          <option key={level} value={String(level)}>
            {level}
          </option>
        ))}
      </select>
    </label>
  );
}

interface IconButtonProps {
  readonly name: IconName;
  readonly label: string;
  readonly onClick: () => void;
  readonly 'aria-pressed'?: boolean;
  readonly 'aria-expanded'?: boolean;
}

function IconButton({ name, label, ...rest }: IconButtonProps): VNode {
  return (
    <button type="button" class="button icon-only" aria-label={label} title={label} {...rest}>
      <Icon name={name} />
    </button>
  );
}

function ViewButtons({ store, drawing }: Props): VNode {
  const { isFollowing } = store.view.value;
  const save = (): void => {
    const scene = drawing.current?.scene();
    if (scene) store.savePicture(pictureOf(scene, { say: said, count: figures.count }));
  };
  return (
    <span class="buttons" role="toolbar" aria-label={l10n.t('View')}>
      <IconButton name="minus" label={l10n.t('Zoom out')} onClick={() => drawing.current?.zoom(1 / 1.3)} />
      <IconButton name="plus" label={l10n.t('Zoom in')} onClick={() => drawing.current?.zoom(1.3)} />
      <IconButton name="fit" label={l10n.t('Show everything')} onClick={() => drawing.current?.fit()} />
      <IconButton
        name="follow"
        label={l10n.t('Follow current work')}
        onClick={() => store.set({ isFollowing: !isFollowing })}
        aria-pressed={isFollowing}
      />
      <IconButton name="save" label={l10n.t('Save as SVG')} onClick={save} />
    </span>
  );
}
