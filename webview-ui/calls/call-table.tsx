import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { fateOf, type ShownCall } from '../state/calls.ts';
import { figures } from '../state/figures.ts';
import { l10n } from '../state/l10n.ts';
import type { PanelStore } from '../state/panel-store.ts';
import { outcomeText, purposeText, short, timeText } from '../state/texts.ts';
import { titleAt } from './call-lanes.tsx';

/** The height of a row, in pixels; and rows that are drawn beyond those in sight. */
const ROW = 24;
const MORE = 8;

const COLUMNS = [
  ['when', l10n.t('Began')],
  ['what', l10n.t('Call')],
  ['node', l10n.t('Node')],
  ['model', l10n.t('Model')],
  ['figure', l10n.t('Sent'), l10n.t('Tokens that were sent')],
  ['figure', l10n.t('Cached'), l10n.t('Tokens of these that came from a cache')],
  ['figure', l10n.t('Answer'), l10n.t('Tokens of the answer')],
  ['figure', l10n.t('Price')],
  ['figure', l10n.t('Took')],
  ['fate', l10n.t('Outcome')],
] as const;

interface Props {
  readonly store: PanelStore;
  readonly shown: readonly ShownCall[];
  readonly colours: ReadonlyMap<string, number>;
}

/** Draws the calls as a table, of which only the rows in sight are there. */
export function CallTable({ store, shown, colours }: Props): VNode {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const { chosen } = store.calls;
  const height = box.current?.clientHeight ?? 800;
  const first = Math.max(0, Math.floor(top / ROW) - MORE);
  const rows = shown.slice(first, first + Math.ceil(height / ROW) + 2 * MORE);
  const isDrawn = rows.some(({ id }) => id === chosen.value?.id);
  useEffect(() => {
    const at = shown.findIndex(({ id }) => id === chosen.value?.id) * ROW;
    const element = box.current;
    if (at < 0 || !element) return;
    // The head stays above the rows.
    if (at < element.scrollTop) element.scrollTop = at;
    else if (at + 2 * ROW > element.scrollTop + element.clientHeight)
      element.scrollTop = at + 2 * ROW - element.clientHeight;
  }, [chosen.value?.id]);
  const filler = (rows: number): VNode => <tr style={{ height: `${rows * ROW}px` }} />;
  return (
    <div ref={box} class="call-table" onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}>
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: its rows are chosen, by keys of its own
        role="grid"
        tabIndex={0}
        aria-label={l10n.t('Calls')}
        aria-rowcount={shown.length + 1}
        aria-activedescendant={isDrawn ? `call-${chosen.value?.id}` : undefined}
      >
        <thead>
          <tr aria-rowindex={1}>
            {COLUMNS.map(([name, label, more]) => (
              <th key={label} scope="col" class={`call-${name}`} title={more}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {filler(first)}
          {rows.map((call, index) => (
            <tr
              key={call.id}
              id={`call-${call.id}`}
              class={fateOf(call)}
              aria-rowindex={first + index + 2}
              aria-selected={call.id === chosen.value?.id}
              onClick={() => store.calls.choose(call)}
            >
              {cellsOf(call, store).map((text, at) => (
                <td key={at} class={`call-${COLUMNS[at]?.[0]}`} title={text.length > 12 ? text : undefined}>
                  {at === 1 && <i class={`call-bar colour-${colours.get(call.purpose)}`} />}
                  {text}
                </td>
              ))}
            </tr>
          ))}
          {filler(shown.length - first - rows.length)}
        </tbody>
      </table>
    </div>
  );
}

function cellsOf(call: ShownCall, store: PanelStore): string[] {
  const { start, purpose, node, model, prompt, cached, completion, usd, ms, outcome, attempt } = call;
  const figure = (n: number | undefined): string => (n === undefined ? '' : figures.count(n));
  return [
    timeText(start),
    short(purposeText(store.search.value?.words, purpose), 100),
    titleAt(store, node),
    short(model, 100),
    figure(prompt),
    figure(cached || undefined),
    figure(completion),
    usd ? figures.usd(usd) : '',
    ms === undefined ? '' : figures.duration(ms),
    attempt > 1 ? `${outcomeText(outcome)} · ${l10n.t('attempt {0}', attempt)}` : outcomeText(outcome),
  ];
}
