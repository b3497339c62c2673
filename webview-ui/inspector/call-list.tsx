import type { VNode } from 'preact';
import type { GraphCall, GraphDetails, GraphTranscript } from '../../src/protocol/graph-node.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { figures } from '../state/figures.ts';
import { l10n } from '../state/l10n.ts';
import type { PanelStore } from '../state/panel-store.ts';
import { outcomeText, purposeText } from '../state/texts.ts';

interface Props {
  readonly store: PanelStore;
  readonly details: GraphDetails;
}

/** Draws every call made for a node; its transcript is fetched on demand. */
export function CallList({ store, details: { path, calls } }: Props): VNode {
  return (
    <ol class="calls">
      {calls.map((call) => (
        <li key={call.number}>
          <details onToggle={(event) => event.currentTarget.open && store.askFor(path, call.number)}>
            <summary>
              <CallHead store={store} call={call} />
            </summary>
            <CallWords store={store} path={path} call={call} />
          </details>
        </li>
      ))}
    </ol>
  );
}

/** Draws the call that was chosen in time, above all else that is known of its node. */
export function ChosenCall({ store }: { readonly store: PanelStore }): VNode | null {
  const call = store.calls.isOpen.value ? store.calls.chosen.value : undefined;
  if (!call || store.nearest(call.node) !== store.selectedPath.value) return null;
  return (
    <section class="calls chosen-call" aria-label={l10n.t('Chosen call')}>
      <h3 tabIndex={-1}>
        <CallHead store={store} call={call} />
      </h3>
      <CallWords store={store} path={call.node} call={call} />
    </section>
  );
}

interface CallProps {
  readonly store: PanelStore;
  readonly call: GraphCall;
}

function CallHead({ store, call }: CallProps): VNode {
  return (
    <>
      <span class="call-name">{purposeText(store.search.value?.words, call.purpose)}</span>{' '}
      <span class={call.outcome === 'ok' ? 'outcome' : 'outcome not-ok'}>{outcomeText(call.outcome)}</span>{' '}
      <span class="dim">{costOf(call)}</span>
    </>
  );
}

function CallWords({ store, path, call }: CallProps & { readonly path: string }): VNode {
  return (
    <>
      <p class="dim">
        {call.model} · {call.time.slice(0, 19).replace('T', ' ')}
        {call.attempt > 1 && ` · ${l10n.t('attempt {0}', call.attempt)}`}
      </p>
      {call.message && <p dir="auto">{call.message}</p>}
      <Transcript store={store} exchange={store.transcriptOf(path, call.number)} />
    </>
  );
}

function costOf({ prompt, cached, completion, usd, ms, worst }: GraphCall): string {
  const parts: string[] = [];
  if (prompt !== undefined) {
    const [sent, answered] = [figures.count(prompt), figures.count(completion ?? 0)];
    parts.push(
      cached
        ? l10n.t('{0} ({1} cached) + {2} tokens', sent, figures.count(cached), answered)
        : l10n.t('{0} + {1} tokens', sent, answered),
    );
  } else if (worst) parts.push(l10n.t('at worst {0} tokens', figures.count(worst)));
  if (usd !== undefined && usd > 0) parts.push(figures.usd(usd));
  if (ms !== undefined) parts.push(figures.duration(ms));
  return parts.join(' · ');
}

interface TranscriptProps {
  readonly store: PanelStore;
  readonly exchange: GraphTranscript | undefined;
}

function Transcript({ store, exchange }: TranscriptProps): VNode {
  if (!exchange)
    return (
      <p class="dim" role="status">
        {l10n.t('Loading…')}
      </p>
    );
  if (exchange.unknown !== undefined) return <p class="dim">{exchange.unknown}</p>;
  const { system, turns = [], prompt, answer } = exchange;
  return (
    <div class="exchange">
      <Said store={store} who={l10n.t('System')} text={system} />
      {turns.length > 0 && (
        <details>
          <summary>{l10n.t('Turns before: {0}', turns.length)}</summary>
          {turns.map(({ role, text }, index) => (
            <Said key={index} store={store} who={roleText(role)} text={text} />
          ))}
        </details>
      )}
      <Said store={store} who={l10n.t('Prompt')} text={prompt} />
      <Said store={store} who={l10n.t('Answer')} text={answer ?? l10n.t('No answer.')} />
    </div>
  );
}

function roleText(role: string): string {
  return role === 'assistant' ? l10n.t('Answer') : l10n.t('Prompt');
}

interface SaidProps {
  readonly store: PanelStore;
  readonly who: string;
  readonly text: string | undefined;
}

/** Draws one part of a call, word for word, with a button that copies it. */
function Said({ store, who, text }: SaidProps): VNode | null {
  if (text === undefined) return null;
  return (
    <>
      <h4 class="said-head">
        {who} <CopyButton store={store} text={text} label={l10n.t('Copy: {0}', who)} />
      </h4>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by keys */}
      <pre tabIndex={0} dir="auto">
        {text}
      </pre>
    </>
  );
}
