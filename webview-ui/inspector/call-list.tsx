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
              <span class="call-name">{purposeText(store.search.value?.words, call.purpose)}</span>{' '}
              <span class={call.outcome === 'ok' ? 'outcome' : 'outcome not-ok'}>{outcomeText(call.outcome)}</span>{' '}
              <span class="dim">{costOf(call)}</span>
            </summary>
            <p class="dim">
              {call.model} · {call.time.slice(0, 19).replace('T', ' ')}
              {call.attempt > 1 && ` · ${l10n.t('attempt {0}', call.attempt)}`}
            </p>
            {call.message && <p dir="auto">{call.message}</p>}
            <Transcript store={store} exchange={store.transcripts.value.get(call.number)} />
          </details>
        </li>
      ))}
    </ol>
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
