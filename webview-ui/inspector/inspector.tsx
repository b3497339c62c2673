import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ViewNode } from '../../src/drawing/tree-model.ts';
import type { GraphDetails } from '../../src/protocol/graph-node.ts';
import { Icon, StatusIcon } from '../bars/icons.tsx';
import { ButtonRow } from '../parts/button-row.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { keyOf } from '../state/action-keys.ts';
import { figures } from '../state/figures.ts';
import { l10n } from '../state/l10n.ts';
import type { PanelStore } from '../state/panel-store.ts';
import { short, statusText, titled } from '../state/texts.ts';
import { CallList, ChosenCall } from './call-list.tsx';
import { Citations } from './citations.tsx';
import { AnswerText, DocumentView } from './document-view.tsx';
import { Evaluation } from './evaluation.tsx';
import { Links } from './links.tsx';
import { isSameText, startsAlike, withoutTitle } from './same-text.ts';
import { Tables } from './tables.tsx';

/** Actions that take the search further are offered first; destructive ones are not. */
const GOES_ON: ReadonlySet<string> = new Set(['expand', 'retry', 'restore', 'resume']);

interface Props {
  readonly store: PanelStore;
  readonly onClose: () => void;
}

/** Everything about the selected node. */
export function Inspector({ store, onClose }: Props): VNode | null {
  const node = store.selected.value;
  const body = useRef<HTMLElement>(null);
  const details = store.details.value;
  useLayoutEffect(() => {
    if (body.current && details) body.current.scrollTop = store.view.value.inspectorScroll;
  }, [details === undefined, node?.path]);
  if (!node) return null;
  const closing = l10n.t('Close details');
  const close = (): void => {
    onClose();
    store.select(null);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    onClose();
  };
  return (
    <aside
      ref={body}
      class="inspector"
      aria-label={l10n.t('Details')}
      style={{ '--inspector-width': `${store.view.value.inspectorWidth}px` }}
      onKeyDown={onKeyDown}
      onScroll={(event) => store.set({ inspectorScroll: event.currentTarget.scrollTop })}
    >
      <div class="inspector-head">
        <h2 tabIndex={-1} dir="auto">
          {titled(node.data.title, 1000)}
        </h2>
        <button type="button" class="button icon-only" aria-label={closing} title={closing} onClick={close}>
          <Icon name="close" />
        </button>
      </div>
      <ChosenCall store={store} />
      <Status node={node} rank={store.ranks.value.get(node.path)} />
      <Around store={store} node={node} />
      <Actions store={store} node={node} />
      <FoundAnswer store={store} node={node} />
      <SameAs store={store} node={node} />
      {details?.tables && <Tables tables={details.tables} />}
      {details?.links && <Links store={store} links={details.links} />}
      <Words store={store} node={node} details={details} question={store.search.value?.question ?? ''} />
      {details ? (
        <Rest store={store} node={node} details={details} />
      ) : (
        <p class="dim" role="status">
          {l10n.t('Reading…')}
        </p>
      )}
    </aside>
  );
}

function Status({ node, rank }: { readonly node: ViewNode; readonly rank: number | undefined }): VNode {
  const { data } = node;
  return (
    <p class="status-line">
      <StatusIcon node={data} />
      <span>{node.parent ? statusText(node) : l10n.t('the question')}</span>
      {data.score !== undefined && (
        <span class="score">
          <span class={data.isLowConfidence ? 'meter unsure' : 'meter'} aria-hidden="true">
            <span style={{ width: `${data.score * 10}%` }} />
          </span>
          {l10n.t('{0} of 10', figures.score(data.score))}
          {data.confidence !== undefined && (
            <span class="dim"> ({l10n.t('{0} sure', figures.percent(data.confidence))})</span>
          )}
        </span>
      )}
      {rank !== undefined && <span class="dim">{l10n.t('number {0} in line', rank)}</span>}
    </p>
  );
}

function Actions({ store, node }: { readonly store: PanelStore; readonly node: ViewNode }): VNode {
  const actions = store.actions.value ?? [];
  const items = actions.map(({ name, title }, index) => ({
    name,
    title,
    key: keyOf(name),
    tooltip: keyOf(name) ? `${title} (${keyOf(name)})` : title,
    isPrimary: index === 0 && GOES_ON.has(name),
    off: store.offFor(name),
    choose: () => store.act(name, node.path),
  }));
  return <ButtonRow label={l10n.t('Actions')} more={l10n.t('More actions')} items={items} />;
}

/** The most nodes below one that are named. */
const MOST_BELOW = 12;

