import type { JournalEvent } from '../../core/search/events.ts';
import { oneLine } from '../../core/text/text.ts';
import { countOf, formatTokens } from './figures.ts';
import type { Output } from './output.ts';
import type { View } from './view.ts';

const LONGEST = 500;

/** A line for each event that a person wants to read; for logs and pipes. */
export class LineView implements View {
  readonly #out: Output;

  constructor(out: Output) {
    this.#out = out;
  }

  event(event: JournalEvent): void {
    const text = sentenceOf(event);
    if (text !== undefined) this.#out.line(oneLine(text, LONGEST));
  }

  notice(text: string): void {
    this.#out.line(oneLine(text, LONGEST));
  }

  end(): void {
    // the farewell follows
  }
}

/** What a person did, and what they were told. */
export function steeringText({ by, action, node, message }: Extract<JournalEvent, { type: 'steered' }>): string {
  return `Steered by ${by}: ${action}${node ? ` ${node}` : ''}: ${message}`;
}

/** What of a conversation was sent in short. */
export function shorteningText(event: Pick<JournalEvent & { type: 'context-shortened' }, Shortening>): string {
  const { node, purpose, documents, lists, tokens, room } = event;
  const parts = [countOf(documents.length, 'document'), ...(lists.length > 0 ? [countOf(lists.length, 'list')] : [])];
  const of = `about ${formatTokens(tokens)} tokens, room for ${formatTokens(room)}`;
  return `Sent in short for ${node} (${purpose}): ${parts.join(' and ')} above it; ${of}`;
}

type Shortening = 'node' | 'purpose' | 'documents' | 'lists' | 'tokens' | 'room';

/** An event in words; undefined for one that only programs want to hear of. */
function sentenceOf(event: JournalEvent): string | undefined {
  switch (event.type) {
    case 'progress':
      return event.text;
    case 'search-waiting':
      return `Waiting: ${event.message}`;
    case 'search-running':
      return event.reason === 'offers' ? 'The search works again.' : 'The model answers again.';
    case 'node-status':
      if (event.status === 'failed') return `Failed: ${event.node}: ${event.failure?.message ?? 'no reason was given'}`;
      return event.status === 'pruned' ? `Pruned: ${event.node}` : undefined;
    case 'reconciled':
      return `Changed on disk: ${event.node || 'the first level'}: ${event.what}`;
    case 'steered':
      return steeringText(event);
    case 'context-shortened':
      return shorteningText(event);
    case 'offer-taken':
      return `Offer ${event.offer} is taken by ${event.by}`;
    case 'offer-given-back':
      return `Offer ${event.offer} is given back by ${event.by}`;
    case 'offer-expired':
      return `The time for offer ${event.offer} is over`;
    case 'offers-withdrawn':
      return `Withdrawn: ${countOf(event.offers.length, 'offer')}`;
    case 'offers-answered':
      return `Answered by ${event.by}: ${countOf(event.answers.length, 'offer')}`;
    case 'search-started':
    case 'search-resumed':
    case 'search-paused':
    case 'search-finished':
    case 'node-added':
    case 'call-started':
    case 'call-ended':
    case 'tool-used':
    case 'picked':
    case 'trying':
    case 'generated':
    case 'budget-changed':
    case 'lease-taken':
    case 'offer-made':
    case 'offers-applied':
      return undefined;
  }
}