/** Draws what is above it and below it, one click away: as in the head of its document. */
function Around({
  store,
  node: { parent, children },
}: {
  readonly store: PanelStore;
  readonly node: ViewNode;
}): VNode | null {
  const link = ({ path, data }: ViewNode): VNode => (
    <button key={path} type="button" class="link" dir="auto" onClick={() => store.reveal(path)}>
      {titled(data.title, 80)}
    </button>
  );
  const more = children.length - MOST_BELOW;
  return (
    <nav class="around" aria-label={l10n.t('Above and below')}>
      {parent && (
        <p>
          <span aria-hidden="true">↑</span> {link(parent)}
        </p>
      )}
      {children.length > 0 && (
        <p>
          <span aria-hidden="true">↓</span> {children.slice(0, MOST_BELOW).map(link)}
          {more > 0 && <span class="dim">+{figures.count(more)}</span>}
        </p>
      )}
    </nav>
  );
}

/** Draws the answer of a finished search, at its question and at the node that gives it. */
function FoundAnswer({ store, node }: { readonly store: PanelStore; readonly node: ViewNode }): VNode | null {
  const { answer, isSolved, bestPath = [] } = store.search.value ?? {};
  if (answer === undefined || (node.parent && node.path !== bestPath.at(-1))) return null;
  return (
    <section class="found-answer">
      <h3 class="found-head">
        {isSolved ? l10n.t('Solved') : l10n.t('Answer')}{' '}
        <CopyButton store={store} text={answer} label={l10n.t('Copy the answer')} />
      </h3>
      <AnswerText store={store} path={node.path} text={answer} />
    </section>
  );
}

/** Draws the node that it was merged into, one click away. */
function SameAs({ store, node }: { readonly store: PanelStore; readonly node: ViewNode }): VNode | null {
  const { sameAs } = node.data;
  if (sameAs === undefined) return null;
  const title = store.tree.get(sameAs)?.data.title;
  return (
    <p class="same-as">
      {l10n.t('The same as')}{' '}
      {title === undefined ? (
        <span dir="auto">{short(sameAs)}</span>
      ) : (
        <button type="button" class="link" dir="auto" onClick={() => store.reveal(sameAs)}>
          {titled(title)}
        </button>
      )}
    </p>
  );
}

interface WordsProps {
  readonly store: PanelStore;
  readonly node: ViewNode;
  readonly details: GraphDetails | undefined;
  readonly question: string;
}

function Words({ store, node, details, question }: WordsProps): VNode {
  const { summary, failure } = node.data;
  return (
    <>
      {failure && (
        <p class="failure" dir="auto">
          {failure}
        </p>
      )}
      {summary &&
        !isSameText(summary, node.data.title) &&
        !(details?.document && startsAlike(details.document, summary)) && (
          <p class="summary" dir="auto">
            <WithCode text={summary} />
          </p>
        )}
      {!node.parent && !isSameText(question, node.data.title) && (
        <p class="summary" dir="auto">
          {short(question, 20_000)}
        </p>
      )}
      {details && <Evaluation store={store} details={details} isLowConfidence={node.data.isLowConfidence === true} />}
      {details?.note && (
        <section>
          <h3>{l10n.t('Note')}</h3>
          <p class="note" dir="auto">
            {details.note}
          </p>
        </section>
      )}
    </>
  );
}

/** Draws a line of a model: between backticks is code. */
function WithCode({ text }: { readonly text: string }): VNode {
  const parts = text.split(/`([^`]+)`/);
  return <>{parts.map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part))}</>;
}

interface RestProps {
  readonly store: PanelStore;
  readonly node: ViewNode;
  readonly details: GraphDetails;
}

function Rest({ store, node, details }: RestProps): VNode {
  const { document, isCut, steered, path, calls } = details;
  return (
    <>
      {document !== undefined && (
        <section>
          <h3>{l10n.t('Document')}</h3>
          <DocumentView store={store} path={path} text={withoutTitle(document, node.data.title)} />
          {isCut && <p class="dim">{l10n.t('This is only the beginning: open the document to read all of it.')}</p>}
        </section>
      )}
      {details.receipt !== undefined && (
        <section>
          <h3>{l10n.t('Receipt')}</h3>
          <p dir="auto">{details.receipt}</p>
        </section>
      )}
      <Citations store={store} details={details} counts={node.data.citations} />
      <section>
        <h3>{l10n.t('Calls')}</h3>
        {calls.length === 0 ? (
          <p class="dim">{l10n.t('No calls yet.')}</p>
        ) : (
          <CallList store={store} details={details} />
        )}
      </section>
      {steered.length > 0 && (
        <section>
          <h3>{l10n.t('Steered')}</h3>
          <ul class="steered">
            {steered.map(({ time, by, message }) => (
              <li key={`${time} ${message}`}>
                <time dateTime={time}>{time.slice(0, 16).replace('T', ' ')}</time> {by}: {message}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
